/* Computes the global times of events. */
#include "sync/placement.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/drift_clocks.h"
#include "sync/options.h"
#include "sync/reread.h"

#include <stdlib.h>

int128 placement_drifting(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    return knots_global(&sync->drift->clocks[thread], local_ticks);
}

/* Returns the global time of a begin on a drifting clock. It is at most the time of the end. */
static int128 begin_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks,
                       int64_t global_ticks)
{
    int128 ticks = placement_drifting(sync, thread, local_ticks);
    return ticks < global_ticks ? ticks : global_ticks;
}

int64_t placement_record_begin(const struct csy_sync *sync, const struct record *record,
                               size_t thread, int64_t global_ticks, int64_t local_ticks)
{
    uint64_t begin = placement_begin(record, global_ticks, local_ticks);
    uint64_t by = (uint64_t)global_ticks - begin;
    if (!sync->drift || !record->interval || by > (uint64_t)INT64_MAX ||
        local_ticks < INT64_MIN + (int64_t)by)
        return (int64_t)begin;
    int128 ticks = begin_of(sync, thread, local_ticks - (int64_t)by, global_ticks);
    return fits_int64(ticks) ? (int64_t)ticks : (int64_t)begin;
}

csy_status placement_event_begin(const struct csy_sync *sync, const struct event *event,
                                 const csy_event *placed, bool *interval, int64_t *begin,
                                 csy_error *error)
{
    const struct record *record = event->record;
    int64_t global = placed->global_ticks;
    *interval = record ? record->interval : event->stamp.interval;
    *begin = global;
    if (*interval && !record) {
        /* Without drift, an interval lasts as long in global time as in local time. */
        int128 ticks = sync->drift ? begin_of(sync, event->thread, event->stamp.begin_ticks, global)
                                   : placement_named_begin(&event->stamp, global);
        if (!fits_int64(ticks))
            return trace_at_place(
                sync->trace, event->place,
                error_set(error, CSY_INPUT, "the global time of the begin does not fit 64 bits"),
                error);
        *begin = (int64_t)ticks;
        return CSY_OK;
    }
    if (*interval)
        *begin = placement_record_begin(sync, record, placed->thread, global, placed->local_ticks);
    return CSY_OK;
}

void lamport_init(struct lamport *l, bool counters, int64_t origin_ticks)
{
    *l = (struct lamport){.counters = counters, .global_ticks = origin_ticks};
}

void lamport_fini(struct lamport *l)
{
    free(l->threads);
    *l = (struct lamport){0};
}

csy_status lamport_next(struct lamport *l, uint32_t thread, int64_t local_ticks,
                        int64_t *global_ticks, csy_error *error)
{
    if (!ARRAY_EXTEND(l->threads, l->count, l->capacity, (size_t)thread + 1,
                      (struct lamport_thread){0}))
        return error_memory(error);
    struct lamport_thread *own = &l->threads[thread];
    int128 time = (int128)l->global_ticks + l->started;
    int128 advanced = (int128)own->global_ticks + local_ticks - own->local_ticks;
    if (own->started && !l->counters && advanced > time)
        time = advanced;
    if (!fits_int64(time))
        return error_set(error, CSY_INPUT, "global times do not fit 64 bits");
    l->started = true;
    l->global_ticks = *global_ticks = (int64_t)time;
    if (!own->started)
        own->offset = time - local_ticks;
    own->started = true;
    own->local_ticks = local_ticks;
    own->global_ticks = (int64_t)time;
    return CSY_OK;
}

bool placement_moves_threads(const struct csy_sync *sync)
{
    return method_of(sync->method)->moves_threads;
}

void placement_init(struct placement *placement, const struct csy_sync *sync)
{
    *placement = (struct placement){.sync = sync, .greatest = INT64_MIN};
    if (sync->drift) /* If this fails, the times are the same, but take longer to find. */
        placement->lines = calloc(sync->survey.threads.count + 1, sizeof *placement->lines);
    lamport_init(&placement->lamport, sync->method == CSY_METHOD_LAMPORT, sync->origin_ticks);
}

void placement_fini(struct placement *placement)
{
    lamport_fini(&placement->lamport);
    free(placement->lines);
    placement->lines = NULL;
}

csy_status placement_next(struct placement *placement, const struct event *event,
                          int64_t *global_ticks, csy_error *error)
{
    const struct csy_sync *sync = placement->sync;
    csy_status status = CSY_OK;
    int64_t global = 0;
    if (event->thread >= sync->survey.threads.count ||
        (event->track != NO_THREAD && event->track >= sync->survey.threads.ntracks))
        return trace_refuse_changed(sync->trace, error);
    if (sync->read) {
        status = reread_global(sync, event, &global, error);
    } else if (placement_moves_threads(sync)) {
        int64_t local_ticks = event->local_ticks;
        /* cache: the last line that was used of the clock's curve; empty at first */
        struct knots_line *line = placement->lines ? &placement->lines[event->thread] : NULL;
        if (line && (local_ticks < line->from || local_ticks >= line->to))
            *line = knots_line(&sync->drift->clocks[event->thread], local_ticks);
        int128 placed = line ? local_ticks + knots_line_ticks(line, local_ticks)
                             : placement_of(sync, event->thread, local_ticks);
        global = (int64_t)placed;
        status = fits_int64(placed) ? CSY_OK : trace_refuse_changed(sync->trace, error);
    } else if (sync->times) {
        if (event->position >= sync->survey.records)
            return trace_refuse_changed(sync->trace, error);
        global = sync->times[event->position];
    } else {
        status =
            lamport_next(&placement->lamport, event->thread, event->local_ticks, &global, error);
    }
    if (status)
        return status;
    if (sync->monotonic && global < placement->greatest)
        global = placement->greatest;
    *global_ticks = placement->greatest = global;
    return CSY_OK;
}

csy_status csy_sync_global(const csy_sync *sync, size_t thread, int64_t local_ticks,
                           int64_t *global_ticks, csy_error *error)
{
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (status)
        return status;
    if (thread >= sync->survey.threads.count)
        return error_set(error, CSY_USAGE, "%s: a time of thread %zu is asked for, of %zu",
                         sync->trace->name, thread, sync->survey.threads.count);
    int128 global = placement_of(sync, thread, local_ticks);
    *global_ticks = (int64_t)global;
    return fits_int64(global)
               ? CSY_OK
               : error_set(error, CSY_INPUT, "%s: global time leaves 64 bits", sync->trace->name);
}
