/* Reads the order of a loose trace. */
#include "sync/partial/loose_order.h"

#include "order/loose.h"
#include "sync/options.h"
#include "sync/partial/tight.h"

void loose_order_stop(struct loose_order *order)
{
    loose_free(order->loose);
    tight_free(order->tight);
    *order = (struct loose_order){NULL, NULL};
}

csy_status loose_order_start(struct loose_order *order, struct csy_sync *sync,
                             const csy_options *options, csy_error *error)
{
    struct points *points = &sync->partial->points;
    int64_t rate_ppb = sync->drift ? options->drift_ppb : 0;
    points->told = true;
    points->least_told = 2 * points->close_ticks;
    loose_order_stop(order);
    csy_status status = tight_new(rate_ppb, points->least_told + (rate_ppb > 0),
                                  sync->trace->loose_kept, &order->tight, error);
    const struct loose_rules rules = {.trace = sync->trace,
                                      .rough = &sync->survey.rough,
                                      .match = sync->partial->match,
                                      .latency_ticks = options->latency_ticks,
                                      .latency_max_ticks = options->latency_max_ticks,
                                      .directions = &sync->partial->directions,
                                      .take = tight_take,
                                      .user = order->tight};
    return status ? status : loose_new(&rules, &order->loose, error);
}

csy_status loose_order_finish(struct loose_order *order, struct csy_sync *sync, csy_error *error)
{
    struct partial *partial = sync->partial;
    uint64_t place = 0;
    csy_status status = loose_finish(order->loose, &place, error);
    if (status)
        return status == CSY_INPUT ? trace_at_place(sync->trace, place, status, error) : status;
    status =
        tight_finish(order->tight, sync->reference, &partial->points, &partial->streamed, error);
    if (!status)
        status = loose_report(order->loose, error);
    partial->loose = true;
    partial->points.told &= partial->streamed; /* otherwise delta does not matter */
    return status;
}
