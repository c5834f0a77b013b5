/*
 * The pipeline, the one module that knows every stage:
 *
 *   records --clock--> events --graph--> constraints --> bounds --sync--> offsets
 *
 * One pass over the trace makes the constraints (a second one where windows must be known, see
 * clock/intervals.h).  A further pass counts inversions, only where something had to be relaxed.
 */
#include "base/error.h"
#include "graph/cycle.h"
#include "graph/paper.h"
#include "graph/statistics.h"
#include "sync/events.h"
#include "sync/offsets.h"
#include "sync/progress.h"
#include "sync/solution.h"
#include "sync/witness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void csy_options_init(csy_options *options)
{
    *options = (csy_options){.alpha = {1, 2}, .relax = CSY_RELAX_PAPER, .delta = {0, 1}};
}

const char *csy_version(void)
{
    return CSY_VERSION;
}

/* What one pass over the trace makes. */
struct pass {
    struct timeline timeline;
    struct constraints constraints;
    uint32_t crc32;
};

/* Say where, if the layer that failed could not. */
static csy_status at_place(const struct csy_trace *trace, const struct event *event,
                           csy_status status, csy_error *error)
{
    if (status != CSY_INPUT || !error)
        return status;
    csy_error inner = *error;
    bool csv = trace->format == CSY_FORMAT_CSV;
    return error_set(error, status, "%s: %s %" PRIu64 ": %s", csv ? trace->name : trace->record_name,
                     csv ? "line" : "offset", event->place, inner.text);
}

static csy_status read_events(struct pass *pass, struct progress *progress, csy_error *error)
{
    struct csy_trace *trace = pass->timeline.trace;
    bool pex = trace->format == CSY_FORMAT_PEX;
    struct event event;
    bool more;
    for (;;) {
        csy_status status = timeline_next(&pass->timeline, &event, &more, error);
        if (status || !more)
            return status;
        if (pex)
            pass->crc32 = (uint32_t)crc32(pass->crc32, event.bytes, (unsigned)event.size);
        status = constraints_event(&pass->constraints, event.thread, event.local_ticks, error);
        if (status)
            return at_place(trace, &event, status, error);
        progress_note(progress, trace, event.position);
    }
}

static void pass_fini(struct pass *pass)
{
    timeline_fini(&pass->timeline);
    constraints_fini(&pass->constraints);
}

/* Pass over the trace once, or twice where windows had to be learnt. */
static csy_status make_constraints(struct csy_trace *trace, struct csy_sync *sync,
                                   enum constraint_pairs pairs, struct progress *progress,
                                   struct pass *pass, csy_error *error)
{
    bool again = true;
    while (again) {
        struct ppe_windows noted;
        *pass = (struct pass){.crc32 = 0};
        constraints_init(&pass->constraints, pairs, CSY_DENSE_THREADS_MAX);
        csy_status status = timeline_init(&pass->timeline, trace, &sync->windows, error);
        if (!status)
            status = read_events(pass, progress, error);
        if (status)
            return status;
        timeline_finish(&pass->timeline, &again, &noted, &sync->clock_report);
        if (again) {
            sync->windows = noted;
            pass_fini(pass);
        }
    }
    return CSY_OK;
}

static csy_status check_size(const struct csy_trace *trace, const struct pass *pass,
                             csy_error *error)
{
    uint64_t n = pass->timeline.threads.count;
    if (n == 0)
        return error_set(error, CSY_INPUT, "%s: the trace has no records", trace->name);
    if (n <= CSY_DENSE_THREADS_MAX)
        return CSY_OK;
    uint64_t mib = (uint64_t)((16 * (uint128)n * n) >> 20);
    return error_set(error, CSY_MEMORY,
                     "%s: %" PRIu64 " threads (live intervals): bounds between all of them take %" PRIu64
                     " MiB of memory; at most %d threads, 1024 MiB, are taken",
                     trace->name, n, mib, CSY_DENSE_THREADS_MAX);
}

/* What is known of the trace itself moves from the pass into the solution. */
static csy_status take_pass(struct csy_sync *sync, struct pass *pass, csy_error *error)
{
    size_t n = pass->timeline.threads.count;
    sync->records = pass->timeline.records;
    sync->original_crc32 = pass->crc32;
    sync->imprecision.adjacent_steps_back = pass->constraints.adjacent_steps_back;
    sync->threads = pass->timeline.threads;
    threads_init(&pass->timeline.threads);
    sync->rough = malloc(n * sizeof *sync->rough);
    if (!sync->rough)
        return error_memory(error);
    for (size_t t = 0; t < n; t++)
        sync->rough[t] = pass->constraints.threads[t].rough;
    return solution_name_threads(sync, error);
}

static csy_status choose_reference(struct csy_sync *sync, const char *name, csy_error *error)
{
    size_t n = sync->threads.count;
    size_t most = 0;
    for (size_t t = 0; t < n; t++) {
        if (name && strcmp(sync->views[t].name, name) == 0) {
            sync->reference = t;
            return CSY_OK;
        }
        if (sync->views[t].records > sync->views[most].records)
            most = t;
    }
    if (name) {
        char escaped[ERROR_ESCAPED_MAX];
        return error_set(error, CSY_USAGE, "%s: no thread is called %s", sync->trace->name,
                         error_escape(escaped, name, strlen(name)));
    }
    sync->reference = sync->threads.ppe != NO_THREAD ? sync->threads.ppe : most;
    return CSY_OK;
}

/* Twice the delta that the options ask for, exactly: what is added to every constraint. */
static csy_status choose_addition(const struct constraints *c, const csy_options *options,
                                  csy_fraction *added, csy_error *error)
{
    *added = (csy_fraction){0, 1};
    if (options->relax == CSY_RELAX_PAPER)
        return paper_relax(c, added, error);
    if (options->relax == CSY_RELAX_GIVEN &&
        !fraction_make((int128)2 * options->delta.num, options->delta.den, added))
        return error_set(error, CSY_USAGE, "delta is beyond 64 bits");
    return CSY_OK;
}

static csy_status set_imprecision(struct csy_sync *sync, csy_relax relax, csy_fraction added,
                                  csy_error *error)
{
    csy_imprecision *imprecision = &sync->imprecision;
    int128 up = ceil_div(added.num, added.den);
    imprecision->relax = relax;
    imprecision->added_ticks = (int64_t)up;
    if (!fraction_make(added.num, (int128)2 * added.den, &imprecision->delta))
        return error_set(error, CSY_INPUT, "%s: delta needs more than 64 bits", sync->trace->name);
    imprecision->beyond_unwrapping =
        sync->trace->format == CSY_FORMAT_PEX &&
        2 * up > intervals_imprecision(sync->trace->timebase_hz);
    return CSY_OK;
}

/* "the order of the records contradicts the clocks ..." with what the witness proves. */
static csy_status refuse_infeasible(const struct csy_sync *sync, const csy_options *options,
                                    csy_error *error)
{
    char least[FRACTION_TEXT_MAX], given[FRACTION_TEXT_MAX];
    const csy_witness *w = &sync->witness;
    fraction_text(w->least_delta, least);
    if (options->relax == CSY_RELAX_GIVEN)
        return error_set(error, CSY_INFEASIBLE,
                         "%s: infeasible: the order of the records contradicts the clocks by more "
                         "than delta = %s explains: the witness needs at least %s",
                         sync->trace->name, fraction_text(options->delta, given), least);
    return error_set(error, CSY_INFEASIBLE,
                     "%s: infeasible: the order of the records contradicts the clocks, and none is "
                     "relaxed: the witness needs a delta of at least %s (one tick is within what "
                     "reading clocks in whole ticks can do; see --relax and --delta)",
                     sync->trace->name, least);
}

/* Paper mode has made the graph feasible; the others must see whether it is. */
static csy_status check_feasible(struct csy_trace *trace, struct csy_sync *sync,
                                 const struct constraints *c, const csy_options *options,
                                 csy_fraction added, csy_error *error)
{
    struct cycle cycle;
    if (options->relax == CSY_RELAX_PAPER)
        return CSY_OK;
    csy_status status = cycle_find(c, added, true, &cycle, error);
    if (!status && cycle.length) {
        status = witness_locate(trace, sync, c, &cycle, error);
        if (!status)
            status = refuse_infeasible(sync, options, error);
    }
    cycle_fini(&cycle);
    return status;
}

/* g between rough offsets -> offsets between the clocks as they are, on the PPE's timebase or, where
 * there is no PPE, such that the least global time is 0. */
static bool shift_offsets(struct csy_sync *sync, const int64_t *g)
{
    size_t n = sync->threads.count;
    int128 origin = 0;
    if (sync->threads.ppe != NO_THREAD) {
        origin = sync->rough[sync->threads.ppe] + g[sync->threads.ppe];
    } else {
        origin = sync->rough[0] + g[0] + sync->threads.items[0].min_ticks;
        for (size_t t = 1; t < n; t++) {
            int128 least = sync->rough[t] + g[t] + sync->threads.items[t].min_ticks;
            origin = least < origin ? least : origin;
        }
    }
    for (size_t t = 0; t < n; t++) {
        const struct thread *thread = &sync->threads.items[t];
        int128 offset = sync->rough[t] + g[t] - origin;
        if (!fits_int64(offset) || !fits_int64(offset + thread->min_ticks) ||
            !fits_int64(offset + thread->max_ticks))
            return false;
        sync->views[t].offset_ticks = (int64_t)offset;
    }
    return true;
}

/* Any bound between two clocks, and any end of an offset's bound, fits 64 bits. */
static bool ranges_fit(const struct csy_sync *sync)
{
    int128 least = sync->rough[0], greatest = sync->rough[0];
    for (size_t t = 1; t < sync->threads.count; t++) {
        least = sync->rough[t] < least ? sync->rough[t] : least;
        greatest = sync->rough[t] > greatest ? sync->rough[t] : greatest;
    }
    int128 spread = greatest - least + X_MAX * (int128)2;
    for (size_t t = 0; t < sync->threads.count; t++) {
        int128 offset = sync->views[t].offset_ticks;
        if (!fits_int64(offset + spread) || !fits_int64(offset - spread))
            return false;
    }
    return fits_int64(spread);
}

static void set_ends(struct csy_sync *sync)
{
    int64_t tau = sync->views[sync->reference].offset_ticks;
    for (size_t t = 0; t < sync->threads.count; t++) {
        int64_t lower, upper;
        csy_bounds(sync, t, sync->reference, &lower, &upper);
        sync->views[t].earliest_ticks = lower == INT64_MIN ? INT64_MIN : tau + lower;
        sync->views[t].latest_ticks = upper == INT64_MAX ? INT64_MAX : tau + upper;
    }
}

static csy_status set_offsets(struct csy_sync *sync, csy_error *error)
{
    size_t unbounded;
    int64_t *g = malloc(sync->threads.count * sizeof *g);
    if (!g)
        return error_memory(error);
    csy_status status =
        offsets_place(&sync->bounds, sync->reference, sync->alpha, g, &unbounded, error);
    if (!status && (!shift_offsets(sync, g) || !ranges_fit(sync)))
        status = error_set(error, CSY_INPUT, "%s: global times would leave 64 bits",
                           sync->trace->name);
    free(g);
    if (status)
        return status;
    set_ends(sync);
    bool *spe = malloc(sync->threads.count * sizeof *spe);
    if (!spe)
        return error_memory(error);
    for (size_t t = 0; t < sync->threads.count; t++)
        spe[t] = sync->views[t].kind == CSY_KIND_SPE;
    status = statistics_gather(&sync->bounds, spe, &sync->summary, error);
    sync->summary.unbounded_threads = unbounded;
    free(spe);
    return status;
}

/* Constraints -> bounds -> offsets. */
static csy_status solve(struct csy_trace *trace, struct csy_sync *sync, struct pass *pass,
                        const csy_options *options, csy_error *error)
{
    csy_fraction added;
    const struct constraints *c = &pass->constraints;
    csy_status status = choose_reference(sync, options->reference, error);
    if (!status)
        status = choose_addition(c, options, &added, error);
    if (!status)
        status = set_imprecision(sync, options->relax, added, error);
    if (!status)
        status = check_feasible(trace, sync, c, options, added, error);
    if (!status)
        status = dense_close(c, sync->imprecision.added_ticks, &sync->bounds, error);
    if (!status)
        status = set_offsets(sync, error);
    return status;
}

/* delta = 0 leaves no inversion but a thread's own step back, which paper mode overlooks. */
static csy_status count_inversions(struct csy_trace *trace, struct csy_sync *sync,
                                   csy_error *error)
{
    csy_imprecision *imprecision = &sync->imprecision;
    if (imprecision->added_ticks == 0 && imprecision->adjacent_steps_back == 0)
        return CSY_OK;
    csy_events *events;
    csy_event event;
    bool more = true;
    csy_status status = csy_events_open(trace, sync, &events, error);
    if (status)
        return status;
    int64_t greatest = INT64_MIN;
    while (!(status = csy_events_next(events, &event, &more, error)) && more)
        inversions_note(&greatest, event.global_ticks, &imprecision->inversions,
                        &imprecision->largest_inversion_ticks);
    csy_events_free(events);
    return status;
}

csy_status csy_synchronize(csy_trace *trace, const csy_options *options, csy_sync **out,
                           csy_error *error)
{
    if (trace->format == CSY_FORMAT_PEX && trace->metadata.global)
        return error_set(error, CSY_INPUT,
                         "%s: already synchronized (clock kind=\"global\"); --check proves it",
                         trace->name);
    struct csy_sync *sync = calloc(1, sizeof *sync);
    if (!sync)
        return error_memory(error);
    struct pass pass = {.crc32 = 0};
    struct progress progress = {options->progress, options->progress_user, "reading"};
    sync->trace = trace;
    sync->alpha = options->alpha;
    csy_status status = make_constraints(
        trace, sync, options->relax == CSY_RELAX_GIVEN ? PAIRS_ALL : PAIRS_IMMEDIATE, &progress,
        &pass, error);
    if (!status)
        status = check_size(trace, &pass, error);
    if (!status)
        status = take_pass(sync, &pass, error);
    if (!status)
        status = solve(trace, sync, &pass, options, error);
    pass_fini(&pass);
    if (!status)
        status = count_inversions(trace, sync, error);
    if (status && !sync->witness.length)
        csy_sync_free(sync);
    else
        *out = sync;
    return status;
}
