/* The other output format: CSV in partial order (cellsync-csv(5)), one row for each record. */
#ifndef PDTSIM_ROWS_H
#define PDTSIM_ROWS_H

#include "simulator/machine.h"
#include "simulator/sink.h"
#include "simulator/vocabulary.h"

/* Optional contents of rows. */
struct rows_style {
    bool latencies; /* of messages */
    bool buffers;   /* a buffer for each node, with the order of its records */
    bool calls;     /* a column for the entered or left function */
    int64_t near_ticks,
        far_ticks; /* minimum latency of a message within a node, and between nodes */
    size_t ranks, nodes;
};

/* A record of a rank (context - 1), or of a thread of the PPE (context 0), which is on node 0.
 * Times are readings of the node's clock. */
struct row {
    uint32_t thread, context;
    enum event event;
    int64_t time_ticks, begin_ticks;
    const uint64_t *payload;
};

/* The node of a rank, with as many neighbours on each node as possible. */
size_t rows_node(const struct rows_style *style, size_t rank);

/* The name of an event in columns, and the function that an event enters or leaves, or "". */
const char *rows_event(enum event event);
const char *rows_routine(enum event event, const uint64_t *payload);

void rows_write_header(struct sink *sink, const struct rows_style *style, int64_t timebase_hz);
void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row);

#endif
