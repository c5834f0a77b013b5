/*
 * Placement: where a thread's clock puts its events in global time, and back.
 *
 *   global time = local time + offset of its clock
 *
 * Nothing else in the house but clock/global.h forms that sum: what becomes of it when a clock has
 * more than one offset is decided here.  Methods that move single events (Lamport's), and times
 * that must not go down (--monotonic), know more than the clock: placement_next says the times that
 * are written.
 */
#ifndef SYNC_PLACEMENT_H
#define SYNC_PLACEMENT_H

#include "clock/global.h"
#include "sync/lamport.h"
#include "sync/solution.h"

/* The same of a clock that drifts. */
int128 placement_drifting(const struct csy_sync *sync, size_t thread, int64_t local_ticks);

/* Where the clock of the thread puts a local time. */
static inline int128 placement_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    return sync->drift ? placement_drifting(sync, thread, local_ticks)
                       : placement_global(sync->views[thread].offset_ticks, local_ticks);
}

/* Where an event that is an interval begins in global time; its own time for others.  CSY_INPUT if
 * the begin of a named thread's event leaves 64 bits. */
csy_status placement_event_begin(const struct csy_sync *sync, const struct event *event,
                                 const csy_event *placed, bool *interval, int64_t *begin,
                                 csy_error *error);

/* The begin of a record of a .pex in global time, as placement_begin has it; where clocks drift, it
 * is where they put it. */
int64_t placement_record_begin(const struct csy_sync *sync, const struct record *record,
                               size_t thread, int64_t global_ticks, int64_t local_ticks);

/* The times of all events, in the order of the buffer. */
struct placement {
    const struct csy_sync *sync;
    struct lamport lamport;
    int64_t greatest; /* so far */
};

/* Whether events are moved by their clocks alone, not each by itself. */
bool placement_moves_threads(const struct csy_sync *sync);

/* The caller calls placement_fini. */
void placement_init(struct placement *placement, const struct csy_sync *sync);
void placement_fini(struct placement *placement);

/* The global time of the next event, as it is written.  CSY_INPUT where the trace is not the one
 * that was synchronized. */
csy_status placement_next(struct placement *placement, const struct event *event,
                          int64_t *global_ticks, csy_error *error);

#endif
