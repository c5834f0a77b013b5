/* Points: the instants of a trace in partial order, and the edges between them.
 *
 *   clock      has an offset; it is a thread of clock/threads.h
 *   location   a thread of the program, which runs code; several locations may share a clock, and
 *              a location may change its clock
 *   point      an instant on a location; its time is between the timestamps lo and hi of its clock
 *   hub        a point without clock or location: every point that enters the hub precedes every
 *              point that leaves it
 *   edge       `from` precedes `to` by at least a latency
 *   chain      a sequence of points, each before the next: the points of a location or of a buffer
 *
 * Every record has a point at its end, and a second one at its begin if edges leave the begin. An
 * edge leads from the begin to the end of the same record. No edge leads from an earlier record of
 * a location to a begin, because a program may begin something before an earlier record ends. See
 * doc/algorithms.md, Partial orders.
 *
 * The points of a chain are added in the order of the chain. Otherwise points and edges are added
 * in any order: a hub may follow points that enter it, and an edge may lead to an earlier point.
 *
 * A record is not stored if it adds no information: it has no edges and no buffer, it has the same
 * clock as the previous record of its location, and its timestamp is not earlier. */
#ifndef CLOCK_POINTS_H
#define CLOCK_POINTS_H

#include "base/number.h"

#define NO_POINT UINT32_MAX
#define NO_LOCATION UINT32_MAX
#define NO_BUFFER UINT32_MAX
#define NO_KEY UINT32_MAX

/* Missing timestamps: LO_NONE is earlier than any timestamp, and HI_NONE is later. */
#define LO_NONE INT64_MIN
#define HI_NONE INT64_MAX

/* INSTANT_LOOSE: one of several events of a clock, but it is not known which. If it is the k-th of
 * them, its time is the k-th earliest of their timestamps. No edges order it with other records. */
/* INSTANT_READING: the value of a clock in a comparison with another clock */
enum instant_kind {
    INSTANT_END,
    INSTANT_BEGIN,
    INSTANT_FLUSH,
    INSTANT_HUB,
    INSTANT_LOOSE,
    INSTANT_READING
};

struct instant {
    /* Earliest and latest time of the point: local time plus an estimate of the clock's offset
     * (order/rebase.h). A hub (point that stands for a group) has no times, so both are 0. */
    int64_t lo, hi;
    uint64_t position, place; /* number of the record in the trace, and its place in the file */
    uint32_t clock;           /* clock that gives lo and hi; for a hub, the number of the hub */
    uint32_t location;        /* NO_LOCATION for a hub */
    uint32_t buffer;          /* the buffer with this point in its order; NO_BUFFER: none */
    uint16_t kind;
    bool chained; /* true if the location's sequence of points includes this point */
};

_Static_assert(sizeof(struct instant) == 48, "the memory of a trace is that of its points");

/* The reason why a point precedes another one. order/visit.h has texts for messages. */
enum edge_kind {
    EDGE_CHAIN, /* from a point to the next point of the same location or buffer; these edges are
                 * not in points.edges */
    /* edge from the begin to the end of a record, unless a chain contains both */
    EDGE_INTERVAL,
    EDGE_AFTER,   /* edge from a record to a later one; the trace states this order */
    EDGE_MESSAGE, /* edge from a send to its receive */
    EDGE_SYNC,    /* from a receive to the end of its send, if the sender waited for the receive */
    EDGE_ENTER,   /* from an event that enters a group, such as a barrier, to the hub of the group.
                   * If the group has no hub: to each event that leaves the group. */
    EDGE_LEAVE,   /* from the hub of a group to an event that leaves the group */
    /* A flush writes a block of records to a buffer at once. The edge leads from a record of the
     * block to the flush, or from a flush to a later record. */
    EDGE_FLUSH,
    EDGE_ROOM,  /* from a wait, which takes an item from a full channel, to the end of the post that
                 * this permits */
    EDGE_LOCK,  /* edge from the release of a lock to a later acquire of the lock */
    EDGE_SPAWN, /* edge from a spawn to the first record of the location that it starts */
    EDGE_JOIN,  /* edge from the last record of a location to the join that waits for it */
    /* from a send to a receive of the same channel that may belong to another message */
    EDGE_APART,
    EDGE_KINDS
};

struct order_edge {
    uint32_t from, to;     /* indexes in points.items */
    int64_t latency_ticks; /* `to` is at least this much later than `from`; not negative */
    uint32_t key;          /* number of the channel's or group's name (points_key), or NO_KEY */
    uint16_t kind;
};

/* Why the time from one point to another is limited */
enum limit_kind {
    LIMIT_LATENCY, /* the longest latency of a message: the receive is at most this much later than
                    * the send */
    LIMIT_SAME,    /* the trace states that several clocks were read at the same moment */
    LIMIT_OFFSET   /* two clocks were compared: their offset is known within limits */
};

/* `later` is at most most_ticks >= 0 after `earlier`, and may even be before it. */
struct order_limit {
    uint32_t later, earlier; /* indexes in points.items */
    int64_t most_ticks;
    uint32_t key; /* number of the channel's or moment's name (points_key), or NO_KEY */
    uint16_t kind;
    uint64_t place; /* place of the record in the file that states this limit */
};

struct location_state {
    bool any;            /* true if the location has records */
    bool gap;            /* true if the last record of the location was not stored, because it adds
                          * no information */
    struct instant last; /* end of the last record, even if the record is not stored */
    uint32_t last_point; /* index of the last record's point in points.items, unless `gap` is
                          * true */
    int64_t greatest;    /* greatest timestamp so far on the current clock of the location */
};

struct points {
    struct instant *items;
    size_t count, capacity;
    struct order_edge *edges; /* edges, sorted by `to` after points_finish */
    size_t nedges, edges_capacity;
    uint32_t *first_edge;       /* index of the first edge that leads to the point */
    struct order_limit *limits; /* upper limits of the time between two points; sorted by `earlier`
                                 * after points_finish */
    size_t nlimits, limits_capacity;
    struct location_state *locations;
    size_t nlocations, locations_capacity;
    size_t nbuffers, nhubs;
    /* If true, the begin of a record is ordered after those records of its location that have
     * earlier timestamps. */
    bool begins_follow;
    /* if two timestamps of a clock differ by less than this, either may be the earlier one */
    int64_t close_ticks;
    /* points_tell would have returned the same so far with every close_ticks from least_above to
     * least_told; if `told` is false, with every close_ticks from least_above on. */
    bool told;
    int64_t least_told, least_above;
    size_t late; /* index of the first flush that was added out of order (points_come_late); 0:
                  * none */
    char *keys;  /* texts, each with a NUL; order_edge.key is an offset in them */
    size_t keys_size, keys_capacity;
};

void points_fini(struct points *points);

/* A record that points_record adds. Records are added in the order of the file. */
struct point_record {
    uint64_t position, place;
    uint32_t clock;
    uint32_t location; /* number of the location, from 0, in the order of first records */
    uint32_t buffer;   /* number of the buffer, in the order of first records, or NO_BUFFER */
    int64_t x;         /* local time at the end of the record, plus an estimate of the clock's
                        * offset (order/rebase.h) */
    bool keyed;        /* true if the record is related to other records, for example as a send, so
                        * it may get edges */
    bool alone;        /* true if the record has no place in the sequence of its location's points;
                        * requires `keyed` */
    bool interval;     /* true if the record has a begin, at the time begin_x <= x */
    int64_t begin_x;
};

/* Add the next record. *end becomes the point at its end, or NO_POINT if the record adds no
 * information (see the head of this file) and `keyed` is false. *begin becomes the point at its
 * begin if the record is keyed and has a begin; otherwise *begin is the same as *end. Returns
 * CSY_MEMORY also for more than 2^32 - 2 points. O(1). */
csy_status points_record(struct points *points, const struct point_record *record, uint32_t *begin,
                         uint32_t *end, csy_error *error);

/* Add an instant that the sequence of its location does not include. Only a flush, which wrote a
 * block of records to a buffer at once, is in the order of its buffer. If the earliest time is
 * unknown, lo is LO_NONE; if the latest time is unknown, hi is HI_NONE. `kind` replaces
 * instant->kind. */
csy_status points_apart(struct points *points, const struct instant *instant,
                        enum instant_kind kind, uint32_t *out, csy_error *error);

/* Call this after the last record, if flushes are still to be added. Add them in the order of their
 * positions. Each then gets its place between earlier points of its buffer. */
void points_come_late(struct points *points);

/* Get the point at the end of a location's last record. If the record was not stored because it
 * adds no information, it is stored now. */
csy_status points_keep_last(struct points *points, uint32_t location, uint32_t *out,
                            csy_error *error);

/* Returns true if two timestamps of one clock that differ by apart_ticks show which came first.
 * They do if they differ by at least close_ticks. */
bool points_tell(struct points *points, int64_t apart_ticks);

/* Add a hub (see the head of this file). Messages to the user mention the record of the point
 * `first` instead. */
csy_status points_hub(struct points *points, uint32_t first, uint32_t *out, csy_error *error);

/* Add a text that edges and limits can refer to. *out is its key. Add equal texts only once. */
csy_status points_key(struct points *points, const char *text, size_t size, uint32_t *out,
                      csy_error *error);

csy_status points_edge(struct points *points, const struct order_edge *edge, csy_error *error);

csy_status points_limit(struct points *points, const struct order_limit *limit, csy_error *error);

/* Get all limits of how much later other points can be than point p. Call this only after
 * points_finish. Returns the number of limits. O(log nlimits). */
size_t points_limits_of(const struct points *points, uint32_t p, const struct order_limit **out);

/* Sort the edges by `to`, stably, in O(points + edges). Needs memory for a copy of the edges. */
csy_status points_finish(struct points *points, csy_error *error);

static inline bool instant_is_hub(const struct instant *instant)
{
    return instant->location == NO_LOCATION;
}

#endif
