/*
 * partial_bench - a trace in partial order: what it takes to read it into points, and what to make
 * pairs, bounds and offsets of them.
 *
 * Usage: partial_bench TRACE [ROUNDS]   a CSV whose order is not of messages alone; median of 5
 *
 * Prints `name value`: points, pairs; seconds of processor time of reading (events, matching) and
 * of solving (the whole less that); and how many times as long solving takes.
 */
#include "matrix.h"

#include "base/error.h"
#include "clock/timeline.h"
#include "order/match.h"
#include "order/rebase.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

#include <stdio.h>
#include <stdlib.h>

static csy_status read_events(struct csy_trace *trace, struct timeline *timeline,
                              struct match *match, csy_error *error)
{
    struct event event;
    struct rebase rough = {0};
    csy_status status = CSY_OK;
    uint64_t place;
    bool more = true;
    while (!status && more) {
        int64_t x;
        status = timeline_next(timeline, &event, &more, error);
        if (!status && more)
            status = rebase_alone(&rough, event.thread, event.local_ticks, &x, error);
        if (!status && more)
            status = match_event(match, &event, x, error);
    }
    rebase_fini(&rough);
    (void)trace;
    return status ? status : match_finish(match, &place, error);
}

static csy_status read_points(struct csy_trace *trace, csy_error *error)
{
    struct points points = {0};
    struct match *match = NULL;
    struct timeline timeline;
    struct timeline_rules rules = timeline_default_rules(trace);
    csy_status status = match_new(&points, 0, trace, &match, error);
    if (!status)
        status = timeline_init(&timeline, trace, &rules, NULL, error);
    if (!status)
        status = read_events(trace, &timeline, match, error);
    if (match)
        timeline_fini(&timeline);
    match_free(match);
    points_fini(&points);
    return status;
}

static double now(void)
{
    return bench_now(CLOCK_PROCESS_CPUTIME_ID);
}

int main(int argc, char **argv)
{
    enum { ROUNDS_MAX = 99 };
    double reading[ROUNDS_MAX], solving[ROUNDS_MAX];
    size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 5, npoints = 0, npairs = 0;
    csy_error error;
    csy_trace *trace;
    if (argc < 2 || argc > 3 || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: partial_bench TRACE [ROUNDS]\n");
        return 2;
    }
    csy_status status = csy_trace_open(argv[1], NULL, &trace, &error);
    for (size_t i = 0; i < rounds && !status; i++) {
        csy_sync *sync;
        double begin = now();
        status = read_points(trace, &error);
        double middle = now();
        if (!status)
            status = csy_trace_synchronize(trace, NULL, &sync, &error);
        if (status)
            break;
        reading[i] = middle - begin;
        solving[i] = now() - middle - reading[i];
        npoints = sync->partial->points.count;
        npairs = sync->partial->pairs.count;
        csy_sync_free(sync);
    }
    if (status) {
        fprintf(stderr, "partial_bench: %s\n", error.text);
        return 1;
    }
    double read = bench_median(reading, rounds), solve = bench_median(solving, rounds);
    printf("points %zu\npairs %zu\nread %.4f\nsolve %.4f\nsolve/read %.3f\n", npoints, npairs, read,
           solve, solve / read);
    csy_trace_free(trace);
    return 0;
}
