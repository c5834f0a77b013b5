/* Converts between local and global time by the formula
 *
 *   global time = local time + offset of the clock
 *
 * This header covers clocks with a constant offset and needs no solution. sync/placement.h extends
 * it to solutions. No other module computes the sum. */
#ifndef CLOCK_GLOBAL_H
#define CLOCK_GLOBAL_H

#include "base/number.h"
#include "trace/event.h"
#include "trace/pex/record.h"

/* For a clock with one constant offset: the global time of an event, and, for the reverse, the
 * local time of a global time. All are in ticks. Results have 128 bits, so they cannot overflow. */
static inline int128 placement_global(int64_t offset_ticks, int64_t local_ticks)
{
    return (int128)offset_ticks + local_ticks;
}

static inline int128 placement_local(int64_t offset_ticks, int64_t global_ticks)
{
    return (int128)global_ticks - offset_ticks;
}

/* For callers that know x = local time + rough offset instead of the local time (fast/fast.h): the
 * amount to add to x to get the global time. */
static inline int64_t placement_shift(int64_t offset_ticks, int128 rebase_ticks)
{
    return (int64_t)(offset_ticks - rebase_ticks);
}

/* The begin of a record, as a synchronized .pex stores it. The two times are those of the record's
 * end. An interval keeps its length; in other records the begin field is left unchanged. */
static inline uint64_t placement_begin(const struct record *record, int64_t global_ticks,
                                       int64_t local_ticks)
{
    if (!record->interval)
        return record->begin;
    if (record->spe)
        return (uint64_t)global_ticks - (uint64_t)record_interval_ticks(record);
    return record->begin + (uint64_t)global_ticks - (uint64_t)local_ticks;
}

/* Find the begin of an interval, both by the clock of its thread and in global time. If the record
 * is not an interval, return its own times. `global` is true if the timestamps in the record are
 * global times. */
static inline void placement_begins(const struct record *record, bool global, int64_t local_ticks,
                                    int64_t global_ticks, int64_t *local_begin,
                                    int64_t *global_begin)
{
    uint64_t begin = !record->interval ? (uint64_t)global_ticks
                     : global          ? record->begin
                                       : placement_begin(record, global_ticks, local_ticks);
    *global_begin = (int64_t)begin;
    *local_begin = (int64_t)(begin - ((uint64_t)global_ticks - (uint64_t)local_ticks));
}

/* The global time at which an event of a named thread begins. The event must be an interval. */
static inline int128 placement_named_begin(const struct named_stamp *stamp, int64_t global_ticks)
{
    return (int128)global_ticks - ((int128)stamp->time_ticks - stamp->begin_ticks);
}

#endif
