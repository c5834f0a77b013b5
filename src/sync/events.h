/* A solution laid over its trace: events with global times (csy_events_*). */
#ifndef SYNC_EVENTS_H
#define SYNC_EVENTS_H

#include "fast/segments.h"
#include "sync/placement.h"

struct csy_events {
    const struct csy_sync *sync;
    struct csy_trace *trace; /* as it was opened; the timeline's may be a fork of it */
    struct progress progress;
    struct placement placement;
    struct lane *lane;   /* .pex, where a thread has one offset */
    struct rebase rough; /* the solution's, for the lane */
    struct timeline timeline;
    struct event event;      /* the last one that events_next gave */
    struct decoder *decoder; /* sync/decode.h; NULL until it is wanted */
};

/* As csy_events_open, but it moves the place of the trace itself, as all passes do. */
csy_status events_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct csy_events **out, csy_error *error);

/* csy_events_next, where no batch was read. */
csy_status events_next(struct csy_events *events, csy_event *out, bool *more, csy_error *error);

/* As many of the next events as are plain, as records of a synchronized trace into that much room;
 * what does not go this way goes by csy_events_next. */
csy_status events_copy(struct csy_events *events, uint8_t *out, size_t room,
                       struct lane_taken *taken, csy_error *error);

/* The same by several threads, where that is worth while; none are taken where it is not. */
csy_status events_share(struct csy_events *events, const struct segments_sink *sink,
                        struct lane_taken *taken, csy_error *error);

/* Pass over records up to that position, as many as are plain; none where the next one is not. */
csy_status events_pass(struct csy_events *events, uint64_t until, struct lane_taken *taken,
                       csy_error *error);

/* Take the next global time: an inversion is a time below the greatest before it. */
static inline void inversions_note(int64_t *greatest, int64_t global_ticks, uint64_t *count,
                                   int64_t *largest_ticks)
{
    if (global_ticks >= *greatest) {
        *greatest = global_ticks;
        return;
    }
    ++*count;
    if (*greatest - global_ticks > *largest_ticks)
        *largest_ticks = *greatest - global_ticks;
}

#endif
