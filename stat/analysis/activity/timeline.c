/* csy_sync_timeline shows the activity of each actor in equal parts (bins) of the time. Clock
 * offsets are only known within limits, so each begin and end has an earliest and a latest global
 * time. An activity certainly lasts from its latest begin to its earliest end, and possibly from
 * its earliest begin to its latest end. */
#include "analysis/run/analysis.h"
#include "analysis/run/sheets.h"
#include "analysis/window/window.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NO_ROW SIZE_MAX

enum { PPM = 1000000, CELLS_MAX = 1 << 16, BINS_LEAST = 16, DRAWN_MAX = CELLS_MAX / BINS_LEAST };

/* Activities of an actor; the sheet has a column for each. DOINGS means no activity. */
enum doing { ACTIVE, READY, WAITING, DOINGS };

/* For how long an actor was certainly active, ready, or waiting; the estimate; and for how long it
 * may have been. */
enum known { CERTAIN, ESTIMATE, POSSIBLE, KNOWN };

struct actor_now {
    bool counted;
    size_t row;
    enum doing doing;
    int64_t since[KNOWN];
    int64_t told[DOINGS][KNOWN];
    size_t bin[KNOWN]; /* index of the bin that was changed last */
};

struct cell {
    int64_t times[DOINGS][KNOWN];
};

struct activity {
    struct instants *instants;
    csy_units units;
    size_t bins;
    const char *names;  /* patterns of names of actors; NULL: all actors */
    const char *window; /* the requested window, or NULL for the whole trace */
    csy_analysis **out;
    size_t nbins, nmeant,
        ndrawn; /* nmeant: number of actors that the user selected; ndrawn: number of actors that
                 * have a row */
    bool ranged;
    bool cores; /* true if threads count as active while they have a core */
    bool timed; /* true if the trace has CPU times counted by the operating system */
    size_t nuntold;
    int64_t begin, end;      /* begin of the first bin, and end of the last bin */
    int64_t *edges;          /* the nbins + 1 edges of the bins, in ticks */
    struct cell *cells;      /* nbins cells for each actor that has a row */
    int128 (*levels)[KNOWN]; /* for each bin: sum of the active times of all counted actors */
    struct actor_now *actors;
    struct moves moves;
};

static int64_t within(const struct activity *t, int128 moment)
{
    int64_t first = t->edges[0], last = t->edges[t->nbins];
    return moment < first ? first : moment > last ? last : (int64_t)moment;
}

static void add(struct activity *t, uint32_t index, enum known known, int64_t begin, int64_t end)
{
    struct actor_now *actor = &t->actors[index];
    int64_t *told = &actor->told[actor->doing][known];
    size_t *bin = &actor->bin[known];
    begin = begin > *told ? begin : *told;
    if (begin >= end)
        return;
    *told = end;
    while (*bin > 0 && t->edges[*bin] > begin)
        (*bin)--;
    for (;; (*bin)++) {
        int64_t from = t->edges[*bin] > begin ? t->edges[*bin] : begin;
        int64_t until = t->edges[*bin + 1] < end ? t->edges[*bin + 1] : end;
        if (from < until && actor->row != NO_ROW)
            t->cells[actor->row * t->nbins + *bin].times[actor->doing][known] += until - from;
        if (from < until && actor->counted && actor->doing == ACTIVE)
            t->levels[*bin][known] += until - from;
        if (t->edges[*bin + 1] >= end)
            return;
    }
}

static void end_doing(struct activity *t, uint32_t index, const int64_t at[KNOWN])
{
    const struct actor_now *actor = &t->actors[index];
    if (actor->doing == DOINGS)
        return;
    add(t, index, CERTAIN, actor->since[CERTAIN], at[POSSIBLE]);
    add(t, index, ESTIMATE, actor->since[ESTIMATE], at[ESTIMATE]);
    add(t, index, POSSIBLE, actor->since[POSSIBLE], at[CERTAIN]);
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct activity *t = user;
    struct actor_now *actor = &t->actors[instant->actor];
    enum state state = instant->state;
    enum doing doing = (t->cores && instant->has_core) || state_is_active(state) ? ACTIVE
                       : state == STATE_READY || state == STATE_SWITCH           ? READY
                       : state == STATE_BLOCKED || state == STATE_IDLE           ? WAITING
                                                                                 : DOINGS;
    int64_t at[KNOWN];
    (void)error;
    if (doing == actor->doing)
        return CSY_OK;
    int64_t added = t->instants->imprecision_ticks;
    int128 least = INT64_MIN, greatest = INT64_MAX;
    if (t->ranged)
        places_limits(t->moves.places, t->instants->sync, &instant->at, added, &least, &greatest);
    at[CERTAIN] = within(t, greatest + added);
    at[ESTIMATE] = within(t, instant->at.global_ticks);
    at[POSSIBLE] = within(t, least);
    end_doing(t, instant->actor, at);
    actor->doing = doing;
    memcpy(actor->since, at, sizeof at);
    return CSY_OK;
}

/* Returns true if the trace has at most the start and the end of an actor, as for helper threads.
 * The table has the time between them in the column untold, not active. */
static bool is_untold(const struct activity *t, size_t index)
{
    return t->timed && !t->instants->actors.told &&
           t->instants->actors.items[index].all_records <= 2;
}

static void set(const struct activity *t, csy_value *value, const int64_t times[KNOWN])
{
    csy_range range = {.estimate = times[ESTIMATE],
                       .kind = t->ranged ? CSY_RANGE_STAR : CSY_RANGE_UNKNOWN};
    if (t->ranged) {
        range.lo = times[CERTAIN];
        range.hi = times[POSSIBLE];
    }
    *value = sheets_range(range);
}

/* Add a row with the begin and end of a bin. Returns its values, or NULL after a failure. */
static csy_value *add_bin(const struct activity *t, csy_analysis *out, size_t bin, size_t column)
{
    csy_value *values = sheets_add_row(out);
    int64_t first = t->instants->first.global_ticks;
    if (!values)
        return NULL;
    values[column] = sheets_number(t->edges[bin] - first);
    values[column + 1] = sheets_number(t->edges[bin + 1] - first);
    return values;
}

static void add_activity(const struct activity *t, csy_analysis *out)
{
    enum { COLUMN_NAME, COLUMN_BEGIN, COLUMN_ACTIVE = 3 };
    static const int64_t nothing[KNOWN];
    static const csy_column columns[] = {TEXT_COLUMN("name"),         TICKS_COLUMN("begin", false),
                                         TICKS_COLUMN("end", false),  TICKS_COLUMN("active", true),
                                         TICKS_COLUMN("ready", true), TICKS_COLUMN("waiting", true),
                                         TICKS_COLUMN("untold", true)};
    sheets_add(out, "activity", columns,
               sizeof columns / sizeof *columns - (t->nuntold == 0 ? 1 : 0));
    for (size_t i = 0; i < t->instants->actors.count; i++) {
        char text[ACTOR_NAME_MAX];
        const char *name = actor_name(&t->instants->actors.items[i], t->instants->sync, text);
        size_t row = t->actors[i].row;
        bool untold = is_untold(t, i);
        for (size_t bin = 0; row != NO_ROW && bin < t->nbins; bin++) {
            const struct cell *cell = &t->cells[row * t->nbins + bin];
            bool any = false;
            for (size_t k = 0; k < DOINGS; k++)
                any = any || cell->times[k][ESTIMATE] > 0 || cell->times[k][POSSIBLE] > 0;
            csy_value *values = any ? add_bin(t, out, bin, COLUMN_BEGIN) : NULL;
            if (!values)
                continue;
            values[COLUMN_NAME] = sheets_word(out, name);
            for (size_t k = 0; k < DOINGS; k++)
                set(t, &values[COLUMN_ACTIVE + k],
                    untold && k == ACTIVE ? nothing : cell->times[k]);
            if (t->nuntold > 0)
                set(t, &values[COLUMN_ACTIVE + DOINGS], untold ? cell->times[ACTIVE] : nothing);
        }
    }
}

static csy_status begin(void *user, struct instants *in, csy_error *error)
{
    struct activity *t = user;
    t->instants = in;
    for (size_t i = 0; i < in->actors.count; i++)
        t->nmeant += levels_means(in, CSY_UNITS_ACTORS, t->names, &in->actors.items[i]);
    t->ndrawn = t->nmeant < DRAWN_MAX ? t->nmeant : DRAWN_MAX;
    t->nbins = t->ndrawn * t->bins > CELLS_MAX ? CELLS_MAX / t->ndrawn : t->bins;
    /* The bins extend over the requested window. Its ends are those at the estimated offsets. */
    struct clip clip = {.asked = false};
    csy_status status = moves_init(&t->moves, in->sync, error);
    t->begin = in->first.global_ticks;
    t->end = in->last.global_ticks;
    if (!status && t->window)
        status = clip_init(&clip, in, &t->moves, t->window, NULL, error);
    if (!status && clip.asked) {
        const struct clip_ends *ends = clip.ends[CLIP_ESTIMATE];
        t->begin = ends->from == INT64_MIN ? t->begin : ends->from;
        t->end = ends->until == INT64_MAX ? t->end : ends->until;
    }
    clip_fini(&clip);
    if (!status)
        status = levels_check_units(in, t->units, error);
    if (!status)
        status = actors_check_fit(&in->actors, in->sync, t->names, error);
    if (status)
        return status;
    int64_t first = t->begin;
    int128 span = (int128)t->end - first;
    t->ranged = csy_sync_ranges(in->sync) != CSY_RANGES_NONE;
    t->edges = calloc(t->nbins + 1, sizeof *t->edges);
    t->cells = calloc(t->ndrawn * t->nbins + 1, sizeof *t->cells);
    t->levels = calloc(t->nbins + 1, sizeof *t->levels);
    t->actors = calloc(in->actors.count + 1, sizeof *t->actors);
    if (!t->edges || !t->cells || !t->levels || !t->actors)
        return error_memory(error);
    for (size_t i = 0; i <= t->nbins; i++)
        t->edges[i] = (int64_t)(first + (span < 0 ? 0 : span) * (int128)i / (int128)t->nbins);
    csy_units units = levels_units(in, t->units, t->names);
    t->cores = units == CSY_UNITS_CPU;
    size_t rows = 0;
    for (size_t i = 0; i < in->actors.count; i++) {
        struct actor_now *actor = &t->actors[i];
        const struct actor *of = &in->actors.items[i];
        bool meant = levels_means(in, CSY_UNITS_ACTORS, t->names, of);
        actor->counted = meant && levels_counts(in, units, of);
        actor->row = meant && rows < t->ndrawn ? rows++ : NO_ROW;
        actor->doing = DOINGS;
        for (size_t k = 0; k < KNOWN; k++)
            actor->told[ACTIVE][k] = actor->told[READY][k] = actor->told[WAITING][k] = first;
    }
    return CSY_OK;
}

static csy_status end(void *user, csy_error *error)
{
    struct activity *t = user;
    const struct instants *in = t->instants;
    int64_t last[KNOWN];
    for (size_t i = 0; i < KNOWN; i++)
        last[i] = t->edges[t->nbins];
    for (uint32_t i = 0; i < in->actors.count; i++)
        end_doing(t, i, last);
    for (size_t i = 0; i < in->event_kinds.count; i++)
        t->timed |= in->event_kinds.items[i].timed;
    for (size_t i = 0; i < in->actors.count; i++)
        t->nuntold += t->actors[i].row != NO_ROW && is_untold(t, i);
    csy_analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return error_memory(error);
    static const csy_column columns[] = {TICKS_COLUMN("begin", false), TICKS_COLUMN("end", false),
                                         PPM_COLUMN("concurrency", true)};
    SHEETS_ADD(analysis, "timeline", columns);
    for (size_t bin = 0; bin < t->nbins; bin++) {
        int64_t width = t->edges[bin + 1] - t->edges[bin];
        csy_value *values = width > 0 ? add_bin(t, analysis, bin, 0) : NULL;
        if (values)
            set(t, &values[2],
                (int64_t[KNOWN]){
                    [CERTAIN] = (int64_t)floor_div(t->levels[bin][CERTAIN] * PPM, width),
                    [ESTIMATE] = (int64_t)floor_div(t->levels[bin][ESTIMATE] * PPM, width),
                    [POSSIBLE] = (int64_t)ceil_div(t->levels[bin][POSSIBLE] * PPM, width)});
    }
    add_activity(t, analysis);
    if (t->ndrawn < t->nmeant) {
        char text[CSY_WARNING_TEXT_MAX];
        snprintf(text, sizeof text, "the table omits the activity of %zu of %zu actors",
                 t->nmeant - t->ndrawn, t->nmeant);
        sheets_add_condition(analysis, text);
    }
    return sheets_finish(CSY_OK, analysis, t->out, error);
}

static void free_activity(void *user)
{
    struct activity *t = user;
    moves_fini(&t->moves);
    FREE_ALL(t->edges, t->cells, t->levels, t->actors, t);
}

csy_status timeline_analysis(struct analysis *analysis, csy_units units, size_t bins,
                             const char *actors, const char *window, csy_analysis **out,
                             csy_error *error)
{
    if (bins == 0 || bins > CSY_TIMELINE_BINS_MAX)
        return error_set(error, CSY_USAGE, "the number of bins of a timeline must be from 1 to %d",
                         CSY_TIMELINE_BINS_MAX);
    struct activity *t = calloc(1, sizeof *t);
    if (!t)
        return error_memory(error);
    *t = (struct activity){
        .units = units, .bins = bins, .names = actors, .window = window, .out = out};
    *analysis = (struct analysis){
        .begin = begin, .take = take, .end = end, .free = free_activity, .user = t};
    return CSY_OK;
}

csy_status csy_sync_timeline(csy_sync *sync, const csy_meaning *meaning, csy_units units,
                             size_t bins, const char *actors, const char *window,
                             csy_analysis **out, csy_error *error)
{
    struct analysis analysis;
    csy_status status = error_check_choice("units", (int)units, CSY_UNITS_CPU, error);
    if (!status && !sync->read)
        status = solution_check_feasible(sync, error);
    if (!status)
        status = timeline_analysis(&analysis, units, bins, actors, window, out, error);
    if (!status)
        status = analysis_run(sync, meaning, 0, &analysis, error);
    return sheets_name_window(status, out, window, error);
}
