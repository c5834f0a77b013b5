/* The shared trace buffer, which determines the order of records.
 *
 *      asks            holds the slot          continues
 *   ----|--- waits ---|------------- stamp -|-- writes --|---->
 *                      line, update, stamp
 *
 * To write a record, a core reserves a slot. It waits until the previous core is done, takes the
 * cache line with the head of the buffer from that core, updates the head, and reads its clock.
 * Only then can another core reserve a slot. Slots and timestamps therefore have the same order,
 * and there is a least time between timestamps of different cores. Cores are served in the order of
 * their requests. The record itself is written after the slot is released.
 *
 * tracer.h describes other ways of writing records; their costs are here.
 *
 * Timestamps can be made to contradict the order: by a uniform random error, or by reading the
 * clock before requesting the slot. */
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

/* Derives the activity of actors from their records. */
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
    uint32_t decr_base; /* decrementer = decr_base - reading of the clock */
    int cell;
    const struct clock *clock; /* NULL: the timebase of the PPE */
    /* for ranks: last timestamp, and the cycle when it was taken */
    int64_t last_ticks, last;
    uint32_t stay;      /* number of the stay on an SPE, from 1 */
    int64_t stay_begin; /* begin of the stay, in cycles */
};

struct slots {
    const struct machine *machine;
    struct sink *sink;
    const struct rows_style *rows; /* format of rows; NULL: write records of a .pex */
    const struct tracing *tracing;
    struct tracer *tracer; /* NULL: there are no rows with blocks */
    size_t node;
    struct truth *truth;
    struct observer observer;
    struct rng rng;
    unsigned level;
    int64_t timebase; /* reading of the timebase at cycle 0 */
    int64_t jitter_ticks, late_percent;
    /* timestamps of a writer never step back, whatever their random errors */
    bool steady;
    bool apart;           /* clocks tick at different moments */
    int64_t latest_ticks; /* the most ticks that a timestamp was too early */
    int64_t free_at;      /* cycles: when the next slot can be reserved */
    /* the core with the last slot: number of its SPE, or -1 - cell for a PPE */
    int64_t holder;
    int holder_cell;
    uint64_t count;
};

/* Write a record at `time`, if its type is traced, of an event that began at `begin` (in cycles).
 * Returns when the core continues. */
int64_t slots_record(struct slots *slots, struct writer *writer, enum event event, int64_t begin,
                     int64_t time, const uint64_t *payload);

/* Returns by how many ticks the writer's clock is ahead of the timebase. */
int64_t slots_lead(const struct slots *slots, const struct writer *writer, int64_t time);

/* Returns twice the largest error of timestamps: the least 2 * delta with valid bounds. */
int64_t slots_imprecision_twice(const struct slots *slots);

#endif
