/* The events of a trace in memory, and all bounds between its threads by the sweep. */
#include "all_pairs.h"

#include "base/array.h"
#include "base/error.h"
#include "bounds/rows.h"
#include "clock/timeline.h"
#include "graph/sweep.h"
#include "order/rebase.h"

static csy_status read_all(struct timeline *timeline, struct rebase *rough, struct pair_events *out,
                           csy_error *error)
{
    struct event event;
    bool more;
    for (;;) {
        csy_status status = timeline_next(timeline, &event, &more, error);
        if (status || !more)
            return status;
        if (!ARRAY_RESERVE(out->items, out->capacity, out->count + 1))
            return error_memory(error);
        struct pair_event *item = &out->items[out->count++];
        *item = (struct pair_event){.thread = event.thread};
        status = rebase_place(rough, event.thread, event.local_ticks, &item->x, error);
        if (status)
            return status;
    }
}

csy_status pair_events_read(const char *path, struct pair_events *out, csy_error *error)
{
    csy_trace *trace;
    struct timeline timeline;
    struct rebase rough = {0};
    *out = (struct pair_events){0};
    csy_status status = csy_trace_open(path, NULL, &trace, error);
    if (status)
        return status;
    struct timeline_rules rules = timeline_default_rules(trace);
    status = timeline_init(&timeline, trace, &rules, NULL, error);
    if (!status)
        status = read_all(&timeline, &rough, out, error);
    for (size_t t = 0; t < timeline.threads.count && !status; t++)
        out->items[timeline.threads.items[t].last_record].last = true;
    out->nthreads = timeline.threads.count;
    out->tau = timeline.threads.ppe;
    timeline_fini(&timeline);
    rebase_fini(&rough);
    csy_trace_free(trace);
    return status;
}

static csy_status make_graph(const struct pair_events *events, struct eliminations *graph,
                             bool *feasible, csy_error *error)
{
    struct sweep *sweep;
    csy_status status = sweep_new(0, CSY_LIVE_THREADS_MAX, &sweep, error);
    if (status)
        return status;
    for (size_t i = 0; i < events->count && !status; i++) {
        const struct pair_event *event = &events->items[i];
        status = sweep_event(sweep, event->thread, event->x, feasible, error);
        if (!status && event->last && event->thread != events->tau)
            status = sweep_ended(sweep, event->thread, feasible, error);
    }
    if (!status)
        status = sweep_finish(sweep, events->tau, graph, feasible, error);
    sweep_free(sweep);
    return status;
}

_Static_assert((int)ALL_PAIRS_SOURCES == (int)ROWS_LANES, "rows are made by lanes");

csy_status all_pairs_sweep(const struct pair_events *events, int64_t *rows, all_pairs_take take,
                           void *user, csy_error *error)
{
    struct eliminations graph = {0};
    bool feasible = true;
    bool fits = true;
    struct row_blocks blocks = {0};
    size_t n = events->nthreads;
    csy_status status = make_graph(events, &graph, &feasible, error);
    if (!status && !feasible)
        return error_set(error, CSY_INFEASIBLE, "infeasible");
    if (!status)
        status = row_blocks_init(&blocks, &graph, &fits, error);
    for (size_t first = 0; first < n && !status; first += ROWS_LANES) {
        if (!fits || !row_blocks_from(&blocks, (uint32_t)first, rows))
            status = error_set(error, CSY_INPUT, "the bounds leave 64-bit arithmetic");
        else if (take)
            take(user, first, rows);
    }
    row_blocks_fini(&blocks);
    eliminations_fini(&graph);
    return status;
}
