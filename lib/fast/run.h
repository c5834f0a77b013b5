/* A run: successive plain records, and their combined effect on the modules that receive events.
 *
 * A run continues after the last event, or it is apart: then another worker fills it without
 * knowing earlier events. The effects can be joined to those of earlier runs later, because they
 * are least times between neighbours, counts, and greatest times. */
#ifndef FAST_RUN_H
#define FAST_RUN_H

#include "graph/sweep.h"
#include "order/inversions.h"

/* The purpose of a pass. */
enum purpose {
    READING,      /* update clocks only */
    CONSTRAINING, /* constraints between neighbours for a sweep */
    CARRYING,     /* constraints for a sweep with a carrier */
    MEASURING,    /* measure global times */
    WRITING,      /* write global times to a file */
    TIMING        /* return global times */
};

struct run {
    enum purpose purpose;
    bool apart;
    uint64_t records;
    /* The first and last record of the run, by slots of the sweep, or by threads if there is no
     * sweep. With MEASURING, x is the global time. Before the first record of a run that is not
     * apart, `last` is the event before the run. */
    struct ends ends;
    /* Neighbours (not for WRITING and TIMING): how many have the same thread, how many step back,
     * and the least step, or 0. */
    uint64_t same, wrong;
    int64_t least_step;
    struct sweep_run sweep;
    /* MEASURING: */
    struct inversions inversions;
    struct inversions_apart *kept; /* only if the run is apart */
    int64_t least_ticks;
    bool by_time;
    int64_t first_local, last_local;
};

/* Add the next event, at x, or, with MEASURING, at this global time. Returns false, without effect,
 * if the event's thread steps back, because other modules must process such an event. Not for
 * WRITING and TIMING. */
static inline __attribute__((always_inline)) bool run_event(struct run *run, uint32_t slot,
                                                            int64_t x, enum purpose purpose)
{
    int64_t step = x - run->ends.last_x;
    /* negative if the threads are equal */
    int64_t same = (int64_t)((uint64_t)(slot ^ run->ends.last) - 1);
    if (purpose == MEASURING)
        step = (same & step) < 0 ? 0 : step;
    else if ((same & step) < 0)
        return false;
    run->same += (uint64_t)same >> 63;
    run->wrong += (uint64_t)step >> 63;
    if (__builtin_expect(step < run->least_step, 0))
        run->least_step = step;
    if (purpose == CONSTRAINING)
        sweep_run_step(&run->sweep, run->ends.last, slot, step);
    if (purpose == CARRYING)
        sweep_run_carry(&run->sweep, slot, x);
    if (purpose == MEASURING) {
        if (run->kept)
            inversions_apart_note(run->kept, x);
        else
            inversions_note(&run->inversions, x);
        run->least_ticks = x < run->least_ticks ? x : run->least_ticks;
    }
    run->ends.last = slot;
    run->ends.last_x = x;
    return true;
}

/* MEASURING: add the local time of the event. */
static inline void run_local(struct run *run, int64_t local_ticks)
{
    run->by_time = run->by_time && local_ticks >= run->last_local;
    run->last_local = local_ticks;
}

/* Make an empty run; false if out of memory. */
bool run_new(struct run *run, bool apart, enum purpose purpose);
void run_fini(struct run *run);

/* Set the first event of a run apart; run_event for it follows. */
static inline void run_set_first(struct run *run, uint32_t slot, int64_t x)
{
    run->ends = (struct ends){slot, slot, x, x};
}

#endif
