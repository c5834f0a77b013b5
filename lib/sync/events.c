/* Reads the events of a trace with the global times of a solution. */
#include "sync/events.h"

#include "base/error.h"
#include "sync/reread.h"

#include <stdlib.h>

/* Size of the buffer for consecutive records with global timestamps. */
enum { RUN_BYTES = 64 * 1024 };

/* Start the fast path (fast/fast.h) if the trace has one and each clock has one offset. */
static csy_status make_fast(struct csy_events *events, csy_error *error)
{
    const struct csy_sync *sync = events->sync;
    /* The fast path computes each global time as local time plus the offset of the clock. */
    bool by_offsets =
        !sync->read && !sync->drift && placement_moves_threads(sync) && !sync->monotonic;
    return events->fast || !by_offsets ? CSY_OK
                                       : fast_new(&events->timeline, &events->rough, NULL,
                                                  sync->views, &events->fast, error);
}

static csy_status begin(struct csy_events *events, struct csy_trace *trace, csy_error *error)
{
    const struct csy_sync *sync = events->sync;
    placement_init(&events->placement, sync);
    if (sync->table) { /* the file contains global times, so clocks are not needed */
        events->timeline = (struct timeline){.trace = trace};
        threads_init(&events->timeline.threads);
        return trace_rewind(trace, error);
    }
    events->rough = sync->survey.rough;
    csy_status status =
        timeline_init(&events->timeline, trace, &sync->survey.rules, &sync->survey.lore, error);
    return status || !events->timeline.intervals ? status : make_fast(events, error);
}

static void end(struct csy_events *events)
{
    fast_free(events->fast);
    events->fast = NULL;
    placement_fini(&events->placement);
    timeline_fini(&events->timeline);
}

static csy_status open_on(csy_trace *trace, bool forks, const csy_sync *sync, csy_events **out,
                          csy_error *error)
{
    struct csy_trace *read = trace;
    csy_status status = sync->read ? CSY_OK : solution_check_feasible(sync, error);
    if (status)
        return status;
    struct csy_events *events = calloc(1, sizeof *events);
    if (!events)
        return error_memory(error);
    *events = (struct csy_events){.sync = sync, .trace = trace, .progress = trace->progress};
    if (forks)
        status = trace_fork(trace, &read, error);
    if (status) {
        free(events);
        return status;
    }
    status = begin(events, read, error);
    if (status)
        events_close(events);
    else
        *out = events;
    return status;
}

csy_status events_open(csy_trace *trace, const csy_sync *sync, csy_events **out, csy_error *error)
{
    return open_on(trace, false, sync, out, error);
}

csy_status csy_events_open(const csy_sync *sync, csy_events **out, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    return open_on(trace, true, sync, out, error);
}

/* Show progress if records were taken. Returns `status`. */
static csy_status note_taken(const struct csy_events *events, const struct fast_taken *taken,
                             csy_status status)
{
    if (taken->records > 0)
        progress_show(&events->progress, events->timeline.trace);
    return status;
}

csy_status events_copy(struct csy_events *events, uint8_t *out, size_t room,
                       struct fast_taken *taken, csy_error *error)
{
    *taken = (struct fast_taken){0};
    csy_status status = events->fast ? fast_write(events->fast, out, room, taken, error) : CSY_OK;
    return note_taken(events, taken, status);
}

csy_status events_time(struct csy_events *events, int64_t *times, size_t n,
                       struct fast_taken *taken, csy_error *error)
{
    *taken = (struct fast_taken){0};
    csy_status status = events->fast ? fast_time(events->fast, times, n, taken, error) : CSY_OK;
    return note_taken(events, taken, status);
}

csy_status events_fill(struct csy_events *events, csy_error *error)
{
    struct events_run *run = &events->run;
    struct fast_taken taken;
    if (!events->fast)
        return CSY_OK;
    if (!run->room && !(run->room = malloc(RUN_BYTES)))
        return error_memory(error);
    run->position = events->timeline.records;
    run->place = bytes_offset(events->timeline.trace->bytes);
    csy_status status = events_copy(events, run->room, RUN_BYTES, &taken, error);
    run->at = run->room;
    run->end = run->at + taken.written;
    run->original = taken.bytes;
    return status;
}

csy_status events_measure(struct csy_events *events, uint64_t until, struct measured *measured,
                          struct fast_taken *taken, csy_error *error)
{
    *taken = (struct fast_taken){0};
    csy_status status = make_fast(events, error);
    if (!status && events->fast)
        status = fast_measure(events->fast, until, measured, taken, error);
    return note_taken(events, taken, status);
}

csy_status events_share(struct csy_events *events, const struct fast_sink *sink,
                        struct fast_taken *taken, csy_error *error)
{
    *taken = (struct fast_taken){0};
    csy_status status = events->fast ? fast_share(events->fast, sink, taken, error) : CSY_OK;
    return note_taken(events, taken, status);
}

csy_status events_next(struct csy_events *events, csy_event *out, bool *more, csy_error *error)
{
    const struct csy_sync *sync = events->sync;
    struct event *event = &events->event;
    csy_status status = sync->table ? reread_record(sync, &events->timeline, event, more, error)
                                    : timeline_next(&events->timeline, event, more, error);
    if (!status && *more)
        status = timeline_describe(&events->timeline, event, error);
    if (status)
        return status;
    if (!*more)
        return events->timeline.records == sync->survey.records
                   ? CSY_OK
                   : trace_refuse_changed(sync->trace, error);
    int64_t global = 0;
    progress_note(&events->progress, events->timeline.trace, event->position);
    status = placement_next(&events->placement, event, &global, error);
    if (status)
        return status;
    if (events->fast)
        fast_note(events->fast, event,
                  rebase_x(&sync->survey.rough, event->thread, event->local_ticks));
    *out = (csy_event){
        .record = event->position,
        .thread = event->thread,
        .track = event->track == NO_THREAD ? CSY_NO_TRACK : event->track,
        .local_ticks = event->local_ticks,
        .global_ticks = global,
        .bytes = event->bytes,
        .size = event->size,
    };
    return CSY_OK;
}

csy_status events_seek(struct csy_events *events, uint64_t record, csy_error *error)
{
    struct csy_trace *trace = events->timeline.trace;
    csy_status status = CSY_OK;
    if (record < events->timeline.records) {
        end(events);
        status = begin(events, trace, error);
    }
    while (!status && events->timeline.records < record) {
        struct fast_taken taken;
        csy_event event;
        bool more;
        /* Skip plain records before position `record`. */
        taken = (struct fast_taken){0};
        status = make_fast(events, error);
        if (!status && events->fast)
            status = fast_take(events->fast, record, &taken, error);
        status = note_taken(events, &taken, status);
        if (!status && taken.records == 0) {
            status = events_next(events, &event, &more, error);
            if (!status && !more) /* events_next has checked that no record is missing */
                break;
        }
    }
    return status;
}

void events_close(struct csy_events *events)
{
    free(events->run.room);
    struct csy_trace *read = events->timeline.trace;
    end(events);
    trace_join(events->trace, read);
    free(events);
}
