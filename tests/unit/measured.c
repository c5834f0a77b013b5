/* What global times do, event by event. */
#include "measured.h"

#include "support.h"

#include <stdlib.h>

/* Of the events so far. */
struct count {
    uint64_t inversions, wrong, pairs, damaged;
    int64_t largest_inversion, largest_step;
    int64_t greatest;
    csy_event before;
    bool *seen; /* by thread */
    int64_t *offsets;
    bool by_time;
};

static void count_event(struct count *c, const csy_event *e, bool first)
{
    int64_t down = first ? 0 : c->greatest - e->global_ticks;
    int64_t step = first ? 0 : c->before.global_ticks - e->global_ticks;
    bool other = !first && c->before.thread != e->thread;
    c->inversions += down > 0;
    c->largest_inversion = down > c->largest_inversion ? down : c->largest_inversion;
    c->wrong += other && step > 0;
    c->largest_step = other && step > c->largest_step ? step : c->largest_step;
    c->greatest = first || down < 0 ? e->global_ticks : c->greatest;
    c->by_time = c->by_time && (first || e->local_ticks >= c->before.local_ticks);
    c->pairs += c->seen[e->thread];
    c->damaged += c->seen[e->thread] && c->offsets[e->thread] != e->global_ticks - e->local_ticks;
    c->offsets[e->thread] = e->global_ticks - e->local_ticks;
    c->seen[e->thread] = true;
    c->before = *e;
}

void assert_measured(const csy_sync *sync)
{
    csy_events *events;
    csy_event event;
    csy_error error;
    size_t n = csy_sync_nthreads(sync);
    struct count c = {.by_time = true,
                      .seen = calloc(n, sizeof *c.seen),
                      .offsets = calloc(n, sizeof *c.offsets)};
    ck_assert(c.seen && c.offsets);
    ck_ok(csy_events_open(sync, &events, &error), error);
    for (bool more, first = true;; first = false) {
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        count_event(&c, &event, first);
    }
    csy_events_free(events);
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    const csy_order *order = csy_sync_order(sync);
    ck_assert_uint_eq(imprecision->inversions, c.inversions);
    ck_assert_int_eq(imprecision->largest_inversion_ticks, c.largest_inversion);
    ck_assert_uint_eq(order->after.wrong, c.wrong);
    ck_assert_int_eq(order->after.largest_ticks, c.largest_step);
    ck_assert_uint_eq(csy_sync_damage(sync)->mean.pairs, c.pairs);
    ck_assert_uint_eq(csy_sync_damage(sync)->damaged, c.damaged);
    if (!sync->trace->source->buffer)
        ck_assert(sync->by_time == c.by_time);
    free(c.seen);
    free(c.offsets);
}
