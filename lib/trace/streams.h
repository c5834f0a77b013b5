/* Reads locations of a trace separately, several at a time, by several workers.
 *
 * Keys of messages and operations are numbers. Events that do not affect the order are only
 * counted. This reading stops at everything unusual, such as an unreadable file, or a receive whose
 * time of posting is unknown. The caller then reads the trace in the ordinary way, which handles
 * these cases and reports them. */
#ifndef TRACE_STREAMS_H
#define TRACE_STREAMS_H

#include "trace/event.h"

enum stream_role {
    STREAM_SEND,
    STREAM_RECV,
    STREAM_MEMBER, /* what one member does in a collective operation */
    /* an event without effect on the order. Batches contain such items if the caller needs all
     * events, and for the first event of a location that others may spawn. */
    STREAM_PLAIN
};

/* An event that affects the order. */
struct stream_item {
    /* number of the event in its location (stream_reading.whole: in the trace); event.place */
    uint64_t position, place;
    int64_t time_ticks;
    /* the begin of a send or an operation; for a receive, the time when it was posted */
    int64_t other_ticks;
    int64_t before_ticks; /* time of the previous event, if interval is true and position > 0 */
    /* for a message: the channel, equal in send and receive; for an operation: the group, the root,
     * a number for the source or the instance, and the rank of the member */
    uint32_t key[4];
    uint32_t ranks; /* for an operation: number of members of the group that may take part */
    uint8_t role;
    uint8_t kind;               /* for an operation: enum collective_kind */
    bool interval;              /* true if the event has a begin, which is in other_ticks */
    bool gives, gets, has_root; /* for an operation: it gives data, gets data, has a root */
    bool has_instance;          /* for an operation: true if key[2] is the number of its instance */
};

/* Returns true if the begin of the item is before the previous event of its location. */
static inline bool stream_is_early(const struct stream_item *item)
{
    return item->interval && item->position > 0 && item->before_ticks > item->other_ticks;
}

/* Totals of all events of a location. */
struct stream_totals {
    uint64_t events, sends, receives, operations;
    uint64_t first_position, last_position; /* only with stream_reading.whole */
    int64_t first_ticks, last_ticks; /* all times of events are from first_ticks to last_ticks */
    bool first_begins; /* true if the first event has a begin, which is first_begin_ticks */
    int64_t first_begin_ticks;
};

/* The time and the place of an event. */
struct stream_time {
    int64_t ticks;
    uint64_t position, place; /* as in struct stream_item */
};

/* Items from one chunk of a location. Sends are in the order of the file, receives in the order of
 * their posting. */
struct stream_batch {
    size_t location;
    const struct stream_item *items; /* valid until the next batch */
    size_t count;
    const struct stream_time *times; /* times of all events; valid until the next batch */
    size_t ntimes;
    /* ticks by which the location had advanced before the chunk, counted as in streams_part; no
     * open location had advanced less */
    int64_t elapsed_ticks;
    uint64_t known; /* position before which the caller has got all items */
    /* time before which the caller has got all items; INT64_MAX: all items. With one clock per
     * location, only the last batch sets it. */
    int64_t known_ticks;
    bool ended;                  /* true if the location has no more events after the batch */
    struct stream_totals totals; /* totals of all events of the location so far */
};

/* The part of the trace that one worker reads: the locations first, first + step, and so on,
 * several at a time. The next chunk comes from the open location that has advanced least by its
 * clock, so locations advance side by side. Clocks count from the location's first event, or, with
 * `starts`, from the first event of any location on the clock. Locations that the caller wants are
 * read before all others. */
struct streams_part {
    size_t first, step;
    size_t open_most;       /* number of locations that are open at a time */
    size_t open_limit;      /* number of open locations if widens() returns true; >= open_most */
    size_t chunk;           /* number of records of a location that are read at a time; > 0 */
    const uint32_t *clocks; /* for each location: the number of its clock */
    /* for each clock: the earliest first event of a location so far, in any part; initially
     * INT64_MAX. NULL: not needed */
    _Atomic int64_t *starts;
    bool all;   /* true if each event has an item STREAM_PLAIN, before or after its other items */
    bool times; /* true if batches contain the times of events in their order, and no items */
    /* returns true if the location is read before others; NULL: none is */
    bool (*wants)(const void *user, size_t location);
    /* returns true if open_limit locations may be open; NULL: never */
    bool (*widens)(const void *user);
    const void *user;
};

/* Limits for reading with all locations open: number of locations, number of records that are read
 * at a time from each location, and number of records in all. */
enum { STREAMS_TOGETHER = 4096, STREAMS_CHUNK = 4096, STREAMS_HELD = 1 << 17 };

struct streams; /* the reading of one part by its worker */

/* The state of an open location, or of several locations that are read together. */
struct stream_state {
    bool wanted;           /* true if streams_part.wants is true for one of the locations */
    int64_t elapsed_ticks; /* ticks by which the clock has advanced; -1: nothing was read */
};

/* Returns which of n > 0 items is read next, by the rules at struct streams_part. */
size_t streams_choose(const struct streams *streams, size_t n,
                      struct stream_state (*state)(const struct streams *streams, size_t i));

/* Returns true if the caller wants one of n locations, beginning with the location `first`. */
bool streams_want(const struct streams_part *part, size_t first, size_t n);

/* Returns the number of locations that may be open at present. */
size_t streams_open_most(const struct streams_part *part);

struct stream_reading {
    /* True if events of different locations alternate in the trace, so positions count all events
     * of the trace. False if the trace has one location after the other. */
    bool whole;
    /* Returns the number of locations, or SIZE_MAX if they cannot be read separately. */
    size_t (*count)(struct csy_trace *trace);
    /* Set clocks[i] to the number of the clock of location i. */
    csy_status (*clocks)(const struct csy_trace *trace, uint32_t *clocks, csy_error *error);
    /* Begin to read a part. The caller calls stop afterwards, even if start or next fails. */
    csy_status (*start)(const struct csy_trace *trace, const struct streams_part *part,
                        struct streams **out, csy_error *error);
    /* Read the next batch. Returns false at the end of the part and after a failure. */
    bool (*next)(struct streams *streams, struct stream_batch *batch);
    bool (*failed)(const struct streams *streams);
    /* After all n parts have ended, set the members of the trace that ordinary reading sets. NULL:
     * there are none. */
    void (*end)(struct csy_trace *trace, struct streams *const *parts, size_t n);
    void (*stop)(struct streams *streams);
    /* Convert an item to an event. A NULL item gives an event that does not affect the order. The
     * caller sets position and time. Pointers in the event are valid until the next call. */
    void (*event)(struct csy_trace *trace, size_t location, const struct stream_item *item,
                  struct event *event);
};

#endif
