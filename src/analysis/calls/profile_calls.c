/* Profile: calls of actors, and the rows in which their time is spent. */
#include "analysis/calls/profile.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

enum { CELLS_MAX = 1 << 26 };

static size_t form_of(uint32_t row, size_t form)
{
    return (size_t)row * FORMS + form;
}

/* --- Presence ------------------------------------------------------------------------------- */

static bool tell_alone(struct profile *p, uint32_t row, const struct moment *now)
{
    struct profile_row *item = &p->rows[row];
    const struct moment since = item->alone_since;
    item->alone_since = *now;
    return item->direct.n == 0 ||
           forms_add(&p->forms, form_of(row, FORM_ALONE), &since, now, item->direct.n);
}

static bool list(struct profile *p, uint32_t row)
{
    if (!ARRAY_RESERVE(p->listed, p->listed_capacity, p->nlisted + 1))
        return false;
    p->listed[p->nlisted++] = row;
    p->rows[row].listed = true;
    return true;
}

size_t profile_listed(struct profile *p)
{
    for (size_t i = p->nlisted; i-- > 0;) {
        uint32_t row = p->listed[i];
        if (p->rows[row].direct.n > 0)
            continue;
        p->rows[row].listed = false;
        p->listed[i] = p->listed[--p->nlisted];
    }
    return p->nlisted;
}

/* One more, or one less, spends time in a row; the elapsed time is that of at least one. */
static bool step_direct(struct profile *p, uint32_t row, uint32_t actor, const struct moment *now,
                        int step)
{
    struct profile_row *item = &p->rows[row];
    if ((p->active == 1 && !tell_alone(p, row, now)) ||
        (p->late.ranged && !late_step(p, row, step)) ||
        !profile_outer_step(&p->outer, row, OUTER_DIRECT, actor, now, step))
        return false;
    item->direct.n += step;
    if (item->direct.n == 0)
        return forms_add(&p->forms, form_of(row, FORM_ELAPSED_DIRECT), &item->direct.since, now, 1);
    if (item->direct.n == 1 && step > 0)
        item->direct.since = *now;
    return item->listed || list(p, row);
}

static bool step_inside(struct profile *p, uint32_t row, uint32_t actor, const struct moment *now,
                        int step)
{
    struct profile_row *item = &p->rows[row];
    if (!profile_outer_step(&p->outer, row, OUTER_INSIDE, actor, now, step))
        return false;
    item->inside.n += step;
    if (item->inside.n > item->most_inside)
        item->most_inside = item->inside.n;
    if (item->inside.n == 0)
        return forms_add(&p->forms, form_of(row, FORM_ELAPSED), &item->inside.since, now, 1);
    if (item->inside.n == 1 && step > 0)
        item->inside.since = *now;
    return true;
}

/* The number of active units changes. */
bool profile_step_units(struct profile *p, const struct moment *now, int64_t step)
{
    bool good = true, was_alone = p->active == 1;
    p->active += step;
    size_t n = was_alone || p->active == 1 ? profile_listed(p) : 0;
    for (size_t i = 0; good && was_alone && i < n; i++)
        good = tell_alone(p, p->listed[i], now);
    for (size_t i = 0; p->active == 1 && i < n; i++)
        p->rows[p->listed[i]].alone_since = *now;
    return good;
}

/* --- Rows ----------------------------------------------------------------------------------- */

static bool find_row(struct profile *p, uint32_t routine, uint32_t group, uint32_t *out)
{
    bool added;
    if (!keys_find(&p->rows_by, keys_pair(routine, group), out, &added) ||
        !ARRAY_RESERVE(p->rows, p->rows_capacity, p->rows_by.count))
        return false;
    if (added)
        p->rows[p->nrows++] =
            (struct profile_row){.routine = routine,
                                 .group = group,
                                 .least = {INT64_MAX, INT64_MAX, INT64_MAX, CSY_RANGE_CLOCK},
                                 .greatest = {INT64_MIN, INT64_MIN, INT64_MIN, CSY_RANGE_CLOCK},
                                 .usual_least = INT64_MAX,
                                 .usual_greatest = INT64_MIN};
    return true;
}

bool profile_find_row(struct profile *p, uint32_t routine, uint32_t group, uint32_t *out)
{
    return find_row(p, routine, group, out);
}

/* The row in which an actor's routine is now. */
static bool find_new_row(struct profile *p, const struct profile_actor *actor, uint32_t cell,
                         uint32_t *out)
{
    struct profile_cell *item = &p->cells[cell];
    uint32_t index = (uint32_t)(actor - p->actors);
    size_t before = p->nrows;
    if (!find_row(p, item->routine, actor->group, out))
        return false;
    item->row = *out;
    item->group = actor->group;
    if (p->nrows > before)
        p->rows[*out].actor = index;
    else if (p->rows[*out].actor != index)
        p->rows[*out].actor = NO_ACTOR;
    return true;
}

static inline bool find_row_of(struct profile *p, const struct profile_actor *actor, uint32_t cell,
                               uint32_t *out)
{
    const struct profile_cell *item = &p->cells[cell];
    *out = item->row;
    return (*out != NO_TEXT && item->group == actor->group) || find_new_row(p, actor, cell, out);
}

static bool look_up_cell(struct profile *p, uint32_t actor, uint32_t routine, uint32_t *out)
{
    bool added;
    if (!keys_find(&p->cells_by, keys_pair(routine, actor), out, &added) ||
        !ARRAY_RESERVE(p->cells, p->cells_capacity, p->cells_by.count))
        return false;
    if (added)
        p->cells[p->ncells++] = (struct profile_cell){.routine = routine, .row = NO_TEXT};
    return true;
}

/* The cell of a routine of an actor; often it is that of the last call from where it is now. */
static inline bool find_cell(struct profile *p, const struct profile_actor *actor, uint32_t routine,
                             uint32_t *out)
{
    if (actor->depth < actor->deepest) {
        *out = actor->frames[actor->depth].cell;
        if (p->cells[*out].routine == routine)
            return true;
    }
    return look_up_cell(p, (uint32_t)(actor - p->actors), routine, out);
}

/* --- Creation ------------------------------------------------------------------------------- */

static bool inherits(const struct profile_actor *actor, uint32_t row)
{
    for (size_t i = 0; i < actor->ninherited; i++)
        if (actor->inherited[i] == row)
            return true;
    return false;
}

static bool inherit(struct profile *p, uint32_t child, uint32_t row)
{
    struct profile_actor *actor = &p->actors[child];
    if (!ARRAY_RESERVE(actor->inherited, actor->inherited_capacity, actor->ninherited + 1))
        return false;
    actor->inherited[actor->ninherited++] = row;
    if (p->rows[row].actor != child)
        p->rows[row].actor = NO_ACTOR;
    return true;
}

/* What an actor calls from now on is of what its creator is in, too; not while it is in a call. */
bool profile_link_child(struct profile *p, uint32_t creator, uint32_t child)
{
    const struct profile_actor *from = &p->actors[creator];
    struct profile_actor *to = &p->actors[child];
    bool good = true;
    if (creator == child || to->depth > 0)
        return true;
    to->linked = true;
    to->ninherited = 0;
    for (size_t i = 0; good && i < from->ninherited; i++)
        good = inherit(p, child, from->inherited[i]);
    for (size_t i = 0; good && i < from->depth; i++)
        if (from->frames[i].outermost)
            good = inherit(p, child, from->frames[i].row);
    return good;
}

/* The first call of an actor begins; its creator may record that it was created after that. */
static bool begin_inherited(struct profile *p, uint32_t index, const struct moment *now)
{
    struct profile_actor *actor = &p->actors[index];
    uint32_t creator = p->instants->actors.items[index].creator;
    bool good = actor->linked || creator == NO_ACTOR || profile_link_child(p, creator, index);
    for (size_t i = 0; good && i < actor->ninherited; i++)
        good = step_inside(p, actor->inherited[i], index, now, 1);
    return good;
}

static bool end_inherited(struct profile *p, const struct profile_actor *actor,
                          const struct moment *begin, const struct moment *now)
{
    bool good = true;
    for (size_t i = 0; good && i < actor->ninherited; i++) {
        uint32_t row = actor->inherited[i];
        good = forms_add(&p->forms, form_of(row, FORM_CUMULATIVE), begin, now, 1) &&
               step_inside(p, row, (uint32_t)(actor - p->actors), now, -1);
    }
    return good;
}

/* --- Calls ---------------------------------------------------------------------------------- */

/* Time goes to another row from here on, or to none. */
static bool direct_to(struct profile *p, struct profile_actor *actor, uint32_t row,
                      const struct moment *now)
{
    uint32_t from = actor->direct_row, index = (uint32_t)(actor - p->actors);
    bool good = true;
    if (from != NO_TEXT)
        good = forms_add(&p->forms, form_of(from, FORM_DIRECT), &actor->since, now, 1) &&
               (!p->tree || calltree_direct(p->tree, actor->path, &actor->since, now));
    if (from != NO_TEXT || row != NO_TEXT)
        actor->since = *now;
    if (!good || from == row)
        return good;
    if (from != NO_TEXT)
        good = step_direct(p, from, index, now, -1);
    actor->direct_row = row;
    return good && (row == NO_TEXT || step_direct(p, row, index, now, 1));
}

bool profile_direct_to_top(struct profile *p, struct profile_actor *actor, const struct moment *now)
{
    uint32_t row = NO_TEXT;
    if (actor->on && actor->depth > 0 &&
        !find_row_of(p, actor, actor->frames[actor->depth - 1].cell, &row))
        return false;
    bool good = direct_to(p, actor, row, now);
    actor->path = actor->depth > 0 ? actor->frames[actor->depth - 1].place.path : NO_PATH;
    return good;
}

/* What a call is to those that are wanted beside rows, which may be none. */
static bool enter_others(struct profile *p, uint32_t index, uint32_t routine, uint32_t row,
                         const struct moment *now, struct profile_frame *frame)
{
    struct profile_actor *actor = &p->actors[index];
    const struct profile_frame *caller = actor->depth > 0 ? &actor->frames[actor->depth - 1] : NULL;
    uint32_t from = caller ? caller->place.path : NO_PATH;
    if (p->follows && !caller && !begin_inherited(p, index, now))
        return false;
    for (size_t i = 0; i < actor->ninherited; i++)
        p->rows[actor->inherited[i]].descendants++;
    return (p->sampled.ticks <= 0 || !caller || sampled_call(&p->sampled, caller->row, row)) &&
           calls_outer_enter(&p->calls, index, row, !caller, now, &frame->outer) &&
           (!p->tree || !profile_is_told(p, index) ||
            calltree_enter(p->tree, from,
                           from == NO_PATH ? NO_TEXT : p->cells[caller->cell].routine, routine,
                           index, &frame->place));
}

bool profile_enter(struct profile *p, uint32_t index, uint32_t routine, const struct moment *now,
                   bool open)
{
    struct profile_actor *actor = &p->actors[index];
    uint32_t cell, row;
    if (actor->depth == CALLS_DEPTH_MAX) {
        actor->deeper++;
        return true;
    }
    if (p->ncells >= CELLS_MAX &&
        !routines_name(&p->instants->senses.routines, "other", 5, &routine))
        return false;
    if (!ARRAY_RESERVE(actor->frames, actor->capacity, actor->depth + 1) ||
        !find_cell(p, actor, routine, &cell) || !find_row_of(p, actor, cell, &row))
        return false;
    struct profile_frame *frame = &actor->frames[actor->depth];
    frame->place.path = NO_PATH;
    frame->outer = NO_OUTER_CALL;
    if (!enter_others(p, index, routine, row, now, frame))
        return false;
    if (actor->depth == 0) {
        p->inside++;
        p->entries++;
    }
    bool outermost = p->cells[cell].active++ == 0 && !inherits(actor, row);
    frame->cell = cell;
    frame->row = row;
    frame->begin = *now;
    frame->calls = ++actor->calls;
    frame->entries = p->entries - (p->inside > 1);
    frame->outermost = outermost;
    frame->open = open;
    actor->depth++;
    actor->deepest = actor->depth > actor->deepest ? actor->depth : actor->deepest;
    p->rows[row].calls++;
    p->rows[row].recursive += !outermost;
    bool good = (!outermost || step_inside(p, row, index, now, 1)) &&
                direct_to(p, actor, actor->on ? row : NO_TEXT, now);
    actor->path = frame->place.path;
    return good;
}

static void take_least(csy_range *least, const csy_range *length)
{
    least->estimate = length->estimate < least->estimate ? length->estimate : least->estimate;
    least->lo = length->lo < least->lo ? length->lo : least->lo;
    least->hi = length->hi < least->hi ? length->hi : least->hi;
    least->kind = length->kind == CSY_RANGE_CLOCK ? least->kind : length->kind;
}

static void take_greatest(csy_range *greatest, const csy_range *length)
{
    greatest->estimate =
        length->estimate > greatest->estimate ? length->estimate : greatest->estimate;
    greatest->lo = length->lo > greatest->lo ? length->lo : greatest->lo;
    greatest->hi = length->hi > greatest->hi ? length->hi : greatest->hi;
    greatest->kind = length->kind == CSY_RANGE_CLOCK ? greatest->kind : length->kind;
}

static void take_length(struct profile_row *row, const csy_range *length)
{
    const csy_range *least = &row->least, *greatest = &row->greatest;
    row->crossing += length->kind != CSY_RANGE_CLOCK;
    take_least(&row->least, length);
    take_greatest(&row->greatest, length);
    row->usual_least = least->hi; /* not below the others */
    row->usual_greatest = greatest->lo;
}

/* The innermost call ends. */
static csy_status leave(struct profile *p, struct profile_actor *actor, const struct moment *now,
                        bool implied, bool open, csy_error *error)
{
    struct profile_frame *frame = &actor->frames[--actor->depth];
    struct profile_row *row = &p->rows[frame->row];
    csy_range length;
    csy_status status =
        lengths_find(&p->moves, &frame->begin, now, p->instants->imprecision_ticks, &length, error);
    if (status)
        return status;
    row->open += open || frame->open;
    row->implied += implied;
    row->concurrent += p->entries > frame->entries;
    if (length.kind != CSY_RANGE_CLOCK || length.estimate < row->usual_least ||
        length.estimate > row->usual_greatest)
        take_length(row, &length);
    p->cells[frame->cell].active--;
    p->inside -= actor->depth == 0;
    bool good = calls_outer_leave(&p->calls, frame->outer, now) &&
                lengths_add(&p->lengths, frame->row, &length) &&
                forms_add(&p->forms, form_of(frame->row, FORM_LENGTHS), &frame->begin, now, 1) &&
                (!p->tree || calltree_leave(p->tree, &frame->place, &frame->begin, now));
    if (frame->outermost) {
        row->descendants += actor->calls - frame->calls;
        good = good &&
               forms_add(&p->forms, form_of(frame->row, FORM_CUMULATIVE), &frame->begin, now, 1) &&
               step_inside(p, frame->row, (uint32_t)(actor - p->actors), now, -1);
    }
    if (good && actor->depth == 0)
        good = end_inherited(p, actor, &frame->begin, now);
    return good ? CSY_OK : error_memory(error);
}

csy_status profile_leave(struct profile *p, struct profile_actor *actor, const struct moment *now,
                         bool open, csy_error *error)
{
    return leave(p, actor, now, false, open, error);
}

csy_status profile_exit(struct profile *p, struct profile_actor *actor, uint32_t routine,
                        const struct moment *now, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t depth = actor->depth;
    if (actor->deeper > 0) {
        actor->deeper--;
        return CSY_OK;
    }
    while (depth > 0 && routine != NO_TEXT &&
           p->cells[actor->frames[depth - 1].cell].routine != routine)
        depth--;
    p->ignored += depth == 0;
    if (depth == 0)
        return CSY_OK;
    while (!status && actor->depth > depth)
        status = leave(p, actor, now, true, false, error);
    if (!status)
        status = leave(p, actor, now, false, false, error);
    if (!status && !profile_direct_to_top(p, actor, now))
        status = error_memory(error);
    return status;
}

/* A call of those that are given at once. */
static csy_status take_one(struct profile *p, const struct actor_call *call, csy_error *error)
{
    struct profile_actor *actor = &p->actors[call->actor];
    if (actor->left_out)
        return CSY_OK;
    if (!call->enters)
        return profile_exit(p, actor, call->routine, &call->at, error);
    return profile_enter(p, call->actor, call->routine, &call->at, false) ? CSY_OK
                                                                          : error_memory(error);
}

/* Note the first and the last record of each run of records of one clock. */
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
    csy_status status = note_moves(&p->moves, calls, n) ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < n; i++)
        status = take_one(p, &calls[i], error);
    return status;
}
