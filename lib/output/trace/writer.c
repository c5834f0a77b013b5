/* A pass over the events of a synchronized trace, by one thread or two. */
#include "output/trace/writer.h"

#include "base/error.h"
#include "base/sort.h"
#include "base/time_window.h"
#include "order/match.h"
#include "output/encode/difference.h"
#include "output/trace/batches.h"
#include "sync/drift/drift.h"
#include "sync/partial/arrows.h"
#include "sync/partial_order.h"

#include <fnmatch.h>
#include <stdlib.h>

/* Traces with fewer records get no worker, because they are written before a thread could start. */
enum { WORKER_RECORDS = 4096 };

/* Process an event, in this thread or in the worker. `user` is a struct writer. */
static csy_status take_event(void *user, const struct event *source, const csy_event *event,
                             bool selected, csy_error *error)
{
    const struct writer *w = user;
    if (selected)
        return w->format->event(w->user, source, event, error);
    return w->format->pass ? w->format->pass(w->user, event, error) : CSY_OK;
}

static bool is_selected(const struct writer *w, const csy_event *event)
{
    bool selected = !w->selection || selection_has(w->selection, event);
    w->trace->written += w->selection && selected;
    return selected;
}

/* Returns the only file of a format, or NULL. */
static struct outfile *file_of(const struct writer *w)
{
    return w->format->has_file ? *(struct outfile *const *)w->user : NULL;
}

/* Make a pass over all events. `batches` is NULL without a worker. */
static csy_status walk_events(struct writer *w, struct csy_events *events, struct flows *flows,
                              struct batches *batches, csy_error *error)
{
    const struct writer_format *format = w->format;
    const struct outfile *file = file_of(w);
    struct events_source source;
    csy_event event;
    uint64_t place;
    bool more = true, stopped = false; /* `stopped` becomes true if the worker fails */
    csy_status status = CSY_OK;
    events_source_init(&source);
    while (!status && !stopped &&
           !(file ? outfile_failed(file) : format->failed && format->failed(w->user))) {
        bool any = false;
        status = format->take_plain ? format->take_plain(w->user, events, error)
                                    : events_fill(events, error);
        while (!format->take_plain && !status && !stopped && events_plain(events, &event, &place)) {
            any = true;
            bool selected = is_selected(w, &event);
            status = batches ? batches_add_plain(batches, &event, place, selected, &stopped, error)
                             : take_event(w, events_source_of(&source, &event, place), &event,
                                          selected, error);
        }
        if (status || any)
            continue;
        status = events_next(events, &event, &more, error);
        if (status || !more)
            break;
        bool selected = is_selected(w, &event);
        events->event.flows = flows ? flows_take(flows, &events->event) : NULL;
        status = batches ? batches_add(batches, &events->event, &event, selected, &stopped, error)
                         : take_event(w, &events->event, &event, selected, error);
    }
    return status;
}

static void set_relay(const struct writer *w, const struct relay *relay)
{
    struct outfile *file = file_of(w);
    if (file)
        outfile_relay(file, relay);
    else if (w->format->relay)
        w->format->relay(w->user, relay);
}

csy_status writer_walk(const struct writer *writer, csy_error *error)
{
    struct writer copy = *writer, *w = &copy;
    const struct writer_format *format = w->format;
    const struct partial *partial = w->sync->partial;
    csy_events *events = NULL;
    struct flows *flows = NULL;
    struct match *match = NULL; /* messages found by reading the trace again; or NULL */
    struct points points = {0};
    struct batches *batches = NULL;
    csy_error late;
    csy_status status = CSY_OK;
    if (w->selection)
        w->trace->written = 0;
    if (format->messages && partial) {
        /* Pair sends and receives before the events are opened, because this may read the trace. */
        if (partial->streamed || partial->loose)
            status = arrows_match(w->trace, w->sync, &points, &match, error);
        if (!status)
            status = flows_new(match ? match : partial->match, false, &flows, error);
    }
    status = status ? status : events_open(w->trace, w->sync, &events, error);
    if (!status && format->begin)
        status = format->begin(w->user, error);
    if (!status && w->trace->workers > 1 && !(w->trace->partial && format->takes_roles) &&
        w->selection && !format->take_plain && w->sync->survey.records >= WORKER_RECORDS)
        batches_open(take_event, w, &batches);
    if (!status && !batches) {
        status = walk_events(w, events, flows, NULL, error);
    } else if (!status) { /* report a failed write rather than a later failure to read */
        set_relay(w, batches_relay(batches));
        status = walk_events(w, events, flows, batches, &late);
        csy_status written = batches_close(batches, error);
        set_relay(w, NULL);
        if (!written && status && error)
            *error = late;
        status = written ? written : status;
    }
    csy_events_free(events);
    flows_free(flows);
    match_free(match);
    points_fini(&points);
    return status || !format->end ? status : format->end(w->user, error);
}

/* --- Selections ----------------------------------------------------------------------------- */

bool selection_is_part(const csy_output *output)
{
    return output->window || output->only;
}

/* Convert the begin (`first` is true) or end of a window of time to global ticks, rounded into the
 * window, or to a record number. An open end leaves both unchanged. */
static csy_status place_end(const struct csy_sync *sync, const struct window_end *end, bool first,
                            int64_t *ticks, uint64_t *record, csy_error *error)
{
    int128 begin = 0, last = 0, num = end->value.num, den = end->value.den;
    bool spans = true;
    for (size_t t = 0; t < sync->survey.threads.count && spans; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        spans = sync->views[t].offset_ticks != CSY_NO_OFFSET;
        if (!spans)
            begin = sync->origin_ticks;
        else if (thread->first_record == 0)
            begin = placement_of(sync, t, thread->first_ticks);
        if (spans && thread->last_record + 1 == sync->survey.records)
            last = placement_of(sync, t, thread->last_ticks);
    }
    num = end->negative ? -num : num;
    if (end->kind == END_RECORD)
        *record = (uint64_t)end->value.num;
    if (end->kind == END_TICKS)
        *ticks = nearest_int64(num);
    if (end->kind == END_RECORD || end->kind == END_TICKS || end->kind == END_OPEN)
        return CSY_OK;
    if (end->kind == END_PERCENT && !spans)
        return error_set(error, CSY_USAGE,
                         "a window in %% requires a method that gives every clock an offset");
    if (end->kind == END_PERCENT) {
        if (end->value.num > 1000 * (int128)end->value.den)
            num = (end->negative ? -1000 : 1000) * den;
        num *= last - begin;
        den *= 100;
    } else {
        num *= (int128)sync->trace->timebase_hz;
        den *= end->per_second;
    }
    *ticks = nearest_int64(begin + (first ? ceil_div(num, den) : floor_div(num, den)));
    return CSY_OK;
}

csy_status selection_init(struct selection *selection, const struct csy_sync *sync,
                          const csy_output *output, csy_error *error)
{
    size_t tracks = sync->survey.threads.ntracks, n = tracks ? tracks : sync->survey.threads.count;
    *selection = (struct selection){.all = !selection_is_part(output),
                                    .from_ticks = INT64_MIN,
                                    .to_ticks = INT64_MAX,
                                    .to_record = UINT64_MAX};
    if (output->only) {
        selection->threads = calloc(n, sizeof *selection->threads);
        if (!selection->threads)
            return error_memory(error);
        /* The name of a CSV's track, or the name of its clock, selects a track. */
        for (size_t i = 0; i < n; i++) {
            const csy_track *track = sync->tracks ? &sync->tracks[i] : NULL;
            const char *clock = sync->views[track ? track->thread : i].name;
            selection->threads[i] = fnmatch(output->only, clock, 0) == 0 ||
                                    (track && fnmatch(output->only, track->name, 0) == 0);
        }
    }
    if (!output->window)
        return CSY_OK;
    struct window_end from = {0}, to = {0};
    csy_status status = window_read(output->window, &from, &to, error);
    if (!status)
        status =
            place_end(sync, &from, true, &selection->from_ticks, &selection->from_record, error);
    if (!status)
        status = place_end(sync, &to, false, &selection->to_ticks, &selection->to_record, error);
    /* If the window is between two neighbouring ticks, from_ticks is to_ticks + 1. */
    if (!status && (int128)selection->from_ticks - selection->to_ticks > 1)
        status =
            error_set(error, CSY_USAGE, "%s: the window ends before it begins", sync->trace->name);
    return status;
}

void selection_fini(struct selection *selection)
{
    free(selection->threads);
    selection->threads = NULL;
}

/* --- Global times --------------------------------------------------------------------------- */

int64_t times_base(const struct csy_sync *sync)
{
    int128 base = 0;
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        int128 least = sync->views[t].offset_ticks == CSY_NO_OFFSET
                           ? sync->origin_ticks
                           : placement_of(sync, t, sync->survey.threads.items[t].min_ticks);
        base = least < base ? least : base;
    }
    return (int64_t)base;
}

static const struct times_range unbounded = {INT64_MIN, INT64_MAX};

/* Find the range of a record's global time from the bounds of its clock. */
static struct times_range range_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    const csy_thread *view = &sync->views[thread];
    int128 least, greatest;
    if (sync->drift) {
        int128 off = difference_delta(sync, thread);
        if (!drift_bounds(sync, thread, local_ticks, &least, &greatest))
            return unbounded;
        least = local_ticks + floor_div(least - off, AGE_UNIT);
        greatest = local_ticks + ceil_div(greatest + off, AGE_UNIT);
    } else {
        int64_t earliest, latest;
        solution_event_ends(sync, view, &earliest, &latest);
        least = earliest == INT64_MIN ? INT64_MIN : (int128)local_ticks + earliest;
        greatest = latest == INT64_MAX ? INT64_MAX : (int128)local_ticks + latest;
    }
    if (sync->survey.threads.items[thread].set) { /* the clock may have been set here */
        int128 global = placement_of(sync, thread, local_ticks);
        least = global < least ? global : least;
        greatest = global > greatest ? global : greatest;
    }
    return (struct times_range){fits_int64(least) ? (int64_t)least : INT64_MIN,
                                fits_int64(greatest) ? (int64_t)greatest : INT64_MAX};
}

bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2])
{
    const struct survey *survey = &sync->survey;
    bool begins =
        !source->record && source->stamp.interval && !sync->trace->lines.columns.begins_are_stamps;
    ranges[0] = ranges[1] = unbounded;
    if (FIND(&event->record, survey->dropped, survey->ndropped, compare_numbers))
        return begins;
    ranges[0] = range_of(sync, event->thread, event->local_ticks);
    if (begins)
        ranges[1] = range_of(sync, event->thread, source->stamp.begin_ticks);
    return begins;
}
