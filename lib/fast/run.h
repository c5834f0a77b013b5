/* A run: successive plain records, and their combined effect on the modules that receive events.
 *
 * A run continues after the last event, or it is apart: another worker fills it without knowing
 * earlier events. Its effects are counts, least times between neighbours, and greatest times, so
 * they can be added to the effects of earlier runs. */
#ifndef FAST_RUN_H
#define FAST_RUN_H

#include "graph/sweep.h"
#include "order/inversions.h"

enum purpose {
    READING,      /* update clocks only */
    CONSTRAINING, /* also find constraints between neighbours for a sweep (graph/sweep.h) */
    CARRYING,     /* also find constraints between all events for a sweep with inexact timestamps */
    MEASURING,    /* measure global times */
    WRITING,      /* write global times to a file */
    TIMING        /* return global times */
};

struct run {
    enum purpose purpose;
    bool apart;
    uint64_t records;
    /* The first and the last record: slot and x (for MEASURING, global time). If the run is empty
     * and continues after earlier events, `last` is the event before it. */
    struct ends ends;
    /* numbers of neighbours in one thread (same), and with a step back in time (wrong), and the
     * least time between neighbours (at most 0). Unused for WRITING and TIMING. */
    uint64_t same, wrong;
    int64_t least_step;
    struct sweep_run sweep;
    /* The members below are used only for MEASURING. */
    struct inversions inversions;
    struct inversions_apart *kept; /* used only for a run of another worker */
    int64_t least_ticks;
    bool by_time;
    int64_t first_local, last_local;
};

/* Add the next event at x (for MEASURING, its global time). Returns false and does nothing if its
 * thread's time steps back: use the ordinary path. Not for WRITING and TIMING. */
static inline __attribute__((always_inline)) bool run_event(struct run *run, uint32_t slot,
                                                            int64_t x, enum purpose purpose)
{
    int64_t step = x - run->ends.last_x;
    /* negative if both events have the same thread */
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

static inline void run_local(struct run *run, int64_t local_ticks)
{
    run->by_time = run->by_time && local_ticks >= run->last_local;
    run->last_local = local_ticks;
}

bool run_new(struct run *run, bool apart, enum purpose purpose);
void run_fini(struct run *run);

/* Set the first event of a run that another worker fills, before run_event adds this event. */
static inline void run_set_first(struct run *run, uint32_t slot, int64_t x)
{
    run->ends = (struct ends){slot, slot, x, x};
}

#endif
