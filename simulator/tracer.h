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
 * A burst is the first records of a stay on an SPE, if these are flushed one by one. */
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
    int64_t block; /* number of records in a block; 0: records are written one by one */
    enum flush_kind flush;
    int64_t burst;
    bool per_core; /* each core has its own buffer */
};

/* Returns true if the trace must be rows, because it has blocks or several buffers. */
static inline bool tracing_is_rows(const struct tracing *tracing)
{
    return tracing->block > 0 || tracing->per_core;
}

/* The total cost of tracing. */
struct tracing_cost {
    uint64_t records; /* number of records of SPEs */
    uint64_t flushes, pauses;
    int64_t pause_cycles;
};

/* A record to be written as a row. */
struct traced {
    enum event event;
    /* readings of the writer's clock at the event and at its begin */
    int64_t stamped, begun;
    bool has_begin;
    uint32_t stay;      /* number of the stay on an SPE, from 1 */
    uint32_t spe, decr; /* number of the SPE, and its decrementer */
    const struct clock *clock;
    uint64_t payload[PAYLOAD_MAX];
};

/* The records of a context, in its local store, that are not flushed yet. */
struct page {
    struct traced *items;
    size_t count;
    uint64_t block;     /* number of flushed blocks */
    int64_t written_at; /* cycles: when the previous page is written */
    bool asked;         /* room was requested from the PPE */
    uint32_t stay;      /* stay of the current burst */
    int64_t burst_left;
    uint32_t stay_written; /* stay of the last written row */
    uint64_t barriers;
};

struct tracer {
    const struct tracing *tracing;
    struct sink *sink;
    bool rows; /* false: records of a .pex */
    struct truth *truth;
    unsigned level;
    bool calls;         /* rows have a column for functions */
    struct page *pages; /* page of each context, from 1 */
    size_t npages;
    struct tracing_cost cost;
    uint64_t nrows;
};

/* Returns false if memory runs out. */
bool tracer_init(struct tracer *tracer, const struct tracing *tracing, size_t ncontexts);
void tracer_fini(struct tracer *tracer);

void tracer_write_header(const struct tracer *tracer, int64_t timebase_hz);

/* Add a record of a context to its page. Sets *full if the page must now be flushed. */
void tracer_hold(struct tracer *tracer, uint32_t context, const struct traced *record, bool *full);

/* Returns true if a record of this stay begins a burst. The page must be flushed before such a
 * record. */
bool tracer_begins_burst(struct tracer *tracer, uint32_t context, uint32_t stay);

/* Empty the page of a context after its records were written. */
void tracer_empty(struct tracer *tracer, uint32_t context);

/* Write a page as rows of one block. stamped is the timestamp of its flush, or NULL. */
void tracer_flush(struct tracer *tracer, uint32_t context, const int64_t *stamped);

/* Write a record without a page, for the PPE or a context that does not flush. */
void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record);

/* Returns how many bytes of the local store a context needs for records. */
int64_t tracer_store_bytes(const struct tracing *tracing);

#endif
