/*
 * What an order says to an engine: which records come before which, in one of two ways.
 *
 *   a line  the events one by one, and which threads will have no more of them: the sweep's way,
 *           whose carrier is all earlier events at once
 *   pairs   of a record that comes before another one, each a constraint
 *             g[from.thread] - g[to.thread] <= to.x - from.x (+ 2 delta)
 *           the way of all others, which need not know how the order came about
 *
 * An engine fills in what it wants to be told; the rest is NULL.
 */
#ifndef ORDER_SINK_H
#define ORDER_SINK_H

#include "base/number.h"

/* A record, as orders and engines see it. */
struct point {
    uint64_t position, place; /* place: as messages tell it, an offset or a line */
    uint32_t thread;
    int64_t local_ticks, x; /* x: local_ticks moved by a rough offset (order/rebase.h) */
};

/* Two records of which the first comes before the second. */
struct edge {
    struct point from, to;
    int64_t latency_ticks;         /* by at least that; in a line 0 */
    uint32_t from_point, to_point; /* of a partial order (clock/points.h), */
    bool from_begin, to_begin;     /* and whether these are begins */
};

/* The first and the last of events next to one another, by slots of an engine or by threads. */
struct ends {
    uint32_t first, last;
    int64_t first_x, last_x;
};

struct sink {
    void *engine;
    /* A thread that will have its first event now.  Threads are numbered in this order. */
    csy_status (*birth)(void *engine, uint32_t thread, csy_error *error);
    /* Pairs.  Those into an event come before the event itself. */
    csy_status (*pair)(void *engine, const struct point *from, const struct point *to,
                       csy_error *error);
    /* A line. */
    csy_status (*event)(void *engine, const struct point *event, csy_error *error);
    /* The thread has had its last event, and all pairs of it have been told. */
    csy_status (*ended)(void *engine, uint32_t thread, csy_error *error);
    /* LINE_TIGHT: where potentials that keep every constraint put the event; false where they put
     * it nowhere. */
    bool (*put)(const void *engine, const struct point *event, int64_t *out);
    const bool *over; /* whether it wants no more pairs and events; NULL: always more */
};

static inline bool sink_is_over(const struct sink *sink)
{
    return sink->over && *sink->over;
}

#endif
