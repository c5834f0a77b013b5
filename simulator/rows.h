/* The other output format: a CSV in partial order (cellsync-csv(5)) with one row for each
 * record. */
#ifndef PDTSIM_ROWS_H
#define PDTSIM_ROWS_H

#include "simulator/machine.h"
#include "simulator/sink.h"
#include "simulator/vocabulary.h"

/* The optional columns of rows. */
struct rows_style {
    bool latencies; /* minimum latencies of messages */
    /* for each record, its buffer; there is one for each node, and its records are in order */
    bool buffers;
    bool calls; /* the function that an event enters or leaves */
    /* minimum latency of a message within a node, and between nodes */
    int64_t near_ticks, far_ticks;
    size_t ranks, nodes;
};

/* A record of a rank (number context - 1) or of a thread of the PPE (context 0), which is on node
 * 0. Times are readings of the clock of the node. */
struct row {
    uint32_t thread, context;
    enum event event;
    int64_t time_ticks, begin_ticks;
    const uint64_t *payload;
};

/* The node of a rank. Ranks are placed so that as many neighbours as possible share a node. */
size_t rows_node(const struct rows_style *style, size_t rank);

/* rows_event: the name of an event as in the CSV. rows_routine: the function that an event enters
 * or leaves, or "". */
const char *rows_event(enum event event);
const char *rows_routine(enum event event, const uint64_t *payload);

void rows_write_header(struct sink *sink, const struct rows_style *style, int64_t timebase_hz);
void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row);

#endif
