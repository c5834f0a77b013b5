/* Points: the instants of a trace in partial order, and the edges between them.
 *
 *   clock      has an offset; it is a thread of clock/threads.h
 *   location   a thread of the program, which runs code; several locations may share a clock, and
 *              a location may change its clock
 *   point      an instant on a location; its time is between the timestamps lo and hi of its clock
 *   hub        a point without clock or location: every point that enters the hub precedes every
 *              point that leaves it
 *   edge       `from` precedes `to` by at least a latency
 *   chain      a sequence of points, each of which precedes the next: the points of a location, or
 *              of a buffer
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

/* An INSTANT_LOOSE is the k-th earliest of several events on one clock, with the k-th earliest of
 * their timestamps. Nobody knows which event it is, so it is ordered with no other record. */
/* An INSTANT_READING is a clock's reading when it was compared with another clock. */
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
    uint32_t clock;           /* clock of the point; for a hub, number of the hub */
    uint32_t location;        /* location of the point, or NO_LOCATION for a hub */
    uint32_t buffer;          /* buffer in whose chain the point is, or NO_BUFFER */
    uint16_t kind;
    bool chained; /* true if the point is ordered with other chained points of its location */
};

_Static_assert(sizeof(struct instant) == 48, "the memory of a trace is that of its points");

/* The reason why a point precedes another one. order/visit.h has texts for messages. */
enum edge_kind {
    EDGE_CHAIN, /* edge between successive points of a location or buffer; not stored */
    /* edge from the begin to the end of a record, unless a chain contains both */
    EDGE_INTERVAL,
    EDGE_AFTER,   /* edge from a record to another one that the trace states to be later */
    EDGE_MESSAGE, /* edge from a send to its receive */
    EDGE_SYNC,    /* edge from a receive to the end of a send that waited for it */
    EDGE_ENTER,   /* edge from an event that enters a group to the group's hub or, without a hub, to
                   * an event that leaves the group */
    EDGE_LEAVE,   /* edge from the hub of a group to an event that leaves the group */
    /* edge from a record to the flush of its block, or from a flush to a later record */
    EDGE_FLUSH,
    EDGE_ROOM,  /* edge from a wait to the end of a post that needed the room in the channel */
    EDGE_LOCK,  /* edge from the release of a lock to a later acquire of the lock */
    EDGE_SPAWN, /* edge from a spawn to the first record of the location that it starts */
    EDGE_JOIN,  /* edge from the last record of a location to the join that waits for it */
    /* edge from a send to a receive of the same channel, which may have received another message */
    EDGE_APART,
    EDGE_KINDS
};

struct order_edge {
    uint32_t from, to;     /* indexes of points in points.items */
    int64_t latency_ticks; /* least time from `from` to `to`, >= 0 */
    uint32_t key;          /* number of the channel's or group's name (points_key), or NO_KEY */
    uint16_t kind;
};

/* The reason why a point is not much later than another point. */
enum limit_kind {
    LIMIT_LATENCY, /* the trace states the longest latency of a message */
    LIMIT_SAME,    /* the trace states that several clocks were read at the same moment */
    LIMIT_OFFSET   /* the offset between two clocks was measured */
};

/* `later` is at most most_ticks >= 0 after `earlier`, and may even be before it. */
struct order_limit {
    uint32_t later, earlier; /* indexes of points in points.items */
    int64_t most_ticks;
    uint32_t key; /* number of the channel's or moment's name (points_key), or NO_KEY */
    uint16_t kind;
    uint64_t place; /* place of the record in the file that states this limit */
};

struct location_state {
    bool any;            /* true if the location has records */
    bool gap;            /* true if the last record of the location was not stored as a point */
    struct instant last; /* end of the last record, even if the record is not stored */
    uint32_t last_point; /* index of the last record's point, unless `gap` is true */
    int64_t greatest;    /* greatest timestamp so far on the current clock of the location */
};

struct points {
    struct instant *items;
    size_t count, capacity;
    struct order_edge *edges; /* edges, sorted by `to` after points_finish */
    size_t nedges, edges_capacity;
    uint32_t *first_edge;       /* for each point: index of the first edge into it */
    struct order_limit *limits; /* limits, sorted by `earlier` after points_finish */
    size_t nlimits, limits_capacity;
    struct location_state *locations;
    size_t nlocations, locations_capacity;
    size_t nbuffers, nhubs;
    /* true if a begin is ordered after records of its location with earlier timestamps */
    bool begins_follow;
    /* least difference at which two timestamps of a clock show which came first */
    int64_t close_ticks;
    /* Any close_ticks from least_above to least_told gives the same results of points_tell. `told`
     * is true if points_tell has returned true; otherwise there is no upper limit. */
    bool told;
    int64_t least_told, least_above;
    size_t late; /* index of the first flush added after a call of points_come_late, or 0 */
    char *keys;  /* texts, each with a NUL; order_edge.key is an offset in them */
    size_t keys_size, keys_capacity;
};

void points_fini(struct points *points);

/* A record to be added. Records are added in the order of the file. */
struct point_record {
    uint64_t position, place;
    uint32_t clock;
    uint32_t location; /* number of the location, from 0, in the order of first records */
    uint32_t buffer;   /* number of the buffer, in the order of first records, or NO_BUFFER */
    int64_t x;         /* end of the record: local time plus a rough offset of the clock */
    bool keyed;        /* true if edges may start or end at the record */
    bool alone;        /* true if the record is not ordered with its location; requires `keyed` */
    bool interval;     /* true if the record has a begin, at the time begin_x <= x */
    int64_t begin_x;
};

/* Add the next record. *end becomes the point of its end, or NO_POINT if a record without edges
 * (not `keyed`) is not stored. *begin becomes the point of its begin if it is a keyed interval,
 * otherwise *end. Returns CSY_MEMORY also for more than 2^32 - 2 points. O(1). */
csy_status points_record(struct points *points, const struct point_record *record, uint32_t *begin,
                         uint32_t *end, csy_error *error);

/* Add the flush of a block, which is ordered only with other points of its buffer. A missing time
 * is LO_NONE or HI_NONE. */
csy_status points_flush(struct points *points, const struct instant *flush, uint32_t *out,
                        csy_error *error);

/* Announce that all records were added, and that only flushes follow, in the order of positions.
 * Their places in the chains of their buffers are between points that were added before. */
void points_come_late(struct points *points);

/* Get the point of the last record of a location. It is stored now if it was left out before. */
csy_status points_keep_last(struct points *points, uint32_t location, uint32_t *out,
                            csy_error *error);

/* Returns true if timestamps of a clock that differ by apart_ticks show which came first. */
bool points_tell(struct points *points, int64_t apart_ticks);

csy_status points_alone(struct points *points, const struct instant *instant, uint32_t *out,
                        csy_error *error);

/* Add an INSTANT_LOOSE with the timestamps of the given point. */
csy_status points_loose(struct points *points, uint32_t point, uint32_t *out, csy_error *error);

/* Add a hub. Messages to the user show the point `first` instead of the hub. */
csy_status points_hub(struct points *points, uint32_t first, uint32_t *out, csy_error *error);

/* Add a text that edges and limits can refer to. *out is its key. Add equal texts only once. */
csy_status points_key(struct points *points, const char *text, size_t size, uint32_t *out,
                      csy_error *error);

csy_status points_edge(struct points *points, const struct order_edge *edge, csy_error *error);

csy_status points_limit(struct points *points, const struct order_limit *limit, csy_error *error);

/* Add an INSTANT_READING: lo, hi, position, place, clock, and location come from *reading. */
csy_status points_reading(struct points *points, const struct instant *reading, uint32_t *out,
                          csy_error *error);

/* Get the limits with p as `earlier`, after points_finish. Returns their number. O(log limits). */
size_t points_limits_of(const struct points *points, uint32_t p, const struct order_limit **out);

/* Sort the edges by `to`, stably, in O(points + edges). Needs memory for a copy of the edges. */
csy_status points_finish(struct points *points, csy_error *error);

static inline bool instant_is_hub(const struct instant *instant)
{
    return instant->location == NO_LOCATION;
}

#endif
