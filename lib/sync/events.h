/* A solution laid over its trace: events with global times (csy_events_*). */
#ifndef SYNC_EVENTS_H
#define SYNC_EVENTS_H

#include "fast/fast.h"
#include "sync/placement.h"

/* Plain records of a .pex that have been read and not given out yet. */
struct events_run {
    uint8_t *room;
    const uint8_t *at, *end; /* with global stamps, in room */
    const uint8_t *original; /* as they are in the file */
    uint64_t position, place;
};

struct csy_events {
    const struct csy_sync *sync;
    struct csy_trace *trace; /* as it was opened; the timeline's may be a fork of it */
    struct progress progress;
    struct placement placement;
    struct fast *fast;   /* where a thread has one offset, or NULL */
    struct rebase rough; /* the solution's, for that */
    struct timeline timeline;
    struct events_run run;
    struct event event;      /* the last one that events_next gave */
    struct decoder *decoder; /* of sync/decode.c; NULL until it is wanted */
};

/* Whether the global time of an event is its local time and the one offset of its clock: clocks do
 * not drift, and no event is moved by itself. */
bool events_are_by_offsets(const struct csy_sync *sync);

/* As csy_events_open, but it moves the place of the trace itself, as all passes do. */
csy_status events_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct csy_events **out, csy_error *error);

/* What csy_events_free does but for the decoder. */
void events_close(struct csy_events *events);

/* csy_events_next, where no batch was read. */
csy_status events_next(struct csy_events *events, csy_event *out, bool *more, csy_error *error);

/* Read on, where the next events are plain records of clocks that have one offset; then
 * events_plain gives them one by one.  None where the next one is to go by events_next. */
csy_status events_fill(struct csy_events *events, csy_error *error);

/* The next of them, and its offset in the record file; false where there is none.  Its bytes hold
 * until the next events_fill. */
static inline bool events_plain(struct csy_events *events, csy_event *out, uint64_t *place)
{
    struct events_run *run = &events->run;
    const uint8_t *p = run->at;
    if (p == run->end)
        return false;
    out->record = run->position++;
    out->thread = fast_thread_of(fast_threads(events->fast), p);
    out->track = CSY_NO_TRACK;
    out->global_ticks = (int64_t)load64(p + RECORD_PREFIX_BYTES);
    out->local_ticks =
        (int64_t)placement_local(events->sync->views[out->thread].offset_ticks, out->global_ticks);
    out->bytes = run->original;
    out->size = load16(run->original);
    *place = run->place;
    run->at += load16(p);
    run->original += out->size;
    run->place += out->size;
    return true;
}

/* All that is known of an event that is a plain record. */
struct events_source {
    struct event event;
    struct record record;
};

static inline void events_source_init(struct events_source *source)
{
    *source = (struct events_source){.event = {.track = NO_THREAD, .ended = NO_THREAD}};
}

/* What events_plain gave, for code that handles events of any kind; holds until the next. */
static inline const struct event *events_source_of(struct events_source *source,
                                                   const csy_event *plain, uint64_t place)
{
    struct event *event = &source->event;
    struct record *record = &source->record;
    record_load(record, plain->bytes, false);
    record->position = event->position = plain->record;
    record->offset = event->place = place;
    event->thread = (uint32_t)plain->thread;
    event->local_ticks = plain->local_ticks;
    event->bytes = plain->bytes;
    event->size = plain->size;
    event->record = record;
    return event;
}

/* As many of the next events as are plain, as records of a synchronized trace into that much room;
 * what does not go this way goes by csy_events_next. */
csy_status events_copy(struct csy_events *events, uint8_t *out, size_t room,
                       struct fast_taken *taken, csy_error *error);

/* The global times of the next events, up to n of them, as far as these are plain records; none
 * where the next one is not. */
csy_status events_time(struct csy_events *events, int64_t *times, size_t n,
                       struct fast_taken *taken, csy_error *error);

/* Plain records that csy_events_read would give next: as they are in the file, one after the other,
 * with their global times; none where the next one is not plain.  They hold until the next ones are
 * read; what follows is read once so many of them, up to `at`, were skipped. */
struct events_next_plain {
    const uint8_t *at;
    const int64_t *times;
    size_t n;
    uint64_t position;
    const struct fast_threads *threads;
};
csy_status events_next_plain(struct csy_events *events, struct events_next_plain *out,
                             csy_error *error);
void events_skip_plain(struct csy_events *events, const uint8_t *at, size_t n);

/* The same as events_copy by several threads, where that is worth while; none are taken where it is
 * not. */
csy_status events_share(struct csy_events *events, const struct fast_sink *sink,
                        struct fast_taken *taken, csy_error *error);

/* Let the next event be that record, of those there are, or the end. */
csy_status events_seek(struct csy_events *events, uint64_t record, csy_error *error);

/* Measure the global times of records up to that position, as many as are plain; none where the
 * next one is not. */
csy_status events_measure(struct csy_events *events, uint64_t until, struct measured *measured,
                          struct fast_taken *taken, csy_error *error);

#endif
