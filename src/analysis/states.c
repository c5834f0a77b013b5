/* How long actors were in which state. */
#include "analysis/clip.h"
#include "analysis/extent.h"
#include "analysis/joint_states.h"
#include "analysis/levels.h"
#include "analysis/spent_times.h"
#include "analysis/state_sums.h"
#include "analysis/together.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_ROW SIZE_MAX
#define UNIT_PPE (NO_UNIT - 1)

enum { COLUMN_WHAT, COLUMN_NAME, COLUMNS_BEFORE, NAME_BYTES = 300 };

/* What an actor has been doing since when. */
struct doing {
    struct moment since;
    enum state state;
    uint32_t class;
    bool placed;      /* it was looked where it is: */
    uint64_t unit;    /* as instants say it */
    size_t row, pair; /* of its unit, and of it on that, or NO_ROW */
};

/* Rows are the actors, all, then units; columns the states, then classes of waits. */
struct states {
    struct instants instants;
    struct moves moves;
    struct forms forms;
    struct extent extent;
    struct doing *actors;
    struct spent_time *spent; /* by actor */
    size_t nspent;            /* that are known, but not when it was */
    size_t nactors, ncolumns;
    csy_units kinds; /* of which actors are meant */
    bool *meant;     /* by actor: others have nothing */
    size_t nmeant;
    struct texts units; /* numbers of SPEs, UNIT_PPE; and these, each with an actor */
    const csy_states *asked;
    bool leveled; /* levels are asked for, or a window: */
    struct levels_run levels;
    csy_range *at_least, *exactly;
    struct together together; /* else: */
    csy_range executing;      /* how long at least one actor was; */
    csy_range span;           /* of so long */
    struct clip clip;
    struct joint_states joint;
};

/* What a row after those of actors is of; actor is NO_ACTOR where it is of a unit alone. */
struct unit_key {
    uint64_t unit;
    uint32_t actor, zero;
};

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

static bool add_time(struct states *s, size_t form, const struct moment *since,
                     const struct moment *end)
{
    return s->clip.asked ? clip_add(&s->clip, &s->forms, form, since, end)
                         : forms_add(&s->forms, form, since, end, 1);
}

static bool add_state(struct states *s, size_t row, enum state state, const struct moment *since,
                      const struct moment *end)
{
    return add_time(s, row * s->ncolumns + state, since, end);
}

/* A state, but while the system counted what the actor was in. */
static bool add_uncounted(struct states *s, uint32_t actor, size_t row, const struct doing *doing,
                          const struct moment *end)
{
    const struct spent_time *spent = &s->spent[actor];
    const struct moment *since = &doing->since;
    if (!spent->known)
        return add_state(s, row, doing->state, since, end);
    const struct moment *until = end->global_ticks < spent->from.global_ticks ? end : &spent->from;
    const struct moment *from =
        since->global_ticks > spent->until.global_ticks ? since : &spent->until;
    return (since->global_ticks >= until->global_ticks ||
            add_state(s, row, doing->state, since, until)) &&
           (from->global_ticks >= end->global_ticks || add_state(s, row, doing->state, from, end));
}

static bool add_to(struct states *s, uint32_t actor, size_t row, const struct doing *doing,
                   const struct moment *end)
{
    size_t class = row * s->ncolumns + STATES + doing->class;
    return add_uncounted(s, actor, row, doing, end) &&
           (doing->class == NO_TEXT || add_time(s, class, &doing->since, end));
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

static struct unit_key unit_of(const struct states *s, size_t index)
{
    struct unit_key key;
    memcpy(&key, s->units.bytes + s->units.items[index].at, sizeof key);
    return key;
}

/* What an actor has been doing ends. */
static bool end_doing(struct states *s, uint32_t actor, const struct moment *end)
{
    const struct doing *doing = &s->actors[actor];
    bool alone = doing->row == NO_ROW || doing->state == STATE_ABSENT;
    note_idle(&s->spent[actor], doing, end);
    return add_to(s, actor, actor, doing, end) && add_to(s, actor, s->nactors, doing, end) &&
           (doing->pair == NO_ROW || add_to(s, actor, doing->pair, doing, end)) &&
           (alone ||
            (add_to(s, actor, doing->row, doing, end) &&
             (s->clip.asked || forms_add(&s->forms, doing->row * s->ncolumns + STATE_ABSENT,
                                         &doing->since, end, -1))));
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
            good = times[k] == 0 || add_state(s, rows[i], k, &none, &end);
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
    for (size_t i = 0; i < s->nactors && !s->clip.asked; i++) /* when it was is not known */
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
        if (unit_of(s, i).actor == NO_ACTOR && !s->clip.asked)
            good = good && forms_add(&s->forms, (s->nactors + 1 + i) * s->ncolumns + STATE_ABSENT,
                                     &in->first, &in->last, 1);
    return status ? status : good ? CSY_OK : error_memory(error);
}

static bool add_columns(const struct states *s, csy_analysis *out)
{
    const struct texts *classes = &s->instants.senses.classes;
    bool good = sheets_add(out, "states") &&
                sheets_add_column(out, "what", CSY_COLUMN_TEXT, false) &&
                sheets_add_column(out, "name", CSY_COLUMN_TEXT, false);
    for (size_t i = 0; i < STATES; i++)
        good = good && sheets_add_column(out, state_words[i], CSY_COLUMN_TICKS, true);
    for (size_t i = 0; i < classes->count; i++) {
        char name[NAME_BYTES];
        const struct text_item *class = &classes->items[i];
        snprintf(name, sizeof name, "blocked_%.*s", (int)(class->size < 200 ? class->size : 200),
                 classes->bytes + class->at);
        good = good && sheets_add_column(out, name, CSY_COLUMN_TICKS, true);
    }
    return good && sheets_add_column(out, "virtual", CSY_COLUMN_TICKS, true) &&
           sheets_add_column(out, "utilization", CSY_COLUMN_PPM, true);
}

static bool add_row(const struct states *s, csy_analysis *out, const char *what, const char *name,
                    const csy_range *ranges)
{
    csy_value *values = sheets_add_row(out);
    if (!values || !sheets_set_text(out, &values[COLUMN_WHAT], what) ||
        !sheets_set_text(out, &values[COLUMN_NAME], name))
        return false;
    for (size_t i = 0; i < s->ncolumns; i++)
        values[COLUMNS_BEFORE + i] = (csy_value){.range = ranges[i]};
    csy_value *after = values + COLUMNS_BEFORE + s->ncolumns;
    csy_range active = state_sum(ranges, 0, STATE_OVERHEAD + 1);
    bool unit = strcmp(what, "unit") == 0;
    csy_range rest = state_sum(ranges, STATE_OVERHEAD + 1, unit ? STATES : STATE_ABSENT);
    after[0] = (csy_value){.none = active.estimate == INT64_MAX, .range = active};
    if (active.estimate < INT64_MAX && rest.estimate < INT64_MAX &&
        (int128)active.estimate + rest.estimate > 0)
        after[1] = (csy_value){.range = state_share(&active, &rest)};
    return true;
}

static bool add_unit(const struct states *s, csy_analysis *out, const struct unit_key *key,
                     const csy_range *ranges)
{
    char name[ACTOR_NAME_MAX];
    snprintf(name, sizeof name, key->unit == UNIT_PPE ? "PPE" : "SPE %" PRIu64, key->unit);
    bool good = add_row(s, out, "unit", name, ranges);
    csy_value *row = good ? sheets_last_row(out) : NULL;
    if (good && key->unit == UNIT_PPE) /* its threads share it */
        row[COLUMNS_BEFORE + STATE_ABSENT].none = row[COLUMNS_BEFORE + s->ncolumns].none =
            row[COLUMNS_BEFORE + s->ncolumns + 1].none = true;
    return good;
}

static bool add_pair(const struct states *s, csy_analysis *out, const struct unit_key *key,
                     const csy_range *ranges)
{
    char name[2 * ACTOR_NAME_MAX + 8], actor[ACTOR_NAME_MAX];
    int n = snprintf(name, sizeof name, "%s on ",
                     actor_name(&s->instants.actors.items[key->actor], s->instants.sync, actor));
    snprintf(name + n, sizeof name - (size_t)n, key->unit == UNIT_PPE ? "PPE" : "SPE %" PRIu64,
             key->unit);
    bool good = add_row(s, out, "pair", name, ranges);
    if (good)
        sheets_last_row(out)[COLUMNS_BEFORE + STATE_ABSENT].none = true;
    return good;
}

/* The time with at least one actor executing. */
static csy_range together_of(const struct states *s, const csy_range *ranges)
{
    csy_range all = state_sum(ranges + s->nactors * s->ncolumns, 0, STATE_OVERHEAD + 1);
    int64_t most = all.kind == CSY_RANGE_UNKNOWN ? INT64_MAX : all.hi;
    if (s->span.kind != CSY_RANGE_UNKNOWN && s->span.hi < most)
        most = s->span.hi;
    return spent_times_together(s->spent, s->nactors, most, s->nspent == 0, &s->executing);
}

static bool add_rows(const struct states *s, csy_analysis *out, const csy_range *ranges)
{
    bool good = add_columns(s, out);
    for (size_t i = 0; i < s->nactors && good; i++) {
        char name[ACTOR_NAME_MAX];
        const struct actor *actor = &s->instants.actors.items[i];
        good = !s->meant[i] || add_row(s, out, "actor", actor_name(actor, s->instants.sync, name),
                                       ranges + i * s->ncolumns);
    }
    for (size_t i = 0; i < s->units.count && good; i++) {
        struct unit_key key = unit_of(s, i);
        if (key.actor == NO_ACTOR)
            good = add_unit(s, out, &key, ranges + (s->nactors + 1 + i) * s->ncolumns);
    }
    for (size_t i = 0; i < s->units.count && good; i++) {
        struct unit_key key = unit_of(s, i);
        if (key.actor != NO_ACTOR)
            good = add_pair(s, out, &key, ranges + (s->nactors + 1 + i) * s->ncolumns);
    }
    good = good && add_row(s, out, "all", "all", ranges + s->nactors * s->ncolumns);
    csy_value *together = good ? sheets_last_row(out) + COLUMNS_BEFORE + s->ncolumns : NULL;
    if (good && s->nmeant > 0)
        *together = (csy_value){.range = together_of(s, ranges)};
    else if (good)
        together->none = true;
    return good;
}

/* How many actors execute at once. */
static bool add_levels(const struct states *s, csy_analysis *out)
{
    size_t n = s->levels.nactors;
    bool good = sheets_add(out, "virtual") &&
                sheets_add_column(out, "executing", CSY_COLUMN_COUNT, false) &&
                sheets_add_column(out, "time", CSY_COLUMN_TICKS, true) &&
                sheets_add_column(out, "at_least", CSY_COLUMN_TICKS, true);
    while (n > 0 && s->at_least[n].estimate == 0 && s->at_least[n].hi <= 0)
        n--;
    for (size_t i = 0; good && i <= n; i++) {
        csy_value *values = sheets_add_row(out);
        good = values != NULL;
        if (!good)
            break;
        sheets_set_number(&values[0], (int64_t)i);
        values[1] = (csy_value){.range = s->exactly[i]};
        values[2] = (csy_value){.range = s->at_least[i]};
    }
    return good;
}

/* In partial order it is not known which record is the first, nor which the last: an actor is
 * absent for what it is nothing else in. */
static csy_status set_absent(const struct states *s, size_t nrows, csy_range *ranges,
                             csy_error *error)
{
    csy_range span;
    csy_status status = s->moves.known && s->moves.n <= EXTENT_CLOCKS_MAX
                            ? extent_range(&s->extent, &s->moves, &span, error)
                            : CSY_OK;
    bool known = !status && s->moves.known && s->moves.n <= EXTENT_CLOCKS_MAX;
    for (size_t row = 0; row < nrows; row++) {
        csy_range *absent = &ranges[row * s->ncolumns + STATE_ABSENT];
        int128 times = row == s->nactors ? (int128)s->nmeant : 1;
        int128 least = known ? times * span.lo : 0, greatest = known ? times * span.hi : 0;
        bool limited = known && span.hi < INT64_MAX, clock = s->moves.n == 1;
        absent->kind = clock   ? CSY_RANGE_CLOCK
                       : known ? s->moves.star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN
                               : CSY_RANGE_UNKNOWN;
        for (size_t i = 0; i < STATES; i++) {
            const csy_range *other = &ranges[row * s->ncolumns + i];
            if (i == STATE_ABSENT)
                continue;
            if (other->kind == CSY_RANGE_UNKNOWN)
                absent->kind = CSY_RANGE_UNKNOWN;
            least -= other->hi;
            greatest -= other->lo;
        }
        if (clock)
            continue;
        absent->lo = least > 0 && fits_int64(least) ? (int64_t)least : 0;
        absent->hi = limited && fits_int64(greatest) ? (int64_t)greatest : INT64_MAX;
    }
    return status;
}

/* All states of an actor are the window together; a unit is absent for the rest of it. */
static csy_status set_clipped(struct states *s, size_t nrows, csy_range *ranges, csy_error *error)
{
    csy_status status = clip_ranges(&s->clip, nrows * s->ncolumns, &s->moves, ranges, error);
    for (size_t row = 0; !status && row < nrows; row++) {
        csy_range *times = &ranges[row * s->ncolumns], *absent = &times[STATE_ABSENT];
        size_t windows = row == s->nactors ? s->nmeant : 1;
        if (row < s->nactors && !s->meant[row])
            continue;
        if (row > s->nactors || !s->clip.within)
            *absent = clip_rest(&s->clip, times, STATE_ABSENT, windows);
        else
            clip_narrow(&s->clip, times, STATES, windows);
        if (absent->estimate == INT64_MAX)
            status = error_set(error, CSY_INPUT, "a time leaves 64 bits");
    }
    return status;
}

static bool add_condition(const struct states *s, csy_analysis *out)
{
    char text[CSY_WARNING_TEXT_MAX];
    snprintf(
        text, sizeof text,
        "user, system and ready time of %zu actor%s is what the system counted; when it was is "
        "not known",
        s->nspent, s->nspent == 1 ? "" : "s");
    return sheets_add_condition(out, text) &&
           (!s->asked->levels ||
            sheets_add_condition(out, "how many executed at once is by events: a thread that waits "
                                      "where no event says so, as in sleep, or lacks a CPU, counts "
                                      "as executing: celltrace -e switches tells it"));
}

static csy_status find_levels(struct states *s, csy_error *error)
{
    size_t n = s->levels.nactors + 2;
    s->at_least = calloc(n, sizeof *s->at_least);
    s->exactly = calloc(n, sizeof *s->exactly);
    if (!s->at_least || !s->exactly)
        return error_memory(error);
    csy_status status = levels_ranges(&s->levels.blocks[0], s->at_least, s->exactly, error);
    s->span = s->at_least[0];
    s->executing = s->at_least[1];
    return status;
}

/* No more than the time of all actors and no less than that of any, which are known better. */
static void narrow_executing(struct states *s, const csy_range *ranges)
{
    csy_range *out = &s->executing;
    if (out->kind == CSY_RANGE_CLOCK || out->kind == CSY_RANGE_UNKNOWN ||
        s->instants.imprecision_ticks > 0)
        return;
    for (size_t row = 0; row <= s->nactors; row++) {
        csy_range time = state_sum(ranges + row * s->ncolumns, 0, STATE_OVERHEAD + 1);
        if (time.kind == CSY_RANGE_UNKNOWN)
            continue;
        if (row < s->nactors && time.lo > out->lo && time.lo <= out->estimate)
            out->lo = time.lo;
        if (row == s->nactors && time.hi < out->hi && time.hi >= out->estimate)
            out->hi = time.hi;
    }
}

/* How long at least one actor was executing. */
static csy_status find_executing(struct states *s, const csy_range *ranges, csy_error *error)
{
    csy_status status =
        s->leveled ? find_levels(s, error)
                   : together_find(&s->together, &s->instants, &s->moves, &s->executing, error);
    narrow_executing(s, ranges);
    if (s->leveled)
        return status;
    s->span.kind = CSY_RANGE_UNKNOWN;
    if (status || !s->instants.partial || !s->moves.known || s->moves.n > EXTENT_CLOCKS_MAX)
        return status;
    s->span.kind = CSY_RANGE_PROVEN;
    return extent_range(&s->extent, &s->moves, &s->span, error);
}

static csy_status make(struct states *s, csy_analysis **out, csy_error *error)
{
    size_t n = (s->nactors + 1 + s->units.count) * s->ncolumns;
    csy_range *ranges = malloc(n * sizeof *ranges);
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    csy_status status = ranges && analysis ? moves_finish(&s->moves, error) : error_memory(error);
    if (!status)
        status = forms_ranges(&s->forms, n, &s->moves, ranges, error);
    if (!status && s->clip.asked)
        status = set_clipped(s, n / s->ncolumns, ranges, error);
    else if (!status && s->instants.partial)
        status = set_absent(s, n / s->ncolumns, ranges, error);
    if (!status)
        status = find_executing(s, ranges, error);
    if (!status &&
        !(add_rows(s, analysis, ranges) && (!s->asked->levels || add_levels(s, analysis))))
        status = error_memory(error);
    if (!status && s->nspent > 0 && !add_condition(s, analysis))
        status = error_memory(error);
    if (!status && s->asked->joint)
        status = joint_states_add_sheet(&s->joint, &s->moves, analysis, error);
    free(ranges);
    if (status)
        csy_analysis_free(analysis);
    else
        *out = analysis;
    return status;
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

csy_status csy_sync_states(csy_sync *sync, const csy_meaning *meaning, const csy_states *asked,
                           csy_analysis **out, csy_error *error)
{
    const csy_states defaults = {.pairs = false};
    struct states s = {.asked = asked ? asked : &defaults};
    s.kinds = s.asked->units ? s.asked->units : CSY_UNITS_ACTORS;
    const csy_concurrency executing = {.units = s.kinds, .actors = s.asked->actors};
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (!status && s.asked->window && s.asked->joint)
        status = error_set(error, CSY_USAGE, "joint states are of all the time, not of a window");
    if (!status && s.kinds == CSY_UNITS_CPU)
        status = error_set(error, CSY_USAGE, "states are of spe, ppe or actors, not of cpu");
    if (status)
        return status;
    status = instants_open_more(&s.instants, sync, meaning, INSTANTS_AHEAD, MORE_TIMES, error);
    if (status)
        return status;
    status = choose(&s, error);
    if (!status)
        status = moves_init(&s.moves, sync, error);
    if (!status)
        status = forms_init(&s.forms, error);
    if (!status)
        status = extent_init(&s.extent, csy_sync_nthreads(sync), error);
    if (!status)
        status = clip_init(&s.clip, &s.instants, &s.moves, s.asked->window, error);
    s.leveled = s.asked->levels || s.clip.asked;
    if (!status && s.leveled)
        status = levels_begin(&s.levels, &s.instants, &executing,
                              s.clip.asked ? &s.clip.block : NULL, s.clip.asked, error);
    else if (!status)
        status = together_init(&s.together, &s.instants, &s.moves, error);
    if (!status && s.asked->joint)
        status = joint_states_init(&s.joint, &s.instants, s.meant, s.asked->units != CSY_UNITS_AUTO,
                                   error);
    if (!status)
        status = gather(&s, error);
    if (!status)
        status = make(&s, out, error);
    levels_fini(&s.levels);
    together_fini(&s.together);
    joint_states_fini(&s.joint);
    free(s.at_least);
    free(s.exactly);
    free(s.actors);
    free(s.meant);
    free(s.spent);
    texts_fini(&s.units);
    forms_fini(&s.forms);
    clip_fini(&s.clip);
    extent_fini(&s.extent);
    moves_fini(&s.moves);
    instants_fini(&s.instants);
    return sheets_name_window(status, out, s.asked->window, error);
}
