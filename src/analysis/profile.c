/* Profile: what calls of routines come to, as instants pass. */
#include "analysis/profile.h"

#include "analysis/levels.h"
#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 1 << 26 };

static size_t form_of(uint32_t row, size_t form)
{
    return (size_t)row * FORMS + form;
}

/* --- Presence ------------------------------------------------------------------------------- */

/* What the time of the only active unit is of, so far. */
static bool tell_alone(struct profile *p, uint32_t row, const struct moment *now)
{
    struct profile_row *item = &p->rows[row];
    bool good = p->active != 1 || forms_add(&p->forms, form_of(row, FORM_ALONE), &item->alone_since,
                                            now, item->direct.n);
    item->alone_since = *now;
    return good;
}

/* One more, or one less, spends time in a row; the elapsed time is that of at least one. */
static bool step_direct(struct profile *p, uint32_t row, uint32_t actor, const struct moment *now,
                        int step)
{
    struct profile_row *item = &p->rows[row];
    if ((item->direct.n > 0 && !tell_alone(p, row, now)) || !late_step(p, row, step) ||
        !profile_outer_step(&p->outer, row, OUTER_DIRECT, actor, now, step))
        return false;
    item->direct.n += step;
    if (item->direct.n == 0) {
        p->rows[p->listed[--p->nlisted]].listed = item->listed;
        p->listed[item->listed - 1] = p->listed[p->nlisted];
        item->listed = 0;
        return forms_add(&p->forms, form_of(row, FORM_ELAPSED_DIRECT), &item->direct.since, now, 1);
    }
    if (item->direct.n > 1 || step < 0)
        return true;
    item->direct.since = item->alone_since = *now;
    if (!ARRAY_RESERVE(p->listed, p->listed_capacity, p->nlisted + 1))
        return false;
    p->listed[p->nlisted++] = row;
    item->listed = p->nlisted;
    return true;
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
static bool step_units(struct profile *p, const struct moment *now, int64_t step)
{
    bool good = true;
    for (size_t i = 0; good && p->active == 1 && i < p->nlisted; i++)
        good = tell_alone(p, p->listed[i], now);
    p->active += step;
    for (size_t i = 0; p->active == 1 && i < p->nlisted; i++)
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
                                 .greatest = {INT64_MIN, INT64_MIN, INT64_MIN, CSY_RANGE_CLOCK}};
    return true;
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
    if (p->nrows > before)
        p->rows[*out].actor = index;
    else if (p->rows[*out].actor != index)
        p->rows[*out].actor = NO_ACTOR;
    return true;
}

static inline bool find_row_of(struct profile *p, const struct profile_actor *actor, uint32_t cell,
                               uint32_t *out)
{
    *out = p->cells[cell].row;
    return (*out != NO_TEXT && p->rows[*out].group == actor->group) ||
           find_new_row(p, actor, cell, out);
}

static bool find_cell(struct profile *p, uint32_t actor, uint32_t routine, uint32_t *out)
{
    bool added;
    if (!keys_find(&p->cells_by, keys_pair(routine, actor), out, &added) ||
        !ARRAY_RESERVE(p->cells, p->cells_capacity, p->cells_by.count))
        return false;
    if (added)
        p->cells[p->ncells++] = (struct profile_cell){.routine = routine, .row = NO_TEXT};
    return true;
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

/* The first call of an actor begins; its creator may record that it was created after that. */
static bool begin_inherited(struct profile *p, uint32_t index, const struct moment *now)
{
    struct profile_actor *actor = &p->actors[index];
    uint32_t creator = p->instants.actors.items[index].creator;
    bool good = actor->linked || creator == NO_ACTOR || link_child(p, creator, index);
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
    bool good = true;
    if (actor->direct_row != NO_TEXT) {
        good =
            forms_add(&p->forms, form_of(actor->direct_row, FORM_DIRECT), &actor->since, now, 1) &&
            (!p->tree || calltree_direct(p->tree, actor->path, &actor->since, now));
        actor->since = *now;
    }
    if (!good || actor->direct_row == row)
        return good;
    if (actor->direct_row != NO_TEXT)
        good = step_direct(p, actor->direct_row, (uint32_t)(actor - p->actors), now, -1);
    actor->direct_row = row;
    actor->since = *now;
    return good && (row == NO_TEXT || step_direct(p, row, (uint32_t)(actor - p->actors), now, 1));
}

/* To the innermost routine, if the actor runs. */
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
        !routines_name(&p->instants.senses.routines, "other", 5, &routine))
        return false;
    if (!ARRAY_RESERVE(actor->frames, actor->capacity, actor->depth + 1) ||
        !find_cell(p, index, routine, &cell) || !find_row_of(p, actor, cell, &row))
        return false;
    if (p->follows && actor->depth == 0 && !begin_inherited(p, index, now))
        return false;
    bool outermost = p->cells[cell].active++ == 0 && !inherits(actor, row);
    for (size_t i = 0; i < actor->ninherited; i++)
        p->rows[actor->inherited[i]].descendants++;
    if (p->sampled.ticks > 0 && actor->depth > 0 &&
        !sampled_call(&p->sampled, actor->frames[actor->depth - 1].row, row))
        return false;
    if (actor->depth == 0) {
        p->inside++;
        p->entries++;
    }
    struct call_place place = {.path = NO_PATH};
    uint32_t outer;
    if (!calls_outer_enter(&p->calls, index, row, actor->depth == 0, now, &outer))
        return false;
    uint32_t from = actor->depth > 0 ? actor->frames[actor->depth - 1].place.path : NO_PATH;
    if (p->tree && !calltree_enter(p->tree, from, routine, index, &place))
        return false;
    actor->frames[actor->depth++] = (struct profile_frame){.cell = cell,
                                                           .place = place,
                                                           .row = row,
                                                           .begin = *now,
                                                           .calls = ++actor->calls,
                                                           .others = p->entries,
                                                           .outermost = outermost,
                                                           .open = open,
                                                           .among = p->inside > 1,
                                                           .outer = outer};
    p->rows[row].calls++;
    p->rows[row].recursive += !outermost;
    bool good = (!outermost || step_inside(p, row, index, now, 1)) &&
                direct_to(p, actor, actor->on ? row : NO_TEXT, now);
    actor->path = place.path;
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

/* The innermost call ends. */
static csy_status leave(struct profile *p, struct profile_actor *actor, const struct moment *now,
                        bool implied, bool open, csy_error *error)
{
    struct profile_frame *frame = &actor->frames[--actor->depth];
    struct profile_row *row = &p->rows[frame->row];
    csy_range length;
    csy_status status =
        lengths_find(&p->moves, &frame->begin, now, p->instants.imprecision_ticks, &length, error);
    if (status)
        return status;
    row->open += open || frame->open;
    row->implied += implied;
    row->concurrent += frame->among || p->entries > frame->others;
    take_least(&row->least, &length);
    take_greatest(&row->greatest, &length);
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

static csy_status exit_routine(struct profile *p, struct profile_actor *actor, uint32_t routine,
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
    while (!status && actor->depth >= depth)
        status = leave(p, actor, now, actor->depth > depth, false, error);
    if (!status && !direct_to_top(p, actor, now))
        status = error_memory(error);
    return status;
}

/* --- Instants ------------------------------------------------------------------------------- */

/* The group of an actor now, where there are some. */
static bool find_group(struct profile *p, const struct actor_instant *instant, uint32_t *out)
{
    const struct actor *actor = &p->instants.actors.items[instant->actor];
    uint64_t unit = actor->kind == ACTOR_PPE ? NO_UNIT - 1 : instant->unit;
    bool added;
    if (p->sites.instants)
        return site_groups_of(&p->sites, instant->actor, instant->unit, out);
    if (p->per == CSY_PER_ACTOR || actor->kind == ACTOR_NAMED || unit == NO_UNIT)
        unit = (uint64_t)instant->actor << 32 | NO_TEXT;
    return texts_find(&p->groups, (const char *)&unit, sizeof unit, out, &added);
}

/* What it was in before it recorded. */
static bool begin_actor(struct profile *p, const struct actor_instant *instant)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    const struct calls *calls = &p->instants.actors.items[instant->actor].calls;
    bool good = true;
    actor->begun = actor->on = true;
    for (size_t i = calls->nmissed; good && i-- > 0;)
        good = enter(p, instant->actor, calls->missed[i].routine, &instant->at, true);
    return good;
}

/* A stay begins, or it goes on on another unit. */
static bool see_place(struct profile *p, const struct actor_instant *instant)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    uint32_t group = NO_TEXT;
    if (p->per != CSY_PER_ALL && !find_group(p, instant, &group))
        return false;
    bool moved = group != actor->group;
    actor->group = group;
    if (!actor->begun)
        return begin_actor(p, instant);
    if (instant->seen && instant->seen->first)
        actor->on = moved = true;
    return !moved || direct_to_top(p, actor, &instant->at);
}

/* A stay ends; what the actor was in when it recorded last is open then. */
static csy_status end_stay(struct profile *p, const struct actor_instant *instant, csy_error *error)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    csy_status status = CSY_OK;
    actor->on = false;
    if (!direct_to_top(p, actor, &instant->at))
        return error_memory(error);
    while (!status && instant->seen->final && actor->depth > 0)
        status = leave(p, actor, &instant->at, false, true, error);
    return status;
}

/* What its record did there. */
static bool take_leaf(struct profile *p, const struct actor_instant *instant)
{
    const struct profile_actor *actor = &p->actors[instant->actor];
    const struct seen *seen = instant->seen;
    uint32_t from = actor->depth > 0 ? actor->frames[actor->depth - 1].place.path : NO_PATH;
    bool lasts = seen->waits || !sense_may_wait(&seen->sense); /* else before it was followed */
    return calltree_leaf(p->tree, from, seen->called ? seen->routine : NO_TEXT, seen->leaf,
                         seen->bytes, lasts ? &seen->begin : &seen->end, &seen->end);
}

/* Where actors are at the moment that is asked for. */
static bool mark_paths(struct profile *p)
{
    bool good = true;
    p->at_passed = true;
    for (uint32_t i = 0; good && i < p->instants.actors.count; i++) {
        const struct profile_actor *actor = &p->actors[i];
        if (actor->depth > 0)
            good = calltree_mark(p->tree, i, actor->frames[actor->depth - 1].place.path);
    }
    return good;
}

/* Records of partial order do not come by their positions: the moment of one is its global time. */
static bool is_past(struct profile *p, const struct actor_instant *instant)
{
    if (p->at_record == UINT64_MAX)
        return instant->at.global_ticks > p->at_ticks;
    if (!p->instants.partial)
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
        status = exit_routine(p, actor, instant->routine, &instant->at, error);
    if (!status && p->tree && instant->seen && instant->seen->leaf != NO_TEXT &&
        !take_leaf(p, instant))
        status = error_memory(error);
    if (!status && instant->seen && instant->seen->last)
        status = end_stay(p, instant, error);
    return status;
}

/* What samples find that come before an instant. */
static bool take_samples(struct profile *p, int64_t global_ticks)
{
    if (p->sampled.ticks <= 0)
        return true;
    uint64_t n = sampled_until(&p->sampled, global_ticks);
    bool good = true;
    for (size_t i = 0; good && n > 0 && i < p->nlisted; i++)
        good =
            sampled_find(&p->sampled, p->listed[i], n * (uint64_t)p->rows[p->listed[i]].direct.n);
    return good;
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct profile *p = user;
    struct profile_actor *actor = &p->actors[instant->actor];
    const struct moment *at = &instant->at;
    bool active = actor->counted && state_is_active(instant->state), good = true;
    bool record = instant->ordered && instant->own;
    struct change change = {.global_ticks = at->global_ticks,
                            .clock = at->clock,
                            .actor = instant->actor,
                            .sign = active - actor->active,
                            .ordered = instant->ordered};
    if ((p->tree && p->at_wanted && !p->at_passed && is_past(p, instant) && !mark_paths(p)) ||
        !take_samples(p, at->global_ticks))
        return error_memory(error);
    if (record)
        good = moves_note(&p->moves, at->clock, at->global_ticks);
    if (change.sign != 0) {
        good = good && step_units(p, at, change.sign) &&
               profile_outer_unit(&p->outer, instant->actor, at, change.sign);
        p->unordered_units |= !instant->ordered;
        actor->active = active;
    }
    if (record || change.sign != 0)
        good = good && late_change(p, &change);
    if (!good)
        return error_memory(error);
    if (actor->left_out || !instant->own)
        return CSY_OK;
    if (instant->seen && !p->calls_alone && sums_want(instant->seen) &&
        !sums_take(&p->sums, instant))
        return error_memory(error);
    return take_calls(p, instant, error);
}

csy_status profile_begin(struct profile *p, csy_error *error)
{
    const struct instants *in = &p->instants;
    csy_units units = levels_units(in, CSY_UNITS_AUTO);
    size_t n = in->actors.count;
    p->actors = calloc(n + 1, sizeof *p->actors);
    if (!p->actors)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        struct profile_actor *actor = &p->actors[i];
        actor->counted = units == CSY_UNITS_ACTORS || actor_is_spe(&in->actors.items[i], in->sync);
        actor->direct_row = actor->group = NO_TEXT;
        actor->path = NO_PATH;
    }
    return CSY_OK;
}

csy_status profile_gather(struct profile *p, csy_error *error)
{
    csy_status status = late_begin(p, error);
    if (!status)
        status = instants_merge(&p->instants, take, p, error);
    if (!status && p->tree && p->at_wanted && !p->at_passed && !mark_paths(p))
        status = error_memory(error);
    return status || late_end(p) ? status : error_memory(error);
}

void profile_fini(struct profile *p)
{
    for (size_t i = 0; p->actors && i < p->instants.actors.count; i++) {
        free(p->actors[i].frames);
        free(p->actors[i].inherited);
    }
    free(p->actors);
    free(p->rows);
    free(p->cells);
    free(p->listed);
    late_fini(p);
    sums_fini(&p->sums);
    sampled_fini(&p->sampled);
    keys_fini(&p->rows_by);
    keys_fini(&p->cells_by);
    texts_fini(&p->groups);
    site_groups_fini(&p->sites);
    forms_fini(&p->forms);
    lengths_fini(&p->lengths);
    moves_fini(&p->moves);
    instants_fini(&p->instants);
}
