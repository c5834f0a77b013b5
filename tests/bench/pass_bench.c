/*
 * pass_bench - one pass over a trace, with more or less done on the way.
 *
 * Usage: pass_bench pass|sweep|figures|decoded TRACE [WORKERS]     workers, 1
 *
 *   pass     every record is parsed, unwrapped and given its live interval: the pipeline's own
 *            pass, quick way and all, which hands the events to nothing.  Whatever is done with a
 *            trace has to do this, and copying or handing out the events would be more than that.
 *   sweep    the same pass into the sweep, and back-substitution of the bounds to and from the PPE
 *   figures  csy_trace_synchronize: all that, offsets, and the exact mean and maximum of all pairs
 *   decoded  csy_events_read of all events, three members each, after csy_trace_synchronize:
 *            processor time a record of both, medians of five, as survey and read, and their ratio
 *
 * Prints how many threads and records there are, and the bytes of the sweep's records.
 */
#include "base/error.h"
#include "bounds/bounds.h"
#include "sync/pass.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static csy_status start_nothing(void *user, struct taker *taker, csy_error *error)
{
    (void)user;
    (void)error;
    *taker = (struct taker){0};
    return CSY_OK;
}

static csy_status start_sweep(void *user, struct taker *taker, csy_error *error)
{
    struct sweep_feed *s = user;
    sweep_free(s->sweep);
    *s = (struct sweep_feed){NULL, true};
    *taker = (struct taker){.sink = sweep_sink(s), .sweep = s};
    return sweep_new(0, PASS_CROWD + 1, &s->sweep, error);
}

static csy_status survey(csy_trace *trace, struct survey *out, pass_start start, void *user,
                         csy_error *error)
{
    struct progress progress = {0};
    struct first_pass first = {.start = start, .user = user, .progress = &progress};
    out->rules = timeline_default_rules(trace);
    csy_status status = pass_survey(trace, out, &first, error);
    if (!status && first.crowded)
        status = error_set(error, CSY_USAGE, "too many threads are live at once");
    if (!status)
        printf("threads %zu\nrecords %" PRIu64 "\n", out->threads.count, out->records);
    return status;
}

static csy_status run_pass(csy_trace *trace, csy_error *error)
{
    struct survey s = {0};
    csy_status status = survey(trace, &s, start_nothing, NULL, error);
    survey_fini(&s);
    return status;
}

/* The bounds from tau and to it. */
static csy_status substitute(const struct bounds *bounds, uint32_t tau, unsigned workers,
                             csy_error *error)
{
    int64_t *values = malloc(2 * bounds->n * sizeof *values);
    if (!values)
        return error_memory(error);
    for (size_t i = 0; i < 2 * bounds->n; i++)
        values[i] = WALK_INF;
    values[tau] = values[bounds->n + tau] = 0;
    csy_status status = bounds_around(bounds, values, values + bounds->n, workers, error);
    free(values);
    return status;
}

static uint64_t graph_bytes(const struct eliminations *graph)
{
    uint64_t bytes = graph->count * sizeof *graph->items;
    for (size_t i = 0; i < graph->count; i++)
        bytes += graph->items[i].live * (2 * sizeof(int64_t) + sizeof(uint32_t));
    return bytes;
}

static csy_status run_sweep(csy_trace *trace, csy_error *error)
{
    struct survey s = {0};
    struct sweep_feed sweeping = {0};
    struct bounds bounds = {0};
    csy_status status = survey(trace, &s, start_sweep, &sweeping, error);
    uint32_t tau = s.threads.ppe;
    bounds.n = s.threads.count;
    if (!status)
        status = sweep_finish(sweeping.sweep, tau, &bounds.sweep, &sweeping.feasible, error);
    if (!status && !sweeping.feasible)
        status = error_set(error, CSY_INFEASIBLE, "infeasible");
    if (!status)
        status = substitute(&bounds, tau, trace->workers, error);
    if (!status)
        printf("bytes %" PRIu64 "\n", graph_bytes(&bounds.sweep));
    bounds_fini(&bounds);
    sweep_free(sweeping.sweep);
    survey_fini(&s);
    return status;
}

static csy_status run_figures(csy_trace *trace, csy_error *error)
{
    csy_sync *sync;
    csy_status status = csy_trace_synchronize(trace, NULL, &sync, error);
    if (status)
        return status;
    const csy_summary *summary = csy_sync_summary(sync);
    printf("threads %zu\nrecords %" PRIu64 "\nmost %" PRId64 "\nquadratic %d\n",
           csy_sync_nthreads(sync), csy_sync_records(sync), summary->max_error_ticks,
           summary->quadratic);
    csy_sync_free(sync);
    return CSY_OK;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int compare_times(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* What a program makes of events must not be left out: *sum. */
static csy_status read_decoded(const csy_sync *sync, uint64_t *sum, csy_error *error)
{
    static csy_decoded batch[256];
    size_t got = 1;
    csy_events *events;
    csy_status status = csy_events_open(sync, &events, error);
    if (status)
        return status;
    while (!status && got > 0) {
        status = csy_events_read(events, batch, 256, &got, error);
        for (size_t i = 0; i < got; i++)
            *sum += (uint64_t)batch[i].global_ticks + batch[i].id +
                    (batch[i].nfields ? batch[i].values[0] : 0);
    }
    csy_events_free(events);
    return status;
}

static csy_status run_decoded(csy_trace *trace, csy_error *error)
{
    enum { ROUNDS = 5 };
    double survey_ns[ROUNDS], read_ns[ROUNDS];
    uint64_t sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        csy_sync *sync;
        double begun = now();
        csy_status status = csy_trace_synchronize(trace, NULL, &sync, error);
        if (status)
            return status;
        uint64_t n = csy_sync_records(sync);
        double between = now(), records = (double)n;
        status = read_decoded(sync, &sum, error);
        survey_ns[i] = (between - begun) * 1e9 / records;
        read_ns[i] = (now() - between) * 1e9 / records;
        csy_sync_free(sync);
        if (status)
            return status;
    }
    qsort(survey_ns, ROUNDS, sizeof *survey_ns, compare_times);
    qsort(read_ns, ROUNDS, sizeof *read_ns, compare_times);
    printf("survey %.2f\nread %.2f\nratio %.3f\nsum %" PRIu64 "\n", survey_ns[ROUNDS / 2],
           read_ns[ROUNDS / 2], read_ns[ROUNDS / 2] / survey_ns[ROUNDS / 2], sum);
    return CSY_OK;
}

static const struct mode {
    const char *name;
    csy_status (*run)(csy_trace *trace, csy_error *error);
} modes[] = {
    {"pass", run_pass}, {"sweep", run_sweep}, {"figures", run_figures}, {"decoded", run_decoded}};

int main(int argc, char **argv)
{
    enum { MODES = sizeof modes / sizeof *modes };
    csy_trace *trace = NULL;
    csy_error error;
    size_t mode = 0;
    while (argc > 2 && mode < MODES && strcmp(argv[1], modes[mode].name) != 0)
        mode++;
    if (argc < 3 || argc > 4 || mode == MODES) {
        fprintf(stderr, "usage: pass_bench pass|sweep|figures|decoded TRACE [WORKERS]\n");
        return 2;
    }
    csy_status status = csy_trace_open(argv[2], NULL, &trace, &error);
    if (!status) {
        csy_trace_set_workers(trace, argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1);
        status = modes[mode].run(trace, &error);
    }
    if (status)
        fprintf(stderr, "pass_bench: %s\n", error.text);
    csy_trace_free(trace);
    return status != CSY_OK;
}
