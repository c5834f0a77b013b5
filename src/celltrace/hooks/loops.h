/* Parallel regions and loops of OpenMP, as its runtime tells of them: ompt.c, or gomp.c. */
#ifndef CELLTRACE_HOOKS_LOOPS_H
#define CELLTRACE_HOOKS_LOOPS_H

#include "celltrace/event.h"

enum loop_event {
    LOOP_PARALLEL, /* a region, in the thread that starts it: function or call, threads wanted */
    LOOP_TASK,     /* a thread's part of it: function or call, number, loops that were told */
    LOOP_LOOP,     /* a thread's part of a loop: iterations of all, schedule */
    LOOP_CHUNK,    /* iterations that it was given: from, to */
    LOOP_BARRIER,
    LOOP_CRITICAL, /* entering, and leaving: lock */
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

/* Whether they are wanted, whenever it is asked. */
bool loops_begin(void);

/* Whether they are recorded now, by the one or the other. */
extern atomic_bool loops_by_gomp, loops_by_ompt;

static inline bool loops_record(const atomic_bool *by)
{
    return atomic_load_explicit(by, memory_order_relaxed) &&
           atomic_load_explicit(&pages_record, memory_order_relaxed) &&
           !atomic_load_explicit(&local.busy, memory_order_relaxed);
}

/* An event from begin to now; of one without a begin it means nothing. */
void loops_event(enum loop_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
