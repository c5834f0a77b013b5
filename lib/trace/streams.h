/*
 * Locations of a trace that can be read each by itself, several at a time, by several workers.
 *
 * What an event says of the order is in numbers; events that say nothing of it are only counted.
 * Whatever is out of the ordinary, from a file that cannot be read to a receive of which it is
 * not known when it was posted, ends such a reading: then the trace is to be read the ordinary way,
 * which knows what to say of it.
 */
#ifndef TRACE_STREAMS_H
#define TRACE_STREAMS_H

#include "trace/event.h"

enum stream_role {
    STREAM_SEND,
    STREAM_RECV,
    STREAM_MEMBER, /* of a collective operation */
    STREAM_PLAIN   /* nothing; in batches only where all events are asked for, and of a location
                      that others may spawn the first one */
};

/* An event that says something of the order. */
struct stream_item {
    uint64_t position, place; /* of the events of its location, from 0; and as its source has it */
    int64_t time_ticks;
    int64_t other_ticks;  /* of a send when the message left, which is its begin where it has one;
                             of a receive when it was posted; of an operation its begin, if any */
    int64_t before_ticks; /* if it has a begin, the time of the event before it, if position > 0 */
    uint32_t key[4];      /* the same for both ends of a channel; of operations the group, the root,
                             what the source needs, and the member's rank */
    uint32_t followers;   /* of a receive: events after it, less than follow_ticks later */
    uint32_t ranks;       /* of operations: how many members its group has that may come, */
    uint64_t instance;    /* and which of the group it is, once that is known */
    uint8_t role;
    uint8_t kind; /* of operations: enum collective_kind */
    bool close;   /* less than the window after a receive or an operation, if it is a send that left
                   not before these; before a send or an operation, if it is a receive; if it is an
                   operation, its begin or its end; by its location */
    bool interval;              /* it has a begin: other_ticks */
    bool apart;                 /* of an end that is kept: receives of its channel are missing */
    bool shared;                /* the same: several locations share its channel */
    bool gives, gets, has_root; /* of operations */
};

/* The begin has a lower timestamp than the event before it on its location. */
static inline bool stream_is_early(const struct stream_item *item)
{
    return item->interval && item->position > 0 && item->before_ticks > item->other_ticks;
}

/* What the events of a location come to. */
struct stream_totals {
    uint64_t events, sends, receives, operations;
    int64_t first_ticks, last_ticks; /* no event is outside */
    bool first_begins;               /* the first one has a begin: */
    int64_t first_begin_ticks;
};

/* When an event was. */
struct stream_time {
    int64_t ticks;
    uint64_t place;
};

/* Sends as they come, receives in the order of posting. */
struct stream_batch {
    size_t location;
    const struct stream_item *items; /* hold until the next batch */
    size_t count;
    const struct stream_time *times; /* the same: times of all events of the batch */
    size_t ntimes;
    int64_t elapsed_ticks; /* as below: no location of the part has come less far; but for one
                              chunk */
    uint64_t known;        /* of its events before this position all items have come, */
    int64_t known_ticks;   /* and of those before this time; INT64_MAX: all have; a source whose
                              locations have each a clock of its own says no more than that */
    bool ended;            /* the location has no more events; totals count all events so far: */
    struct stream_totals totals;
};

/* What one of several workers reads: the locations first, first + step and so on, in the order of
 * the trace, some at a time, of which that goes on that has come least far by its clock since its
 * first event, or since that of any location of the clock, so that these are read side by side; of
 * those that the caller wants, if there are any. */
struct streams_part {
    size_t first, step;
    size_t open_most;        /* how many locations are read at a time, */
    size_t open_limit;       /* and once `widens` says so; at least as many */
    size_t chunk;            /* how many records of a location are read at a time; > 0 */
    int64_t window_ticks;    /* > 0; see close */
    int64_t follow_ticks;    /* > 0, at most the window; see followers */
    const uint32_t *clocks;  /* by location, */
    _Atomic int64_t *starts; /* and by clock the time of the first event of those that have come to
                                any part, INT64_MAX at first; NULL: none is asked for */
    bool all;   /* each event has an item that says nothing, too, which may have others of
                             its position before it or after it */
    bool times; /* batches have the times of events, in their order, and no items */
    bool (*wants)(const void *user, size_t location); /* or NULL */
    bool (*widens)(const void *user);                 /* or NULL */
    const void *user;
};

/* So many locations may be read at a time, where more records than this are not held for it. */
enum { STREAMS_TOGETHER = 512, STREAMS_CHUNK = 4096, STREAMS_HELD = 1 << 17 };

struct streams; /* of a worker */

struct stream_reading {
    size_t (*count)(const struct csy_trace *trace); /* of locations */
    /* A number for the clock of each location. */
    csy_status (*clocks)(const struct csy_trace *trace, uint32_t *clocks, csy_error *error);
    csy_status (*start)(const struct csy_trace *trace, const struct streams_part *part,
                        struct streams **out, csy_error *error);
    /* false: there are no more, or it cannot go on. */
    bool (*next)(struct streams *streams, struct stream_batch *batch);
    bool (*failed)(const struct streams *streams);
    /* All n parts have come to their end: tell of the trace what the ordinary way would, having
     * read it once.  NULL: nothing. */
    void (*end)(struct csy_trace *trace, struct streams *const *parts, size_t n);
    void (*stop)(struct streams *streams);
    /* Make an event of an item, or of NULL one that says nothing of the order; its position and
     * time are the caller's.  What it points to holds until the next call. */
    void (*event)(struct csy_trace *trace, size_t location, const struct stream_item *item,
                  struct event *event);
};

#endif
