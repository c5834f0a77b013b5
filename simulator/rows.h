/* Output as a CSV in partial order (cellsync-csv(5)) with a row for each record. */
#ifndef PDTSIM_ROWS_H
#define PDTSIM_ROWS_H

#include "simulator/machine.h"
#include "simulator/sink.h"
#include "simulator/vocabulary.h"

/* The format of rows: which optional columns they have, and the values needed for them. */
struct rows_style {
    bool latencies; /* true if rows contain the minimum latencies of messages */
    /* true if rows name the buffer of their record; each node has one buffer with records in
     * order */
    bool buffers;
    bool calls; /* true if rows name the function that an event enters or leaves */
    /* minimum latency of a message within a node, and between nodes */
    int64_t near_ticks, far_ticks;
    size_t ranks, nodes;
};

/* A record of a rank (`context` is the rank plus 1) or of a thread of the PPE on node 0 (`context`
 * is 0). Times are readings of the node's clock. */
struct row {
    uint32_t thread, context;
    enum event event;
    int64_t time_ticks, begin_ticks;
    const uint64_t *payload;
};

/* Returns the node of a rank. Successive ranks share a node. */
size_t rows_node(const struct rows_style *style, size_t rank);

/* Returns the name of an event in the CSV. */
const char *rows_event(enum event event);

/* Returns the name of the function that an event enters or leaves, or "". */
const char *rows_routine(enum event event, const uint64_t *payload);

void rows_write_header(struct sink *sink, const struct rows_style *style, int64_t timebase_hz);
void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row);

#endif
