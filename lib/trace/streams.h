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
    STREAM_MEMBER, /* a member's part of a collective operation */
    STREAM_PLAIN   /* no effect on the order. Batches contain these items only if the caller needs
                      all events, and for the first event of a location that others may spawn. */
};

/* An event that affects the order. */
struct stream_item {
    uint64_t position, place; /* the number of the event in its location, from 0, or in the trace
                                 (stream_reading.whole); event.place */
    int64_t time_ticks;
    int64_t other_ticks;  /* send: when the message left, which is the begin if there is one;
                             receive: when it was posted; operation: its begin, if any */
    int64_t before_ticks; /* with a begin and position > 0: the time of the event before it */
    uint32_t key[4];      /* message: the channel, equal at both ends; operation: the group, the
                             root, a number for the source or the instance, and the rank of the
                             member */
    uint32_t ranks;       /* operation: how many members of the group may take part */
    uint8_t role;
    uint8_t kind;               /* operation: enum collective_kind */
    bool interval;              /* the event has a begin, in other_ticks */
    bool gives, gets, has_root; /* operation */
    bool has_instance;          /* operation: the number of its instance is in key[2] */
};

/* Returns true if the begin has a lower timestamp than the previous event of the location. */
static inline bool stream_is_early(const struct stream_item *item)
{
    return item->interval && item->position > 0 && item->before_ticks > item->other_ticks;
}

/* Totals over the events of a location. */
struct stream_totals {
    uint64_t events, sends, receives, operations;
    uint64_t first_position, last_position; /* only with stream_reading.whole */
    int64_t first_ticks, last_ticks;        /* all times of events are in this range */
    bool first_begins;                      /* the first event has a begin, first_begin_ticks */
    int64_t first_begin_ticks;
};

/* The time of an event. */
struct stream_time {
    int64_t ticks;
    uint64_t position, place; /* as in struct stream_item */
};

/* Items from one chunk of a location: sends in the order of the file, receives by posting. */
struct stream_batch {
    size_t location;
    const struct stream_item *items; /* valid until the next batch */
    size_t count;
    const struct stream_time *times; /* times of all events of the batch; valid until the next
                                      * batch */
    size_t ntimes;
    int64_t elapsed_ticks; /* how far the clock of the location had advanced before this chunk,
                            * counted as in streams_part; no open location had advanced less */
    uint64_t known;        /* all items of events before this position were passed on */
    int64_t known_ticks;   /* all items of events before this time were passed on; INT64_MAX: all
                            * items. With one clock per location, set at the end only. */
    bool ended;            /* the location has no more events; `totals` count all events so far */
    struct stream_totals totals;
};

/* The part of the trace that one worker reads: the locations first, first + step, and so on,
 * several at a time. The worker always reads the next chunk of the open location that has advanced
 * least by its clock, so that locations advance side by side. The clock is counted from the
 * location's first event, or with `starts` from the first event of any location on this clock.
 * Locations that the caller wants are read before all others. */
struct streams_part {
    size_t first, step;
    size_t open_most;        /* how many locations are open at a time */
    size_t open_limit;       /* number of open locations if widens() returns true; >= open_most */
    size_t chunk;            /* how many records of a location are read at a time; > 0 */
    const uint32_t *clocks;  /* by location: the number of its clock */
    _Atomic int64_t *starts; /* by clock: the time of its earliest first event so far in all parts,
                                initially INT64_MAX; NULL: not needed */
    bool all;   /* events also have items STREAM_PLAIN, before or after their other items */
    bool times; /* batches contain the times of events in their order, and no items */
    bool (*wants)(const void *user, size_t location); /* returns true for a location to be read
                                                       * early; or NULL */
    bool (*widens)(const void *user);                 /* returns true to open up to open_limit
                                                       * locations; or NULL */
    const void *user;
};

/* Limits for reading with all locations open: how many locations, how many records of each at a
 * time, and how many records of all together. */
enum { STREAMS_TOGETHER = 4096, STREAMS_CHUNK = 4096, STREAMS_HELD = 1 << 17 };

struct streams; /* the reading of one part by its worker */

/* What is open, a location or several that are read together. */
struct stream_state {
    bool wanted;           /* by streams_part.wants, one of its locations */
    int64_t elapsed_ticks; /* how far its clock has advanced; -1: nothing was read */
};

/* Choose which of n > 0 items is read next, as defined at streams_part. */
size_t streams_choose(const struct streams *streams, size_t n,
                      struct stream_state (*state)(const struct streams *streams, size_t i));

/* True if the caller wants one of n locations from the first on. */
bool streams_want(const struct streams_part *part, size_t first, size_t n);

/* How many locations may be open at present. */
size_t streams_open_most(const struct streams_part *part);

struct stream_reading {
    /* Events of different locations alternate in the trace, so positions count all events of the
     * trace. Otherwise the locations follow one another in the trace. */
    bool whole;
    /* The number of locations; SIZE_MAX if they cannot be read separately. */
    size_t (*count)(struct csy_trace *trace);
    /* Set the number of the clock of each location. */
    csy_status (*clocks)(const struct csy_trace *trace, uint32_t *clocks, csy_error *error);
    /* Begin to read a part. The caller calls stop afterwards, even if start or next fails. */
    csy_status (*start)(const struct csy_trace *trace, const struct streams_part *part,
                        struct streams **out, csy_error *error);
    /* Read the next batch. Returns false at the end of the part and after a failure. */
    bool (*next)(struct streams *streams, struct stream_batch *batch);
    bool (*failed)(const struct streams *streams);
    /* After all n parts have ended: set members of the trace that one pass of ordinary reading
     * sets. NULL: there are none. */
    void (*end)(struct csy_trace *trace, struct streams *const *parts, size_t n);
    void (*stop)(struct streams *streams);
    /* Convert an item to an event. A NULL item gives an event that does not affect the order. The
     * caller sets position and time. Pointers in the event are valid until the next call. */
    void (*event)(struct csy_trace *trace, size_t location, const struct stream_item *item,
                  struct event *event);
};

#endif
