/* Parallel regions and loops of OpenMP, as reported by the runtime through OMPT (ompt.c) or seen in
 * calls of GCC's runtime (gomp.c). */
#ifndef CELLTRACE_HOOKS_LOOPS_H
#define CELLTRACE_HOOKS_LOOPS_H

#include "recorder/event.h"

enum loop_event {
    /* A parallel region, recorded by the thread that starts it. Values: address of the function or
     * call, number of requested threads. */
    LOOP_PARALLEL,
    /* The part of one thread in a region. Values: address of the function or call, number of the
     * thread, number of reported loops. */
    LOOP_TASK,
    /* The part of one thread in a loop. Values: number of iterations of the loop, schedule. */
    LOOP_LOOP,
    LOOP_CHUNK, /* iterations that were assigned to a thread. Values: first and last iteration */
    LOOP_BARRIER,
    LOOP_CRITICAL, /* LOOP_CRITICAL: a critical section is entered. LOOP_CRITICAL_END: it is left.
                    * Value of both: lock */
    LOOP_CRITICAL_END,
    LOOP_ORDERED,
    LOOP_ORDERED_END,
    LOOP_ADVANCE, /* LOOP_ADVANCE: an iteration of a doacross loop is finished. LOOP_AWAIT: a thread
                   * waits for one. */
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

/* Prepare to record events of loops. Returns true if they are to be recorded. May be called at any
 * time, also repeatedly. */
bool loops_begin(void);

/* True if gomp.c, or ompt.c, records the events. At most one of the two variables is true. */
extern atomic_bool loops_by_gomp, loops_by_ompt;

static inline bool loops_record(const atomic_bool *by)
{
    return atomic_load_explicit(by, memory_order_relaxed) &&
           atomic_load_explicit(&pages_record, memory_order_relaxed) &&
           !atomic_load_explicit(&local.busy, memory_order_relaxed);
}

/* Record an event from `begin` until now. If events of this type have no begin, `begin` is
 * ignored. */
void loops_event(enum loop_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
