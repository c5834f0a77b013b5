/* The shared trace buffer, which determines the order of records.
 *
 *      asks            holds the slot          continues
 *   ----|--- waits ---|------------- stamp -|-- writes --|---->
 *                      line, update, stamp
 *
 * To write a record, a core reserves a slot. It waits until the previous core is done, takes the
 * cache line with the head of the buffer from that core, updates the head, and reads its clock.
 * Only then can another core reserve a slot. Therefore slots and timestamps have the same order,
 * and there is a least time between two timestamps of different cores. Cores are served in the
 * order in which they asked. The record itself is written after the slot was released.
 *
 * Other ways of writing records to a buffer are described in tracer.h; their costs are here.
 *
 * For traces whose order and clocks contradict each other, timestamps can be made imprecise in two
 * ways: by a uniform error of up to a number of ticks, and by reading the clock before asking for
 * the slot. */
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

/* Derives the activity of actors from their records, in addition to the trace. */
struct observer {
    struct activity *activity; /* NULL: the activity is not needed */
    size_t ncontexts, first_tid;
    bool places; /* the trace contains starts and switches of contexts */
};

/* A writer of records: an SPE context, or a thread of the PPE (context 0). */
struct writer {
    uint32_t thread;  /* tid, or context id */
    uint32_t context; /* 0 for the PPE */
    uint32_t spe;
    uint32_t decr_base; /* the decrementer shows decr_base minus the reading of the clock */
    int cell;
    const struct clock *clock; /* NULL: the timebase of the PPE */
    /* for ranks: the last timestamp, and the moment in cycles when it was taken */
    int64_t last_ticks, last;
    uint32_t stay;      /* number of its stay on an SPE, from 1 */
    int64_t stay_begin; /* begin of this stay, in cycles */
};

struct slots {
    const struct machine *machine;
    struct sink *sink;
    const struct rows_style *rows; /* how to write rows; NULL: records are written as in a .pex */
    const struct tracing *tracing;
    struct tracer *tracer; /* NULL: no blocks are written as rows */
    size_t node;
    struct truth *truth;
    struct observer observer;
    struct rng rng;
    unsigned level;
    int64_t timebase; /* its reading at cycle 0 */
    int64_t jitter_ticks, late_percent;
    /* The timestamps of a writer do not step back, in spite of their random errors. */
    bool steady;
    bool apart;           /* clocks tick at different moments */
    int64_t latest_ticks; /* the most ticks by which a timestamp was too early for its slot */
    int64_t free_at;      /* cycles: when the head of the buffer can be reserved */
    /* the core that reserved a slot last: the number of its SPE, or -1 - cell for the PPE of a
     * Cell */
    int64_t holder;
    int holder_cell;
    uint64_t count;
};

/* Write a record at `time` if events of its type are traced. begin: the begin of the event, in
 * cycles. Returns the time when the core continues. */
int64_t slots_record(struct slots *slots, struct writer *writer, enum event event, int64_t begin,
                     int64_t time, const uint64_t *payload);

/* How far the clock of a writer is ahead of the timebase at a time. */
int64_t slots_lead(const struct slots *slots, const struct writer *writer, int64_t time);

/* Twice the imprecision of timestamps, in ticks: the least 2 * delta for which the bounds contain
 * the truth. */
int64_t slots_imprecision_twice(const struct slots *slots);

#endif
