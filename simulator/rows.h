/* Output as a CSV in partial order (cellsync-csv(5)) with a row for each record. */
#ifndef PDTSIM_ROWS_H
#define PDTSIM_ROWS_H

#include "simulator/machine.h"
#include "simulator/sink.h"
#include "simulator/vocabulary.h"

/* The optional columns of rows. */
struct rows_style {
    bool latencies; /* minimum latencies of messages */
    /* the buffer of each record; each node has a buffer with records in order */
    bool buffers;
    bool calls; /* the function that an event enters or leaves */
    /* minimum latency of messages within a node, and between nodes */
    int64_t near_ticks, far_ticks;
    size_t ranks, nodes;
};

/* A record of rank context - 1, or of a thread of the PPE (context 0), which is on node 0. Times
 * are readings of the node's clock. */
struct row {
    uint32_t thread, context;
    enum event event;
    int64_t time_ticks, begin_ticks;
    const uint64_t *payload;
};

/* Returns the node of a rank. As many neighbours as possible share a node. */
size_t rows_node(const struct rows_style *style, size_t rank);

/* rows_event returns an event's name in the CSV. rows_routine returns the function that an event
 * enters or leaves, or "". */
const char *rows_event(enum event event);
const char *rows_routine(enum event event, const uint64_t *payload);

void rows_write_header(struct sink *sink, const struct rows_style *style, int64_t timebase_hz);
void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row);

#endif
