/*
 * How records get to a buffer, and what that costs the core that writes them.
 *
 *   buffer     each record takes a slot of the shared buffer (slots.h), as in PDT
 *   blocks     an SPE gathers records in its local store, and flushes so many at a time by DMA:
 *              one slot a block.  Records of the PPE go one by one
 *   hardware   a record is one store, and the order of time is that of the trace
 *   none       nothing is traced
 *
 * A flush is one of three.  Stamped: the SPE reads its clock while it holds the slot, and goes on
 * when the DMA is done.  Next: the same, without the stamp.  Double: it fills a second page
 * meanwhile, as the tracer of Dursun et al. does; it asks the PPE for room before its first record,
 * and waits where the page before this one is not written yet.
 *
 * The first records of a stay on an SPE may be flushed one by one, as a burst.
 */
#ifndef PDTSIM_TRACER_H
#define PDTSIM_TRACER_H

#include "pdtsim/machine.h"
#include "pdtsim/sink.h"
#include "pdtsim/truth.h"
#include "pdtsim/vocabulary.h"

enum tracer_kind { TRACER_BUFFER, TRACER_PAGES, TRACER_HARDWARE, TRACER_NONE };
enum flush_kind { FLUSH_STAMPED, FLUSH_NEXT, FLUSH_DOUBLE };

struct tracing {
    enum tracer_kind kind;
    bool kind_given;
    int64_t block; /* records; 0: each goes by itself */
    enum flush_kind flush;
    int64_t burst;
    bool per_core; /* buffers: one a core */
};

/* Whether rows tell of blocks, or of several buffers. */
static inline bool tracing_is_rows(const struct tracing *tracing)
{
    return tracing->block > 0 || tracing->per_core;
}

/* What it came to. */
struct tracing_cost {
    uint64_t records; /* of SPEs */
    uint64_t flushes, pauses;
    int64_t pause_cycles;
};

/* A record that is to be written as a row. */
struct traced {
    enum event event;
    int64_t stamped, begun; /* what its clock showed */
    bool has_begin;
    uint32_t stay;      /* on an SPE, of its context, from 1 */
    uint32_t spe, decr; /* of an SPE */
    const struct clock *clock;
    uint64_t payload[PAYLOAD_MAX];
};

/* Of a context: what is in its local store. */
struct page {
    struct traced *items;
    size_t count;
    uint64_t block;     /* flushed so far */
    int64_t written_at; /* cycles: the page before this one */
    bool asked;         /* for room, of the PPE */
    uint32_t stay;      /* that the burst is of */
    int64_t burst_left;
    uint32_t stay_written; /* of its last row */
    uint64_t barriers;
};

struct tracer {
    const struct tracing *tracing;
    struct sink *sink;
    bool rows; /* they are written as rows, else as records of a .pex */
    struct truth *truth;
    unsigned level;
    bool calls;         /* rows have a column for the function that is entered or left */
    struct page *pages; /* by context, from 1 */
    size_t npages;
    struct tracing_cost cost;
    uint64_t nrows;
};

/* False on no memory. */
bool tracer_init(struct tracer *tracer, const struct tracing *tracing, size_t ncontexts);
void tracer_fini(struct tracer *tracer);

void tracer_write_header(const struct tracer *tracer, int64_t timebase_hz);

/* Put a record of a context into its page; *full: it is to be flushed, by this. */
void tracer_hold(struct tracer *tracer, uint32_t context, const struct traced *record, bool *full);

/* Whether a record of this stay begins a burst, before which the page is to be flushed. */
bool tracer_begins_burst(struct tracer *tracer, uint32_t context, uint32_t stay);

/* What is in the page has been written. */
void tracer_empty(struct tracer *tracer, uint32_t context);

/* Write what is in the page as rows, as a block with a stamp of its flush, or without. */
void tracer_flush(struct tracer *tracer, uint32_t context, const int64_t *stamped);

/* Write a record of the PPE, or of a context that flushes nothing. */
void tracer_write(struct tracer *tracer, uint32_t thread, uint32_t context,
                  const struct traced *record);

/* Bytes of a context's local store that hold records. */
int64_t tracer_store_bytes(const struct tracing *tracing);

#endif
