/* Reads locations of a trace separately, with several workers at the same time.
 *
 * The keys of messages and operations become numbers. Events that do not affect the order are only
 * counted. Anything unusual, such as an unreadable file, makes this reading stop. The caller then
 * reads the trace in the ordinary way, which can also report errors. */
#ifndef TRACE_STREAMS_H
#define TRACE_STREAMS_H

#include "trace/event.h"

enum stream_role {
    STREAM_SEND,
    STREAM_RECV,
    STREAM_MEMBER, /* what one member does in a collective operation */
    /* an event that does not affect the order. Only the first event of a location that others may
     * spawn becomes such an item, unless streams_part.all or streams_part.plain is true. */
    STREAM_PLAIN
};

struct stream_item {
    /* position: number of the event in its location or, with stream_reading.whole, in the trace;
     * place: event.place */
    uint64_t position, place;
    int64_t time_ticks;
    int64_t other_ticks;  /* begin of a send or operation; time when a receive was posted */
    int64_t before_ticks; /* time of the location's previous event, if there is one */
    /* For a message, key[0] is the channel. For an operation: the group, the root, the number of
     * the operation or another number from the source, and the rank of the member. */
    uint32_t key[4];
    uint32_t ranks; /* for an operation: number of group members that may take part */
    uint8_t role;
    uint8_t kind;               /* for an operation: its kind, an enum collective_kind */
    bool interval;              /* true if the event has a begin, which is in other_ticks */
    bool gives, gets, has_root; /* true if a member gives data, gets data, or states a root */
    bool has_instance;          /* true if key[2] is the number of the operation */
};

/* Returns true if the item begins before the previous event of its location. */
static inline bool stream_is_early(const struct stream_item *item)
{
    return item->interval && item->position > 0 && item->before_ticks > item->other_ticks;
}

/* What a reading found about a channel. */
struct stream_channel {
    bool shared; /* true if several locations of one clock send, or several receive */
    bool open;   /* true if some of the sends have no receives */
};

/* A member of a group, by its numbers in the source of the trace. */
struct stream_member {
    uint32_t group, rank;
};

static inline struct event_collective stream_item_collective(const struct stream_item *item)
{
    return (struct event_collective){.kind = (enum collective_kind)item->kind,
                                     .enters = true,
                                     .leaves = true,
                                     .gives_nothing = !item->gives,
                                     .gets_nothing = !item->gets,
                                     .has_root = item->has_root,
                                     .self = item->key[3],
                                     .root = item->key[1]};
}

struct stream_totals {
    uint64_t events, sends, receives, operations;
    uint64_t first_position, last_position; /* set only if stream_reading.whole is true */
    int64_t first_ticks, last_ticks;        /* least and greatest time of an event, in ticks */
    bool first_begins; /* true if first_begin_ticks is the begin of the first event */
    int64_t first_begin_ticks;
};

/* A part of a location: its sends in file order, and its receives in the order of posting. */
struct stream_batch {
    size_t location;
    const struct stream_item *items; /* valid until the next batch */
    size_t count;
    uint64_t known; /* the caller has got all items before this position in the location */
    /* The caller has got all items before this time; INT64_MAX: all items. If each location has its
     * own clock, only the last batch sets this member. */
    int64_t known_ticks;
    bool ended;                  /* true if the location has no more events after the batch */
    struct stream_totals totals; /* totals of the location, up to and including this batch */
};

/* The part of the trace that one worker reads: the locations first, first + step, first + 2 step,
 * and so on. Up to open_most locations are open at the same time. The next chunk comes from a
 * location that the caller wants or, if there is none, from the location whose clock has advanced
 * least. This advance begins at the first event of the location. If `starts` is not NULL, it begins
 * at the first event of any location with the same clock. */
struct streams_part {
    size_t first, step, open_most;
    size_t chunk;           /* number of records that are read from a location at a time; > 0 */
    const uint32_t *clocks; /* for each location: the number of its clock; unused without starts */
    /* For each clock: the least time of any first event among locations read so far. Initially
     * INT64_MAX. NULL if the caller does not need it. */
    int64_t *starts;
    bool all;   /* true if each event gets an item STREAM_PLAIN, besides its other items */
    bool plain; /* true if each event gets an item STREAM_PLAIN, and no other items */
    /* Returns true if the location is to be read before others. NULL: no location is. */
    bool (*wants)(const void *user, size_t location);
    const void *user;
};

/* If all locations are open: their greatest number, records in a read, and records in memory. */
enum { STREAMS_TOGETHER = 4096, STREAMS_CHUNK = 4096, STREAMS_HELD = 1 << 17 };

struct streams; /* state of a worker that reads a part */

/* The state of an open location, or of several locations that are read together. */
struct stream_state {
    bool wanted;           /* true if the caller wants one of the locations */
    int64_t elapsed_ticks; /* ticks by which the clock has advanced, or -1 before the first read */
};

/* Returns which of n > 0 open items is to be read next: a wanted one or, if there is none, the one
 * whose clock has advanced least. `state` returns the state of item i. */
static inline size_t streams_choose(const struct streams *streams, size_t n,
                                    struct stream_state (*state)(const struct streams *streams,
                                                                 size_t i))
{
    size_t best = 0;
    struct stream_state least = state(streams, 0);
    for (size_t i = 1; i < n; i++) {
        const struct stream_state item = state(streams, i);
        if (item.wanted > least.wanted ||
            (item.wanted == least.wanted && item.elapsed_ticks < least.elapsed_ticks)) {
            best = i;
            least = item;
        }
    }
    return best;
}

static inline bool streams_want(const struct streams_part *part, size_t first, size_t n)
{
    bool wanted = false;
    for (size_t i = 0; part->wants && i < n && !wanted; i++)
        wanted = part->wants(part->user, first + i);
    return wanted;
}

struct stream_reading {
    /* True if events of different locations alternate in the trace. stream_item.position then
     * counts all events of the trace. False if locations follow one after the other. */
    bool whole;
    /* Returns the number of locations, or SIZE_MAX if they cannot be read separately. */
    size_t (*count)(struct csy_trace *trace);
    /* Set clocks[i] to the number of the clock of location i. */
    csy_status (*clocks)(const struct csy_trace *trace, uint32_t *clocks, csy_error *error);
    /* Begin to read a part. Call `stop` afterwards, even if `start` or `next` fails. */
    csy_status (*start)(const struct csy_trace *trace, const struct streams_part *part,
                        struct streams **out, csy_error *error);
    /* Read the next batch. Returns false at the end of the part and after a failure. */
    bool (*next)(struct streams *streams, struct stream_batch *batch);
    bool (*failed)(const struct streams *streams);
    /* After all n parts, set the members that ordinary reading sets. NULL: nothing is to be set. */
    void (*end)(struct csy_trace *trace, struct streams *const *parts, size_t n);
    void (*stop)(struct streams *streams);
    /* Convert an item to an event. NULL gives an event that does not affect the order. The caller
     * sets position and time. Pointers in the event are valid until the next call. */
    void (*event)(struct csy_trace *trace, size_t location, const struct stream_item *item,
                  struct event *event);
};

#endif
