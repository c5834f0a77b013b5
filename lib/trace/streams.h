/* Reads locations of a trace separately, with several workers at the same time.
 *
 * Names, such as channel names, become numbers (stream_item.key). Events that do not affect the
 * order are only counted. If a file is unreadable, or an item cannot describe an event, the reading
 * stops. The caller then reads the trace in the ordinary way (source.next) and reports errors. */
#ifndef TRACE_STREAMS_H
#define TRACE_STREAMS_H

#include "base/array.h"
#include "trace/event.h"

enum stream_role {
    STREAM_SEND,
    STREAM_RECV,
    STREAM_MEMBER, /* what one member does in a collective operation */
    /* an event regardless of its role. If streams_part.all or streams_part.plain is true, each
     * event has such an item. Otherwise, only the first event of a location that others may spawn
     * has one. */
    STREAM_PLAIN
};

struct stream_item {
    /* position: index of the event in its location (in the trace if stream_reading.whole is true);
     * place: where it is in the file, as event.place */
    uint64_t position, place;
    int64_t time_ticks;
    int64_t other_ticks;  /* begin of a send or operation; posting of a receive */
    int64_t before_ticks; /* time of the location's previous event, if there is one */
    /* For a message: four numbers that identify its channel. For a collective operation: the group,
     * the root, the instance or another number from the trace, and the rank of the process. */
    uint32_t key[4];
    uint32_t ranks; /* for an operation: number of group members that may take part */
    uint8_t role;
    uint8_t kind;               /* for an operation: its kind, an enum collective_kind */
    bool interval;              /* true if the event has a begin, which is in other_ticks */
    bool gives, gets, has_root; /* true if the process gives data, gets data, or names a root */
    bool has_instance;
};

/* Returns true if the item begins before the end of the previous event of its location. */
static inline bool stream_is_early(const struct stream_item *item)
{
    return item->interval && item->position > 0 && item->before_ticks > item->other_ticks;
}

/* The results of fast_streams_read (fast/fast.h) for a channel. */
struct stream_channel {
    bool shared; /* true if several locations of one clock send to it, or several receive */
    bool open;   /* true if the channel has receives, but more sends */
};

/* A member of a group: key[0] and key[3] of its operations in struct stream_item. */
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
    uint64_t first_position, last_position; /* numbers of the first and the last event in the trace;
                                             * only set if stream_reading.whole is true */
    int64_t first_ticks, last_ticks;        /* least and greatest time of an event, in ticks */
    bool first_begins; /* true if first_begin_ticks is the begin of the first event */
    int64_t first_begin_ticks;
};

/* Successive events of a location. Sends are in the order of the file, and receives in the order in
 * which they were posted. */
struct stream_batch {
    size_t location;
    const struct stream_item *items; /* valid until the next batch */
    size_t count;
    uint64_t known; /* least position that later batches of the location may have */
    /* No later batch of the location has an item before this time; INT64_MAX at the end. If each
     * location has its own clock, it may be set only in the last batch. */
    int64_t known_ticks;
    bool ended;                  /* true if the location has no more events after the batch */
    struct stream_totals totals; /* totals of the location, up to and including this batch */
};

/* The part of the trace that one worker reads: the locations first, first + step, first + 2 step,
 * and so on. Up to open_most locations are open at the same time. The next chunk comes from a
 * location for which `wants` returns true. Otherwise, it comes from the location where the time
 * from the first event to the last one read is least. If `starts` is not NULL, this time begins at
 * the first event of any location with the same clock. */
struct streams_part {
    size_t first, step, open_most;
    size_t chunk;           /* number of records that are read from a location at a time; > 0 */
    const uint32_t *clocks; /* clock of each location; unused if `starts` is NULL */
    /* For each clock: the time of its earliest event so far, initially INT64_MAX. NULL if the
     * caller does not need these times. */
    int64_t *starts;
    bool all;   /* true if each event also becomes an item STREAM_PLAIN */
    bool plain; /* true if each event becomes only an item STREAM_PLAIN */
    /* Returns true if the caller needs the events of this location first. NULL: the order of
     * locations does not matter. */
    bool (*wants)(const void *user, size_t location);
    const void *user;
};

/* Limits if all locations are open: locations, records in a chunk, and records in memory. */
enum { STREAMS_TOGETHER = 4096, STREAMS_CHUNK = 4096, STREAMS_HELD = 1 << 17 };

/* An open file, which has the events of one location or of several. It is the first member of the
 * struct that a format uses for an open file. */
struct stream_file {
    size_t first, nlocations; /* its locations */
    size_t nbatches;          /* number of batches that were read, but not given yet */
    bool ended;               /* true at the end of the file */
    int64_t last_ticks;       /* time of the last record */
    struct stream_totals totals;
};

/* The state of a worker that reads a part. */
struct streams {
    const struct csy_trace *trace;
    struct streams_part part;
    size_t nfiles, next; /* number of files, and the next one to open */
    struct stream_file **open;
    size_t nopen;
    size_t current; /* index of the file that was read last, in `open` */
    struct stream_item *items;
    size_t count, capacity;
    bool failed; /* true if the trace must be read in the ordinary way */
    void *own;   /* state of the format, which streams_stop frees */
};

/* Begin to read a part. Call streams_stop afterwards, even if this or streams_next fails. */
csy_status streams_start(const struct csy_trace *trace, const struct streams_part *part,
                         struct streams **out, csy_error *error);

/* Read the next batch. Returns false at the end of the part and after a failure. */
bool streams_next(struct streams *streams, struct stream_batch *batch);
void streams_stop(struct streams *streams);

static inline bool streams_add(struct streams *streams, const struct stream_item *item)
{
    return ARRAY_PUSH(streams->items, streams->count, streams->capacity, *item);
}

/* How a format reads its locations separately. Functions that return false make the reading fail.
 */
struct stream_reading {
    /* True if events of different locations alternate. stream_item.position then counts the events
     * of the trace. Otherwise, it counts the events of one location. */
    bool whole;
    /* Returns the number of locations, or SIZE_MAX if they cannot be read separately. */
    size_t (*count)(struct csy_trace *trace);
    /* Set clocks[i] to the number of the clock of location i. */
    csy_status (*clocks)(const struct csy_trace *trace, uint32_t *clocks, csy_error *error);
    /* Set `nfiles`, and the state of the format. */
    csy_status (*start)(struct streams *streams, csy_error *error);
    /* Open the file `number`. If *out stays NULL, the open files are read to their ends first. */
    bool (*open)(struct streams *streams, size_t number, struct stream_file **out);
    /* Read at most part.chunk records. Sets ended, last_ticks, and totals.events and first_ticks,
     * and adds items with streams_add. Sets nbatches if it is not 1. */
    bool (*read)(struct streams *streams, struct stream_file *file);
    /* Change a batch that was read. It has the added items and the totals of the file, and all
     * later events have a later position and are not before last_ticks. May be NULL. */
    void (*give)(struct stream_file *file, struct stream_batch *batch);
    void (*close)(struct stream_file *file);
    /* Free what `own` points to. May be NULL. */
    void (*stop)(struct streams *streams);
    /* After all n parts, do what reading in the ordinary way does at the end, such as warn. May be
     * NULL. */
    void (*end)(struct csy_trace *trace, struct streams *const *parts, size_t n);
    /* Make an event from *item. If `item` is NULL, make an event without a role. The caller sets
     * the event's position and time. Pointers in the event are valid until the next call. */
    void (*event)(struct csy_trace *trace, size_t location, const struct stream_item *item,
                  struct event *event);
};

#endif
