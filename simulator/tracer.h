/* The ways of records to a buffer, and their costs for the core that writes them.
 *
 *   buffer     each record takes a slot of the shared buffer (slots.h), as in PDT
 *   blocks     an SPE collects records in its local store, and flushes blocks of them by DMA:
 *              one slot for each block.  Records of the PPE are written one by one
 *   hardware   a record is one store, and the trace is in the order of time
 *   none       nothing is traced
 *
 * There are three kinds of flush. Stamped: the SPE reads its clock while it holds the slot, and
 * continues when the DMA is done. Next: the same, without the timestamp. Double: it fills a second
 * page meanwhile, as the tracer of Dursun et al. does; it requests room from the PPE before its
 * first record, and waits if the previous page is not written yet.
 *
 * The first records of a stay on an SPE may be flushed one by one, as a burst. */
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
    int64_t block; /* records in a block; 0: each separately */
    enum flush_kind flush;
    int64_t burst;
    bool per_core; /* a buffer for each core */
};

/* True if rows contain blocks, or several buffers. */
static inline bool tracing_is_rows(const struct tracing *tracing)
{
    return tracing->block > 0 || tracing->per_core;
}

/* The total cost. */
struct tracing_cost {
    uint64_t records; /* of SPEs */
    uint64_t flushes, pauses;
    int64_t pause_cycles;
};

/* A record to be written as a row. */
struct traced {
    enum event event;
    int64_t stamped, begun; /* readings of its clock */
    bool has_begin;
    uint32_t stay;      /* number of its stay on an SPE, from 1 */
    uint32_t spe, decr; /* of an SPE */
    const struct clock *clock;
    uint64_t payload[PAYLOAD_MAX];
};

/* The records in a context's local store. */
struct page {
    struct traced *items;
    size_t count;
    uint64_t block;     /* flushed so far */
    int64_t written_at; /* cycles: the previous page */
    bool asked;         /* for room, of the PPE */
    uint32_t stay;      /* the stay of the burst */
    int64_t burst_left;
    uint32_t stay_written; /* of its last row */
    uint64_t barriers;
};

struct tracer {
    const struct tracing *tracing;
    struct sink *sink;
    bool rows; /* written as rows, otherwise as records of a .pex */
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

/* Put a record of a context into its page. *full: it is the last one before a flush. */
void tracer_hold(struct tracer *tracer, uint32_t context, const struct traced *record, bool *full);

/* True if a record of this stay begins a burst, so that the page must be flushed before it. */
bool tracer_begins_burst(struct tracer *tracer, uint32_t context, uint32_t stay);

/* The records of the page have been written. */
void tracer_empty(struct tracer *tracer, uint32_t context);

/* Write the records of the page as rows, as a block with the timestamp of its flush, or without. */
void tracer_flush(struct tracer *tracer, uint32_t context, const int64_t *stamped);

/* Write a record of the PPE, or of a context that does not flush. */
void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record);

/* The size of the records in a context's local store. */
int64_t tracer_store_bytes(const struct tracing *tracing);

#endif
