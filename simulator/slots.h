/* The shared trace buffer, which determines the order of records.
 *
 *      asks            holds the slot          continues
 *   ----|--- waits ---|--------- timestamp -|-- writes --|---->
 *                      line, update, timestamp
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
#include "simulator/sink.h"
#include "simulator/tracer.h"
#include "simulator/truth.h"
#include "simulator/vocabulary.h"

struct observer {
    struct activity *activity; /* NULL if not requested */
    size_t ncontexts, first_tid;
    bool places; /* true if the trace contains starts and switches of contexts */
};

/* A writer of records: an SPE context, or a thread of the PPE (context 0). */
struct writer {
    uint32_t thread;  /* id of the context, or tid of the thread of the PPE */
    uint32_t context; /* id of the context, or 0 for the PPE */
    uint32_t spe;
    uint32_t decr_base; /* The decrementer of an SPE counts down: its value is decr_base minus the
                         * reading of `clock`. */
    int cell;
    const struct clock *clock; /* NULL: the timebase of the PPE */
    /* the last timestamp in ticks, and its time in cycles; valid only if slots.steady is true */
    int64_t last_ticks, last;
    uint32_t stay;      /* number of times that the context was loaded on an SPE so far */
    int64_t stay_begin; /* time when the context was last loaded, in cycles */
};

struct slots {
    const struct machine *machine;
    struct sink *sink;
    const struct rows_style *rows; /* format of rows, or NULL if records of a .pex are written */
    const struct tracing *tracing;
    struct tracer *tracer; /* writes records in blocks, in a buffer for each writer; NULL: all
                            * records go to one buffer */
    size_t node;
    struct truth *truth;
    struct observer observer;
    struct rng rng;
    unsigned level;
    int64_t timebase; /* reading of the timebase at cycle 0 */
    int64_t jitter_ticks, late_percent;
    /* true if timestamps of a writer never decrease, although their errors are random */
    bool steady;
    bool apart;           /* true if clocks tick at different moments */
    int64_t latest_ticks; /* --late-writes made timestamps too early by at most so many ticks */
    int64_t free_at;      /* time when the next slot can be reserved, in cycles */
    /* the core that reserved the last slot: the number of its SPE, or -1 - cell for a PPE */
    int64_t holder;
    int holder_cell;
    uint64_t count;
};

/* Write a record at `time`, if its type is traced. Its event began at `begin`. Both times are in
 * cycles. Returns the time when the core continues. */
int64_t slots_record(struct slots *slots, struct writer *writer, enum event event, int64_t begin,
                     int64_t time, const uint64_t *payload);

/* Returns by how many ticks the writer's clock is ahead of the timebase. */
int64_t slots_lead(const struct slots *slots, const struct writer *writer, int64_t time);

/* Returns twice the greatest possible error of timestamps, in ticks. cellsync needs at least this
 * error for bounds that contain the truth. */
int64_t slots_imprecision_twice(const struct slots *slots);

#endif
