/* Sums up the times that actors spend in each state. */
#include "analysis/activity/states.h"
#include "analysis/run/analysis.h"

#include "base/array.h"
#include "base/error.h"
#include "instants/instants.h"
#include "sync/solution.h"

#include <stdlib.h>

/* Find the earliest begin and latest end of each window. Without a window, there is no limit. */
static void find_extents(struct clips *clips, size_t nclocks)
{
    for (size_t i = 0; i < clips->count; i++) {
        const struct clip *clip = &clips->items[i];
        struct clip_extent *extent = &clips->extents[i];
        bool all = !clip->asked || nclocks == 0;
        extent->from = all ? INT64_MIN : INT64_MAX;
        extent->until = all ? INT64_MAX : INT64_MIN;
        for (size_t c = 0; !all && c < nclocks; c++) {
            const struct clip_ends *ends = &clip->ends[CLIP_MOST][c];
            extent->from = ends->from < extent->from ? ends->from : extent->from;
            extent->until = ends->until > extent->until ? ends->until : extent->until;
        }
        extent->until_before = extent->until;
        extent->from_after = extent->from;
        if (i > 0 && extent[-1].until_before > extent->until)
            extent->until_before = extent[-1].until_before;
    }
    for (size_t i = clips->count; i-- > 1;)
        if (clips->extents[i].from_after < clips->extents[i - 1].from_after)
            clips->extents[i - 1].from_after = clips->extents[i].from_after;
}

/* Returns the first window from index `at` on that may overlap the time, or clips->count. */
static size_t clips_next(const struct clips *clips, size_t at, const struct moment *begin,
                         const struct moment *end)
{
    bool back = begin->global_ticks > end->global_ticks;
    int64_t first = back ? end->global_ticks : begin->global_ticks;
    int64_t last = back ? begin->global_ticks : end->global_ticks;
    size_t high = clips->count;
    BISECT(at, high, middle, clips->extents[middle].until_before < first);
    for (; at < clips->count && clips->extents[at].from_after <= last; at++)
        if (clips->extents[at].from <= last && clips->extents[at].until >= first)
            return at;
    return clips->count;
}

static void joint_states_fini(struct joint_states *joint)
{
    texts_fini(&joint->kept);
    forms_fini(&joint->forms);
    FREE_ALL(joint->actors, joint->places, joint->now);
    *joint = (struct joint_states){0};
}

/* The units are the SPE contexts, or all included actors if there are none or `all` is set. */
static csy_status joint_states_init(struct joint_states *joint, const struct instants *in,
                                    const bool *meant, bool all, csy_error *error)
{
    size_t n = in->actors.count;
    bool spes = false;
    for (size_t i = 0; !all && i < n; i++)
        spes = spes || (meant[i] && actor_is_spe(&in->actors.items[i], in->sync));
    *joint = (struct joint_states){.instants = in, .since = in->first};
    joint->actors = malloc((n + 1) * sizeof *joint->actors);
    joint->places = malloc((n + 1) * sizeof *joint->places);
    joint->now = malloc(n + 1);
    csy_status status = joint->actors && joint->places && joint->now ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < n; i++) {
        bool counted = meant[i] && (!spes || actor_is_spe(&in->actors.items[i], in->sync));
        joint->places[i] = counted ? joint->nunits : SIZE_MAX;
        if (counted)
            joint->actors[joint->nunits++] = (uint32_t)i;
    }
    if (!status)
        memset(joint->now, STATE_ABSENT, joint->nunits + 1);
    if (status)
        joint_states_fini(joint);
    return status;
}

static csy_status end_combination(struct joint_states *joint, const struct moment *end,
                                  csy_error *error)
{
    uint32_t form = JOINT_MAX;
    bool added;
    if (joint->since.clock == end->clock && joint->since.local_ticks == end->local_ticks)
        return CSY_OK;
    if (!texts_look(&joint->kept, joint->now, joint->nunits, &form)) {
        form = JOINT_MAX;
        if (joint->kept.count < JOINT_MAX &&
            !texts_find(&joint->kept, joint->now, joint->nunits, &form, &added))
            return error_memory(error);
    }
    joint->others |= form == JOINT_MAX;
    if (!forms_add(&joint->forms, form, &joint->since, end, 1))
        return error_memory(error);
    joint->since = *end;
    return CSY_OK;
}

/* Convert nanoseconds to ticks. Returns false if the result does not fit int64_t. */
static bool set_ticks(const struct instants *in, uint64_t ns, int64_t *out)
{
    enum { NS_PER_S = 1000000000 };
    uint128 ticks = (uint128)ns * in->sync->trace->timebase_hz / NS_PER_S;
    *out = ticks < INT64_MAX ? (int64_t)ticks : 0;
    return ticks < INT64_MAX;
}

/* Returns the CPU times that the operating system counted. Requires MORE_TIMES. */
static struct spent_time spent_time_of(const struct instants *in, const struct actor *actor)
{
    struct spent_time out = {.known = false};
    const struct timers *t = &actor->timers;
    struct spent from = t->first, until = t->own;
    /* Count from 0 if the begin of the actor is known, otherwise from the first recorded count. */
    bool counted = t->first.at.local_ticks <= actor->first.local_ticks || !t->begins;
    if (t->count == 0 || t->several || actor->nstays != 1 || (counted && t->count <= 1))
        return out;
    if (!counted)
        from = (struct spent){.at = t->begin};
    if (!t->ends || t->own.at.local_ticks <= t->first.at.local_ticks) {
        /* The last record has no count, so the range ends at the last recorded count. A count after
         * the end of the trace is used only if there is no earlier one. */
        bool first = from.at.local_ticks == t->first.at.local_ticks;
        bool late = t->last.at.global_ticks > in->last.global_ticks;
        until = late && t->count > (first ? 2 : 1) ? t->before : t->last;
        if (until.at.global_ticks < t->last.at.global_ticks &&
            until.at.global_ticks < in->last.global_ticks)
            until = t->last;
        if (until.at.global_ticks > in->last.global_ticks)
            until.at = in->last;
    }
    uint64_t spent = until.user_ns + until.system_ns - from.user_ns - from.system_ns;
    uint64_t user = until.user_ns > from.user_ns ? until.user_ns - from.user_ns : 0;
    user = user < spent ? user : spent;
    out.known = from.at.clock == t->last.at.clock &&
                /* The first conversion only checks that the sum fits. */
                set_ticks(in, spent, &out.system_ticks) && set_ticks(in, user, &out.user_ticks) &&
                set_ticks(in, spent - user, &out.system_ticks) &&
                set_ticks(in, until.runnable_ns - from.runnable_ns, &out.ready_ticks);
    out.from = from.at;
    out.until = until.at;
    return out;
}

/* Initialize `t`. `moves` must outlive `t`, but may still be unfinished. */
static csy_status together_init(struct together *t, const struct instants *in,
                                const struct moves *moves, csy_error *error)
{
    *t = (struct together){.active = 0};
    t->forms.whole = true;
    t->forms.tubes.places = moves->places;
    if (!(in->has_begins || in->partial) || !moves->known || moves->n == 1 ||
        moves->n > REACH_CLOCKS_MAX)
        return CSY_OK;
    csy_status status = reach_init(&t->reach, moves, error);
    if (status || t->reach.greatest == MOVES_NONE)
        return status;
    return levels_outer_init(&t->outer, &t->reach, in->sync, in->actors.count, in->actors.count, 1,
                             error);
}

/* Process an actor that becomes active (1) or inactive (-1). Returns false if out of memory. */
static bool together_take(struct together *t, const struct actor_instant *instant, int sign)
{
    const struct change change = change_at(&instant->at, instant->actor, sign, instant->ordered);
    bool good = true;
    t->some_unordered |= !instant->ordered;
    t->active += sign;
    if (sign > 0 && t->active == 1)
        t->since = instant->at;
    if (sign < 0 && t->active == 0)
        good = forms_add(&t->forms, 0, &t->since, &instant->at, 1);
    return good && levels_outer_take(&t->outer, &change);
}

/* --- States -------------------------------------------------------------------------------- */

#define NO_ROW SIZE_MAX

enum { PARTS_BYTES = 64 << 20 }; /* memory for the sections of one pass over the trace, in bytes */

/* Set *row and *pair to the rows of the actor's unit, or to NO_ROW. Named threads have no unit. */
static csy_status find_unit(struct states *s, const struct actor_instant *instant, size_t *row,
                            size_t *pair, csy_error *error)
{
    const struct doing *doing = &s->actors[instant->actor];
    if (doing->placed && doing->unit == instant->unit) {
        *row = doing->row;
        *pair = doing->pair;
        return CSY_OK;
    }
    enum actor_kind kind = s->instants->actors.items[instant->actor].kind;
    uint64_t unit = kind == ACTOR_PPE ? UNIT_PPE : instant->unit;
    struct unit_key key = {unit, NO_ACTOR, 0};
    uint32_t index;
    bool added;
    *row = *pair = NO_ROW;
    if (kind == ACTOR_NAMED || unit == NO_UNIT)
        return CSY_OK;
    for (int i = 0; i < (s->asked->pairs ? 2 : 1); i++) {
        key.actor = i ? instant->actor : NO_ACTOR;
        if (!texts_find(&s->units, (const char *)&key, sizeof key, &index, &added))
            return error_memory(error);
        *(i ? pair : row) = s->nactors + 1 + index;
    }
    return CSY_OK;
}

static bool add_time(struct states *s, size_t part, size_t form, const struct moment *since,
                     const struct moment *end)
{
    struct clip *clip = &s->clips.items[part];
    struct forms *forms = &s->parts[part].forms;
    return clip->asked ? clip_add(clip, forms, form, since, end)
                       : forms_add(forms, form, since, end, 1);
}

static bool add_state(struct states *s, size_t part, size_t row, enum state state,
                      const struct moment *since, const struct moment *end)
{
    s->nstamped += row == s->nactors && state_is_active(state);
    return add_time(s, part, row * s->ncolumns + state, since, end);
}

/* Add the time of an actor's state to a row, except the time that add_counted adds. */
static bool add_to(struct states *s, size_t part, uint32_t actor, size_t row,
                   const struct doing *doing, const struct moment *end)
{
    const struct spent_time *spent = &s->spent[actor];
    const struct moment *since = &doing->since, *until = end, *from = end;
    size_t class = row * s->ncolumns + STATES + doing->class;
    if (spent->known && end->global_ticks >= spent->from.global_ticks)
        until = &spent->from;
    if (spent->known)
        from = since->global_ticks > spent->until.global_ticks ? since : &spent->until;
    bool before = !spent->known || since->global_ticks < until->global_ticks;
    return (!before || add_state(s, part, row, doing->state, since, until)) &&
           (from->global_ticks >= end->global_ticks ||
            add_state(s, part, row, doing->state, from, end)) &&
           (doing->class == NO_TEXT || add_time(s, part, class, since, end));
}

static bool end_doing(struct states *s, uint32_t actor, const struct moment *end)
{
    const struct doing *doing = &s->actors[actor];
    struct spent_time *spent = &s->spent[actor];
    bool good = true;
    /* Idle time matters only where the system counted CPU times. */
    if (spent->known && doing->state == STATE_IDLE) {
        bool late = doing->since.global_ticks < spent->from.global_ticks;
        bool early = end->global_ticks > spent->until.global_ticks;
        const struct moment *from = late ? &spent->from : &doing->since;
        const struct moment *until = early ? &spent->until : end;
        if (from->global_ticks < until->global_ticks)
            spent->idle_ticks += (int64_t)moments_apart(from, until);
    }
    for (size_t i = 0; good && (i = clips_next(&s->clips, i, &doing->since, end)) < s->clips.count;
         i++) {
        bool alone = doing->row == NO_ROW || doing->state == STATE_ABSENT;
        size_t absent = doing->row * s->ncolumns + STATE_ABSENT;
        good = add_to(s, i, actor, actor, doing, end) &&
               add_to(s, i, actor, s->nactors, doing, end) &&
               (doing->pair == NO_ROW || add_to(s, i, actor, doing->pair, doing, end)) &&
               (alone ||
                (add_to(s, i, actor, doing->row, doing, end) &&
                 (s->clipped || forms_add(&s->parts[i].forms, absent, &doing->since, end, -1))));
    }
    return good;
}

/* Records of actors that are not included still limit clock offsets and the extent of the trace. */
static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct states *s = user;
    csy_status status = s->leveled ? levels_take(&s->levels, instant, error) : CSY_OK;
    if (s->instants->partial && instant->is_record)
        extent_note(&s->extent, &instant->at);
    if (!status && instant->ordered && instant->own &&
        !moves_note(&s->moves, instant->at.clock, instant->at.global_ticks))
        status = error_memory(error);
    if (status || !s->meant[instant->actor])
        return status;
    struct doing *doing = &s->actors[instant->actor];
    size_t row, pair;
    status = find_unit(s, instant, &row, &pair, error);
    int sign = state_is_active(instant->state) - state_is_active(doing->state);
    /* add the time with a core up to this moment */
    struct spent_time *spent = &s->spent[instant->actor];
    if (spent->known) {
        int128 time = spent->core.has ? moments_apart(&spent->core.since, &instant->at) : 0;
        spent->core.ticks += time;
        spent->core.waiting_ticks += spent->core.waits && time > 0 ? time : 0;
        spent->core.since = instant->at;
        spent->core.has = instant->has_core;
        spent->core.waits = instant->has_core && !state_is_active(instant->state);
    }
    if (!status && !s->leveled && sign != 0 && !together_take(&s->together, instant, sign))
        status = error_memory(error);
    if (!status && s->asked->joint) {
        size_t place = s->joint.places[instant->actor];
        if (place != SIZE_MAX && s->joint.now[place] != (char)instant->state) {
            status = end_combination(&s->joint, &instant->at, error);
            s->joint.now[place] = (char)instant->state;
            s->joint.unordered |= !instant->ordered;
        }
    }
    if (status ||
        (doing->state == instant->state && doing->class == instant->class && doing->row == row))
        return status;
    if (!end_doing(s, instant->actor, &instant->at))
        return error_memory(error);
    *doing =
        (struct doing){instant->at, instant->state, instant->class, true, instant->unit, row, pair};
    return CSY_OK;
}

static bool add_counted(struct states *s, uint32_t actor)
{
    const struct doing *doing = &s->actors[actor];
    const struct spent_time *spent = &s->spent[actor];
    const size_t rows[] = {actor, s->nactors, doing->row, doing->pair};
    int64_t times[STATES] = {[STATE_USER] = spent->user_ticks,
                             [STATE_SYSTEM] = spent->system_ticks,
                             [STATE_READY] = spent->ready_ticks};
    bool good = true;
    if (!spent->known)
        return true;
    int128 rest = moments_apart(&spent->from, &spent->until) - spent->user_ticks -
                  spent->system_ticks - spent->ready_ticks;
    /* The counted times can add up to more than the elapsed time. */
    int64_t left = rest < 0 ? 0 : (int64_t)rest;
    times[STATE_IDLE] = spent->idle_ticks < left ? spent->idle_ticks : left;
    times[STATE_BLOCKED] = left - times[STATE_IDLE];
    s->nspent += !s->instants->actors.items[actor].told;
    for (size_t i = 0; good && i < sizeof rows / sizeof *rows; i++)
        for (enum state k = 0; good && rows[i] != NO_ROW && k < STATES; k++) {
            const struct moment none = {.clock = spent->from.clock};
            const struct moment end = {times[k], times[k], none.clock};
            good = times[k] == 0 || add_time(s, 0, rows[i] * s->ncolumns + k, &none, &end);
        }
    return good;
}

static csy_status begin_levels(struct states *s, csy_error *error)
{
    const csy_concurrency executing = {.units = s->kinds, .actors = s->asked->actors};
    struct block *blocks = malloc((s->clips.count + 1) * sizeof *blocks);
    size_t n = s->clipped ? s->clips.count : 0;
    if (!blocks)
        return error_memory(error);
    for (size_t i = 0; i < n; i++)
        blocks[i] = s->clips.items[i].block;
    csy_status status =
        levels_begin(&s->levels, s->instants, &executing, blocks, n, NULL, 0, error);
    for (size_t i = 0; !status && i < s->clips.count; i++)
        s->parts[i].levels = &s->levels.blocks[i];
    free(blocks);
    return status;
}

/* Prepare a pass over as many sections as fit into memory. Set s->nsections to their number. */
static csy_status prepare(struct states *s, csy_error *error)
{
    csy_status status = moves_init(&s->moves, s->instants->sync, error);
    if (!status)
        status = extent_init(&s->extent, csy_sync_nthreads(s->instants->sync), error);
    if (!status && s->sections) {
        /* estimate the memory of one section, in bytes */
        size_t rows = 2 * s->nactors + 2, columns = STATES + s->instants->event_kinds.classes.count;
        size_t forms = rows * columns * (sizeof(struct form) + 2 * sizeof(struct form_part));
        size_t each = CLIPS * (forms + s->moves.n * sizeof(struct clip_ends)) +
                      levels_block_bytes(s->nactors, s->moves.n);
        size_t fit = PARTS_BYTES / each + 1;
        s->nsections = s->nsections < fit ? s->nsections : fit;
    }
    if (!status) {
        /* Without sections, the only window is the one the user requested. */
        size_t n = s->sections ? s->nsections : 1;
        struct block *blocks = calloc(n + 1, sizeof *blocks);
        s->clips.items = calloc(n + 1, sizeof *s->clips.items);
        s->clips.extents = calloc(n + 1, sizeof *s->clips.extents);
        status = blocks && s->clips.items && s->clips.extents ? CSY_OK : error_memory(error);
        if (!status && s->sections)
            status = time_parts_of_sections(blocks, s->instants, s->sections, n, error);
        for (; !status && s->clips.count < n; s->clips.count += !status) {
            struct clip *clip = &s->clips.items[s->clips.count];
            status = s->sections ? clip_init_section(clip, s->instants, &s->moves,
                                                     &blocks[s->clips.count], error)
                                 : clip_init(clip, s->instants, &s->moves, s->asked->window, error);
        }
        if (!status)
            find_extents(&s->clips, s->moves.n);
        free(blocks);
    }
    if (status)
        return status;
    s->parts = calloc(s->clips.count + 1, sizeof *s->parts);
    status = s->parts ? CSY_OK : error_memory(error);
    s->clipped = s->clips.items->asked;
    for (size_t i = 0; !status && i < s->clips.count; i++)
        s->parts[i].forms.whole = !s->clipped;
    for (size_t i = 0; !status && i < s->clips.count; i++)
        s->parts[i].forms.tubes.places = s->moves.places;
    s->leveled = s->asked->levels || s->clipped;
    if (!status)
        status = s->leveled ? begin_levels(s, error)
                            : together_init(&s->together, s->instants, &s->moves, error);
    if (!status && s->asked->joint)
        status = joint_states_init(&s->joint, s->instants, s->meant,
                                   s->asked->units != CSY_UNITS_AUTO, error);
    s->joint.forms.tubes.places = s->moves.places;
    return status;
}

static void fini(void *user)
{
    struct states *s = user;
    for (size_t i = 0; s->parts && i < s->clips.count; i++) {
        forms_fini(&s->parts[i].forms);
        free(s->parts[i].at_least);
        free(s->parts[i].exactly);
    }
    levels_fini(&s->levels);
    levels_outer_fini(&s->together.outer);
    reach_fini(&s->together.reach);
    forms_fini(&s->together.forms);
    joint_states_fini(&s->joint);
    texts_fini(&s->units);
    FREE_ALL(s->parts, s->actors, s->meant, s->spent);
    for (size_t i = 0; i < s->clips.count; i++)
        clip_fini(&s->clips.items[i]);
    free(s->clips.items);
    free(s->clips.extents);
    extent_fini(&s->extent);
    moves_fini(&s->moves);
}

static csy_status begin(void *user, struct instants *in, csy_error *error)
{
    struct states *s = user;
    s->instants = in;
    s->nactors = in->actors.count;
    s->meant = malloc((s->nactors + 1) * sizeof *s->meant);
    if (!s->meant)
        return error_memory(error);
    for (size_t i = 0; i < s->nactors; i++) {
        s->meant[i] = levels_means(in, s->kinds, s->asked->actors, &in->actors.items[i]);
        s->nmeant += s->meant[i];
    }
    csy_status status = actors_check_fit(&in->actors, in->sync, s->asked->actors, error);
    if (!status && s->nmeant == 0 && s->asked->actors && s->nactors > 0)
        status = error_set(error, CSY_USAGE,
                           "%s: no actor that matches '%s' is one of the counted units",
                           in->sync->trace->name, s->asked->actors);
    if (!status)
        status = prepare(s, error);
    if (status)
        return status;
    s->ncolumns = STATES + in->event_kinds.classes.count;
    s->actors = malloc((s->nactors + 1) * sizeof *s->actors);
    s->spent = calloc(s->nactors + 1, sizeof *s->spent);
    if (!s->actors || !s->spent)
        return error_memory(error);
    for (size_t i = 0; i < s->nactors; i++) {
        s->actors[i] = (struct doing){in->first, STATE_ABSENT, NO_TEXT, false, 0, NO_ROW, NO_ROW};
        if (s->meant[i] && !s->clipped) /* counts do not tell the CPU time inside a window */
            s->spent[i] = spent_time_of(in, &in->actors.items[i]);
    }
    return CSY_OK;
}

static csy_status end(void *user, csy_error *error)
{
    struct states *s = user;
    const struct instants *in = s->instants;
    bool good = true;
    for (uint32_t i = 0; i < s->nactors; i++)
        good = good && (!s->meant[i] || (end_doing(s, i, &in->last) && add_counted(s, i)));
    /* A unit is absent while no actor runs on it. */
    for (size_t i = 0; i < s->units.count && !s->clipped; i++)
        if (states_unit(s, i).actor == NO_ACTOR)
            good = good &&
                   forms_add(&s->parts->forms, (s->nactors + 1 + i) * s->ncolumns + STATE_ABSENT,
                             &in->first, &in->last, 1);
    csy_status status = good ? CSY_OK : error_memory(error);
    if (!status && s->asked->joint)
        status = end_combination(&s->joint, &in->last, error);
    if (!status && s->leveled)
        status = levels_end(&s->levels, error);
    if (!status)
        status = moves_finish(&s->moves, error);
    for (size_t i = 0; !status && i < s->clips.count; i++) {
        csy_analysis *made;
        const char *window = s->sections ? s->sections[i].window : s->asked->window;
        status = sheets_name_window(states_make(s, i, &made, error), &made, window, error);
        if (!status)
            status = s->to.receive(s->to.user, s->to.n++, made, error);
    }
    return status;
}

static void free_states(void *user)
{
    fini(user);
    free(user);
}

static struct states states_of(const csy_states *asked, struct receiver to)
{
    return (struct states){
        .asked = asked, .kinds = asked->units ? asked->units : CSY_UNITS_ACTORS, .to = to};
}

static struct analysis analysis_of(struct states *s, void (*free)(void *user))
{
    return (struct analysis){.begin = begin, .take = take, .end = end, .free = free, .user = s};
}

static csy_status check(const csy_sync *sync, const csy_states *asked, bool windows,
                        csy_error *error)
{
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status && windows && asked->joint)
        status = error_set(error, CSY_USAGE, "--joint requires the whole trace, without a window");
    if (!status)
        status = error_check_choice("units", (int)asked->units, CSY_UNITS_CPU, error);
    if (!status && asked->units == CSY_UNITS_CPU)
        status =
            error_set(error, CSY_USAGE,
                      "the verb \"states\" requires --units=spe, --units=ppe, or --units=actors");
    return status;
}

static csy_status keep(void *user, size_t index, csy_analysis *analysis, csy_error *error)
{
    csy_analysis **out = user;
    (void)error;
    out[index] = analysis;
    return CSY_OK;
}

csy_status states_analysis(struct analysis *analysis, const csy_states *asked, csy_analysis **out,
                           csy_error *error)
{
    struct states *s = malloc(sizeof *s);
    if (!s)
        return error_memory(error);
    *s = states_of(asked, (struct receiver){keep, out, 0});
    *analysis = analysis_of(s, free_states);
    return CSY_OK;
}

csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning, const csy_states *asked,
                           csy_analysis **out, csy_error *error)
{
    const csy_states defaults = {.pairs = false};
    struct analysis analysis;
    asked = asked ? asked : &defaults;
    csy_status status = check(sync, asked, asked->window, error);
    if (!status)
        status = states_analysis(&analysis, asked, out, error);
    return status ? status : analysis_run(sync, meaning, MORE_TIMES, &analysis, error);
}

csy_status csy_sync_states_by_section(csy_sync *sync, const csy_meaning *meaning,
                                      const csy_states *asked, const csy_section *sections,
                                      size_t n, csy_take_section receive, void *user,
                                      csy_error *error)
{
    const csy_states defaults = {.pairs = false};
    struct receiver to = {receive, user, 0};
    asked = asked ? asked : &defaults;
    csy_status status = check(sync, asked, true, error);
    for (size_t done = 0; !status && done < n;) {
        struct states s = states_of(asked, to);
        struct analysis analysis = analysis_of(&s, fini);
        s.sections = sections + done;
        s.nsections = n - done;
        status = analysis_run(sync, meaning, MORE_TIMES, &analysis, error);
        done += s.nsections;
        to = s.to;
    }
    return status;
}

csy_status csy_sync_states_of_sections(csy_sync *sync, const csy_meaning *meaning,
                                       const csy_states *asked, const csy_section *sections,
                                       size_t n, csy_analysis **out, csy_error *error)
{
    for (size_t i = 0; i < n; i++)
        out[i] = NULL;
    csy_status status =
        csy_sync_states_by_section(sync, meaning, asked, sections, n, keep, out, error);
    for (size_t i = 0; status && i < n; i++)
        csy_analysis_free(out[i]);
    return status;
}
