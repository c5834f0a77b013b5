/* The interface between an order, which finds what records precede others, and an engine, which
 * computes offsets or bounds. An order passes on one of two forms:
 *
 *    line   the events one by one, and the threads that will have no more events. For an engine
 *           that needs no pairs (graph/sweep.h).
 *    pairs  a record and a record that it precedes. If g is the offset of a thread, and delta the
 *           error of a timestamp, each pair is a constraint
 *             g[from.thread] - g[to.thread] <= to.x - from.x (+ 2 delta)
 *           For all other engines, which need not know how the order was found.
 *
 * An engine sets the functions that it needs; the others are NULL. */
#ifndef ORDER_SINK_H
#define ORDER_SINK_H

#include "base/number.h"

/* A record of the trace. */
struct point {
    /* `place` is the offset or line in the file, for messages to the user */
    uint64_t position, place;
    uint32_t thread;
    int64_t local_ticks, x; /* x: local time plus an approximate offset of the thread
                             * (order/rebase.h) */
};

/* A constraint: record `from` precedes record `to`. */
struct edge {
    struct point from, to;
    /* least time from `from` to `to`; 0 in the order of one buffer */
    int64_t latency_ticks;
    uint32_t from_point, to_point; /* numbers of both records in struct points (clock/points.h), for
                                    * a trace in partial order */
    bool from_begin, to_begin;     /* true if it is where the record begins, not its end */
};

/* The threads and times of the first and the last of several successive events. If the threads have
 * rows in a matrix, the numbers of the rows are used instead. */
struct ends {
    uint32_t first, last;
    int64_t first_x, last_x;
};

struct sink {
    void *engine;
    /* Called before the first event of a thread. The first thread has number 0, the next one 1. */
    csy_status (*birth)(void *engine, uint32_t thread, csy_error *error);
    /* Called for each pair of records, before `event` is called for the record `to`. */
    csy_status (*pair)(void *engine, const struct point *from, const struct point *to,
                       csy_error *error);
    /* Called for each event of a buffer, in order. */
    csy_status (*event)(void *engine, const struct point *event, csy_error *error);
    /* Called after the last event of a thread, and after the last pair that contains it. */
    csy_status (*ended)(void *engine, uint32_t thread, csy_error *error);
    /* Needed for LINE_TIGHT only (order/line.h): sets *out to event->x plus the given offset of the
     * event's thread. Returns false if the thread has no offset. */
    bool (*put)(const void *engine, const struct point *event, int64_t *out);
    const bool *over; /* NULL, or becomes true when the engine needs no more events and pairs */
};

static inline bool sink_is_over(const struct sink *sink)
{
    return sink->over && *sink->over;
}

#endif
