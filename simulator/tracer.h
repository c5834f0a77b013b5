/* The ways of writing records to a buffer, and their costs for the writing core.
 *
 *   buffer     each record takes a slot of the shared buffer (slots.h), as in PDT
 *   blocks     an SPE collects records in its local store, and flushes blocks of them by DMA:
 *              one slot for each block.  Records of the PPE are written one by one
 *   hardware   a record is one store, and the trace is in the order of time
 *   none       nothing is traced
 *
 * There are three kinds of flushes:
 * - stamped: the SPE reads its clock while it holds the slot, and continues after the DMA;
 * - next: the same, but without reading the clock;
 * - double: the SPE fills a second page during the DMA, like the tracer of Dursun et al. Before the
 *   first record of a page it requests room from the PPE; it waits until the previous page is
 *   written.
 *
 * In a burst, the first records after a context is loaded on an SPE are flushed one by one. */
#ifndef PDTSIM_TRACER_H
#define PDTSIM_TRACER_H

#include "simulator/machine.h"
#include "simulator/sink.h"
#include "simulator/truth.h"
#include "simulator/vocabulary.h"

enum tracer_kind { TRACER_BUFFER, TRACER_PAGES, TRACER_HARDWARE, TRACER_NONE };
enum flush_kind { FLUSH_STAMPED, FLUSH_NEXT, FLUSH_DOUBLE };

struct tracing {
    enum tracer_kind kind;
    bool kind_given;
    int64_t block; /* number of records in a block; 0 if records are written one by one */
    enum flush_kind flush;
    int64_t burst;
    bool per_core; /* true if each core has its own buffer */
};

/* Returns true if the trace can be a CSV, because it has blocks or several buffers. */
static inline bool tracing_is_rows(const struct tracing *tracing)
{
    return tracing->block > 0 || tracing->per_core;
}

struct tracing_cost {
    uint64_t records; /* number of records of SPEs */
    uint64_t flushes, pauses;
    int64_t pause_cycles;
};

/* A record with its timestamp, which is ready to be written. */
struct traced {
    enum event event;
    /* reading of the writer's clock at the record, and at the begin of its event */
    int64_t stamped, begun;
    bool has_begin;
    uint32_t stay;      /* how many times the context has been loaded on an SPE */
    uint32_t spe, decr; /* number of the SPE, and its decrementer at the record */
    const struct clock *clock;
    uint64_t payload[PAYLOAD_MAX];
};

/* The records of a context that are still in its local store. */
struct page {
    struct traced *items;
    size_t count;
    uint64_t block;     /* number of flushed blocks */
    int64_t written_at; /* time when the previous page is written, in cycles */
    bool asked;         /* true if the PPE was asked for space in main memory */
    uint32_t stay;      /* number of loads of the context on an SPE before its last record */
    int64_t burst_left;
    uint32_t stay_written;
    uint64_t barriers;
};

struct tracer {
    const struct tracing *tracing;
    struct sink *sink;
    bool rows; /* true if rows of a CSV are written, false if records of a .pex */
    struct truth *truth;
    unsigned level;
    bool calls;         /* true if rows have a column for functions */
    struct page *pages; /* page of each context; contexts are numbered from 1 */
    size_t npages;
    struct tracing_cost cost;
    uint64_t nrows;
};

/* Returns false if memory runs out. */
bool tracer_init(struct tracer *tracer, const struct tracing *tracing, size_t ncontexts);
void tracer_fini(struct tracer *tracer);

void tracer_write_header(const struct tracer *tracer, int64_t timebase_hz);

/* Write a record as a row. If the context collected the record in `page`, the row has the number of
 * the block and, if `flushed` is not NULL, the timestamp of the flush. `page` is NULL on the PPE
 * and for a context that collects no records. */
void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record, const struct page *page, const int64_t *flushed);

/* --- Output as a CSV in partial order (cellsync-csv(5)) with a row for each record ------------ */

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

void rows_write_header(struct sink *sink, const struct rows_style *style, int64_t timebase_hz);
void rows_write(struct sink *sink, const struct rows_style *style, const struct row *row);

#endif
