/* The ways of writing records to a buffer, and what they cost the core that writes.
 *
 *   buffer     each record takes a slot of the shared buffer (slots.h), as in PDT
 *   blocks     an SPE collects records in its local store, and flushes blocks of them by DMA:
 *              one slot for each block.  Records of the PPE are written one by one
 *   hardware   a record is one store, and the trace is in the order of time
 *   none       nothing is traced
 *
 * There are three kinds of flushes. Stamped: the SPE reads its clock while it holds the slot, and
 * continues when the DMA is done. Next: as stamped, but the SPE does not read its clock. Double:
 * the SPE fills a second page during the DMA, as the tracer of Dursun et al. does. It requests room
 * from the PPE before the first record of a page, and waits if the previous page is not written
 * yet.
 *
 * The first records of a stay on an SPE may be flushed one by one; they are called a burst. */
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
    int64_t block; /* number of records in a block; 0: each record is written separately */
    enum flush_kind flush;
    int64_t burst;
    bool per_core; /* each core has its own buffer */
};

/* True if the trace must be written as rows, because it has blocks or several buffers. */
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
    /* times of the event and of its begin, as readings of the writer's clock */
    int64_t stamped, begun;
    bool has_begin;
    uint32_t stay;      /* number of its stay on an SPE, from 1 */
    uint32_t spe, decr; /* for an SPE: its number, and its decrementer */
    const struct clock *clock;
    uint64_t payload[PAYLOAD_MAX];
};

/* The page of a context: its records in the local store that are not flushed yet. */
struct page {
    struct traced *items;
    size_t count;
    uint64_t block;     /* number of blocks that were flushed */
    int64_t written_at; /* cycles: when the previous page is written */
    bool asked;         /* the PPE was asked for room */
    uint32_t stay;      /* number of the stay of the current burst */
    int64_t burst_left;
    uint32_t stay_written; /* stay of the last row that was written */
    uint64_t barriers;
};

struct tracer {
    const struct tracing *tracing;
    struct sink *sink;
    bool rows; /* records are written as rows; false: as records of a .pex */
    struct truth *truth;
    unsigned level;
    bool calls;         /* rows have a column for the entered or left function */
    struct page *pages; /* by context, from 1 */
    size_t npages;
    struct tracing_cost cost;
    uint64_t nrows;
};

/* False if out of memory. */
bool tracer_init(struct tracer *tracer, const struct tracing *tracing, size_t ncontexts);
void tracer_fini(struct tracer *tracer);

void tracer_write_header(const struct tracer *tracer, int64_t timebase_hz);

/* Add a record of a context to its page. *full is set if the page must be flushed after this
 * record. */
void tracer_hold(struct tracer *tracer, uint32_t context, const struct traced *record, bool *full);

/* True if a record of this stay begins a burst. The page must then be flushed before the record. */
bool tracer_begins_burst(struct tracer *tracer, uint32_t context, uint32_t stay);

/* Empty the page of a context after its records were written. */
void tracer_empty(struct tracer *tracer, uint32_t context);

/* Write the records in a page as rows. They form a block with the timestamp of its flush, or, if
 * stamped is NULL, without one. */
void tracer_flush(struct tracer *tracer, uint32_t context, const int64_t *stamped);

/* Write a record at once, without a page: a record of the PPE, or of a context that does not
 * flush. */
void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record);

/* The size of the part of the local store that a context needs for records. */
int64_t tracer_store_bytes(const struct tracing *tracing);

#endif
