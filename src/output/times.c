/* Global times as they are written. */
#include "output/times.h"

#include "base/number.h"

int64_t times_base(const struct csy_sync *sync)
{
    int128 base = 0;
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        int64_t offset = sync->views[t].offset_ticks;
        int128 least = offset == CSY_NO_OFFSET
                           ? sync->origin_ticks
                           : (int128)offset + sync->survey.threads.items[t].min_ticks;
        base = least < base ? least : base;
    }
    return (int64_t)base;
}

uint64_t record_global_begin(const struct record *record, int64_t global_ticks, int64_t local_ticks)
{
    if (!record->interval)
        return record->begin;
    if (record->spe)
        return (uint64_t)global_ticks - (uint64_t)record_interval_ticks(record);
    return record->begin + (uint64_t)global_ticks - (uint64_t)local_ticks;
}
