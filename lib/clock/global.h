/*
 * Global time, as far as it is known without a solution.
 *
 *   global time = local time + offset of its clock
 *
 * Only this and sync/placement.h, which goes on from here, form that sum.
 */
#ifndef CLOCK_GLOBAL_H
#define CLOCK_GLOBAL_H

#include "base/number.h"
#include "trace/event.h"
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

/* The same for who knows x = local time + rough offset instead of the local time (fast/fast.h): the
 * offset that puts an x in global time. */
static inline int64_t placement_shift(int64_t offset_ticks, int128 rebase_ticks)
{
    return (int64_t)(offset_ticks - rebase_ticks);
}

/* The begin of a record that ends at these times, as in a synchronized .pex: an interval keeps its
 * length; other records keep the field. */
static inline uint64_t placement_begin(const struct record *record, int64_t global_ticks,
                                       int64_t local_ticks)
{
    if (!record->interval)
        return record->begin;
    if (record->spe)
        return (uint64_t)global_ticks - (uint64_t)record_interval_ticks(record);
    return record->begin + (uint64_t)global_ticks - (uint64_t)local_ticks;
}

/* Find the begin of an interval, by the clock of its thread and in global time; for another record,
 * its own times. global: its timestamps are global. */
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

/* The begin of an event of a named thread, which has one. */
static inline int128 placement_named_begin(const struct named_stamp *stamp, int64_t global_ticks)
{
    return (int128)global_ticks - ((int128)stamp->time_ticks - stamp->begin_ticks);
}

#endif
