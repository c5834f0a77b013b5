/* The interface between an order and an engine. An order passes on which records precede which, in
 * one of two forms:
 *
 *    line   the events one by one, and the threads that will have no more events. For the sweep,
 *           whose carrier stands for all earlier events.
 *    pairs  a record and a record that it precedes; each pair is a constraint
 *             g[from.thread] - g[to.thread] <= to.x - from.x (+ 2 delta)
 *           For all other engines, which need not know how the order was found.
 *
 * An engine sets the functions that it needs; the others are NULL. */
#ifndef ORDER_SINK_H
#define ORDER_SINK_H

#include "base/number.h"

/* A record as orders and engines see it. */
struct point {
    uint64_t position, place; /* place: an offset or a line, for messages */
    uint32_t thread;
    int64_t local_ticks, x; /* x: local_ticks plus the rough offset (order/rebase.h) */
};

/* A record and a later record that the order places after it. */
struct edge {
    struct point from, to;
    int64_t latency_ticks;         /* least time between them; 0 in a line */
    uint32_t from_point, to_point; /* indexes in a partial order (clock/points.h) */
    bool from_begin, to_begin;     /* true if these points are begins */
};

/* The first and the last of successive events. Threads are given as slots of an engine or as
 * numbers. */
struct ends {
    uint32_t first, last;
    int64_t first_x, last_x;
};

struct sink {
    void *engine;
    /* The thread is about to have its first event. Threads are numbered in this order. */
    csy_status (*birth)(void *engine, uint32_t thread, csy_error *error);
    /* A pair. Pairs that end at an event come before the event itself. */
    csy_status (*pair)(void *engine, const struct point *from, const struct point *to,
                       csy_error *error);
    /* The next event of a line. */
    csy_status (*event)(void *engine, const struct point *event, csy_error *error);
    /* The thread has had its last event, and all its pairs were passed on. */
    csy_status (*ended)(void *engine, uint32_t thread, csy_error *error);
    /* For LINE_TIGHT: the place of an event by potentials that satisfy all constraints. Returns
     * false if they give none. */
    bool (*put)(const void *engine, const struct point *event, int64_t *out);
    const bool *over; /* true: needs no more pairs and events; NULL: never */
};

static inline bool sink_is_over(const struct sink *sink)
{
    return sink->over && *sink->over;
}

#endif
