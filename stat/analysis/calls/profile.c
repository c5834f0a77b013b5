/* Sums up the calls of routines, event by event. */
#include "analysis/calls/profile.h"

#include "analysis/ranges/levels.h"
#include "base/error.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MIN = 1024, CELLS_MAX = 1 << 26 };

static size_t form_of(uint32_t row, size_t form)
{
    return (size_t)row * FORMS + form;
}

/* --- Time of the only active unit, if begins of waits have no place in the order -------------- */

static bool may_be_one(const struct profile_late *late)
{
    return late->most >= 1 && late->least <= 1;
}

/* Add the time that actors spent in the routine of a table row since the last call of this
 * function. FORM_ALONE_MOST also includes times when other actors may have been active. */
static bool tell(struct profile *p, uint32_t row, const struct moment *now)
{
    struct profile_row *item = &p->rows[row];
    size_t form = (size_t)row * FORMS;
    if (!may_be_one(&p->late))
        return true;
    bool good = forms_add(&p->forms, form + FORM_ALONE_MOST, &item->most_since, now, item->late);
    if (good && p->late.most == 1 && p->late.least == 1)
        good = forms_add(&p->forms, form + FORM_ALONE_LEAST, &item->least_since, now, item->late);
    item->most_since = item->least_since = *now;
    return good;
}

static bool step_rows(struct profile *p, uint64_t number)
{
    struct profile_late *late = &p->late;
    while (late->first < late->end && late->steps[late->first].number < number) {
        const struct profile_step *step = &late->steps[late->first++];
        struct profile_row *item = &p->rows[step->row];
        if (item->late != 0 && !tell(p, step->row, &step->at))
            return false;
        item->late += step->step;
        if (item->late == 0) {
            p->rows[late->listed[--late->nlisted]].late_listed = item->late_listed;
            late->listed[item->late_listed - 1] = late->listed[late->nlisted];
            item->late_listed = 0;
        } else if (item->late_listed == 0) {
            if (!ARRAY_PUSH(late->listed, late->nlisted, late->listed_capacity, step->row))
                return false;
            item->late_listed = late->nlisted;
            item->most_since = item->least_since = step->at;
        }
    }
    return true;
}

/* Called for each record. `above` and `below` are the changes of the greatest and the least
 * possible number of active units, because of this record and of waits that may have begun before
 * it. */
static bool left(void *user, uint64_t number, const struct change *record, int64_t above,
                 int64_t below)
{
    struct profile *p = user;
    struct profile_late *late = &p->late;
    const struct moment now = {record->local_ticks, record->global_ticks, record->clock};
    bool good = step_rows(p, number), counted = may_be_one(late);
    if (above == 0 && below == 0)
        return good;
    for (size_t i = 0; good && counted && i < late->nlisted; i++)
        good = tell(p, late->listed[i], &now);
    late->most += above;
    late->least += below;
    for (size_t i = 0; !counted && may_be_one(late) && i < late->nlisted; i++) {
        struct profile_row *item = &p->rows[late->listed[i]];
        item->most_since = item->least_since = now;
    }
    return good;
}

static void set_next(struct profile_late *late, uint64_t number, const struct moment *record)
{
    for (; late->nnext > 0; late->nnext--) {
        struct profile_step *step = &late->steps[late->end - late->nnext];
        step->number = number;
        step->at = *record;
    }
}

static csy_status late_begin(struct profile *p, csy_error *error)
{
    struct profile_late *late = &p->late;
    const struct instants *in = p->instants;
    bool open = in->partial || in->has_open_calls;
    bool ranged = in->has_begins && !in->partial;
    if (p->calls_alone || !(open || ranged) || !p->moves.known || p->moves.n > REACH_CLOCKS_MAX)
        return CSY_OK;
    csy_status status = reach_init(&late->reach, &p->moves, error);
    late->ranged = !status && ranged;
    late->last_number = PROFILE_NEXT;
    if (status)
        return status;
    profile_outer_init(&p->outer, open ? &late->reach : NULL, in->sync);
    bool good = calls_outer_init(&p->calls, open ? &late->reach : NULL, in) &&
                (!ranged || moved_begins_init_all(&late->moved_begins, &late->reach,
                                                  in->actors.count, left, p));
    return good ? CSY_OK : error_memory(error);
}

static bool late_change(struct profile *p, const struct change *change)
{
    struct profile_late *late = &p->late;
    if (!late->ranged)
        return true;
    late->last_number = PROFILE_NEXT;
    if (change->ordered) {
        late->last_number = late->moved_begins.window.next;
        late->last = (struct moment){change->local_ticks, change->global_ticks, change->clock};
        set_next(late, late->last_number, &late->last);
    }
    return moved_begins_take(&late->moved_begins, change);
}

static bool late_step(struct profile *p, uint32_t row, int64_t step)
{
    struct profile_late *late = &p->late;
    if (late->end == late->capacity) {
        if (!step_rows(p, late->moved_begins.window.first))
            return false;
        late->end -= late->first;
        if (late->first > 0)
            memmove(late->steps, late->steps + late->first, late->end * sizeof *late->steps);
        late->first = 0;
        size_t room = 2 * late->end;
        if (!ARRAY_RESERVE(late->steps, late->capacity, room > STEPS_MIN ? room : STEPS_MIN))
            return false;
    }
    late->steps[late->end++] =
        (struct profile_step){late->last_number, late->last, row, (int32_t)step};
    late->nnext += late->last_number == PROFILE_NEXT;
    return true;
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

static size_t list_direct(struct profile *p)
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

static bool step_direct(struct profile *p, uint32_t row, uint32_t actor, const struct moment *now,
                        int step)
{
    struct profile_row *item = &p->rows[row];
    if ((p->active == 1 && !tell_alone(p, row, now)) ||
        (p->late.ranged && !late_step(p, row, step)) ||
        (p->outer.outer.known &&
         !profile_outer_step(&p->outer, row, OUTER_DIRECT, actor, now, step)))
        return false;
    item->direct.n += step;
    if (item->direct.n == 0)
        return forms_add(&p->forms, form_of(row, FORM_ELAPSED_DIRECT), &item->direct.since, now, 1);
    if (item->direct.n == 1 && step > 0)
        item->direct.since = *now;
    item->listed = item->listed || ARRAY_PUSH(p->listed, p->nlisted, p->listed_capacity, row);
    return item->listed;
}

static bool step_inside(struct profile *p, uint32_t row, uint32_t actor, const struct moment *now,
                        int step)
{
    struct profile_row *item = &p->rows[row];
    if (p->outer.outer.known && !profile_outer_step(&p->outer, row, OUTER_INSIDE, actor, now, step))
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

/* --- Rows ----------------------------------------------------------------------------------- */

bool profile_find_row(struct profile *p, uint32_t routine, uint32_t group, uint32_t *out)
{
    bool added;
    return keys_find(&p->rows_by, keys_pair(routine, group), out, &added) &&
           (!added || ARRAY_PUSH(p->rows, p->nrows, p->rows_capacity,
                                 {.routine = routine,
                                  .group = group,
                                  .least = {INT64_MAX, INT64_MAX, INT64_MAX, CSY_RANGE_CLOCK},
                                  .greatest = {INT64_MIN, INT64_MIN, INT64_MIN, CSY_RANGE_CLOCK},
                                  .usual_least = INT64_MAX,
                                  .usual_greatest = INT64_MIN}));
}

static inline bool find_row_of(struct profile *p, const struct profile_actor *actor, uint32_t cell,
                               uint32_t *out)
{
    struct profile_cell *item = &p->cells[cell];
    uint32_t index = (uint32_t)(actor - p->actors);
    size_t before = p->nrows;
    *out = item->row;
    if (__builtin_expect(*out != NO_TEXT && item->group == actor->group, 1))
        return true;
    if (!profile_find_row(p, item->routine, actor->group, out))
        return false;
    item->row = *out;
    item->group = actor->group;
    if (p->nrows > before)
        p->rows[*out].actor = index;
    else if (p->rows[*out].actor != index)
        p->rows[*out].actor = NO_ACTOR;
    return true;
}

/* An actor often calls the same routine at the same depth as before, so try that cell first. */
static inline bool find_cell(struct profile *p, const struct profile_actor *actor, uint32_t routine,
                             uint32_t *out)
{
    if (actor->depth < actor->deepest) {
        *out = actor->frames[actor->depth].cell;
        if (p->cells[*out].routine == routine)
            return true;
    }
    bool added;
    uint64_t key = keys_pair(routine, (uint32_t)(actor - p->actors));
    return keys_find(&p->cells_by, key, out, &added) &&
           (!added || ARRAY_PUSH(p->cells, p->ncells, p->cells_capacity,
                                 {.routine = routine, .row = NO_TEXT}));
}

/* --- Samples -------------------------------------------------------------------------------- */

/* Take all samples that are due up to a global time. Returns false if out of memory. */
static bool take_samples(struct profile *p, int64_t global_ticks)
{
    struct sampled *s = &p->sampled;
    if (s->ticks <= 0 || s->next >= global_ticks)
        return true;
    int128 n = ((int128)global_ticks - 1 - s->next) / s->ticks + 1;
    s->next += n * s->ticks;
    for (size_t i = list_direct(p); i-- > 0;) {
        uint32_t row = p->listed[i];
        if (!ARRAY_EXTEND_ZERO(s->samples, s->nrows, s->rows_capacity, (size_t)row + 1))
            return false;
        s->samples[row] += (uint64_t)n * (uint64_t)p->rows[row].direct.n;
    }
    return true;
}

/* Count a call of the routine of row `callee` by the routine of row `caller`. */
static bool sampled_call(struct sampled *s, uint32_t caller, uint32_t callee)
{
    const uint32_t key[2] = {caller, callee};
    uint32_t index;
    bool added;
    if (!texts_find(&s->arcs_by, (const char *)key, sizeof key, &index, &added) ||
        (added && !ARRAY_PUSH(s->arcs, s->narcs, s->arcs_capacity, {caller, callee, 0})))
        return false;
    s->arcs[index].calls++;
    return true;
}

/* --- Creation ------------------------------------------------------------------------------- */

static bool inherit(struct profile *p, uint32_t child, uint32_t row)
{
    struct profile_actor *actor = &p->actors[child];
    if (!ARRAY_PUSH(actor->inherited, actor->ninherited, actor->inherited_capacity, row))
        return false;
    if (p->rows[row].actor != child)
        p->rows[row].actor = NO_ACTOR;
    return true;
}

/* From now on, the calls of `child` also count for the routines that its creator is in now. This
 * has no effect while `child` is in a call. */
static bool link_child(struct profile *p, uint32_t creator, uint32_t child)
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

/* --- Calls ---------------------------------------------------------------------------------- */

/* `row` may be NO_TEXT: the actor's time then counts for no table row. */
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

static bool direct_to_top(struct profile *p, struct profile_actor *actor, const struct moment *now)
{
    uint32_t row = NO_TEXT;
    if (actor->on && actor->depth > 0 &&
        !find_row_of(p, actor, actor->frames[actor->depth - 1].cell, &row))
        return false;
    bool good = direct_to(p, actor, row, now);
    actor->path = actor->depth > 0 ? actor->frames[actor->depth - 1].place.path : NO_PATH;
    return good;
}

static bool enter(struct profile *p, uint32_t index, uint32_t routine, const struct moment *now,
                  bool open)
{
    struct profile_actor *actor = &p->actors[index];
    uint32_t cell, row;
    if (actor->depth == CALLS_DEPTH_MAX) {
        actor->deeper++;
        return true;
    }
    if (p->ncells >= CELLS_MAX &&
        !routines_name(&p->instants->event_kinds.routines, "other", 5, &routine))
        return false;
    if (!ARRAY_RESERVE(actor->frames, actor->capacity, actor->depth + 1) ||
        !find_cell(p, actor, routine, &cell) || !find_row_of(p, actor, cell, &row))
        return false;
    struct profile_frame *frame = &actor->frames[actor->depth];
    frame->place.path = NO_PATH;
    frame->outer = NO_OUTER_CALL;
    const struct profile_frame *caller = actor->depth > 0 ? &actor->frames[actor->depth - 1] : NULL;
    uint32_t from = caller ? caller->place.path : NO_PATH;
    if (p->follows && !caller) {
        uint32_t creator = p->instants->actors.items[index].creator;
        bool good = actor->linked || creator == NO_ACTOR || link_child(p, creator, index);
        for (size_t i = 0; good && i < actor->ninherited; i++)
            good = step_inside(p, actor->inherited[i], index, now, 1);
        if (!good)
            return false;
    }
    for (size_t i = 0; i < actor->ninherited; i++)
        p->rows[actor->inherited[i]].descendants++;
    /* Report the call to the sampling, the search for concurrent calls, and the call tree. */
    if ((p->sampled.ticks > 0 && caller && !sampled_call(&p->sampled, caller->row, row)) ||
        (p->calls.outer.known &&
         !calls_outer_enter(&p->calls, index, row, !caller, now, &frame->outer)) ||
        (p->tree && profile_is_told(p, index) &&
         !calltree_enter(p->tree, from, from == NO_PATH ? NO_TEXT : p->cells[caller->cell].routine,
                         routine, index, &frame->place)))
        return false;
    if (actor->depth == 0) {
        p->inside++;
        p->entries++;
    }
    bool outermost = p->cells[cell].active++ == 0;
    for (size_t i = 0; i < actor->ninherited; i++)
        outermost &= actor->inherited[i] != row;
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

/* `implied` is true if this call ends only because the call around it ends. `open` is true if the
 * trace ends during the call. */
static csy_status leave(struct profile *p, struct profile_actor *actor, const struct moment *now,
                        bool implied, bool open, csy_error *error)
{
    struct profile_frame *frame = &actor->frames[--actor->depth];
    struct profile_row *row = &p->rows[frame->row];
    const struct moment *begin = &frame->begin;
    int64_t added = p->instants->imprecision_ticks;
    bool one = begin->clock == now->clock;
    int64_t ticks =
        one ? now->local_ticks - begin->local_ticks : now->global_ticks - begin->global_ticks;
    csy_range length = {ticks, ticks, ticks, CSY_RANGE_CLOCK};
    if (!one)
        length.kind = p->moves.star ? CSY_RANGE_STAR
                      : added > 0   ? CSY_RANGE_PROVEN
                                    : CSY_RANGE_EXACT;
    if (!one && !p->moves.known)
        length.kind = CSY_RANGE_UNKNOWN;
    csy_status status = one || !p->moves.known
                            ? CSY_OK
                            : moves_limit_time(&p->moves, begin, now, added, &length, error);
    if (status)
        return status;
    row->open += open || frame->open;
    row->implied += implied;
    row->concurrent += p->entries > frame->entries;
    if (length.kind != CSY_RANGE_CLOCK || length.estimate < row->usual_least ||
        length.estimate > row->usual_greatest) {
        csy_range *least = &row->least, *greatest = &row->greatest;
        least->estimate = length.estimate < least->estimate ? length.estimate : least->estimate;
        least->lo = length.lo < least->lo ? length.lo : least->lo;
        least->hi = length.hi < least->hi ? length.hi : least->hi;
        greatest->estimate =
            length.estimate > greatest->estimate ? length.estimate : greatest->estimate;
        greatest->lo = length.lo > greatest->lo ? length.lo : greatest->lo;
        greatest->hi = length.hi > greatest->hi ? length.hi : greatest->hi;
        if (length.kind != CSY_RANGE_CLOCK) {
            least->kind = greatest->kind = length.kind;
            row->crossing++;
        }
        row->usual_least = least->hi;
        row->usual_greatest = greatest->lo;
    }
    p->cells[frame->cell].active--;
    p->inside -= actor->depth == 0;
    bool good = (frame->outer == NO_OUTER_CALL || !p->calls.outer.known ||
                 calls_outer_leave(&p->calls, frame->outer, now)) &&
                lengths_add(&p->lengths, frame->row, &length) &&
                forms_add(&p->forms, form_of(frame->row, FORM_LENGTHS), begin, now, 1) &&
                (!p->tree || calltree_leave(p->tree, &frame->place, begin, now));
    if (frame->outermost) {
        row->descendants += actor->calls - frame->calls;
        good = good && forms_add(&p->forms, form_of(frame->row, FORM_CUMULATIVE), begin, now, 1) &&
               step_inside(p, frame->row, (uint32_t)(actor - p->actors), now, -1);
    }
    for (size_t i = 0; good && actor->depth == 0 && i < actor->ninherited; i++) {
        uint32_t inherited = actor->inherited[i];
        good = forms_add(&p->forms, form_of(inherited, FORM_CUMULATIVE), begin, now, 1) &&
               step_inside(p, inherited, (uint32_t)(actor - p->actors), now, -1);
    }
    return good ? CSY_OK : error_memory(error);
}

static csy_status exit_from(struct profile *p, struct profile_actor *actor, uint32_t routine,
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
    if (!status && !direct_to_top(p, actor, now))
        status = error_memory(error);
    return status;
}

csy_status profile_take_calls(void *user, const struct actor_call *calls, size_t n,
                              csy_error *error)
{
    struct profile *p = user;
    const struct actor_call *last = &calls[n - 1];
    csy_status status = CSY_OK;
    /* Records limit clock offsets. If several successive records are from one clock, the first and
     * the last of them give the same limits as all. */
    bool good = moves_note(&p->moves, calls->at.clock, calls->at.global_ticks);
    for (const struct actor_call *call = calls; good && p->moves.n > 1 && call < last; call++)
        if (call->at.clock != call[1].at.clock)
            good = moves_note(&p->moves, call->at.clock, call->at.global_ticks) &&
                   moves_note(&p->moves, call[1].at.clock, call[1].at.global_ticks);
    good = good && moves_note(&p->moves, last->at.clock, last->at.global_ticks);
    for (size_t i = 0; !status && good && i < n; i++) {
        const struct actor_call *call = &calls[i];
        struct profile_actor *actor = &p->actors[call->actor];
        if (actor->left_out)
            continue;
        if (call->enters)
            good = enter(p, call->actor, call->routine, &call->at, false);
        else
            status = exit_from(p, actor, call->routine, &call->at, error);
    }
    return good ? status : error_memory(error);
}

/* --- Calls cut at the ends of a window -------------------------------------------------------- */

static bool count_edge(struct cuts *cuts, uint32_t row)
{
    if (!ARRAY_EXTEND_ZERO(cuts->edged, cuts->nedged, cuts->edged_capacity, (size_t)row + 1))
        return false;
    cuts->edged[row]++;
    return true;
}

/* At an end of the window, end all open calls of an actor and begin them again, so that the parts
 * inside and outside the window are counted in different rows. */
static csy_status cut(struct profile *p, uint32_t index, const struct moment *at, csy_error *error)
{
    struct cuts *cuts = &p->cuts;
    struct cut_actor *place = &cuts->actors[index];
    struct profile_actor *actor = &p->actors[index];
    size_t depth = actor->depth;
    csy_status status = CSY_OK;
    bool good = ARRAY_RESERVE(cuts->saved, cuts->saved_capacity, depth + 1);
    for (size_t i = depth; good && !status && i-- > 0;) {
        const struct profile_frame *frame = &actor->frames[i];
        cuts->saved[i] = (struct cut_call){p->cells[frame->cell].routine, frame->open};
        good = count_edge(cuts, frame->row);
        status = good ? leave(p, actor, at, false, false, error) : CSY_OK;
    }
    good = good && !status && direct_to_top(p, actor, at);
    place->place++;
    actor->group = place->place == CUT_INSIDE ? place->group : CUTS_OUTSIDE;
    for (size_t i = 0; good && i < depth; i++)
        good = enter(p, index, cuts->saved[i].routine, at, cuts->saved[i].open) &&
               count_edge(cuts, actor->frames[i].row);
    return status ? status : good ? CSY_OK : error_memory(error);
}

/* --- Estimated window: all actors at once, as if the end of the window were a record ---------- */

static void doubt(int64_t *doubt, int64_t least, int64_t most)
{
    int128 ticks = (int128)most - least;
    int64_t limited = ticks <= 0 ? 0 : fits_int64(ticks) ? (int64_t)ticks : INT64_MAX;
    *doubt = limited > *doubt ? limited : *doubt;
}

static csy_status cut_all(struct profile *p, size_t end, csy_error *error)
{
    const struct clip *clip = p->clip;
    const struct moment *at = end ? &clip->end : &clip->begin;
    const struct change record = change_at(at, NO_ACTOR, 0, true);
    csy_status status =
        take_samples(p, at->global_ticks) && late_change(p, &record) ? CSY_OK : error_memory(error);
    for (uint32_t i = 0; !status && i < p->instants->actors.count; i++) {
        struct cuts *cuts = &p->cuts;
        const struct cut_actor *actor = &cuts->actors[i];
        bool ordered = !p->instants->partial && !p->instants->has_open_calls;
        struct moment own = *at;
        if (!ordered && actor->seen && p->actors[i].depth != 0) {
            const struct clip_ends *most = &p->clip->ends[CLIP_MOST][actor->last.clock];
            const struct clip_ends *least = &p->clip->ends[CLIP_LEAST][actor->last.clock];
            doubt(&cuts->doubts[end], end ? least->until : most->from, at->global_ticks);
            doubt(&cuts->doubts[end], at->global_ticks, end ? most->until : least->from);
            own = moment_at(&actor->last, at->global_ticks);
            if (p->moves.sync->drift) {
                int64_t reading = first_reading(p->moves.sync, &own, at->global_ticks);
                int64_t last = actor->last.local_ticks;
                own.local_ticks = reading > last ? reading : last;
            }
        }
        status = cut(p, i, &own, error);
    }
    return status;
}

static bool probe(struct profile *p, size_t which)
{
    struct cuts *cuts = &p->cuts;
    if (!ARRAY_EXTEND_ZERO(cuts->probes, cuts->nprobes, cuts->probes_capacity, p->nrows))
        return false;
    for (size_t i = 0; i < p->nrows; i++)
        if (p->rows[i].inside.n > cuts->probes[i].actors)
            cuts->probes[i].actors = p->rows[i].inside.n;
    for (size_t i = 0; p->inside > 1 && i < p->instants->actors.count; i++)
        for (size_t k = 0; k < p->actors[i].depth; k++)
            cuts->probes[p->actors[i].frames[k].row].calls[which]++;
    return true;
}

static csy_status pass_estimate(struct profile *p, const struct actor_instant *instant,
                                csy_error *error)
{
    struct cuts *cuts = &p->cuts;
    const struct profile_actor *actor = &p->actors[instant->actor];
    uint32_t clock = instant->at.clock;
    int64_t now = instant->at.global_ticks;
    const struct clip_ends *ends = &p->clip->ends[CLIP_ESTIMATE][clock];
    csy_status status = CSY_OK;
    if (!cuts->begun && ends->from < ends->until && now > ends->from) {
        cuts->begun = true;
        status = cut_all(p, 0, error);
    }
    bool first = !cuts->probed[0] && now > cuts->certain[0];
    bool last = !cuts->probed[1] && now >= cuts->certain[1];
    cuts->probed[0] |= first;
    cuts->probed[1] |= last;
    if (!status && !((!first || probe(p, 0)) && (!last || probe(p, 1))))
        status = error_memory(error);
    if (!status && cuts->begun && !cuts->ended && now >= ends->until) {
        cuts->ended = true;
        status = cut_all(p, 1, error);
    }
    bool active = actor->counted && state_is_active(instant->state);
    bool changes = instant->call != CALL_NONE || active != actor->active ||
                   (instant->seen && (instant->seen->first || instant->seen->last));
    if (changes && p->clip->known) {
        const struct clip_ends *most = &p->clip->ends[CLIP_MOST][clock];
        const struct clip_ends *least = &p->clip->ends[CLIP_LEAST][clock];
        doubt(&cuts->doubts[0], cuts->begun ? now : most->from, cuts->begun ? least->from : now);
        doubt(&cuts->doubts[1], cuts->ended ? now : least->until, cuts->ended ? most->until : now);
    }
    if (instant->own) {
        cuts->actors[instant->actor].last = instant->at;
        cuts->actors[instant->actor].seen = true;
    }
    return status;
}

/* --- Least and greatest window: each actor by its clock --------------------------------------- */

/* Returns when to cut an actor's calls, for an end of the window at global_ticks. If the actor's
 * clock has changed since its last event, the moment is `now` or, if `late` is false, the last
 * event. */
static struct moment place_of(const struct clip *clip, const struct cut_actor *actor,
                              const struct moment *now, int64_t global_ticks, bool late)
{
    if (actor->seen && actor->last.clock != now->clock)
        return late ? *now : actor->last;
    if (clip->places)
        return clip_cut(clip, now, global_ticks, late ? 1 : -1);
    return actor->seen ? moment_between(&actor->last, now, global_ticks)
                       : moment_at(now, global_ticks);
}

static csy_status pass_by_clock(struct profile *p, const struct actor_instant *instant,
                                csy_error *error)
{
    struct cuts *cuts = &p->cuts;
    struct cut_actor *actor = &cuts->actors[instant->actor];
    const struct moment *now = &instant->at;
    const struct clip_ends *ends = &p->clip->ends[p->as][now->clock];
    bool least = p->as == CLIP_LEAST, none = ends->from >= ends->until;
    csy_status status = CSY_OK;
    if (!instant->own)
        return CSY_OK;
    if (actor->place == CUT_BEFORE && !none && now->global_ticks > ends->from) {
        struct moment at = place_of(p->clip, actor, now, ends->from, least);
        status = cut(p, instant->actor, &at, error);
    }
    if (!status && actor->place == CUT_INSIDE && now->global_ticks >= ends->until) {
        struct moment at = place_of(p->clip, actor, now, ends->until, !least);
        status = cut(p, instant->actor, &at, error);
    }
    actor->last = *now;
    actor->seen = true;
    return status;
}

/* --- Instants ------------------------------------------------------------------------------- */

static bool see_place(struct profile *p, const struct actor_instant *instant)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    uint32_t group = NO_TEXT;
    bool added;
    if (p->sites.instants) {
        if (!site_groups_of(&p->sites, instant->actor, instant->unit, &group))
            return false;
    } else if (p->per != CSY_PER_ALL) {
        enum actor_kind kind = p->instants->actors.items[instant->actor].kind;
        uint64_t unit = kind == ACTOR_PPE ? NO_UNIT - 1 : instant->unit;
        if (p->per == CSY_PER_ACTOR || kind == ACTOR_NAMED || unit == NO_UNIT)
            unit = (uint64_t)instant->actor << 32 | NO_TEXT;
        if (!texts_find(&p->groups, (const char *)&unit, sizeof unit, &group, &added))
            return false;
    }
    if (p->clip) {
        p->cuts.actors[instant->actor].group = group;
        group = profile_is_told(p, instant->actor) ? group : CUTS_OUTSIDE;
    }
    bool moved = group != actor->group;
    actor->group = group;
    if (!actor->begun) {
        const struct calls *calls = &p->instants->actors.items[instant->actor].calls;
        bool good = true;
        actor->begun = actor->on = true;
        for (size_t i = calls->nmissed; good && i-- > 0;)
            good = enter(p, instant->actor, calls->missed[i].routine, &instant->at, true);
        return good;
    }
    if (instant->seen && instant->seen->first)
        actor->on = moved = true;
    return !moved || direct_to_top(p, actor, &instant->at);
}

static bool take_leaf(struct profile *p, const struct actor_instant *instant)
{
    const struct profile_actor *actor = &p->actors[instant->actor];
    const struct seen *seen = instant->seen;
    uint32_t caller = NO_TEXT;
    /* If an event may wait, but its wait is not recorded, its begin is unknown. */
    bool lasts = seen->waits || !event_kind_may_wait(&seen->event_kind);
    struct moment begin = lasts ? seen->begin : seen->end, end = seen->end;
    if (seen->called)
        caller = seen->routine;
    else if (actor->depth > 0)
        caller = p->cells[actor->frames[actor->depth - 1].cell].routine;
    if (p->clip) {
        const struct clip_ends *ends = &p->clip->ends[p->as][end.clock];
        const struct moment from = begin, until = end;
        bool there = begin.global_ticks >= end.global_ticks
                         ? clip_has(p->clip, p->as, &end)
                         : clip_meets(p->clip, p->as, &from, &until) &&
                               clip_time(p->clip, p->as, &from, &until, &begin, &end);
        if (ends->from >= ends->until || !there)
            return true;
    }
    return calltree_leaf(p->tree, caller, seen->leaf, seen->bytes, &begin, &end);
}

static bool mark_paths(struct profile *p)
{
    bool good = true;
    p->at_passed = true;
    for (uint32_t i = 0; good && i < p->instants->actors.count; i++) {
        const struct profile_actor *actor = &p->actors[i];
        if (actor->depth > 0)
            good = calltree_mark(p->tree, i, actor->frames[actor->depth - 1].place.path);
    }
    return good;
}

/* Returns true after the moment for which the user requested the call paths of all actors. If this
 * moment is given as a record of a trace without a total order, use the record's global time. */
static bool is_past(struct profile *p, const struct actor_instant *instant)
{
    if (p->at_record == UINT64_MAX)
        return instant->at.global_ticks > p->at_ticks;
    if (!p->instants->partial)
        return instant->record > p->at_record && instant->ordered && instant->own;
    if (instant->record == p->at_record && instant->is_record && instant->own) {
        p->at_record = UINT64_MAX;
        p->at_ticks = instant->at.global_ticks;
    }
    return false;
}

static csy_status take_calls(struct profile *p, const struct actor_instant *instant,
                             csy_error *error)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    csy_status status = see_place(p, instant) ? CSY_OK : error_memory(error);
    if (!status && instant->call == CALL_ENTER) {
        uint32_t caller = actor->direct_row;
        bool good = enter(p, instant->actor, instant->routine, &instant->at, false);
        for (int i = 0; good && !instant->ordered && i < 2; i++) {
            uint32_t row = i ? actor->direct_row : caller;
            if (row != NO_TEXT)
                p->rows[row].unordered = true;
        }
        for (size_t i = 0; good && !instant->ordered && i < actor->ninherited; i++)
            p->rows[actor->inherited[i]].unordered = true;
        status = good ? CSY_OK : error_memory(error);
    }
    if (!status && instant->seen && instant->seen->child != NO_ACTOR &&
        !link_child(p, instant->actor, instant->seen->child))
        status = error_memory(error);
    if (!status && instant->call == CALL_EXIT)
        status = exit_from(p, actor, instant->routine, &instant->at, error);
    if (!status && p->tree && instant->seen && instant->seen->leaf != NO_TEXT &&
        !take_leaf(p, instant))
        status = error_memory(error);
    if (!status && instant->seen && instant->seen->last) {
        actor->on = false;
        if (!direct_to_top(p, actor, &instant->at))
            status = error_memory(error);
        /* calls that are open at the actor's last record stay open */
        while (!status && instant->seen->final && actor->depth > 0)
            status = leave(p, actor, &instant->at, false, true, error);
    }
    return status;
}

csy_status profile_take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct profile *p = user;
    struct profile_actor *actor = &p->actors[instant->actor];
    const struct moment *at = &instant->at;
    bool active = actor->counted && state_is_active(instant->state), good = true;
    bool record = instant->ordered && instant->own;
    struct change change = change_at(at, instant->actor, active - actor->active, instant->ordered);
    csy_status status = !p->clip                 ? CSY_OK
                        : p->as == CLIP_ESTIMATE ? pass_estimate(p, instant, error)
                                                 : pass_by_clock(p, instant, error);
    if (status)
        return status;
    if ((p->tree && p->at_wanted && !p->at_passed && is_past(p, instant) && !mark_paths(p)) ||
        !take_samples(p, at->global_ticks))
        return error_memory(error);
    if (record)
        good = moves_note(&p->moves, at->clock, at->global_ticks);
    if (change.sign != 0) {
        bool was_alone = p->active == 1;
        p->active += change.sign;
        size_t n = was_alone || p->active == 1 ? list_direct(p) : 0;
        for (size_t i = 0; good && was_alone && i < n; i++)
            good = tell_alone(p, p->listed[i], at);
        for (size_t i = 0; p->active == 1 && i < n; i++)
            p->rows[p->listed[i]].alone_since = *at;
        good = good && profile_outer_unit(&p->outer, instant->actor, at, change.sign);
        p->unordered_units |= !instant->ordered;
        actor->active = active;
    }
    if (record || change.sign != 0)
        good = good && late_change(p, &change);
    if (!good)
        return error_memory(error);
    if (actor->left_out || !instant->own)
        return CSY_OK;
    if (instant->seen && !p->calls_alone && !p->clip && sums_want(instant->seen) &&
        !sums_take(&p->sums, instant))
        return error_memory(error);
    return take_calls(p, instant, error);
}

csy_status profile_begin(void *user, struct instants *in, csy_error *error)
{
    struct profile *p = user;
    const struct csy_trace *trace = in->sync->trace;
    const char *how = trace->source->record_calls;
    csy_status status = CSY_OK;
    p->instants = in;
    if (!in->has_calls)
        status = error_set(error, CSY_INPUT, "%s: the trace has no event that enters a routine: %s",
                           trace->name,
                           how ? how
                               : "expected recordType role=\"enter\" (and \"exit\") or \"call\", "
                                 "in the trace or in --events, or events ENTER and EXIT");
    if (!status && p->per >= CSY_PER_CELL)
        status = site_groups_read(&p->sites, in, p->per, error);
    p->sampled.next = in->first.global_ticks;
    if (!status)
        status = moves_init(&p->moves, in->sync, error);
    p->forms.whole = p->sums.forms.whole = true;
    p->forms.tubes.places = p->sums.forms.tubes.places = p->moves.places;
    for (enum clip_as as = CLIP_ESTIMATE; p->tree && as < CLIPS; as++)
        p->tree->of_paths[as].tubes.places = p->tree->of_pairs[as].tubes.places = p->moves.places;
    p->forms.stamped = p->clip != NULL;
    csy_units units = levels_units(in, CSY_UNITS_AUTO, NULL);
    p->nactors = in->actors.count;
    p->actors = calloc(p->nactors + 1, sizeof *p->actors);
    if (!status && !p->actors)
        status = error_memory(error);
    for (size_t i = 0; !status && i < p->nactors; i++) {
        const struct actor *of = &in->actors.items[i];
        struct profile_actor *actor = &p->actors[i];
        actor->counted = units == CSY_UNITS_ACTORS || actor_is_spe(of, in->sync);
        actor->direct_row = actor->group = NO_TEXT;
        actor->path = NO_PATH;
        actor->left_out = p->patterns && !actor_fits(of, in->sync, p->patterns);
    }
    if (!status)
        status = actors_check_fit(&in->actors, in->sync, p->patterns, error);
    if (!status && p->clip) {
        struct cuts *cuts = &p->cuts;
        bool all = p->clip->ends[p->as][0].from == INT64_MIN;
        *cuts = (struct cuts){.begun = all, .certain = {INT64_MIN, INT64_MAX}};
        for (size_t i = 0; i < p->moves.n; i++) {
            const struct clip_ends *ends = &p->clip->ends[CLIP_LEAST][i];
            cuts->certain[0] = ends->from > cuts->certain[0] ? ends->from : cuts->certain[0];
            cuts->certain[1] = ends->until < cuts->certain[1] ? ends->until : cuts->certain[1];
        }
        cuts->probed[0] = cuts->probed[1] = cuts->certain[0] >= cuts->certain[1];
        cuts->actors = calloc(p->nactors + 1, sizeof *cuts->actors);
        for (size_t i = 0; cuts->actors && i < p->nactors; i++) {
            cuts->actors[i].group = NO_TEXT;
            cuts->actors[i].place = all ? CUT_INSIDE : CUT_BEFORE;
        }
        status = cuts->actors ? CSY_OK : error_memory(error);
    }
    return status ? status : late_begin(p, error);
}

csy_status profile_end(void *user, csy_error *error)
{
    struct profile *p = user;
    bool good = !p->tree || !p->at_wanted || p->at_passed || mark_paths(p);
    good = good && outer_end(&p->outer.outer) && calls_outer_end(&p->calls);
    if (good && p->late.ranged) {
        set_next(&p->late, PROFILE_NEXT - 1, &p->instants->last);
        good = moved_begins_end(&p->late.moved_begins) && step_rows(p, PROFILE_NEXT);
    }
    return good ? moves_finish(&p->moves, error) : error_memory(error);
}

void profile_fini(struct profile *p)
{
    for (size_t i = 0; p->actors && i < p->nactors; i++) {
        FREE_ALL(p->actors[i].frames, p->actors[i].inherited);
    }
    FREE_ALL(p->actors, p->rows, p->cells, p->listed);
    if (p->late.ranged)
        moved_begins_fini(&p->late.moved_begins);
    profile_outer_fini(&p->outer);
    calls_outer_fini(&p->calls);
    reach_fini(&p->late.reach);
    sums_fini(&p->sums);
    texts_fini(&p->sampled.arcs_by);
    keys_fini(&p->rows_by);
    keys_fini(&p->cells_by);
    texts_fini(&p->groups);
    site_groups_fini(&p->sites);
    forms_fini(&p->forms);
    lengths_fini(&p->lengths);
    moves_fini(&p->moves);
    FREE_ALL(p->sampled.arcs, p->sampled.samples, p->late.steps, p->late.listed, p->cuts.actors,
             p->cuts.saved, p->cuts.edged, p->cuts.probes);
}
