/* Profile: calls many at a time, where rows alone are wanted of them. */
#include "analysis/calls/profile.h"

#include "base/error.h"

/* What profile_enter and profile_exit make of most calls: those of actors that run, on one clock,
 * where the frame above the innermost call was last one of the same routine. */

/* Calls, as they are taken. */
struct again {
    struct profile *p;
    struct profile_actor *actors;
    struct profile_row *rows;
    struct profile_cell *cells;
    uint64_t entries; /* of a frame that begins */
    bool alone;       /* one unit is active */
    bool good;        /* false: no memory */
};

static bool is_bare(const struct profile *p)
{
    return !p->tree && !p->follows && p->sampled.ticks <= 0 && !p->late.ranged && !p->outer.known &&
           !p->calls.known;
}

/* Add n times to a sum that are together so many ticks; less than none where times that are in it
 * are interrupted. */
static inline void add_times(struct profile_sum *sum, size_t n, int128 ticks)
{
    sum->times += n;
    sum->ticks += ticks;
}

/* Add the time between two moments to a form of a row. */
static inline void add(struct again *a, struct profile_row *row, size_t of,
                       const struct moment *begin, const struct moment *now)
{
    int64_t ticks;
    size_t form = (size_t)(row - a->rows) * FORMS + of;
    if (begin->clock == now->clock &&
        !__builtin_sub_overflow(now->local_ticks, begin->local_ticks, &ticks))
        add_times(&row->by_clock[of], 1, ticks);
    else if (!forms_add_any(&a->p->forms, form, begin, now, 1))
        a->good = false;
}

/* More or fewer will spend time in that row, while one unit is active: what profile_tell_alone
 * does. */
static void tell_alone(struct again *a, struct profile_row *row, const struct moment *now)
{
    const struct moment *since = &row->alone_since;
    int64_t ticks, n = row->direct.n;
    if (since->clock == now->clock &&
        !__builtin_sub_overflow(now->local_ticks, since->local_ticks, &ticks)) {
        add_times(&row->by_clock[FORM_ALONE], (size_t)n, (int128)n * ticks);
        row->alone_since = *now;
    } else if (!profile_tell_alone(a->p, (uint32_t)(row - a->rows), now)) {
        a->good = false;
    }
}

/* The time of the actor up to now is of that row; since when is by the clock by which it calls. */
static inline void spend(struct again *a, struct profile_actor *actor, struct profile_row *row,
                         const struct moment *now)
{
    int64_t ticks;
    if (__builtin_sub_overflow(now->local_ticks, actor->since.local_ticks, &ticks))
        add(a, row, FORM_DIRECT, &actor->since, now);
    else
        add_times(&row->by_clock[FORM_DIRECT], 1, ticks);
}

/* One less spends its time in a row, or one more. */
static inline void go(struct again *a, struct profile_row *row, const struct moment *now)
{
    if (a->alone)
        tell_alone(a, row, now);
    if (--row->direct.n == 0)
        add(a, row, FORM_ELAPSED_DIRECT, &row->direct.since, now);
}

static inline void come(struct again *a, struct profile_row *row, const struct moment *now)
{
    if (a->alone)
        tell_alone(a, row, now);
    if (row->direct.n++ > 0)
        return;
    row->direct.since = *now;
    if (!row->listed && !profile_list(a->p, (uint32_t)(row - a->rows)))
        a->good = false;
}

/* The cell of the frame above the innermost call, if it is one of that routine; NULL: it is not, or
 * the actor does not call by that clock. */
static inline struct profile_cell *
find_again(const struct again *a, const struct profile_actor *actor, const struct actor_call *call)
{
    if (actor->depth >= actor->deepest || actor->clock != call->at.clock)
        return NULL;
    struct profile_cell *cell = &a->cells[actor->frames[actor->depth].cell];
    return cell->routine == call->routine && cell->group == actor->group ? cell : NULL;
}

/* More actors are in routines, or fewer. */
static void set_inside(struct again *a, uint64_t inside)
{
    a->p->inside = inside;
    a->entries = a->p->entries - (inside > 1);
}

/* False, and nothing is done, where the call is not such a one. */
static inline bool enter_again(struct again *a, const struct actor_call *call)
{
    const struct moment *now = &call->at;
    struct profile *p = a->p;
    struct profile_actor *actor = &a->actors[call->actor];
    struct profile_cell *cell = find_again(a, actor, call);
    if (!cell)
        return false;
    struct profile_row *row = &a->rows[cell->row];
    struct profile_frame *frame = &actor->frames[actor->depth];
    bool outermost = cell->active++ == 0;
    if (actor->depth++ == 0) {
        p->entries++;
        set_inside(a, p->inside + 1);
    }
    frame->row = cell->row;
    frame->begin = *now;
    frame->calls = ++actor->calls;
    frame->entries = a->entries;
    frame->outermost = outermost;
    frame->open = false;
    row->calls++;
    if (!outermost)
        row->recursive++;
    else if (row->inside.n++ == 0)
        row->inside.since = *now;
    if (row->inside.n > row->most_inside)
        row->most_inside = row->inside.n;
    uint32_t from = actor->direct_row;
    if (from != NO_TEXT)
        spend(a, actor, &a->rows[from], now);
    if (from != NO_TEXT && from != cell->row)
        go(a, &a->rows[from], now);
    if (from != cell->row)
        come(a, row, now);
    actor->since = *now;
    actor->direct_row = cell->row;
    return true;
}

/* The length of a call. */
static inline void count_length(struct again *a, struct profile_row *row, int64_t ticks)
{
    if (ticks < row->usual_least || ticks > row->usual_greatest)
        profile_take_length(row, &(csy_range){ticks, ticks, ticks, CSY_RANGE_CLOCK});
    if (!lengths_count(&a->p->lengths, (uint32_t)(row - a->rows), ticks))
        a->good = false;
}

static inline bool exit_again(struct again *a, const struct actor_call *call)
{
    const struct moment *now = &call->at;
    struct profile_actor *actor = &a->actors[call->actor];
    size_t depth = actor->depth;
    int64_t ticks;
    if (depth == 0 || actor->clock != now->clock)
        return false;
    const struct profile_frame *frame = &actor->frames[depth - 1];
    struct profile_cell *cell = &a->cells[frame->cell];
    const struct profile_cell *caller = depth > 1 ? &a->cells[frame[-1].cell] : NULL;
    if ((cell->routine != call->routine && call->routine != NO_TEXT) ||
        (caller && caller->group != actor->group) || frame->begin.clock != now->clock ||
        __builtin_sub_overflow(now->local_ticks, frame->begin.local_ticks, &ticks))
        return false;
    struct profile_row *row = &a->rows[frame->row];
    actor->depth = depth - 1;
    cell->active--;
    row->open += frame->open;
    row->concurrent += a->p->entries > frame->entries;
    count_length(a, row, ticks);
    add_times(&row->by_clock[FORM_LENGTHS], 1, ticks);
    if (frame->outermost) {
        add_times(&row->by_clock[FORM_CUMULATIVE], 1, ticks);
        row->descendants += actor->calls - frame->calls;
        if (--row->inside.n == 0)
            add(a, row, FORM_ELAPSED, &row->inside.since, now);
    }
    if (!caller)
        set_inside(a, a->p->inside - 1);
    struct profile_row *from = &a->rows[actor->direct_row];
    uint32_t to = caller ? caller->row : NO_TEXT;
    spend(a, actor, from, now);
    if (to != actor->direct_row) {
        go(a, from, now);
        if (to != NO_TEXT)
            come(a, &a->rows[to], now);
    }
    actor->since = *now;
    actor->direct_row = to;
    return true;
}

/* Whether the call after it, of the same actor, ends it, and how long it takes then. */
static inline bool is_leaf(const struct actor_call *call, const struct actor_call *end,
                           int64_t *ticks)
{
    const struct actor_call *last = call + 1;
    return last < end && last->actor == call->actor && !last->enters &&
           (last->routine == call->routine || last->routine == NO_TEXT) &&
           last->at.clock == call->at.clock &&
           !__builtin_sub_overflow(last->at.local_ticks, call->at.local_ticks, ticks);
}

/* Such calls of one routine, within one of another row: what enter_again and then exit_again come
 * to, as most calls go where one actor runs alone.  How many records they are. */
static inline size_t take_leaves(struct again *a, const struct actor_call *call,
                                 const struct actor_call *end)
{
    const struct actor_call *first = call;
    struct profile_actor *actor = &a->actors[call->actor];
    int64_t ticks;
    if (actor->depth == 0 || !is_leaf(call, end, &ticks))
        return 0;
    const struct profile_cell *cell = find_again(a, actor, call);
    if (!cell || cell->active > 0 || cell->row == actor->direct_row)
        return 0;
    struct profile_row *row = &a->rows[cell->row], *from = &a->rows[actor->direct_row];
    bool only = from->direct.n == 1;
    if ((only && from->direct.since.clock != call->at.clock) ||
        (a->alone &&
         (from->alone_since.clock != call->at.clock || row->alone_since.clock != call->at.clock)))
        return 0;
    size_t n = 0;
    int128 all = 0;
    do {
        count_length(a, row, ticks);
        all += ticks;
        n++;
        call += 2;
    } while (call < end && call->enters && call->actor == first->actor &&
             call->routine == first->routine && call->at.clock == first->at.clock &&
             is_leaf(call, end, &ticks));
    actor->calls += n;
    row->calls += n;
    row->concurrent += a->p->inside > 1 ? n : 0;
    if (row->inside.n >= row->most_inside)
        row->most_inside = row->inside.n + 1;
    add_times(&from->by_clock[FORM_DIRECT], n, -all);
    if (only)
        add_times(&from->by_clock[FORM_ELAPSED_DIRECT], n, -all);
    add_times(&row->by_clock[FORM_DIRECT], n, all);
    if (row->direct.n == 0)
        add_times(&row->by_clock[FORM_ELAPSED_DIRECT], n, all);
    if (row->inside.n == 0)
        add_times(&row->by_clock[FORM_ELAPSED], n, all);
    add_times(&row->by_clock[FORM_CUMULATIVE], n, all);
    add_times(&row->by_clock[FORM_LENGTHS], n, all);
    if (a->alone) { /* each is told before it and after, of one more or less */
        add_times(&from->by_clock[FORM_ALONE], n * (2 * (size_t)from->direct.n - 1), -all);
        add_times(&row->by_clock[FORM_ALONE], n * (2 * (size_t)row->direct.n + 1), all);
    }
    return 2 * n;
}

/* Whether leaves are worth looking for: some calls are of one actor. */
static inline bool is_stretch(const struct actor_call *call, const struct actor_call *end)
{
    return end - call > 3 && ((call[1].actor ^ call->actor) | (call[3].actor ^ call->actor)) == 0;
}

/* As many calls as are such ones. */
static const struct actor_call *take_again(struct profile *p, const struct actor_call *call,
                                           const struct actor_call *end, bool *good)
{
    struct again a = {.p = p,
                      .actors = p->actors,
                      .rows = p->rows,
                      .cells = p->cells,
                      .alone = p->active == 1,
                      .good = true};
    set_inside(&a, p->inside);
    for (size_t taken = 1; call < end && taken > 0; call += taken) {
        if (!call->enters)
            taken = exit_again(&a, call);
        else if (!is_stretch(call, end) || (taken = take_leaves(&a, call, end)) == 0)
            taken = enter_again(&a, call);
    }
    *good = a.good;
    return call;
}

/* Whatever it is. */
static csy_status take_call(struct profile *p, const struct actor_call *call, csy_error *error)
{
    struct profile_actor *actor = &p->actors[call->actor];
    if (actor->left_out)
        return CSY_OK;
    if (!call->enters)
        return profile_exit(p, actor, call->routine, &call->at, error);
    return profile_enter(p, call->actor, call->routine, &call->at, false) ? CSY_OK
                                                                          : error_memory(error);
}

/* Of records of one clock that follow one another the first and the last. */
static bool note_moves(struct moves *moves, const struct actor_call *calls, size_t n)
{
    const struct actor_call *last = &calls[n - 1];
    bool good = moves_note(moves, calls->at.clock, calls->at.global_ticks);
    for (const struct actor_call *call = calls; good && moves->n > 1 && call < last; call++)
        if (call->at.clock != call[1].at.clock)
            good = moves_note(moves, call->at.clock, call->at.global_ticks) &&
                   moves_note(moves, call[1].at.clock, call[1].at.global_ticks);
    return good && moves_note(moves, last->at.clock, last->at.global_ticks);
}

csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error)
{
    struct profile *p = user;
    const struct actor_call *call = calls, *end = calls + n;
    csy_status status = CSY_OK;
    bool bare = is_bare(p), good = note_moves(&p->moves, calls, n);
    while (good && !status && call < end) {
        call = bare ? take_again(p, call, end, &good) : call;
        if (good && call < end)
            status = take_call(p, call++, error);
    }
    return good ? status : error_memory(error);
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
