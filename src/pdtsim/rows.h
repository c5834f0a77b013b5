/* The other format that is written: CSV in partial order (pex(5)), a row a record. */
#ifndef PDTSIM_ROWS_H
#define PDTSIM_ROWS_H

#include "pdtsim/machine.h"
#include "pdtsim/sink.h"
#include "pdtsim/vocabulary.h"

/* What rows say beside what happened. */
struct rows_style {
    bool latencies;                /* of messages */
    bool buffers;                  /* each node's: the order of its records */
    bool calls;                    /* a column for the function that is entered or left */
    int64_t near_ticks, far_ticks; /* the least that a message takes within a node, between two */
    size_t ranks, nodes;
};

/* A record: of a rank (context - 1), or of a thread of the PPE (context 0), which is on node 0.
 * Times are what the node's clock showed. */
struct row {
    uint32_t thread, context;
    enum event event;
    int64_t time_ticks, begin_ticks;
    const uint64_t *payload;
};

/* The node of a rank: as many neighbours on each as can be. */
size_t rows_node(const struct rows_style *style, size_t rank);

/* What events are called in columns, and the function that one enters or leaves, or "". */
const char *rows_event(enum event event);
const char *rows_routine(enum event event, const uint64_t *payload);

void rows_write_header(struct sink *sink, const struct rows_style *style, int64_t timebase_hz);
void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row);

#endif
