/*
 * Which channels of a partial order pair their messages as rows of a CSV would that have no more
 * than the name of the channel: pex(5), CSV traces in partial order.
 */
#ifndef OUTPUT_TRACE_PAIRED_H
#define OUTPUT_TRACE_PAIRED_H

#include "clock/points.h"

struct paired_message {
    uint32_t edge;
    bool alike; /* its channel does, and no other one is called alike */
};

/* Whether rows say an edge as a message.  One without a latency, where some is usual, is said as a
 * group of two, which has none; and so is one whose ends may be of two messages, if it has none. */
bool paired_is_message(const struct order_edge *edge, int64_t latency_ticks);

/* All that are said so, by channels; *out is for the caller to free.  O(messages log messages). */
csy_status paired_find(const struct points *points, int64_t latency_ticks,
                       struct paired_message **out, size_t *n, csy_error *error);

#endif
