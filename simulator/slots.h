/* The shared trace buffer, which determines the order.
 *
 *      asks            holds the slot          continues
 *   ----|--- waits ---|------------- stamp -|-- writes --|---->
 *                      line, update, stamp
 *
 * To write a record, a core reserves a slot: it waits until the previous core is done, takes the
 * cache line with the buffer's head from it, updates the head, and reads its clock before another
 * core can reserve. So slots and timestamps have the same order, and two timestamps of different
 * cores are at least this far apart. Cores are served first come, first served. The record
 * itself is written later.
 *
 * Other ways to a buffer are described in tracer.h; their costs are here.
 *
 * Timestamps can be made imprecise, for traces with contradictions between order and clocks: by a
 * uniform error of up to a number of ticks, and by reading the clock before asking for the slot. */
#ifndef PDTSIM_SLOTS_H
#define PDTSIM_SLOTS_H

#include "simulator/activity.h"
#include "simulator/clock.h"
#include "simulator/machine.h"
#include "simulator/rng.h"
#include "simulator/rows.h"
#include "simulator/sink.h"
#include "simulator/tracer.h"
#include "simulator/truth.h"
#include "simulator/vocabulary.h"

/* The activity of actors, derived from records besides the trace. */
struct observer {
    struct activity *activity; /* or NULL */
    size_t ncontexts, first_tid;
    bool places; /* the trace contains starts and switches of contexts */
};

/* A writer: an SPE context on an SPE, or a thread on the PPE (context 0). */
struct writer {
    uint32_t thread;  /* tid, or context id */
    uint32_t context; /* 0 for the PPE */
    uint32_t spe;
    uint32_t decr_base; /* decrementer = decr_base - reading of its clock */
    int cell;
    const struct clock *clock; /* NULL: the timebase */
    int64_t last_ticks, last;  /* its last timestamp, and when that was due, in cycles; for ranks */
    uint32_t stay;             /* number of its stay on an SPE, from 1 */
    int64_t stay_begin;        /* in cycles */
};

struct slots {
    const struct machine *machine;
    struct sink *sink;
    const struct rows_style *rows; /* NULL: records are written as in a .pex */
    const struct tracing *tracing;
    struct tracer *tracer; /* NULL: it writes no rows of blocks */
    size_t node;
    struct truth *truth;
    struct observer observer;
    struct rng rng;
    unsigned level;
    int64_t timebase; /* at cycle 0 */
    int64_t jitter_ticks, late_percent;
    /* Timestamps of a writer stay in order in spite of jitter. */
    bool steady;
    bool apart;           /* clocks do not tick at the same moments */
    int64_t latest_ticks; /* the most that a timestamp was too early for its slot */
    int64_t free_at;      /* cycles: the head can be reserved */
    int64_t holder;       /* the last core: its SPE, or -1 - cell for the PPE of a Cell */
    int holder_cell;
    uint64_t count;
};

/* Write a record at `time` if its type is traced; begin: of the event. Returns when the core
 * continues. */
int64_t slots_record(struct slots *slots, struct writer *writer, enum event event, int64_t begin,
                     int64_t time, const uint64_t *payload);

/* The lead of a writer's clock over the timebase at that time. */
int64_t slots_lead(const struct slots *slots, const struct writer *writer, int64_t time);

/* Twice the imprecision of timestamps, in ticks: the least 2 * delta for which the bounds contain
 * the truth. */
int64_t slots_imprecision_twice(const struct slots *slots);

#endif
