/*
 * Placement: where a thread's clock puts its events in global time, and back.
 *
 *   global time = local time + offset of its clock
 *
 * Nothing else in the house forms that sum: what becomes of it when a clock has more than one
 * offset is decided here.  Methods that move single events (Lamport's), and times that must not go
 * down (--monotonic), know more than the clock: placement_next says the times that are written.
 */
#ifndef SYNC_PLACEMENT_H
#define SYNC_PLACEMENT_H

#include "sync/methods/lamport.h"
#include "sync/solution.h"
#include "trace/pex/record.h"

/* The global time of an event, and the local time back from it, where the clock has one offset: in
 * ticks, as they are without an end of 64 bits. */
static inline int128 placement_global(int64_t offset_ticks, int64_t local_ticks)
{
    return (int128)offset_ticks + local_ticks;
}

static inline int128 placement_local(int64_t offset_ticks, int64_t global_ticks)
{
    return (int128)global_ticks - offset_ticks;
}

/* The same for who knows x = local time + rough offset instead of the local time (sync/lane.h): the
 * offset that puts an x in global time. */
static inline int64_t placement_shift(int64_t offset_ticks, int128 rebase_ticks)
{
    return (int64_t)(offset_ticks - rebase_ticks);
}

/* Where the clock of the thread puts a local time. */
static inline int128 placement_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    return placement_global(sync->views[thread].offset_ticks, local_ticks);
}

/* The begin of a record whose end is at these times, as a synchronized .pex has it: an interval
 * keeps its length; what is no interval keeps the field as it is. */
static inline uint64_t placement_begin(const struct record *record, int64_t global_ticks,
                                       int64_t local_ticks)
{
    if (!record->interval)
        return record->begin;
    if (record->spe)
        return (uint64_t)global_ticks - (uint64_t)record_interval_ticks(record);
    return record->begin + (uint64_t)global_ticks - (uint64_t)local_ticks;
}

/* The begin of an event of a named thread, which has one; and the same where it must be of 64 bits,
 * else CSY_INPUT. */
static inline int128 placement_named_begin(const struct named_stamp *stamp, int64_t global_ticks)
{
    return (int128)global_ticks - ((int128)stamp->time_ticks - stamp->begin_ticks);
}

csy_status placement_stamp_begin(const struct csy_trace *trace, const struct event *event,
                                 int64_t global_ticks, int64_t *begin, csy_error *error);

/* The times of all events, in the order of the buffer. */
struct placement {
    const struct csy_sync *sync;
    struct lamport lamport;
    int64_t greatest; /* so far */
};

/* Whether all events of a thread are moved alike. */
bool placement_moves_threads(const struct csy_sync *sync);

/* The caller calls placement_fini. */
void placement_init(struct placement *placement, const struct csy_sync *sync);
void placement_fini(struct placement *placement);

/* The global time of the next event, as it is written.  CSY_INPUT where the trace is not the one
 * that was synchronized. */
csy_status placement_next(struct placement *placement, const struct event *event,
                          int64_t *global_ticks, csy_error *error);

#endif
