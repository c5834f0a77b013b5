/* Parallel regions and loops of OpenMP, as its runtime reports them (ompt.c) or as calls of GCC's
 * runtime show them (gomp.c). */
#ifndef CELLTRACE_HOOKS_LOOPS_H
#define CELLTRACE_HOOKS_LOOPS_H

#include "recorder/event.h"

enum loop_event {
    /* a region, in the thread that starts it. Values: function or call, number of requested
     * threads */
    LOOP_PARALLEL,
    /* the part of a region that one thread runs. Values: function or call, number, reported
     * loops */
    LOOP_TASK,
    /* the part of a loop that one thread runs. Values: number of iterations of the loop,
     * schedule */
    LOOP_LOOP,
    LOOP_CHUNK, /* iterations that were assigned to a thread. Values: first, last */
    LOOP_BARRIER,
    LOOP_CRITICAL, /* a critical section is entered or left. Value: lock */
    LOOP_CRITICAL_END,
    LOOP_ORDERED,
    LOOP_ORDERED_END,
    LOOP_ADVANCE, /* an iteration of a doacross loop is finished, or a thread waits for one */
    LOOP_AWAIT,
    LOOP_EVENTS
};

enum loop_schedule {
    SCHEDULE_UNKNOWN,
    SCHEDULE_STATIC,
    SCHEDULE_DYNAMIC,
    SCHEDULE_GUIDED,
    SCHEDULE_RUNTIME
};

/* True if these events are to be recorded. This function may be called at any time. */
bool loops_begin(void);

/* True if the events come from gomp.c, or from ompt.c. */
extern atomic_bool loops_by_gomp, loops_by_ompt;

static inline bool loops_record(const atomic_bool *by)
{
    return atomic_load_explicit(by, memory_order_relaxed) &&
           atomic_load_explicit(&pages_record, memory_order_relaxed) &&
           !atomic_load_explicit(&local.busy, memory_order_relaxed);
}

/* Record an event that began at `begin` and ends now. begin is ignored if events of this type have
 * no begin. */
void loops_event(enum loop_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
