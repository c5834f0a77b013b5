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

/* Returns true if the trace can be rows of a CSV, because it has blocks or several buffers. */
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
    bool asked;         /* true if room was requested from the PPE */
    uint32_t stay;      /* `stay` of the records in the current burst */
    int64_t burst_left;
    uint32_t stay_written; /* `stay` of the last row written */
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

/* Add a record of a context to its page. Sets *full to true if the page must now be flushed. */
void tracer_hold(struct tracer *tracer, uint32_t context, const struct traced *record, bool *full);

/* Returns true if the next record begins a burst, because it is the first record since the context
 * was loaded on an SPE. The page must be flushed before such a record. */
bool tracer_begins_burst(struct tracer *tracer, uint32_t context, uint32_t stay);

/* Empty the page of a context after its records were written. */
void tracer_empty(struct tracer *tracer, uint32_t context);

/* Write a page as rows of one block. `stamped` is the timestamp of the flush, or NULL if the flush
 * has none. */
void tracer_flush(struct tracer *tracer, uint32_t context, const int64_t *stamped);

/* Write a record as a row, without a page: a record of the PPE, or of a context that collects no
 * records. */
void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record);

/* Returns how many bytes of the local store a context needs for records. */
int64_t tracer_store_bytes(const struct tracing *tracing);

#endif
