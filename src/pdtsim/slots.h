/*
 * The shared trace buffer, which is where order comes from.
 *
 *      asks            holds the slot          goes on
 *   ----|--- waits ---|------------- stamp -|-- writes --|---->
 *                      line, update, stamp
 *
 * To write a record a core reserves a slot: it waits until the core before it is done, takes the
 * cache line with the buffer's head from it, updates the head, and reads its clock while no core
 * else can reserve.  So slot order is stamp order, and no two stamps of two cores are closer than
 * this takes.  Cores are served in the order in which they ask.  The record itself is written
 * after that, at leisure.
 *
 * Other ways to a buffer are in tracer.h: what they cost is here.
 *
 * Stamps can be made imprecise, for traces whose order contradicts their clocks: by an even error
 * of up to so many ticks, and by reading the clock before asking for the slot.
 */
#ifndef PDTSIM_SLOTS_H
#define PDTSIM_SLOTS_H

#include "pdtsim/activity.h"
#include "pdtsim/clock.h"
#include "pdtsim/machine.h"
#include "pdtsim/rng.h"
#include "pdtsim/rows.h"
#include "pdtsim/sink.h"
#include "pdtsim/tracer.h"
#include "pdtsim/truth.h"
#include "pdtsim/vocabulary.h"

/* The activity of actors, which records tell of beside the trace. */
struct observer {
    struct activity *activity; /* NULL: nowhere */
    size_t ncontexts, first_tid;
    bool places; /* the trace says which contexts are started, and switched */
};

/* Who writes: an SPE context on an SPE, or a thread on the PPE (context 0). */
struct writer {
    uint32_t thread;  /* tid, or context id */
    uint32_t context; /* 0 for the PPE */
    uint32_t spe;
    uint32_t decr_base; /* decrementer = decr_base - what its clock shows */
    int cell;
    const struct clock *clock; /* NULL: the timebase */
    int64_t last_ticks, last;  /* its last stamp, and when that was due, in cycles; of ranks */
    uint32_t stay;             /* on an SPE, from 1 */
    int64_t stay_begin;        /* cycles */
};

struct slots {
    const struct machine *machine;
    struct sink *sink;
    const struct rows_style *rows; /* NULL: records are written as of a pex */
    const struct tracing *tracing;
    struct tracer *tracer; /* NULL: it writes no rows of blocks */
    size_t node;
    struct truth *truth;
    struct observer observer;
    struct rng rng;
    unsigned level;
    int64_t timebase; /* at cycle 0 */
    int64_t jitter_ticks, late_percent;
    /* Whatever the jitter, a writer's stamps are in the order in which it took them. */
    bool steady;
    bool apart;           /* clocks do not tick at one moment */
    int64_t latest_ticks; /* how much the worst stamp was too early for its slot */
    int64_t free_at;      /* cycles: the head can be reserved */
    int64_t holder;       /* the last core: its SPE, or -1 - cell for the PPE of a Cell */
    int holder_cell;
    uint64_t count;
};

/* Write a record at time if its type is traced; begin is when the event did.  Returns when the core
 * goes on. */
int64_t slots_record(struct slots *slots, struct writer *writer, enum event event, int64_t begin,
                     int64_t time, const uint64_t *payload);

/* By how much a writer's clock is ahead of the timebase then. */
int64_t slots_lead(const struct slots *slots, const struct writer *writer, int64_t time);

/* Twice the imprecision of the stamps, in ticks: what 2 * delta must be for the truth to be within
 * the bounds. */
int64_t slots_imprecision_twice(const struct slots *slots);

#endif
