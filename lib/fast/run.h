/*
 * A run: plain records next to one another, and what they come to for those who want the events of
 * a pass.
 *
 * A run goes on where the last event was, or it is apart: another worker fills it, who does not
 * know what comes before.  All that it comes to can be joined afterwards: least times between
 * neighbours, counts, the greatest of times.
 */
#ifndef FAST_RUN_H
#define FAST_RUN_H

#include "graph/sweep.h"
#include "order/inversions.h"

/* What a pass is for. */
enum purpose {
    READING,      /* clocks alone */
    CONSTRAINING, /* a sweep, of neighbours */
    CARRYING,     /* a sweep with a carrier */
    MEASURING,    /* global times */
    WRITING,      /* the same, into a file */
    TIMING        /* the same, told alone */
};

struct run {
    enum purpose purpose;
    bool apart;
    uint64_t records;
    /* By slots of the sweep, without one by threads; MEASURING: global times for x.  Until the
     * first record of a run that is not apart, the last event is that before it. */
    struct ends ends;
    /* Neighbours, but not WRITING or TIMING: those of one thread, those with a lesser time than the
     * one before, and the least step to one, 0: there are none. */
    uint64_t same, wrong;
    int64_t least_step;
    struct sweep_run sweep;
    /* MEASURING: */
    struct inversions inversions;
    struct inversions_apart *kept; /* where the run is apart */
    int64_t least_ticks;
    bool by_time;
    int64_t first_local, last_local;
};

/* The next event, at x, or MEASURING at that global time; false, and nothing is done, where its
 * thread steps back, which others must know.  Not WRITING or TIMING. */
static inline __attribute__((always_inline)) bool run_event(struct run *run, uint32_t slot,
                                                            int64_t x, enum purpose purpose)
{
    int64_t step = x - run->ends.last_x;
    int64_t same = (int64_t)((uint64_t)(slot ^ run->ends.last) - 1); /* its sign */
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

/* MEASURING: the event's local time. */
static inline void run_local(struct run *run, int64_t local_ticks)
{
    run->by_time = run->by_time && local_ticks >= run->last_local;
    run->last_local = local_ticks;
}

/* No run yet, of those that are apart or not; false on no memory. */
bool run_new(struct run *run, bool apart, enum purpose purpose);
void run_fini(struct run *run);

/* The first event of a run apart is this one, which is to come. */
static inline void run_set_first(struct run *run, uint32_t slot, int64_t x)
{
    run->ends = (struct ends){slot, slot, x, x};
}

#endif
