/*
 * Points: instants of a trace in partial order, and edges between them.
 *
 *   clock      has an offset: a thread of clock/threads.h
 *   location   runs code: a thread of the program; several may share a clock, and one may change it
 *   point      an instant on a location, between the timestamps lo and hi of its clock
 *   hub        a point without clock or location: all that enter come before all that leave
 *   edge       from comes before to, by at least a latency
 *   chain      a sequence of points, each before the next: of a location, or of a buffer
 *
 * Every record has a point at its end, and another at its begin if edges leave it.  A begin has an
 * edge to its own end and none from earlier records of its location: a program may begin something
 * before an earlier record ends.  If the begin's timestamp is at least 2 delta greater than an
 * earlier one of the same clock, the two timestamps already prove the order, so an edge would add
 * nothing; otherwise an edge would be wrong.  doc/algorithms.md, Partial orders.
 *
 * Points of a chain come in its order.  Otherwise points and edges come in any order: a hub may
 * follow points that enter it, and an edge may lead to an earlier point.
 *
 * Some records are not stored, because their neighbours imply all that follows from them: records
 * without keys or buffer, on the clock of the previous record of their location, and with no
 * earlier timestamp.  doc/algorithms.md, Partial orders.
 */
#ifndef CLOCK_POINTS_H
#define CLOCK_POINTS_H

#include "base/number.h"

#define NO_POINT UINT32_MAX
#define NO_LOCATION UINT32_MAX
#define NO_BUFFER UINT32_MAX
#define NO_KEY UINT32_MAX

/* No timestamp: lo of a point that gives no limit for later points, hi of one without a limit for
 * earlier points. */
#define LO_NONE INT64_MIN
#define HI_NONE INT64_MAX

/* INSTANT_LOOSE: the k-th of several instants on one clock, with the k-th of their timestamps.  It
 * is in no chain, because its record is not known.  position and place are those of the record
 * with that timestamp. */
/* INSTANT_READING: what another clock showed when it was compared.  It is in no chain. */
enum instant_kind {
    INSTANT_END,
    INSTANT_BEGIN,
    INSTANT_FLUSH,
    INSTANT_HUB,
    INSTANT_LOOSE,
    INSTANT_READING
};

struct instant {
    int64_t lo, hi;           /* x: local times moved by a rough offset (order/rebase.h); of a hub
                                 equal, and without meaning but as a place to measure from */
    uint64_t position, place; /* of its record; for a hub, of the first point that enters */
    uint32_t clock;           /* of a hub its number among the hubs */
    uint32_t location;        /* NO_LOCATION: a hub */
    uint32_t buffer;          /* the buffer of its chain, or NO_BUFFER */
    uint16_t kind;
    bool chained; /* it is in the chain of its location */
};

_Static_assert(sizeof(struct instant) == 48, "the memory of a trace is that of its points");

/* Why a point comes before another one; words for it are in order/visit.h. */
enum edge_kind {
    EDGE_CHAIN,    /* the same location, or the same buffer: chains have no edges of their own */
    EDGE_INTERVAL, /* a begin to its end, unless it is in the chain before that */
    EDGE_AFTER,    /* said so */
    EDGE_MESSAGE,  /* a send, to its receive */
    EDGE_SYNC,     /* a receive, to the end of its send */
    EDGE_ENTER,    /* into a hub, or past it to the end of the point that leaves */
    EDGE_LEAVE,    /* out of a hub */
    EDGE_FLUSH, /* a record, to the flush of its block; a flush, to the record that waits for it */
    EDGE_ROOM,  /* a wait, to the end of a post that needs its room */
    EDGE_LOCK,  /* a release, to what acquires after it */
    EDGE_SPAWN, /* a spawn, to the first record of its location */
    EDGE_JOIN,  /* the last record of a location, to its join */
    EDGE_APART, /* a send, to the receive of its message or of a later one: receives are missing */
    EDGE_KINDS
};

struct order_edge {
    uint32_t from, to;     /* points */
    int64_t latency_ticks; /* >= 0 */
    uint32_t key;          /* of points_key: the channel, the group; or NO_KEY */
    uint16_t kind;
};

/* Why a point is not much later than another one. */
enum limit_kind {
    LIMIT_LATENCY, /* the longest latency of a message */
    LIMIT_SAME,    /* the same moment, seen by several clocks */
    LIMIT_OFFSET   /* an offset between two clocks was measured */
};

/* later comes at most most_ticks >= 0 after earlier.  A limit is no edge: limits in both directions
 * are no cycle, and nothing is passed on by way of one but what follows from its two clocks. */
struct order_limit {
    uint32_t later, earlier; /* points */
    int64_t most_ticks;
    uint32_t key; /* of points_key: the channel, the moment; or NO_KEY */
    uint16_t kind;
    uint64_t place; /* of the record that states it */
};

/* The state of a location so far. */
struct location_state {
    bool any;            /* records */
    bool gap;            /* its last record is not stored: */
    struct instant last; /* that record's end, or what would be */
    uint32_t last_point; /* else its point */
    int64_t greatest;    /* greatest timestamp on this clock in this run of records */
};

struct points {
    struct instant *items;
    size_t count, capacity;
    struct order_edge *edges; /* after points_finish sorted by `to`, */
    size_t nedges, edges_capacity;
    uint32_t *first_edge;       /* and those into point p are [first_edge[p], first_edge[p + 1]) */
    struct order_limit *limits; /* after points_finish sorted by `earlier` */
    size_t nlimits, limits_capacity;
    struct location_state *locations;
    size_t nlocations, locations_capacity;
    size_t nbuffers, nhubs;
    bool begins_follow; /* for sync/methods/logical.h: a begin is in the chain of its location if it
                           is not stamped before the record that precedes it there */
    int64_t close_ticks; /* closer timestamps of one clock do not show which came first */
    /* points_tell has the same result for all close_ticks from least_above to least_told. told: it
     * has returned true; otherwise there is no upper limit. */
    bool told;
    int64_t least_told, least_above;
    size_t late; /* flushes from this point on came late; 0: none did */
    char *keys;  /* texts, each with a NUL; a key is where its text begins */
    size_t keys_size, keys_capacity;
};

void points_fini(struct points *points);

/* A record, in the order of the file. */
struct point_record {
    uint64_t position, place;
    uint32_t clock;
    uint32_t location; /* numbered from 0 as they come */
    uint32_t buffer;   /* the same, or NO_BUFFER */
    int64_t x;         /* of its end */
    bool keyed;        /* edges may lead to its end, or leave it */
    bool alone;        /* it is in no chain of its location; then it is keyed */
    bool interval;     /* it has a begin <= x, which edges may leave: */
    int64_t begin_x;
};

/* Add the next record.  *end: the point of its end, or NO_POINT if that is not stored, which needs
 * a record without key.  *begin: the point of its begin if it is a keyed interval, otherwise *end.
 * CSY_MEMORY also beyond 2^32 - 2 points.  O(1). */
csy_status points_record(struct points *points, const struct point_record *record, uint32_t *begin,
                         uint32_t *end, csy_error *error);

/* Add a flush of a block, with lo and hi by the policy of the block, or LO_NONE and HI_NONE. It
 * belongs to the chain of its buffer, not of its location. */
csy_status points_flush(struct points *points, const struct instant *flush, uint32_t *out,
                        csy_error *error);

/* From now on only flushes come, and late: their positions put them between points that are already
 * in the chains of their buffers.  They come in the order of positions. */
void points_come_late(struct points *points);

/* The point of the last record of a location that has one; it is stored if it is not yet. */
csy_status points_keep_last(struct points *points, uint32_t location, uint32_t *out,
                            csy_error *error);

/* True if two timestamps of one clock, apart_ticks >= 0 apart, show which came first. */
bool points_tell(struct points *points, int64_t apart_ticks);

/* Add an instant that is in no chain. */
csy_status points_alone(struct points *points, const struct instant *instant, uint32_t *out,
                        csy_error *error);

/* Add an INSTANT_LOOSE with the timestamps of a point. */
csy_status points_loose(struct points *points, uint32_t point, uint32_t *out, csy_error *error);

/* Add a hub; first: the point that messages show for it. */
csy_status points_hub(struct points *points, uint32_t first, uint32_t *out, csy_error *error);

/* A text that edges may name; the caller keeps one key for equal texts. */
csy_status points_key(struct points *points, const char *text, size_t size, uint32_t *out,
                      csy_error *error);

csy_status points_edge(struct points *points, const struct order_edge *edge, csy_error *error);

csy_status points_limit(struct points *points, const struct order_limit *limit, csy_error *error);

/* A reading of another clock: lo, hi, position, place, clock, and location of *reading count. */
csy_status points_reading(struct points *points, const struct instant *reading, uint32_t *out,
                          csy_error *error);

/* The limits in which p is `earlier`; after points_finish.  Returns how many.  O(log limits). */
size_t points_limits_of(const struct points *points, uint32_t p, const struct order_limit **out);

/* All points and edges have come: sort the edges by where they lead, stably.  O(points + edges),
 * and while it runs as much memory again as the edges take. */
csy_status points_finish(struct points *points, csy_error *error);

static inline bool instant_is_hub(const struct instant *instant)
{
    return instant->location == NO_LOCATION;
}

#endif
