/* Two methods to compare bhh with: Lamport's clocks, and least squares, for the order of one
 * buffer. See doc/algorithms.md, Other methods. They give no bounds. Least squares finds an offset
 * for each thread; Lamport's clocks place each record by itself. */

#include "sync/methods/methods.h"

#include "base/error.h"
#include "sync/methods/leastsq.h"
#include "sync/placement.h"

#include <stdlib.h>

struct baseline {
    struct csy_sync *sync;
    struct leastsq leastsq;
    struct lamport lamport; /* Lamport's clocks, which start at global time 0 */
};

static csy_status take_lamport(void *user, const struct event *event, csy_error *error)
{
    struct baseline *b = user;
    int64_t global;
    return lamport_next(&b->lamport, event->thread, event->local_ticks, &global, error);
}

/* Start a pass, and forget an earlier one (type pass_start). */
static csy_status start(void *user, struct taker *taker, csy_error *error)
{
    struct baseline *b = user;
    csy_method method = b->sync->method;
    (void)error;
    leastsq_fini(&b->leastsq);
    lamport_fini(&b->lamport);
    leastsq_init(&b->leastsq);
    lamport_init(&b->lamport, method == CSY_METHOD_LAMPORT, 0);
    if (method == CSY_METHOD_LSQ)
        *taker = (struct taker){.sink = leastsq_sink(&b->leastsq), .pairs = LINE_NEIGHBOURS};
    else
        *taker = (struct taker){.observe = take_lamport, .observer = b};
    return CSY_OK;
}

csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error)
{
    struct baseline b = {.sync = sync};
    struct first_pass first = {.start = start, .user = &b, .progress = progress};
    const struct threads *threads = &sync->survey.threads;
    csy_status status = pass_survey(trace, &sync->survey, &first, error);
    sync->imprecision.adjacent_steps_back = sync->survey.adjacent_steps_back;
    sync->imprecision.delta.den = 1;
    if (!status)
        status = solution_name_threads(sync, error);
    if (!status)
        status = solution_choose_reference(sync, NULL, error);
    for (size_t t = 0; t < threads->count && !status; t++) {
        sync->views[t].offset_ticks = CSY_NO_OFFSET;
        sync->views[t].earliest_ticks = INT64_MIN;
        sync->views[t].latest_ticks = INT64_MAX;
    }
    if (!status && sync->method == CSY_METHOD_LSQ) {
        uint32_t anchor = threads->ppe == NO_THREAD ? 0 : threads->ppe;
        uint32_t *order = solution_last_order(sync, anchor);
        int64_t *g = malloc((threads->count + 1) * sizeof *g);
        status = order && g ? CSY_OK : error_memory(error);
        if (!status)
            status = leastsq_solve(&b.leastsq, order, anchor, g, error);
        if (!status)
            status = solution_shift_offsets(sync, g, error);
        free(order);
        free(g);
    } else if (!status) {
        /* The PPE's first record keeps its local time. Counters start at 0. */
        bool clock = sync->method == CSY_METHOD_LAMPORT_CLOCK && threads->ppe != NO_THREAD;
        int128 origin = clock ? -b.lamport.threads[threads->ppe].offset : 0;
        if (!fits_int64(origin) || !fits_int64(origin + b.lamport.global_ticks))
            status =
                error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits", trace->name);
        sync->origin_ticks = (int64_t)origin;
    }
    leastsq_fini(&b.leastsq);
    lamport_fini(&b.lamport);
    return status;
}
