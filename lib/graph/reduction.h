/* State of the reduction (graph/reduce.h), for callers that add points one by one. */
#ifndef GRAPH_REDUCTION_H
#define GRAPH_REDUCTION_H

#include "graph/age_matrix.h"
#include "graph/pair_table.h"

#define NOWHERE UINT32_MAX

/* A position in a chain, and `hi` (the latest time) of the point there. */
struct mark {
    uint32_t place; /* position in the chain, or NOWHERE */
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point; /* the point whose time plus latencies is `value` */
    int64_t value;
    uint32_t grew; /* last position in the chain where the value rose */
    bool by_hub;   /* true if all paths pass through a hub that is no vertex */
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* An entry that is known at the present point: the point of `vertex` that limits the present point
 * most, and its time plus latencies (`value`). If clocks drift, a vertex may have several entries,
 * because an earlier point with greater latencies may matter at other rates. */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* index in the lists of the present point's two chains, or NOWHERE */
    uint32_t next;   /* index of the next known entry of the same vertex, or NOWHERE */
    bool dropped;
    bool implied; /* true for a hub if a later hub implies its constraint */
    bool by_hub;  /* true if all paths to the present point pass through a hub that is no vertex */
};

/* Entries of a point, stored until the last edge has left it: a head, then items, together rounded
 * up to a power of 2. A hub that is a vertex stores the earlier hubs. */
union kept {
    struct {
        /* count: number of items; left: number of edges that have not left the point yet */
        uint32_t count, left;
        uint32_t size_class;
        uint32_t next_free;
    } head;
    struct {
        uint32_t point;
        uint32_t vertex : 31;
        uint32_t by_hub : 1;
        int64_t value;
    } item;
};

enum { SIZE_CLASSES = 32 };

struct pool {
    union kept *items;
    size_t count, capacity;
    uint32_t free[SIZE_CLASSES]; /* for each size: first free block, or 0 (item 0 is never used) */
};

struct reduction {
    const struct points *points;
    const struct order_edge *edges; /* the edges that end at the present point */
    size_t nedges;
    size_t nclocks, nvertices;
    int64_t window;
    struct list *lists; /* lists of the chains: first of each location, then of each buffer */
    size_t nlists;
    uint32_t *slot_of;   /* for each vertex: index in `known` of its first entry, or NOWHERE */
    struct known *known; /* entries that are known at the present point */
    size_t nknown, known_capacity;
    uint32_t own;        /* index in `known` of the entry of the present point itself, or NOWHERE */
    struct entry *fresh; /* scratch memory for a new list */
    size_t fresh_capacity;
    /* For each point: before its visit, the number of edges that leave the point; afterwards, the
     * index in `pool` of its stored entries, or 0 if only the point itself is known there. */
    uint32_t *left;
    struct pool pool;
    const uint32_t *rate_ppb; /* greatest rate of each vertex's clock; NULL without drift */
    bool passes_hubs;         /* true if hubs are not vertices */
    uint8_t *met;             /* at s * nclocks + t: true if s and t have a pair without a hub */
    int64_t *least;           /* at t * nclocks + s: least weight of a pair so far; may be NULL */
    struct pair_table table;
    struct age_matrix *ages; /* receives constraints instead of `table`; may be NULL */
};

/* Prepare a reduction with points, nclocks, window, and rate_ppb. Always call reduction_fini. */
csy_status reduction_init(struct reduction *reduction, csy_error *error);
void reduction_fini(struct reduction *reduction);

uint32_t reduction_vertex(const struct reduction *reduction, const struct instant *point);

/* Tell that no more edges leave point p. Call this if the number of its edges was unknown. */
void reduction_release(struct reduction *reduction, uint32_t p);

/* Set the latest time `hi` of the point of `vertex` at position `place` of the chain. */
void reduction_set_hi(const struct reduction *reduction, struct list *list, uint32_t vertex,
                      uint32_t place, int64_t hi);

csy_status reduction_collect(struct reduction *reduction, struct pairs *out, csy_error *error);

/* Visit the next point p. n edges lead to p from earlier points, and left[p] edges leave p. */
csy_status reduction_visit(struct reduction *reduction, uint32_t p, const struct order_edge *edges,
                           size_t n, csy_error *error);

#endif
