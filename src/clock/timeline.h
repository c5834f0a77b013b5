/*
 * The events of a trace, whatever its format: each record with its thread and local time.
 *
 * A timeline reads a whole trace from its first record.  The first one made of a trace may find
 * that windows must be known beforehand (clock/intervals.h): timeline_finish says so.
 */
#ifndef CLOCK_TIMELINE_H
#define CLOCK_TIMELINE_H

#include "clock/intervals.h"
#include "clock/names.h"
#include "trace/trace.h"

struct event {
    uint64_t position;
    uint64_t place; /* byte offset in the record file; line in a CSV */
    uint32_t thread;
    uint32_t ended; /* a thread that is known to have had its last event before, or NO_THREAD */
    int64_t local_ticks;
    const uint8_t *bytes; /* as they stand in the file; a row without its line end */
    size_t size;
    struct record record; /* .pex */
    struct csv_row row;   /* CSV */
};

struct timeline {
    struct csy_trace *trace;
    struct threads threads;
    uint64_t records; /* read so far */
    struct intervals *intervals;
    struct names *names;
};

/* Rewind the trace and begin; known windows may be NULL and must outlive the timeline.  The caller
 * calls timeline_fini even after a failure. */
csy_status timeline_init(struct timeline *timeline, struct csy_trace *trace,
                         const struct ppe_windows *known, csy_error *error);
void timeline_fini(struct timeline *timeline);

/* The next event; *more is false behind the last.  Pointers hold until the next call. */
csy_status timeline_next(struct timeline *timeline, struct event *event, bool *more,
                         csy_error *error);

/* Behind the last event: what the clocks went through.  *again: the local times were provisional;
 * read the trace again with the windows in *noted, which belongs to the caller. */
void timeline_finish(struct timeline *timeline, bool *again, struct ppe_windows *noted,
                     csy_clock_report *report);

#endif
