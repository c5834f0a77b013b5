/* Profile: calls many at a time, where rows alone are wanted of them. */
#include "analysis/profile.h"

#include "base/error.h"

/* What profile_enter and profile_exit make of most calls: those of an actor that runs, on one
 * clock, where the frame above its innermost call was last one of the same routine. */

/* An actor, while it calls and no other one does. */
struct again {
    struct profile *p;
    struct profile_actor *actor;
    struct profile_row *rows;
    struct profile_cell *cells;
    struct profile_frame *frames;
    uint32_t clock;
    bool alone; /* one unit is active */
    bool good;  /* false: no memory */
};

static bool is_bare(const struct profile *p)
{
    return !p->tree && !p->follows && p->sampled.ticks <= 0 && !p->late.ranged && !p->outer.known &&
           !p->calls.known;
}

/* Add n times to a sum, where they count, which are together so many ticks; less than none where
 * times that are in it are interrupted.  Which count cannot be foretold where actors run side by
 * side: nothing branches on it. */
static inline void add_times(struct profile_sum *sum, bool counts, size_t n, int128 ticks)
{
    sum->times += n & -(size_t)counts;
    sum->ticks += ticks & -(int128)counts;
}

/* Add the time between two moments to a form of a row, by two clocks or beyond 64 bits. */
static void add_any(struct again *a, const struct profile_row *row, size_t of,
                    const struct moment *begin, const struct moment *now)
{
    size_t form = (size_t)(row - a->rows) * FORMS + of;
    a->good = forms_add_any(&a->p->forms, form, begin, now, 1) && a->good;
}

/* The same, where it counts. */
static inline void add(struct again *a, bool counts, struct profile_row *row, size_t of,
                       const struct moment *begin, const struct moment *now)
{
    int64_t ticks;
    if (begin->clock == a->clock &&
        !__builtin_sub_overflow(now->local_ticks, begin->local_ticks, &ticks))
        add_times(&row->by_clock[of], counts, 1, ticks);
    else if (counts)
        add_any(a, row, of, begin, now);
}

/* One more is there, or one less. */
static inline void come(struct again *a, struct presence *presence, const struct moment *now)
{
    struct moment *since = presence->n++ == 0 ? &presence->since : &a->p->spare;
    *since = *now;
}

static inline void go(struct again *a, struct presence *presence, struct profile_row *row,
                      size_t of, const struct moment *now)
{
    add(a, --presence->n == 0, row, of, &presence->since, now);
}

/* More or fewer will spend time in that row, which matters while one unit is active: what
 * profile_tell_alone does. */
static inline void tell_alone(struct again *a, struct profile_row *row, const struct moment *now)
{
    const struct moment *since = &row->alone_since;
    int64_t ticks, n = row->direct.n;
    if (!a->alone)
        return;
    if (since->clock == a->clock &&
        !__builtin_sub_overflow(now->local_ticks, since->local_ticks, &ticks)) {
        add_times(&row->by_clock[FORM_ALONE], true, (size_t)n, (int128)n * ticks);
        row->alone_since = *now;
    } else if (!profile_tell_alone(a->p, (uint32_t)(row - a->rows), now)) {
        a->good = false;
    }
}

/* The time of the actor goes to another row from here on; either may be none. */
static inline void direct_to(struct again *a, uint32_t row, const struct moment *now)
{
    struct profile_actor *actor = a->actor;
    uint32_t last = actor->direct_row;
    struct profile_row *from = last != NO_TEXT ? &a->rows[last] : NULL;
    struct profile_row *to = row != NO_TEXT ? &a->rows[row] : NULL;
    if (from)
        add(a, true, from, FORM_DIRECT, &actor->since, now);
    actor->since = *now;
    if (last == row)
        return;
    actor->direct_row = row;
    if (from) {
        tell_alone(a, from, now);
        go(a, &from->direct, from, FORM_ELAPSED_DIRECT, now);
    }
    if (to) {
        tell_alone(a, to, now);
        if (!to->listed && !profile_list(a->p, row))
            a->good = false;
        come(a, &to->direct, now);
    }
}

/* The cell of the frame above the innermost call, if it is one of that routine; NULL: it is not. */
static inline struct profile_cell *find_again(const struct again *a, uint32_t routine)
{
    const struct profile_actor *actor = a->actor;
    if (actor->depth >= actor->deepest)
        return NULL;
    struct profile_cell *cell = &a->cells[a->frames[actor->depth].cell];
    return cell->routine == routine && cell->group == actor->group ? cell : NULL;
}

/* False, and nothing is done, where the call is not such a one. */
static inline bool enter_again(struct again *a, const struct actor_call *call)
{
    const struct moment now = {call->local_ticks, call->global_ticks, a->clock};
    struct profile *p = a->p;
    struct profile_actor *actor = a->actor;
    struct profile_cell *cell = find_again(a, call->routine);
    if (!cell)
        return false;
    struct profile_row *row = &a->rows[cell->row];
    struct profile_frame *frame = &a->frames[actor->depth];
    bool outermost = cell->active++ == 0;
    if (actor->depth++ == 0) {
        p->inside++;
        p->entries++;
    }
    frame->row = cell->row;
    frame->begin = now;
    frame->calls = ++actor->calls;
    frame->others = p->entries;
    frame->outermost = outermost;
    frame->open = false;
    frame->among = p->inside > 1;
    row->calls++;
    row->recursive += !outermost;
    if (outermost)
        come(a, &row->inside, &now);
    if (row->inside.n > row->most_inside)
        row->most_inside = row->inside.n;
    direct_to(a, cell->row, &now);
    return true;
}

/* The length of a call. */
static inline void count_length(struct again *a, uint32_t index, int64_t ticks)
{
    struct profile_row *row = &a->rows[index];
    if (ticks < row->usual_least || ticks > row->usual_greatest)
        profile_take_length(row, &(csy_range){ticks, ticks, ticks, CSY_RANGE_CLOCK});
    if (!lengths_count(&a->p->lengths, index, ticks))
        a->good = false;
}

static inline bool exit_again(struct again *a, const struct actor_call *call)
{
    const struct moment now = {call->local_ticks, call->global_ticks, a->clock};
    struct profile_actor *actor = a->actor;
    size_t depth = actor->depth;
    int64_t ticks;
    if (depth == 0 || actor->deeper > 0)
        return false;
    const struct profile_frame *frame = &a->frames[depth - 1];
    struct profile_cell *cell = &a->cells[frame->cell];
    const struct profile_cell *caller = depth > 1 ? &a->cells[frame[-1].cell] : NULL;
    if ((cell->routine != call->routine && call->routine != NO_TEXT) ||
        (caller && caller->group != actor->group) || frame->begin.clock != a->clock ||
        __builtin_sub_overflow(now.local_ticks, frame->begin.local_ticks, &ticks))
        return false;
    struct profile_row *row = &a->rows[frame->row];
    actor->depth = depth - 1;
    cell->active--;
    a->p->inside -= depth == 1;
    row->open += frame->open;
    row->concurrent += frame->among || a->p->entries > frame->others;
    count_length(a, frame->row, ticks);
    add_times(&row->by_clock[FORM_LENGTHS], true, 1, ticks);
    add_times(&row->by_clock[FORM_CUMULATIVE], frame->outermost, 1, ticks);
    if (frame->outermost) {
        row->descendants += actor->calls - frame->calls;
        go(a, &row->inside, row, FORM_ELAPSED, &now);
    }
    direct_to(a, caller ? caller->row : NO_TEXT, &now);
    return true;
}

/* Whether the next record of the actor ends the call, and how long it takes then. */
static inline bool is_leaf(const struct actor_call *call, const struct actor_call *end,
                           int64_t *ticks)
{
    const struct actor_call *last = call + 1;
    return call->enters && last < end && !last->enters &&
           (last->routine == call->routine || last->routine == NO_TEXT) &&
           !__builtin_sub_overflow(last->local_ticks, call->local_ticks, ticks);
}

/* Such calls of one routine, within one of another row: what enter_again and then exit_again come
 * to, as most calls go.  How many records they are. */
static inline size_t take_leaves(struct again *a, const struct actor_call *call,
                                 const struct actor_call *end)
{
    struct profile_actor *actor = a->actor;
    const struct profile_cell *cell = find_again(a, call->routine);
    int64_t ticks;
    if (!cell || cell->active > 0 || cell->row == actor->direct_row || actor->depth == 0 ||
        !is_leaf(call, end, &ticks))
        return 0;
    struct profile_row *row = &a->rows[cell->row], *from = &a->rows[actor->direct_row];
    bool only = from->direct.n == 1;
    if ((only && from->direct.since.clock != a->clock) ||
        (a->alone && (from->alone_since.clock != a->clock || row->alone_since.clock != a->clock)))
        return 0;
    size_t n = 0;
    int128 all = 0;
    do {
        count_length(a, cell->row, ticks);
        all += ticks;
        n++;
        call += 2;
    } while (call < end && call->routine == cell->routine && is_leaf(call, end, &ticks));
    actor->calls += n;
    row->calls += n;
    row->concurrent += a->p->inside > 1 ? n : 0;
    if (row->inside.n >= row->most_inside)
        row->most_inside = row->inside.n + 1;
    add_times(&from->by_clock[FORM_DIRECT], true, n, -all);
    add_times(&from->by_clock[FORM_ELAPSED_DIRECT], only, n, -all);
    add_times(&row->by_clock[FORM_DIRECT], true, n, all);
    add_times(&row->by_clock[FORM_ELAPSED_DIRECT], row->direct.n == 0, n, all);
    add_times(&row->by_clock[FORM_ELAPSED], row->inside.n == 0, n, all);
    add_times(&row->by_clock[FORM_CUMULATIVE], true, n, all);
    add_times(&row->by_clock[FORM_LENGTHS], true, n, all);
    if (a->alone) { /* each is told before it and after, of one more or less */
        add_times(&from->by_clock[FORM_ALONE], true, n * (2 * (size_t)from->direct.n - 1), -all);
        add_times(&row->by_clock[FORM_ALONE], true, n * (2 * (size_t)row->direct.n + 1), all);
    }
    return 2 * n;
}

/* Whether its time goes where its innermost call is, and has by that clock since when it does. */
static bool may_again(const struct again *a)
{
    const struct profile_actor *actor = a->actor;
    if (!actor->on || actor->depth == 0)
        return actor->on && actor->direct_row == NO_TEXT;
    return a->cells[a->frames[actor->depth - 1].cell].row == actor->direct_row &&
           actor->since.clock == a->clock;
}

/* As many calls of a run, from one on, as are such ones. */
static size_t take_again(struct profile *p, const struct call_run *run, size_t first, bool *good)
{
    struct profile_actor *actor = &p->actors[run->actor];
    struct again a = {p, actor, p->rows, p->cells, actor->frames, run->clock, p->active == 1, true};
    const struct actor_call *call = run->calls + first, *end = run->calls + run->n;
    for (size_t taken = may_again(&a); taken > 0 && call < end; call += taken) {
        if (!call->enters)
            taken = exit_again(&a, call);
        else if ((taken = take_leaves(&a, call, end)) == 0)
            taken = enter_again(&a, call);
    }
    *good = a.good;
    return (size_t)(call - run->calls);
}

/* Whatever it is. */
static csy_status take_call(struct profile *p, const struct call_run *run, size_t index,
                            csy_error *error)
{
    const struct actor_call *call = &run->calls[index];
    const struct moment now = {call->local_ticks, call->global_ticks, run->clock};
    if (!call->enters)
        return profile_exit(p, &p->actors[run->actor], call->routine, &now, error);
    return profile_enter(p, run->actor, call->routine, &now, false) ? CSY_OK : error_memory(error);
}

static csy_status take_run(struct profile *p, const struct call_run *run, bool bare,
                           csy_error *error)
{
    csy_status status = CSY_OK;
    bool good = moves_note(&p->moves, run->clock, run->calls[0].global_ticks) &&
                moves_note(&p->moves, run->clock, run->calls[run->n - 1].global_ticks);
    size_t i = p->actors[run->actor].left_out ? run->n : 0;
    while (good && !status && i < run->n) {
        i = bare ? take_again(p, run, i, &good) : i;
        if (i < run->n)
            status = take_call(p, run, i++, error);
    }
    return good ? status : error_memory(error);
}

csy_status profile_take_calls(void *user, const struct call_run *runs, size_t n, csy_error *error)
{
    struct profile *p = user;
    csy_status status = CSY_OK;
    bool bare = is_bare(p);
    for (size_t i = 0; !status && i < n; i++)
        status = take_run(p, &runs[i], bare, error);
    return status;
}

bool profile_end_calls(struct profile *p)
{
    if (!forms_reserve(&p->forms, p->nrows * FORMS))
        return false;
    for (size_t row = 0; row < p->nrows; row++)
        for (size_t of = 0; of < FORMS_BY_CLOCK; of++) {
            struct form *form = &p->forms.items[row * FORMS + of];
            const struct profile_sum *sum = &p->rows[row].by_clock[of];
            form->ticks += sum->ticks;
            form->crossings += sum->times;
        }
    return true;
}
