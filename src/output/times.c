/* Global times as they are written. */
#include "output/times.h"

#include "base/error.h"
#include "base/number.h"

#include <inttypes.h>

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

csy_status row_global_begin(const struct csy_trace *trace, const struct csv_row *row,
                            const csy_event *event, int64_t *begin, csy_error *error)
{
    int128 ticks = (int128)event->global_ticks - ((int128)row->time_ticks - row->begin_ticks);
    if (!fits_int64(ticks))
        return error_set(error, CSY_INPUT,
                         "%s: line %" PRIu64 ": the global time of its begin would leave 64 bits",
                         trace->name, row->line);
    *begin = (int64_t)ticks;
    return CSY_OK;
}
