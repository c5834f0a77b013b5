/* How long actors were in which state. */
#include "analysis/activity/states.h"

#include "base/error.h"

#include <stdlib.h>

#define NO_ROW SIZE_MAX

enum { PARTS_BYTES = 64 << 20 }; /* of sections side by side */

/* The PPE's threads are on it; where a named thread runs is not said. */
static csy_status find_unit(struct states *s, const struct actor_instant *instant, size_t *row,
                            size_t *pair, csy_error *error)
{
    const struct doing *doing = &s->actors[instant->actor];
    if (doing->placed && doing->unit == instant->unit) {
        *row = doing->row;
        *pair = doing->pair;
        return CSY_OK;
    }
    enum actor_kind kind = s->instants.actors.items[instant->actor].kind;
    uint64_t unit = kind == ACTOR_PPE ? UNIT_PPE : instant->unit;
    struct unit_key key = {unit, NO_ACTOR, 0};
    uint32_t index;
    bool added;
    *row = *pair = NO_ROW;
    if (kind == ACTOR_NAMED || unit == NO_UNIT)
        return CSY_OK;
    if (!texts_find(&s->units, (const char *)&key, sizeof key, &index, &added))
        return error_memory(error);
    *row = s->nactors + 1 + index;
    if (!s->asked->pairs)
        return CSY_OK;
    key.actor = instant->actor;
    if (!texts_find(&s->units, (const char *)&key, sizeof key, &index, &added))
        return error_memory(error);
    *pair = s->nactors + 1 + index;
    return CSY_OK;
}

static bool add_time(struct states *s, size_t part, size_t form, const struct moment *since,
                     const struct moment *end)
{
    struct forms *forms = &s->parts[part].forms;
    return s->clipped ? clip_add(&s->clips.items[part], forms, form, since, end)
                      : forms_add(forms, form, since, end, 1);
}

static bool add_state(struct states *s, size_t part, size_t row, enum state state,
                      const struct moment *since, const struct moment *end)
{
    return add_time(s, part, row * s->ncolumns + state, since, end);
}

/* A state, but while the system counted what the actor was in. */
static bool add_uncounted(struct states *s, size_t part, uint32_t actor, size_t row,
                          const struct doing *doing, const struct moment *end)
{
    const struct spent_time *spent = &s->spent[actor];
    const struct moment *since = &doing->since;
    if (!spent->known)
        return add_state(s, part, row, doing->state, since, end);
    const struct moment *until = end->global_ticks < spent->from.global_ticks ? end : &spent->from;
    const struct moment *from =
        since->global_ticks > spent->until.global_ticks ? since : &spent->until;
    return (since->global_ticks >= until->global_ticks ||
            add_state(s, part, row, doing->state, since, until)) &&
           (from->global_ticks >= end->global_ticks ||
            add_state(s, part, row, doing->state, from, end));
}

static bool add_to(struct states *s, size_t part, uint32_t actor, size_t row,
                   const struct doing *doing, const struct moment *end)
{
    size_t class = row * s->ncolumns + STATES + doing->class;
    return add_uncounted(s, part, actor, row, doing, end) &&
           (doing->class == NO_TEXT || add_time(s, part, class, &doing->since, end));
}

/* How long it was idle while the system counted. */
static void note_idle(struct spent_time *spent, const struct doing *doing, const struct moment *end)
{
    const struct moment *from = &doing->since, *until = end;
    if (!spent->known || doing->state != STATE_IDLE)
        return;
    if (from->global_ticks < spent->from.global_ticks)
        from = &spent->from;
    if (until->global_ticks > spent->until.global_ticks)
        until = &spent->until;
    if (from->global_ticks < until->global_ticks)
        spent->idle_ticks += (int64_t)moments_apart(from, until);
}

static bool end_in_part(struct states *s, size_t part, uint32_t actor, const struct moment *end)
{
    const struct doing *doing = &s->actors[actor];
    bool alone = doing->row == NO_ROW || doing->state == STATE_ABSENT;
    size_t absent = doing->row * s->ncolumns + STATE_ABSENT;
    return add_to(s, part, actor, actor, doing, end) &&
           add_to(s, part, actor, s->nactors, doing, end) &&
           (doing->pair == NO_ROW || add_to(s, part, actor, doing->pair, doing, end)) &&
           (alone ||
            (add_to(s, part, actor, doing->row, doing, end) &&
             (s->clipped || forms_add(&s->parts[part].forms, absent, &doing->since, end, -1))));
}

/* What an actor has been doing ends. */
static bool end_doing(struct states *s, uint32_t actor, const struct moment *end)
{
    const struct doing *doing = &s->actors[actor];
    bool good = true;
    note_idle(&s->spent[actor], doing, end);
    for (size_t i = 0; good && (i = clips_next(&s->clips, i, &doing->since, end)) < s->clips.count;
         i++)
        good = end_in_part(s, i, actor, end);
    return good;
}

/* An instant of an actor that is meant. */
static csy_status take_meant(struct states *s, const struct actor_instant *instant,
                             csy_error *error)
{
    struct doing *doing = &s->actors[instant->actor];
    size_t row, pair;
    csy_status status = find_unit(s, instant, &row, &pair, error);
    int sign = state_is_active(instant->state) - state_is_active(doing->state);
    spent_time_take(&s->spent[instant->actor], instant);
    if (!status && !s->leveled && sign != 0 && !together_take(&s->together, instant, sign))
        status = error_memory(error);
    if (!status && s->asked->joint)
        status = joint_states_take(&s->joint, instant, error);
    if (status ||
        (doing->state == instant->state && doing->class == instant->class && doing->row == row))
        return status;
    if (!end_doing(s, instant->actor, &instant->at))
        return error_memory(error);
    *doing =
        (struct doing){instant->at, instant->state, instant->class, true, instant->unit, row, pair};
    return CSY_OK;
}

/* The records of all say how clocks may move, and when it began and ended. */
static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct states *s = user;
    csy_status status = s->leveled ? levels_take(&s->levels, instant, error) : CSY_OK;
    if (s->instants.partial && instant->is_record)
        extent_note(&s->extent, instant->at.clock, instant->at.global_ticks);
    if (!status && instant->ordered && instant->own &&
        !moves_note(&s->moves, instant->at.clock, instant->at.global_ticks))
        status = error_memory(error);
    return status || !s->meant[instant->actor] ? status : take_meant(s, instant, error);
}

/* What the system counted. */
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
    spent_time_rest(spent, &times[STATE_IDLE], &times[STATE_BLOCKED]);
    s->nspent += !s->instants.actors.items[actor].told;
    for (size_t i = 0; good && i < sizeof rows / sizeof *rows; i++)
        for (enum state k = 0; good && rows[i] != NO_ROW && k < STATES; k++) {
            const struct moment none = {.clock = spent->from.clock};
            const struct moment end = {times[k], times[k], none.clock};
            good = times[k] == 0 || add_state(s, 0, rows[i], k, &none, &end);
        }
    return good;
}

/* The first record's time until the last one's; units are absent while they run no actor. */
static csy_status gather(struct states *s, csy_error *error)
{
    const struct instants *in = &s->instants;
    s->ncolumns = STATES + in->senses.classes.count;
    s->actors = malloc((s->nactors + 1) * sizeof *s->actors);
    s->spent = calloc(s->nactors + 1, sizeof *s->spent);
    if (!s->actors || !s->spent)
        return error_memory(error);
    for (size_t i = 0; i < s->nactors && !s->clipped; i++) /* when it was is not known */
        if (s->meant[i])
            s->spent[i] = spent_time_of(in, &in->actors.items[i]);
    for (size_t i = 0; i < s->nactors; i++)
        s->actors[i] = (struct doing){in->first, STATE_ABSENT, NO_TEXT, false, 0, NO_ROW, NO_ROW};
    csy_status status = instants_merge(&s->instants, take, s, error);
    bool good = true;
    for (uint32_t i = 0; i < s->nactors; i++)
        good = good && (!s->meant[i] || (end_doing(s, i, &in->last) && add_counted(s, i)));
    if (!status && s->leveled)
        status = levels_end(&s->levels, error);
    for (size_t i = 0; i < s->units.count; i++)
        if (states_unit(s, i).actor == NO_ACTOR && !s->clipped)
            good = good &&
                   forms_add(&s->parts->forms, (s->nactors + 1 + i) * s->ncolumns + STATE_ABSENT,
                             &in->first, &in->last, 1);
    return status ? status : good ? CSY_OK : error_memory(error);
}

/* The actors that are asked for. */
static csy_status choose(struct states *s, csy_error *error)
{
    const struct instants *in = &s->instants;
    s->nactors = in->actors.count;
    s->meant = malloc((s->nactors + 1) * sizeof *s->meant);
    if (!s->meant)
        return error_memory(error);
    for (size_t i = 0; i < s->nactors; i++) {
        s->meant[i] = levels_means(in, s->kinds, s->asked->actors, &in->actors.items[i]);
        s->nmeant += s->meant[i];
    }
    csy_status status = actors_check_fit(&in->actors, in->sync, s->asked->actors, error);
    return status || s->nmeant > 0 || !s->asked->actors || s->nactors == 0
               ? status
               : error_set(error, CSY_USAGE, "%s: no actor that fits '%s' is one of these units",
                           in->sync->trace->name, s->asked->actors);
}

/* How many sections go side by side: most of what one takes is its forms, three times, its levels,
 * and its ends by clock. */
static size_t parts_that_fit(const struct states *s, size_t n)
{
    size_t rows = 2 * s->nactors + 2, columns = STATES + s->instants.senses.classes.count;
    size_t forms = rows * columns * (sizeof(struct form) + 2 * sizeof(struct form_part));
    size_t each = CLIPS * (forms + s->moves.n * sizeof(struct clip_ends)) +
                  levels_block_bytes(s->nactors, s->moves.n);
    size_t fit = PARTS_BYTES / each + 1;
    return n < fit ? n : fit;
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
    csy_status status = levels_begin(&s->levels, &s->instants, &executing, blocks, n, error);
    for (size_t i = 0; !status && i < s->clips.count; i++)
        s->parts[i].levels = &s->levels.blocks[i];
    free(blocks);
    return status;
}

/* Of as many of the sections as fit, if there are any, whose number is told. */
static csy_status begin(struct states *s, const csy_section *sections, size_t *n, csy_error *error)
{
    csy_status status = choose(s, error);
    if (!status)
        status = moves_init(&s->moves, s->instants.sync, error);
    if (!status)
        status = extent_init(&s->extent, csy_sync_nthreads(s->instants.sync), error);
    if (!status && sections)
        *n = parts_that_fit(s, *n);
    if (!status)
        status = sections
                     ? clips_init_sections(&s->clips, &s->instants, &s->moves, sections, *n, error)
                     : clips_init(&s->clips, &s->instants, &s->moves, s->asked->window, error);
    if (status)
        return status;
    s->parts = calloc(s->clips.count + 1, sizeof *s->parts);
    status = s->parts ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < s->clips.count; i++)
        status = forms_init(&s->parts[i].forms, error);
    s->clipped = s->clips.items->asked;
    for (size_t i = 0; !status && i < s->clips.count; i++)
        s->parts[i].forms.whole = !s->clipped;
    s->leveled = s->asked->levels || s->clipped;
    if (!status)
        status = s->leveled ? begin_levels(s, error)
                            : together_init(&s->together, &s->instants, &s->moves, error);
    if (!status && s->asked->joint)
        status = joint_states_init(&s->joint, &s->instants, s->meant,
                                   s->asked->units != CSY_UNITS_AUTO, error);
    return status;
}

static void fini(struct states *s)
{
    for (size_t i = 0; s->parts && i < s->clips.count; i++) {
        forms_fini(&s->parts[i].forms);
        free(s->parts[i].at_least);
        free(s->parts[i].exactly);
    }
    levels_fini(&s->levels);
    together_fini(&s->together);
    joint_states_fini(&s->joint);
    free(s->parts);
    free(s->actors);
    free(s->meant);
    free(s->spent);
    texts_fini(&s->units);
    clips_fini(&s->clips);
    extent_fini(&s->extent);
    moves_fini(&s->moves);
    instants_fini(&s->instants);
}

/* The function that gets the analyses, one after the other. */
struct receiver {
    csy_take_section receive;
    void *user;
    size_t n; /* that it has */
};

static csy_status give(struct states *s, size_t part, const char *window, struct receiver *to,
                       csy_error *error)
{
    csy_analysis *made;
    csy_status status =
        sheets_name_window(states_make(s, part, &made, error), &made, window, error);
    return status ? status : to->receive(to->user, to->n++, made, error);
}

/* One pass: of the first of n sections, as many as are told, or, where these are NULL, of what is
 * asked for. */
static csy_status pass(csy_sync *sync, const csy_meaning *meaning, const csy_states *asked,
                       const csy_section *sections, size_t *n, struct receiver *to,
                       csy_error *error)
{
    struct states s = {.asked = asked, .kinds = asked->units ? asked->units : CSY_UNITS_ACTORS};
    csy_status status =
        instants_open_more(&s.instants, sync, meaning, INSTANTS_AHEAD, MORE_TIMES, error);
    if (status)
        return status;
    status = begin(&s, sections, n, error);
    if (!status)
        status = gather(&s, error);
    if (!status)
        status = moves_finish(&s.moves, error);
    for (size_t i = 0; !status && i < s.clips.count; i++)
        status = give(&s, i, sections ? sections[i].window : asked->window, to, error);
    fini(&s);
    return status;
}

static csy_status check(const csy_sync *sync, const csy_states *asked, bool windows,
                        csy_error *error)
{
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status && windows && asked->joint)
        status = error_set(error, CSY_USAGE, "joint states are of all the time, not of a window");
    if (!status)
        status = error_check_choice("units", (int)asked->units, CSY_UNITS_CPU, error);
    if (!status && asked->units == CSY_UNITS_CPU)
        status = error_set(error, CSY_USAGE, "states are of spe, ppe or actors, not of cpu");
    return status;
}

/* Analyses that are kept for the caller. */
struct kept {
    csy_analysis **out;
    size_t n;
};

static csy_status keep(void *user, size_t index, csy_analysis *analysis, csy_error *error)
{
    struct kept *kept = user;
    (void)error;
    kept->out[index] = analysis;
    kept->n = index + 1;
    return CSY_OK;
}

csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning, const csy_states *asked,
                           csy_analysis **out, csy_error *error)
{
    const csy_states defaults = {.pairs = false};
    struct kept kept = {.out = out};
    struct receiver to = {keep, &kept, 0};
    size_t one = 1;
    asked = asked ? asked : &defaults;
    csy_status status = check(sync, asked, asked->window, error);
    return status ? status : pass(sync, meaning, asked, NULL, &one, &to, error);
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
    for (size_t some, done = 0; !status && done < n; done += some) {
        some = n - done;
        status = pass(sync, meaning, asked, sections + done, &some, &to, error);
    }
    return status;
}

csy_status csy_sync_states_of_sections(csy_sync *sync, const csy_meaning *meaning,
                                       const csy_states *asked, const csy_section *sections,
                                       size_t n, csy_analysis **out, csy_error *error)
{
    struct kept kept = {.out = out};
    csy_status status =
        csy_sync_states_by_section(sync, meaning, asked, sections, n, keep, &kept, error);
    while (status && kept.n > 0)
        csy_analysis_free(out[--kept.n]);
    return status;
}
