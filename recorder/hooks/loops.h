/* Parallel regions and loops of OpenMP, as reported by its runtime: ompt.c or gomp.c. */
#ifndef CELLTRACE_HOOKS_LOOPS_H
#define CELLTRACE_HOOKS_LOOPS_H

#include "recorder/event.h"

enum loop_event {
    LOOP_PARALLEL, /* a region, in the thread that starts it: function or call, number of threads
                    * requested */
    LOOP_TASK,     /* a thread's part of a region: function or call, number, reported loops */
    LOOP_LOOP,     /* a thread's part of a loop: iterations in all, schedule */
    LOOP_CHUNK,    /* assigned iterations: from, to */
    LOOP_BARRIER,
    LOOP_CRITICAL, /* entering and leaving: lock */
    LOOP_CRITICAL_END,
    LOOP_ORDERED,
    LOOP_ORDERED_END,
    LOOP_ADVANCE, /* an iteration of a doacross loop is done, or waited for */
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

/* True if they are to be recorded; may be called at any time. */
bool loops_begin(void);

/* True for the source that records them. */
extern atomic_bool loops_by_gomp, loops_by_ompt;

static inline bool loops_record(const atomic_bool *by)
{
    return atomic_load_explicit(by, memory_order_relaxed) &&
           atomic_load_explicit(&pages_record, memory_order_relaxed) &&
           !atomic_load_explicit(&local.busy, memory_order_relaxed);
}

/* Record an event from begin to now; begin is ignored for events without one. */
void loops_event(enum loop_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
