/* Parallel regions and loops of OpenMP, as reported by the runtime through OMPT (ompt.c) or seen in
 * calls of GCC's runtime (gomp.c). */
#ifndef CELLTRACE_HOOKS_LOOPS_H
#define CELLTRACE_HOOKS_LOOPS_H

#include "recorder/event.h"

/* The events: constant and name, kind, number of fields, their names, and attributes.
 * - PARALLEL: a parallel region, recorded by the thread that starts it, with the address of the
 *   function or call, and the number of requested threads
 * - TASK, LOOP: the part of one thread in a region, and in a loop
 * - CHUNK: iterations that were assigned to a thread
 * - CRITICAL: a critical section is entered; CRITICAL_END: it is left
 * - ADVANCE: an iteration of a doacross loop is finished; AWAIT: a thread waits for one */
#define LOOP_TABLE(EVENT)                                                                          \
    EVENT(PARALLEL, CT_INTERVAL, 2, "function/address:routine threads", NULL)                      \
    EVENT(TASK, CT_INTERVAL, 3, "function/address:routine number loops", NULL)                     \
    EVENT(LOOP, CT_INTERVAL, 2, "iterations schedule", NULL)                                       \
    EVENT(CHUNK, CT_INTERVAL, 2, "from/i64 to/i64", NULL)                                          \
    EVENT(BARRIER, CT_WAIT, 0, NULL, "class=\"barrier\"")                                          \
    EVENT(CRITICAL, CT_WAIT, 1, "lock/address:object", "role=\"acquire\" class=\"mutex\"")         \
    EVENT(CRITICAL_END, CT_MARK, 1, "lock/address:object", "role=\"release\" class=\"mutex\"")     \
    EVENT(ORDERED, CT_WAIT, 0, NULL, "class=\"ordered\"")                                          \
    EVENT(ORDERED_END, CT_MARK, 0, NULL, NULL)                                                     \
    EVENT(ADVANCE, CT_MARK, 1, "iteration/i64", NULL)                                              \
    EVENT(AWAIT, CT_WAIT, 1, "iteration/i64", "class=\"advance\"")

#define LOOP_NUMBER(name, ...) LOOP_##name,
enum loop_event { LOOP_TABLE(LOOP_NUMBER) LOOP_EVENTS };

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

/* Record an event from `begin` until now. If events of this type have no begin, `begin` is
 * ignored. */
void loops_event(enum loop_event event, uint64_t begin, const uint64_t *values, unsigned n);

#endif
