/* Profile: calls many at a time, where rows alone are wanted of them. */
#include "analysis/profile.h"

#include "base/error.h"

/* What profile_enter and profile_exit make of most calls: those of an actor that runs, on one
 * clock, where the frame above its innermost call was last one of the same routine. */

static bool is_bare(const struct profile *p)
{
    return !p->tree && !p->follows && p->sampled.ticks <= 0 && !p->late.ranged && !p->outer.known &&
           !p->calls.known;
}

static size_t form_of(const struct profile *p, const struct profile_row *row, size_t of)
{
    return (size_t)(row - p->rows) * FORMS + of;
}

/* A sum has wrapped by a number of that sign. */
static bool carry(struct profile *p, const struct profile_row *row, size_t of, int64_t ticks)
{
    size_t form = form_of(p, row, of);
    bool good = forms_reserve(&p->forms, form + 1);
    if (good)
        p->forms.items[form].ticks += ticks > 0 ? (int128)1 << 64 : -((int128)1 << 64);
    return good;
}

static inline bool add_ticks(struct profile *p, bool counts, struct profile_row *row, size_t of,
                             int64_t ticks)
{
    struct profile_sum *sum = &row->by_clock[of];
    sum->times += counts;
    ticks &= -(int64_t)counts;
    return !__builtin_add_overflow(sum->ticks, ticks, &sum->ticks) || carry(p, row, of, ticks);
}

/* A time that counts is interrupted for so long: it is one more, and they are together so much less
 * than from where it began. */
static inline bool take_off(struct profile *p, bool counts, struct profile_row *row, size_t of,
                            int64_t ticks)
{
    struct profile_sum *sum = &row->by_clock[of];
    sum->times += counts;
    ticks &= -(int64_t)counts;
    return !__builtin_sub_overflow(sum->ticks, ticks, &sum->ticks) ||
           carry(p, row, of, ticks > 0 ? -1 : 1);
}

/* Add the time between two moments to a form of a row, where it counts.  Which times do cannot be
 * foretold where actors run side by side: nothing branches on it as long as all is by one clock. */
static inline bool add(struct profile *p, bool counts, struct profile_row *row, size_t of,
                       const struct moment *begin, const struct moment *now)
{
    int64_t ticks;
    if (begin->clock == now->clock &&
        !__builtin_sub_overflow(now->local_ticks, begin->local_ticks, &ticks))
        return add_ticks(p, counts, row, of, ticks);
    return !counts || forms_add_any(&p->forms, form_of(p, row, of), begin, now, 1);
}

/* One more is there, or one less. */
static inline void come(struct presence *presence, const struct moment *now)
{
    struct moment spare = {0}, *since = presence->n++ == 0 ? &presence->since : &spare;
    *since = *now;
}

static inline bool go(struct profile *p, struct presence *presence, struct profile_row *row,
                      size_t of, const struct moment *now)
{
    return add(p, --presence->n == 0, row, of, &presence->since, now);
}

/* The time of an actor goes to another row from here on; either may be none. */
static inline bool direct_to(struct profile *p, struct profile_actor *actor, uint32_t row,
                             const struct moment *now)
{
    uint32_t last = actor->direct_row;
    struct profile_row *from = last != NO_TEXT ? &p->rows[last] : NULL;
    struct profile_row *to = row != NO_TEXT ? &p->rows[row] : NULL;
    bool good = true, alone = p->active == 1;
    if (from)
        good = add(p, true, from, FORM_DIRECT, &actor->since, now);
    actor->since = *now;
    if (last == row)
        return good;
    actor->direct_row = row;
    if (from)
        good = good && (!alone || profile_tell_alone(p, last, now)) &&
               go(p, &from->direct, from, FORM_ELAPSED_DIRECT, now);
    if (!to)
        return good;
    good =
        good && (!alone || profile_tell_alone(p, row, now)) && (to->listed || profile_list(p, row));
    come(&to->direct, now);
    return good;
}

/* False, and nothing is done, where the call is not such a one; *good is false on no memory. */
static inline bool enter_again(struct profile *p, const struct actor_call *call, bool *good)
{
    struct profile_actor *actor = &p->actors[call->actor];
    size_t depth = actor->depth;
    if (depth >= actor->deepest || !actor->on)
        return false;
    struct profile_frame *frame = &actor->frames[depth];
    struct profile_cell *cell = &p->cells[frame->cell];
    if (cell->routine != call->routine || cell->group != actor->group)
        return false;
    struct profile_row *row = &p->rows[cell->row];
    bool outermost = cell->active++ == 0;
    if (depth == 0) {
        p->inside++;
        p->entries++;
    }
    frame->row = cell->row;
    frame->begin = call->at;
    frame->calls = ++actor->calls;
    frame->others = p->entries;
    frame->outermost = outermost;
    frame->open = false;
    frame->among = p->inside > 1;
    actor->depth = depth + 1;
    row->calls++;
    row->recursive += !outermost;
    if (outermost)
        come(&row->inside, &call->at);
    if (row->inside.n > row->most_inside)
        row->most_inside = row->inside.n;
    *good = direct_to(p, actor, cell->row, &call->at);
    return true;
}

/* The length of a call. */
static inline bool add_length(struct profile *p, bool outermost, uint32_t index, int64_t ticks)
{
    struct profile_row *row = &p->rows[index];
    if (ticks < row->usual_least || ticks > row->usual_greatest)
        profile_take_length(row, &(csy_range){ticks, ticks, ticks, CSY_RANGE_CLOCK});
    return add_ticks(p, true, row, FORM_LENGTHS, ticks) &&
           add_ticks(p, outermost, row, FORM_CUMULATIVE, ticks) &&
           lengths_count(&p->lengths, index, ticks);
}

static inline bool exit_again(struct profile *p, const struct actor_call *call, bool *good)
{
    struct profile_actor *actor = &p->actors[call->actor];
    const struct moment *now = &call->at;
    size_t depth = actor->depth;
    int64_t ticks;
    if (depth == 0 || actor->deeper > 0 || !actor->on)
        return false;
    const struct profile_frame *frame = &actor->frames[depth - 1];
    struct profile_cell *cell = &p->cells[frame->cell];
    const struct profile_cell *caller = depth > 1 ? &p->cells[frame[-1].cell] : NULL;
    if ((cell->routine != call->routine && call->routine != NO_TEXT) ||
        (caller && caller->group != actor->group) || frame->begin.clock != now->clock ||
        __builtin_sub_overflow(now->local_ticks, frame->begin.local_ticks, &ticks))
        return false;
    struct profile_row *row = &p->rows[frame->row];
    actor->depth = depth - 1;
    cell->active--;
    p->inside -= depth == 1;
    row->open += frame->open;
    row->concurrent += frame->among || p->entries > frame->others;
    bool fine = add_length(p, frame->outermost, frame->row, ticks);
    if (frame->outermost) {
        row->descendants += actor->calls - frame->calls;
        fine = fine && go(p, &row->inside, row, FORM_ELAPSED, now);
    }
    *good = fine && direct_to(p, actor, caller ? caller->row : NO_TEXT, now);
    return true;
}

/* A call that the next record of all ends, within one of another row: what enter_again and then
 * exit_again come to, as most calls go. */
static inline bool take_leaf(struct profile *p, const struct actor_call *call, bool *good)
{
    const struct actor_call *last = call + 1;
    const struct moment *begin = &call->at, *now = &last->at;
    struct profile_actor *actor = &p->actors[call->actor];
    size_t depth = actor->depth;
    int64_t ticks;
    if (last->enters || last->actor != call->actor || begin->clock != now->clock ||
        (last->routine != call->routine && last->routine != NO_TEXT) || depth == 0 ||
        depth >= actor->deepest || !actor->on || p->active == 1 ||
        __builtin_sub_overflow(now->local_ticks, begin->local_ticks, &ticks))
        return false;
    const struct profile_cell *cell = &p->cells[actor->frames[depth].cell];
    if (cell->routine != call->routine || cell->group != actor->group ||
        p->cells[actor->frames[depth - 1].cell].row != actor->direct_row ||
        cell->row == actor->direct_row)
        return false;
    struct profile_row *row = &p->rows[cell->row], *from = &p->rows[actor->direct_row];
    bool outermost = cell->active == 0, only = from->direct.n == 1;
    if (actor->since.clock != now->clock || (only && from->direct.since.clock != now->clock))
        return false;
    actor->calls++;
    row->calls++;
    row->recursive += !outermost;
    row->concurrent += p->inside > 1;
    if (outermost && row->inside.n >= row->most_inside)
        row->most_inside = row->inside.n + 1;
    *good = take_off(p, true, from, FORM_DIRECT, ticks) &&
            take_off(p, only, from, FORM_ELAPSED_DIRECT, ticks) &&
            add_ticks(p, true, row, FORM_DIRECT, ticks) &&
            add_ticks(p, row->direct.n == 0, row, FORM_ELAPSED_DIRECT, ticks) &&
            add_ticks(p, outermost && row->inside.n == 0, row, FORM_ELAPSED, ticks) &&
            add_length(p, outermost, cell->row, ticks);
    return true;
}

/* Whatever it is. */
static csy_status take_call(struct profile *p, const struct actor_call *call, csy_error *error)
{
    struct profile_actor *actor = &p->actors[call->actor];
    if (!call->enters)
        return profile_exit(p, actor, call->routine, &call->at, error);
    return profile_enter(p, call->actor, call->routine, &call->at, false) ? CSY_OK
                                                                          : error_memory(error);
}

csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error)
{
    struct profile *p = user;
    csy_status status = CSY_OK;
    bool bare = is_bare(p), good = true;
    for (size_t i = 0; !status && i < n; i++) {
        const struct actor_call *call = &calls[i];
        if (!moves_note(&p->moves, call->at.clock, call->at.global_ticks))
            return error_memory(error);
        if (p->actors[call->actor].left_out)
            continue;
        if (bare && call->enters && i + 1 < n && take_leaf(p, call, &good))
            good = moves_note(&p->moves, call->at.clock, calls[++i].at.global_ticks) && good;
        else if (!bare ||
                 !(call->enters ? enter_again(p, call, &good) : exit_again(p, call, &good)))
            status = take_call(p, call, error);
        if (!good)
            status = error_memory(error);
    }
    return status;
}

bool profile_end_calls(struct profile *p)
{
    if (!forms_reserve(&p->forms, p->nrows * FORMS))
        return false;
    for (size_t row = 0; row < p->nrows; row++)
        for (size_t of = 0; of < FORMS_BY_CLOCK; of++) {
            struct form *form = &p->forms.items[row * FORMS + of];
            form->ticks += p->rows[row].by_clock[of].ticks;
            form->crossings += p->rows[row].by_clock[of].times;
        }
    return true;
}
