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
 * edge leads from the begin to the end of the same record. No edge leads to a begin from earlier
 * records of its location, because a program may begin something before an earlier record ends. If
 * the timestamp of the begin is at least 2 delta greater than an earlier timestamp of the same
 * clock, the two timestamps already prove the order, so an edge would add nothing. Otherwise an
 * edge would be wrong. See doc/algorithms.md, Partial orders.
 *
 * The points of a chain are added in the order of the chain. Apart from that, points and edges are
 * added in any order: a hub may be added after points that enter it, and an edge may lead to a
 * point added earlier.
 *
 * A record is not stored if its neighbours imply everything that follows from it: it has no keys
 * and no buffer, it has the same clock as the previous record of its location, and its timestamp is
 * not earlier. See doc/algorithms.md, Partial orders. */
#ifndef CLOCK_POINTS_H
#define CLOCK_POINTS_H

#include "base/number.h"

#define NO_POINT UINT32_MAX
#define NO_LOCATION UINT32_MAX
#define NO_BUFFER UINT32_MAX
#define NO_KEY UINT32_MAX

/* Values for a missing timestamp. LO_NONE as lo: the point does not limit later points. HI_NONE as
 * hi: the point does not limit earlier points. */
#define LO_NONE INT64_MIN
#define HI_NONE INT64_MAX

/* INSTANT_LOOSE is the k-th of several instants on one clock, with the k-th of their timestamps. It
 * belongs to no chain, because it is not known which record it belongs to. Its position and place
 * are those of the record with that timestamp. */
/* INSTANT_READING is the reading of another clock with which a clock was compared. It belongs to no
 * chain. */
enum instant_kind {
    INSTANT_END,
    INSTANT_BEGIN,
    INSTANT_FLUSH,
    INSTANT_HUB,
    INSTANT_LOOSE,
    INSTANT_READING
};

struct instant {
    /* Limits of the time, as x: local times shifted by a rough offset (order/rebase.h). For a hub,
     * lo and hi are equal and only serve as an origin for measuring. */
    int64_t lo, hi;
    uint64_t position, place; /* of the record; for a hub, of the first point that enters it */
    uint32_t clock;           /* for a hub: its number among the hubs */
    uint32_t location;        /* NO_LOCATION: a hub */
    uint32_t buffer;          /* the buffer of its chain, or NO_BUFFER */
    uint16_t kind;
    bool chained; /* the point is in the chain of its location */
};

_Static_assert(sizeof(struct instant) == 48, "the memory of a trace is that of its points");

/* The reason why a point precedes another one. order/visit.h has the texts for messages. */
enum edge_kind {
    EDGE_CHAIN, /* two points of one location, or of one buffer; such edges are not stored */
    /* from a begin to the end of its record, unless a chain already has this order */
    EDGE_INTERVAL,
    EDGE_AFTER,   /* the trace states that one record comes after another */
    EDGE_MESSAGE, /* from a send to its receive */
    EDGE_SYNC,    /* from a receive to the end of its send, which waited for the receive */
    EDGE_ENTER,   /* into a hub, or directly to the end of a record that leaves the hub */
    EDGE_LEAVE,   /* from a hub */
    /* from a record to the flush of its block, or from a flush to a record that waits for the
     * flush */
    EDGE_FLUSH,
    EDGE_ROOM,  /* from a wait to the end of a post that needs its room */
    EDGE_LOCK,  /* from the release of a lock to a later acquire */
    EDGE_SPAWN, /* from a spawn to the first record of the location that it starts */
    EDGE_JOIN,  /* from the last record of a location to the join that waits for it */
    /* from a send to the receive of its message or of a later one, because receives are missing */
    EDGE_APART,
    EDGE_KINDS
};

struct order_edge {
    uint32_t from, to;     /* points */
    int64_t latency_ticks; /* >= 0 */
    uint32_t key;          /* from points_key: the channel or the group; or NO_KEY */
    uint16_t kind;
};

/* The reason why a point is not much later than another one. */
enum limit_kind {
    LIMIT_LATENCY, /* the longest latency of a message */
    LIMIT_SAME,    /* the same moment, read on several clocks */
    LIMIT_OFFSET   /* an offset between two clocks was measured */
};

/* A limit: the point `later` comes at most most_ticks >= 0 after the point `earlier`. A limit is
 * not an edge: limits in both directions are not a cycle. It limits its two clocks, but no order is
 * passed on along it. */
struct order_limit {
    uint32_t later, earlier; /* points */
    int64_t most_ticks;
    uint32_t key; /* from points_key: the channel or the moment; or NO_KEY */
    uint16_t kind;
    uint64_t place; /* of the record that states it */
};

/* The state of a location so far. */
struct location_state {
    bool any;            /* the location has records */
    bool gap;            /* the last record is not stored */
    struct instant last; /* the end of the last record, as a point, even if it is not stored */
    uint32_t last_point; /* the point of the last record, if it is stored */
    int64_t greatest;    /* greatest timestamp since the location changed its clock */
};

struct points {
    struct instant *items;
    size_t count, capacity;
    struct order_edge *edges; /* sorted by `to` after points_finish */
    size_t nedges, edges_capacity;
    uint32_t *first_edge; /* edges that lead into point p: [first_edge[p], first_edge[p + 1]) */
    struct order_limit *limits; /* after points_finish sorted by `earlier` */
    size_t nlimits, limits_capacity;
    struct location_state *locations;
    size_t nlocations, locations_capacity;
    size_t nbuffers, nhubs;
    /* for sync/methods/logical.h: the begin of a record is in the chain of its location, unless its
     * timestamp is below that of the previous record of the location */
    bool begins_follow;
    /* two timestamps of one clock that are closer than this do not show which one came first */
    int64_t close_ticks;
    /* points_tell would return the same results for every close_ticks from least_above to
     * least_told. told is true if it has returned true; otherwise close_ticks has no such upper
     * limit. */
    bool told;
    int64_t least_told, least_above;
    size_t late; /* index of the first flush that was added late (points_come_late); 0: none */
    char *keys;  /* texts with a NUL each; a key is the offset at which its text begins */
    size_t keys_size, keys_capacity;
};

void points_fini(struct points *points);

/* A record to be added. Records are added in the order of the file. */
struct point_record {
    uint64_t position, place;
    uint32_t clock;
    uint32_t location; /* numbered from 0 in the order of first use */
    uint32_t buffer;   /* numbered in the same way; or NO_BUFFER */
    int64_t x;         /* of the end of the record */
    bool keyed;        /* edges may lead to the end of the record, or leave the record */
    bool alone;    /* the record is not in the chain of its location; `keyed` must then be true */
    bool interval; /* the record has a begin, at begin_x <= x, which edges may leave */
    int64_t begin_x;
};

/* Add the next record. *end is the point of its end, or NO_POINT if that point is not stored, which
 * happens only for records that are not keyed. *begin is the point of its begin if the record is a
 * keyed interval; otherwise it is *end. CSY_MEMORY also for more than 2^32 - 2 points. O(1). */
csy_status points_record(struct points *points, const struct point_record *record, uint32_t *begin,
                         uint32_t *end, csy_error *error);

/* Add the flush of a block. lo and hi depend on the policy of the block (block_after); they may be
 * LO_NONE and HI_NONE. The flush belongs to the chain of its buffer, and not to the chain of its
 * location. */
csy_status points_flush(struct points *points, const struct instant *flush, uint32_t *out,
                        csy_error *error);

/* Announce that only late flushes follow. The position of a late flush places it between points
 * that are already in the chain of its buffer. Late flushes are added in the order of their
 * positions. */
void points_come_late(struct points *points);

/* *out is the point of the last record of a location. The location must have a record; its point is
 * stored if it was not stored yet. */
csy_status points_keep_last(struct points *points, uint32_t location, uint32_t *out,
                            csy_error *error);

/* True if two timestamps of one clock show which one came first. apart_ticks >= 0 is the difference
 * of the two. */
bool points_tell(struct points *points, int64_t apart_ticks);

/* Add an instant that belongs to no chain. */
csy_status points_alone(struct points *points, const struct instant *instant, uint32_t *out,
                        csy_error *error);

/* Add an INSTANT_LOOSE with the timestamps of a point. */
csy_status points_loose(struct points *points, uint32_t point, uint32_t *out, csy_error *error);

/* Add a hub. `first` is the point that messages show in place of the hub. */
csy_status points_hub(struct points *points, uint32_t first, uint32_t *out, csy_error *error);

/* Add a text to which edges refer by *out. The caller must add equal texts only once. */
csy_status points_key(struct points *points, const char *text, size_t size, uint32_t *out,
                      csy_error *error);

csy_status points_edge(struct points *points, const struct order_edge *edge, csy_error *error);

csy_status points_limit(struct points *points, const struct order_limit *limit, csy_error *error);

/* Add an INSTANT_READING. Only lo, hi, position, place, clock, and location of *reading are
 * used. */
csy_status points_reading(struct points *points, const struct instant *reading, uint32_t *out,
                          csy_error *error);

/* *out are the limits in which p is `earlier`; the function returns their number. Call
 * points_finish before. O(log limits). */
size_t points_limits_of(const struct points *points, uint32_t p, const struct order_limit **out);

/* Finish after all points and edges were added: sort the edges by `to`, stably. O(points + edges).
 * While it runs, it needs additional memory of the size of all edges. */
csy_status points_finish(struct points *points, csy_error *error);

static inline bool instant_is_hub(const struct instant *instant)
{
    return instant->location == NO_LOCATION;
}

#endif
