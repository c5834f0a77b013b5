/* The pipeline, which is the only module that uses all stages:
 *
 *   records --clock--> events --graph--> bounds --sync--> offsets
 *
 * The first pass over the trace finds its threads and feeds an engine. If order and clocks do not
 * contradict each other, this pass suffices. Otherwise, further passes find delta (the timestamp
 * error), or the contradiction to report, and another pass feeds the engine again. If constraints
 * were relaxed, a last pass counts inversions. Methods for comparison have their own pipeline
 * (sync/methods/methods.c). */
#include "sync/pipeline/pipeline.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort.h"
#include "bounds/statistics.h"
#include "graph/constraints.h"
#include "graph/exact.h"
#include "graph/kernels.h"
#include "sync/drift/drift.h"
#include "sync/line/drop.h"
#include "sync/line/offsets.h"
#include "sync/measure.h"
#include "sync/methods/methods.h"
#include "sync/options.h"
#include "sync/outcome.h"
#include "sync/placement.h"
#include "sync/reread/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- The cost of engines ---------------------------------------------------------------------- */

csy_status cost_of_sweep(const struct threads *threads, uint32_t tau, struct sweep_cost *out,
                         csy_error *error)
{
    size_t n = 0, begun = 0;
    uint64_t *last = malloc((threads->count + 1) * sizeof *last);
    *out = (struct sweep_cost){0};
    if (!last)
        return error_memory(error);
    for (uint32_t t = 0; t < threads->count; t++)
        if (t != tau)
            last[n++] = threads->items[t].last_record;
    last[n++] = UINT64_MAX;
    sort_numbers(last, n);
    for (size_t gone = 0; gone < n; gone++) {
        while (begun < threads->count && threads->items[begun].first_record <= last[gone])
            begun++;
        size_t live = begun - gone;
        out->live_most = live > out->live_most ? live : out->live_most;
        out->rows += live;
        out->early_rows += begun < threads->count ? live : 0;
        out->steps += (uint128)live * live;
    }
    free(last);
    return CSY_OK;
}

/* Returns the bytes for the matrix of constraints and the matrix of bounds. */
static uint128 dense_bytes(size_t nthreads)
{
    return 16 * (uint128)nthreads * nthreads;
}

/* A step of the sweep (only live threads) takes about 1 ns. A step of the dense engine (all
 * threads) takes at most 1/8 ns with vector instructions, and its results allow look-up later. */
bool cost_prefers_dense(const struct sweep_cost *cost, size_t nthreads)
{
    unsigned faster = kernel_fastest() == kernel_of(KERNEL_PORTABLE) ? 1 : 8;
    return nthreads <= CSY_DENSE_THREADS_MAX && memory_allows(dense_bytes(nthreads)) &&
           (uint128)nthreads * nthreads * nthreads < cost->steps * faster / 2;
}

/* The time between two records of a thread may be longer than a wrap of its counter. If the number
 * of wraps is unknown, strict unwrapping (an option) treats the records before and after as two
 * threads. If the bounds then permit only one number, the two threads become one again. See
 * doc/algorithms.md, Unwrapping. */

/* Find the possible elapsed times between the two records of *gap. If only one number of counter
 * wraps is possible, store the time in *gap and set *merged to true. */
static csy_status settle(struct csy_sync *sync, struct gap *gap, bool *merged, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    size_t low = 0, high = threads->count;
    BISECT(low, high, middle, threads->items[middle].first_record < gap->position);
    bool found = low < threads->count && threads->items[low].first_record == gap->position;
    uint32_t u = found ? (uint32_t)low : NO_THREAD;
    uint32_t v = u == NO_THREAD ? NO_THREAD : threads->items[u].split_from;
    if (v == NO_THREAD)
        return CSY_OK;
    int64_t lower, upper;
    csy_status status = csy_sync_bounds(sync, u, v, &lower, &upper, NULL, error);
    if (status)
        return status;
    int128 last = threads->items[v].last_ticks, b = sync->survey.rules.imprecision_ticks;
    int128 least = gap->least_ticks, most = gap->most_ticks;
    if (lower != INT64_MIN && lower - last - b > least)
        least = lower - last - b;
    if (upper != INT64_MAX && upper - last + b < most)
        most = upper - last + b;
    if (most >= UNWRAP_NO_LIMIT)
        return CSY_OK;
    int128 m = ceil_div(least - gap->r, UNWRAP_WRAP);
    int128 candidate = gap->r + (m > -1 ? m : -1) * UNWRAP_WRAP;
    gap->elapsed_ticks = candidate;
    if (fits_int64(candidate) && candidate <= most && candidate + UNWRAP_WRAP > most) {
        gap->verdict = GAP_TAKEN;
        *merged = true;
    }
    return CSY_OK;
}

/* --- The pipeline -------------------------------------------------------------------------- */

const char *csy_version(void)
{
    return CSY_VERSION;
}

struct solver {
    struct csy_trace *trace;
    struct csy_sync *sync;
    const csy_options *options;
    struct progress progress;
    bool always_dense;
    bool dense;                     /* true if the dense engine is in use */
    int64_t start_ticks;            /* twice the given timestamp error in ticks, rounded up; or 0 */
    int64_t floor_ticks;            /* twice the least timestamp error that may be chosen */
    int64_t added_ticks;            /* ticks added to each constraint: 2 delta, rounded up */
    struct constraints constraints; /* used only if `dense` is true */
    struct sweep_feed sweep;
    struct exact exact;
    int64_t *placed; /* for each thread: offset from a first solution that assumes exact timestamps;
                      * or NULL */
};

/* Prepare *taker to pass records to the method that finds bounds: the dense engine or the sweep.
 * For exact timestamps, constraints between successive records suffice. Otherwise, constraints
 * between all records are needed. */
static csy_status start_engine(struct solver *s, struct taker *taker, size_t live_max,
                               csy_error *error)
{
    sweep_free(s->sweep.sweep);
    s->sweep = (struct sweep_feed){NULL, true};
    if (s->dense) {
        constraints_fini(&s->constraints);
        constraints_init(&s->constraints, CSY_DENSE_THREADS_MAX);
        s->constraints.progress = &s->progress;
        *taker = (struct taker){.sink = constraints_sink(&s->constraints),
                                .pairs = s->added_ticks > 0 ? LINE_ALL : LINE_NEIGHBOURS};
        return CSY_OK;
    }
    *taker = (struct taker){.sink = sweep_sink(&s->sweep), .sweep = &s->sweep};
    return sweep_new(s->added_ticks, live_max, &s->sweep.sweep, error);
}

static csy_status start_survey(void *user, struct taker *taker, csy_error *error)
{
    return start_engine(user, taker, PASS_CROWD + 1, error);
}

/* Unless an option chose the engine, choose the sweep (which stores only live threads) or the dense
 * engine (which stores all threads). Check the memory for the sweep or, if `exact` is true, for the
 * search for delta. */
static csy_status weigh_engine(struct solver *s, bool exact, csy_error *error)
{
    struct sweep_cost cost;
    const struct csy_sync *sync = s->sync;
    if (s->dense && !exact)
        return CSY_OK;
    csy_status status =
        cost_of_sweep(&sync->survey.threads, (uint32_t)sync->reference, &cost, error);
    if (status)
        return status;
    s->dense = s->dense || (!exact && s->options->engine == CSY_ENGINE_AUTO &&
                            cost_prefers_dense(&cost, sync->survey.threads.count));
    if ((s->dense && !exact) || cost.live_most > CSY_LIVE_THREADS_MAX)
        return CSY_OK;
    char what[96];
    s->exact.expected = cost.live_most;
    snprintf(what, sizeof what, "%s between threads, of which %zu are active at once",
             exact ? "delta" : "bounds", cost.live_most);
    /* A matrix takes 8 bytes for each entry, or 20 in the search for delta. Removing a thread
     * stores 20 bytes for each other live thread, or 28 bytes if delta is above 0. */
    uint128 square = (uint128)cost.live_most * cost.live_most;
    uint128 bytes = exact ? 20 * (square + cost.early_rows)
                          : 8 * square + (s->added_ticks > 0 ? 28 : 20) * cost.rows;
    return error_check_memory(bytes, s->trace->name, what, error);
}

/* Read the trace again for the engine. A first pass must have found the threads. */
static csy_status rerun_engine(struct solver *s, csy_error *error)
{
    struct taker taker;
    csy_status status = weigh_engine(s, false, error);
    if (!status)
        status = start_engine(s, &taker, CSY_LIVE_THREADS_MAX, error);
    return status ? status
                  : pass_again(s->trace, &s->sync->survey, (uint32_t)s->sync->reference, &taker,
                               &s->progress, error);
}

/* Find the threads, and solve, in one pass over the trace. A second pass follows if the first one
 * stopped early, or if its result is incomplete: for example, it may have removed the reference
 * thread, which is only known at the end of the pass. */
static csy_status first_run(struct solver *s, csy_error *error)
{
    struct csy_sync *sync = s->sync;
    struct first_pass first = {.reference = s->options->reference,
                               .start = start_survey,
                               .user = s,
                               .progress = &s->progress};
    csy_status status = pass_survey(s->trace, &sync->survey, &first, error);
    size_t n = sync->survey.threads.count;
    if (!status && s->dense && n > CSY_DENSE_THREADS_MAX)
        status = error_set(
            error, CSY_MEMORY,
            "%s: the dense engine needs too much memory for %zu threads (live intervals): %" PRIu64
            " MiB; the limit is %d threads or 1024 MiB",
            s->trace->name, n, (uint64_t)((16 * (uint128)n * n) >> 20), CSY_DENSE_THREADS_MAX);
    else if (!status && s->dense)
        status = error_check_memory(dense_bytes(n), s->trace->name,
                                    "dense bounds between all threads", error);
    if (!status)
        status = solution_name_threads(sync, error);
    if (!status)
        status = solution_choose_reference(sync, s->options->reference, error);
    if (status)
        return status;
    bool serves = s->dense || !s->sweep.feasible ||
                  (sweep_is_live(s->sweep.sweep, (uint32_t)sync->reference) &&
                   sync->center != CSY_CENTER_LOCAL);
    return first.crowded || !serves ? rerun_engine(s, error) : CSY_OK;
}

/* Set s->sweep.feasible to false if the constraints, with added_ticks, contradict each other. */
static csy_status close_graph(struct solver *s, csy_error *error)
{
    if (!s->dense)
        return s->sweep.feasible ? sweep_finish(s->sweep.sweep, (uint32_t)s->sync->reference,
                                                &s->sync->bounds.sweep, &s->sweep.feasible, error)
                                 : CSY_OK;
    struct cycle cycle;
    csy_fraction added = {s->added_ticks, 1};
    csy_status status = cycle_find(&s->constraints, added, true, &cycle, error);
    s->sweep.feasible = cycle.length == 0;
    cycle_fini(&cycle);
    return status;
}

static csy_status exact_pass(struct solver *s, csy_error *error)
{
    struct taker taker = {.sink = exact_sink(&s->exact)};
    csy_status status = exact_begin(&s->exact, CSY_LIVE_THREADS_MAX, error);
    if (!status)
        status = pass_again(s->trace, &s->sync->survey, (uint32_t)s->sync->reference, &taker,
                            &s->progress, error);
    if (!status && (s->exact.raises || !s->exact.raised))
        status = exact_finish(&s->exact, error);
    return status;
}

/* Find twice the least timestamp error for which constraints do not contradict each other, and the
 * constraints that require it. */
static csy_status find_delta(struct solver *s, csy_fraction *twice, csy_error *error)
{
    s->progress.stage = "relaxing";
    sweep_free(s->sweep.sweep);
    s->sweep.sweep = NULL;
    exact_fini(&s->exact);
    exact_init(&s->exact, (csy_fraction){0, 1}, true);
    csy_status status = weigh_engine(s, true, error);
    do
        status = status ? status : exact_pass(s, error);
    while (!status && s->exact.raised);
    if (status)
        return status;
    *twice = s->exact.twice;
    return solution_set_witness(s->sync, s->exact.witness, s->exact.nwitness, error);
}

/* Report contradictory constraints, if any. `twice` is twice the timestamp error. */
static csy_status test_delta(struct solver *s, csy_fraction twice, csy_error *error)
{
    s->progress.stage = "looking for a witness";
    exact_init(&s->exact, twice, false);
    csy_status status = exact_pass(s, error);
    if (status || !s->exact.raised)
        return status;
    status = solution_set_witness(s->sync, s->exact.witness, s->exact.nwitness, error);
    return status ? status : outcome_refuse(s->sync, s->options, error);
}

static csy_status place_threads(const struct solver *s, int64_t *g, size_t *unbounded,
                                csy_error *error)
{
    const struct csy_sync *sync = s->sync;
    size_t n = sync->survey.threads.count;
    bool local = sync->center == CSY_CENTER_LOCAL;
    uint32_t *order = local ? solution_last_order(sync, sync->reference) : NULL;
    struct offsets_rule rule = {sync->reference, sync->alpha, order, sync->trace->workers};
    csy_status status = order || !local ? CSY_OK : error_memory(error);
    if (!status)
        status = offsets_place(&sync->bounds, &rule, g, g + n, g + 2 * n, unbounded, error);
    free(order);
    return status;
}

static csy_status rerun_at(struct solver *s, int64_t added_ticks, csy_error *error)
{
    s->added_ticks = added_ticks;
    csy_status status = rerun_engine(s, error);
    return status ? status : close_graph(s, error);
}

static csy_status choose_least(struct solver *s, csy_fraction *twice, csy_error *error)
{
    int64_t floor_ticks = s->sync->survey.threads.count > 1 ? s->floor_ticks : 0;
    csy_status status = CSY_OK;
    if (s->sweep.feasible && floor_ticks > 0) {
        /* If there is no contradiction at delta 0, choose offsets with delta 0, so that no record
         * is before its predecessors. The bounds still use the least delta. */
        struct csy_sync *sync = s->sync;
        size_t unbounded = 0;
        free(s->placed);
        s->placed = malloc(3 * sync->survey.threads.count * sizeof *s->placed);
        if (!s->placed)
            return error_memory(error);
        sync->bounds.n = sync->survey.threads.count;
        if (s->dense)
            status = dense_close(&s->constraints, 0, s->trace->workers, &sync->bounds.dense, error);
        if (!status)
            status = place_threads(s, s->placed, &unbounded, error);
        bounds_fini(&sync->bounds);
        sync->bounds.progress = &s->progress;
    } else if (floor_ticks > 0)
        status = rerun_at(s, floor_ticks, error);
    if (status)
        return status;
    if (s->sweep.feasible) {
        twice->num = floor_ticks;
        return CSY_OK;
    }
    status = find_delta(s, twice, error);
    if (status || s->options->drop == 0)
        return status;
    /* Leave out up to options->drop records, then find delta again. */
    struct drop_entries entries = {0};
    bool cut_short;
    exact_fini(&s->exact);
    status = drop_records(s->trace, s->sync, *twice, s->options->drop, false, &entries, &cut_short,
                          error);
    s->sync->profile = (csy_profile){entries.count, entries.items, false, 0};
    return status ? status : find_delta(s, twice, error);
}

/* Set *twice to twice the timestamp error. The options select the least error without
 * contradiction, a given error, or 0. */
static csy_status choose_delta(struct solver *s, csy_fraction *twice, csy_error *error)
{
    const csy_options *options = s->options;
    csy_status status;
    *twice = (csy_fraction){0, 1};
    switch (options->relax) {
    case CSY_RELAX_PAPER:
        status = dense_check_range(&s->constraints, 0, error);
        return status ? status : paper_relax(&s->constraints, twice, error);
    case CSY_RELAX_EXACT:
        return choose_least(s, twice, error);
    case CSY_RELAX_NONE:
        return s->sweep.feasible ? CSY_OK : test_delta(s, *twice, error);
    case CSY_RELAX_GIVEN:
        if (!fraction_make((int128)2 * options->delta.num, options->delta.den, twice))
            return error_set(error, CSY_USAGE, "delta is too large for 64-bit arithmetic");
        return s->sweep.feasible && twice->den == 1 ? CSY_OK : test_delta(s, *twice, error);
    }
    return CSY_OK;
}

/* Find bounds and offsets, with the numbers of wraps of counters that are known so far. */
static csy_status solve_once(struct solver *s, csy_error *error)
{
    csy_fraction twice;
    s->added_ticks = s->start_ticks;
    s->dense = s->always_dense;
    free(s->placed);
    s->placed = NULL;
    csy_status status = first_run(s, error);
    if (!status)
        status = drop_check(s->sync, s->options->drop, error);
    if (!status)
        status = close_graph(s, error);
    if (!status)
        status = choose_delta(s, &twice, error);
    if (!status)
        /* cppcheck-suppress uninitStructMember ; choose_delta set it */
        status = outcome_set_imprecision(s->sync, s->options->relax, twice, error);
    if (!status) {
        /* Run the engine again if delta differs from before, or if records were dropped. */
        struct csy_sync *sync = s->sync;
        int64_t added_ticks = sync->imprecision.added_ticks;
        bool more = added_ticks != s->added_ticks || sync->survey.ndropped > 0;
        if (s->options->relax != CSY_RELAX_PAPER && more)
            status = rerun_at(s, added_ticks, error);
        sync->bounds.n = sync->survey.threads.count;
        if (!status && s->dense)
            status = dense_close(&s->constraints, added_ticks, s->trace->workers,
                                 &sync->bounds.dense, error);
    }
    if (!status) {
        struct csy_sync *sync = s->sync;
        size_t n = sync->survey.threads.count, unbounded = 0;
        int64_t *g = malloc(3 * n * sizeof *g);
        status = g ? place_threads(s, g, &unbounded, error) : error_memory(error);
        if (!status && s->placed)
            memcpy(g, s->placed, n * sizeof *g);
        if (!status)
            status = solution_shift_offsets(sync, g, error);
        if (!status)
            status = outcome_set_ends(sync, g + n, g + 2 * n, error);
        if (!status) {
            const struct pair_known known = {(uint32_t)sync->reference, g + 2 * n, g + n};
            status = outcome_gather_figures(sync, &known, UINT64_MAX, error);
        }
        free(g);
        if (!status)
            sync->summary.unbounded_threads = unbounded;
        sync->ordered = s->placed != NULL;
    }
    exact_fini(&s->exact);
    return status;
}

/* Solve with strict unwrapping. Merge parts of split threads if bounds permit only one number of
 * wraps, and solve again, until nothing changes. If a merge increases delta, undo it and stop. */
static csy_status solve_strictly(struct solver *s, csy_error *error)
{
    struct csy_sync *sync = s->sync;
    csy_status status = solve_once(s, error);
    while (!status) {
        bool merged = false;
        csy_fraction delta = sync->imprecision.delta;
        struct unwrap_lore *lore = &sync->survey.lore, before = {0};
        status = unwrap_lore_add(&before, lore, error);
        /* settle takes O(T W) for T threads, if at most W are live at once */
        for (size_t i = 0; i < lore->ngaps && !status; i++)
            if (lore->gaps[i].verdict == GAP_SPLIT)
                status = settle(sync, &lore->gaps[i], &merged, error);
        if (!status && merged) {
            solution_reset(sync);
            status = solve_once(s, error);
        }
        csy_fraction now = sync->imprecision.delta;
        bool worse = merged && (status == CSY_INFEASIBLE ||
                                (int128)delta.num * now.den < (int128)now.num * delta.den);
        if (worse) {
            solution_reset(sync);
            unwrap_lore_fini(lore);
            *lore = before;
            return solve_once(s, error);
        }
        unwrap_lore_fini(&before);
        if (!merged)
            break;
    }
    return status;
}

static csy_status solve(struct solver *s, csy_error *error)
{
    struct csy_sync *sync = s->sync;
    bool ours = sync->method == CSY_METHOD_BHH,
         wanted = s->options->measure || sync->monotonic || !ours;
    if (s->trace->partial)
        return partial_solve(sync, s->options, &s->progress, error);
    csy_status status = sync->drift ? drift_solve_line(sync, s->options, &s->progress, error)
                        : !ours     ? baseline_solve(s->trace, sync, &s->progress, error)
                        : sync->survey.rules.strict ? solve_strictly(s, error)
                                                    : solve_once(s, error);
    const struct disorder *disorder = &sync->survey.rough.disorder;
    sync->order = (csy_order){
        disorder->neighbours, {disorder->wrong, disorder->largest_ticks}, {0, 0}, CSY_SORTED_NOT};
    const csy_imprecision *imprecision = &sync->imprecision;
    bool must = wanted || (imprecision->added_ticks > 0 && !sync->ordered) ||
                imprecision->adjacent_steps_back > 0 || sync->survey.ndropped > 0;
    bool measured = !status && (must || sorted_must_measure(sync));
    if (measured)
        status = measure_solution(s->trace, sync, wanted, error);
    if (!status)
        sorted_judge(sync, measured);
    int64_t most = s->options->max_adjust_ticks, largest = sync->correction.largest_ticks;
    if (!status && most >= 0 && largest > most)
        return error_set(error, CSY_CHECK,
                         "%s: the largest correction is %" PRId64
                         " ticks, but --max-adjust allows only %" PRId64 " ticks",
                         s->trace->name, largest, most);
    return status;
}

static csy_status
solve_with(csy_trace *trace, const csy_options *options, const struct premises *premises,
           csy_status (*prepare)(void *user, struct record *record, csy_error *error), void *user,
           csy_sync **out, csy_error *error)
{
    if ((options->latency_ticks > 0 || options->latency_max_ticks < INT64_MAX) && !trace->partial)
        return error_set(error, CSY_USAGE,
                         "%s: a latency requires messages, so the trace must be in partial order",
                         trace->name);
    if (options->method >= CSY_METHOD_NTP && !trace->partial)
        return error_set(error, CSY_USAGE,
                         "%s: --method=%s requires %s, so the trace must be in partial order",
                         trace->name, method_of(options->method)->word,
                         options->method == CSY_METHOD_NTP ? "messages" : "operations");
    csy_status status = options_check_together(options, error);
    if (status)
        return status;
    struct csy_sync *sync = calloc(1, sizeof *sync);
    if (!sync)
        return error_memory(error);
    sync->trace = trace;
    sync->method = options->method;
    sync->alpha = options->alpha;
    sync->center = options->center;
    sync->monotonic = options->monotonic;
    sync->dropped.asked = options->drop;
    sync->advise = options->advise;
    sync->survey.rules = timeline_default_rules(trace);
    sync->survey.rules.strict = options->unwrap == CSY_UNWRAP_STRICT;
    if (options->max_imprecision_ticks != CSY_IMPRECISION_DEFAULT)
        sync->survey.rules.imprecision_ticks = options->max_imprecision_ticks;
    sync->premises = *premises;
    sync->survey.rules.steps = &sync->steps;
    status = clock_steps_copy(&sync->steps, options->cuts ? options->cuts : &trace->steps, error);
    sync->survey.rules.prepare = prepare;
    sync->survey.rules.prepare_user = user;
    struct solver s = {.trace = trace,
                       .sync = sync,
                       .options = options,
                       .progress = trace->progress,
                       .floor_ticks = premises->step_ticks,
                       .always_dense = options->relax == CSY_RELAX_PAPER ||
                                       options->engine == CSY_ENGINE_DENSE};
    sync->bounds.progress = &s.progress;
    if (!status && options->relax == CSY_RELAX_GIVEN &&
        (!fraction_twice_ceil(options->delta, &s.start_ticks) || s.start_ticks >= WALK_MAX))
        status = error_set(error, CSY_USAGE, "delta is too large for 64-bit arithmetic");
    if (!status && options->drift_ppb != CSY_NO_DRIFT) {
        sync->drift = calloc(1, sizeof *sync->drift);
        status = sync->drift ? CSY_OK : error_memory(error);
    }
    if (!status)
        status = solve(&s, error);
    if (!status && sync->drift)
        status = drift_measure(sync, &s.progress, error);
    if (trace->source->assumed)
        sync->survey.clock_report.assumed = trace->source->assumed(trace);
    if ((status == CSY_OK || status == CSY_INFEASIBLE) && trace_check_unchanged(trace, error))
        status = CSY_IO;
    free(s.placed);
    constraints_fini(&s.constraints);
    sweep_free(s.sweep.sweep);
    exact_fini(&s.exact);
    sync->bounds.progress = &trace->progress;
    if (status && status != CSY_INFEASIBLE)
        csy_sync_free(sync);
    else
        *out = sync;
    return status;
}

csy_status pipeline_solve(csy_trace *trace, const csy_options *options,
                          csy_status (*prepare)(void *user, struct record *record,
                                                csy_error *error),
                          void *user, csy_sync **out, csy_error *error)
{
    struct csy_options chosen = *options;
    struct premises premises;
    csy_status status = premises_choose(trace, &chosen, &premises, error);
    if (!status)
        status = solve_with(trace, &chosen, &premises, prepare, user, out, error);
    /* A single clock cannot drift relative to another one, so solve again without drift. */
    bool drifts = premises.rates != RATES_PASSED && chosen.drift_ppb != CSY_NO_DRIFT;
    if (status || !drifts || !*out || (*out)->survey.threads.count > 1)
        return status;
    csy_sync_free(*out);
    *out = NULL;
    chosen.drift_ppb = CSY_NO_DRIFT;
    return solve_with(trace, &chosen, &premises, prepare, user, out, error);
}

/* --- Solving again for bounds ----------------------------------------------------------------- */

struct renewal {
    struct csy_trace *trace;
    struct restore restore;
};

/* Restore the original record. Called for each record before its use. */
static csy_status prepare(void *user, struct record *record, csy_error *error)
{
    struct renewal *renewal = user;
    uint64_t position = record->position;
    const char *fault = restore_record(&renewal->restore, record);
    return fault ? error_set(error, CSY_INPUT, "%s: record %" PRIu64 ": %s", renewal->trace->name,
                             position, fault)
                 : CSY_OK;
}

static csy_status compare(const struct csy_sync *sync, const struct csy_sync *again,
                          csy_error *error)
{
    size_t n = sync->survey.threads.count;
    if (again->survey.threads.count != n || again->reference != sync->reference)
        return error_set(error, CSY_INPUT,
                         "%s: the records have %zu clocks with reference %zu, but the table of "
                         "threads has %zu clocks with reference %zu",
                         sync->trace->name, again->survey.threads.count, again->reference, n,
                         sync->reference);
    for (size_t t = 0; t < n; t++) {
        const csy_thread *a = &sync->views[t], *b = &again->views[t];
        if (a->offset_ticks != b->offset_ticks || a->earliest_ticks != b->earliest_ticks ||
            a->latest_ticks != b->latest_ticks)
            return error_set(error, CSY_INPUT,
                             "%s: %s: the offset or the bounds do not follow from the records; for "
                             "details, run cellsync --check",
                             sync->trace->name, a->name);
    }
    return CSY_OK;
}

csy_status csy_sync_renew_bounds(csy_sync *sync, csy_error *error)
{
    const struct table *table = sync->table;
    csy_options options = options_default;
    csy_sync *again = NULL;
    if (!sync->read || !table || sync->again || sync->method != CSY_METHOD_BHH ||
        table->ndropped > 0)
        return CSY_OK;
    struct renewal *renewal = malloc(sizeof *renewal);
    if (!renewal)
        return error_memory(error);
    renewal->trace = sync->trace;
    renewal->restore.table = table;
    options.reference = table->reference;
    options.alpha = table->alpha;
    options.center = table->center;
    options.relax = table->relax == CSY_RELAX_PAPER ? CSY_RELAX_PAPER : CSY_RELAX_GIVEN;
    options.delta = table->delta;
    options.unwrap = table->strict ? CSY_UNWRAP_STRICT : CSY_UNWRAP_ASSUME;
    options.max_imprecision_ticks = table->max_imprecision_ticks;
    csy_status status = table_read_latencies(sync->trace, &options.latency_ticks,
                                             &options.latency_max_ticks, error);
    if (!status)
        status = pipeline_solve(sync->trace, &options, prepare, renewal, &again, error);
    free(renewal);
    if (!status && again)
        status = compare(sync, again, error);
    else if (status == CSY_INFEASIBLE)
        status = error_set(error, CSY_INPUT,
                           "%s: the records contradict the delta in the table of threads",
                           sync->trace->name);
    if (status)
        csy_sync_free(again);
    else
        sync->again = again;
    return status;
}
