/* Returns the events of a trace with the global times of a solution, for csy_events_*. */
#ifndef SYNC_EVENTS_H
#define SYNC_EVENTS_H

#include "fast/fast.h"
#include "sync/placement.h"

/* The next n plain records (fast/fast.h) of a .pex, read at once: their bytes and global times. */
struct events_next_plain {
    const uint8_t *at;
    const int64_t *times;
    size_t n;
    uint64_t position;
    const struct fast_threads *threads;
};

struct csy_events {
    const struct csy_sync *sync;
    struct csy_trace *trace; /* trace being read, perhaps through a copy (fork) in `timeline` */
    struct progress progress;
    struct placement placement;
    struct fast *fast; /* reads many records at once; NULL if not possible */
    struct rebase rough;
    struct timeline timeline;
    struct events_next_plain run;
    uint64_t place;          /* offset of the first record of `run` in the file */
    struct event event;      /* the last event that events_next returned */
    struct decoder *decoder; /* state of csy_events_read, or NULL until needed */
};

/* Do the same as csy_events_open, but move the read position of `trace`. */
csy_status events_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct csy_events **out, csy_error *error);

/* Do the same as csy_events_next. Do not use both this function and csy_events_read. */
csy_status events_next(struct csy_events *events, csy_event *out, bool *more, csy_error *error);

/* Read many simple records (called plain in fast/fast.h) ahead for events_plain. Reads none if the
 * offset of a clock is not constant. */
csy_status events_fill(struct csy_events *events, csy_error *error);

/* Get the next record that events_fill read ahead, valid until events_fill is called again. *place
 * becomes its offset in the record file. Returns false if no such record is left. */
static inline bool events_plain(struct csy_events *events, csy_event *out, uint64_t *place)
{
    struct events_next_plain *run = &events->run;
    if (run->n == 0)
        return false;
    out->record = run->position++;
    out->thread = fast_thread_of(run->threads, run->at);
    out->track = CSY_NO_TRACK;
    out->global_ticks = *run->times++;
    out->local_ticks =
        (int64_t)placement_local(events->sync->views[out->thread].offset_ticks, out->global_ticks);
    out->bytes = run->at;
    out->size = load16(run->at);
    *place = events->place;
    run->n--;
    run->at += out->size;
    events->place += out->size;
    return true;
}

/* Room to convert a record that events_plain returned to a struct event. */
struct events_source {
    struct event event;
    struct record record;
};

static inline void events_source_init(struct events_source *source)
{
    *source = (struct events_source){.event = {.track = NO_THREAD, .ended = NO_THREAD}};
}

/* Convert a result of events_plain to an event, which is valid until the next call. */
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

/* Copy simple records (called plain in fast/fast.h) to `out`, with global times. Stop if `out` is
 * full or another kind of record follows. */
csy_status events_copy(struct csy_events *events, uint8_t *out, size_t room,
                       struct fast_taken *taken, csy_error *error);

/* Read the next simple records (called plain in fast/fast.h). They are valid until more are read.
 * After using some of them, call events_skip_plain with their number and the end of their bytes. */
csy_status events_next_plain(struct csy_events *events, struct events_next_plain *out,
                             csy_error *error);
void events_skip_plain(struct csy_events *events, const uint8_t *at, size_t n);

/* Copy simple records (called plain in fast/fast.h) to the sink, by several threads. *taken becomes
 * 0 if one thread is as fast. */
csy_status events_share(struct csy_events *events, const struct fast_sink *sink,
                        struct fast_taken *taken, csy_error *error);

/* Measure plain records (fast/fast.h) up to position `until`, or until another event follows. */
csy_status events_measure(struct csy_events *events, uint64_t until, struct measured *measured,
                          struct fast_taken *taken, csy_error *error);

#endif
