/* State of the reduction (graph/reduce.h), for callers that add points one by one. */
#ifndef GRAPH_REDUCTION_H
#define GRAPH_REDUCTION_H

#include "graph/age_matrix.h"
#include "graph/pair_table.h"

#define NOWHERE UINT32_MAX

/* A position in a chain (sequence of points), and the latest time `hi` of its point. */
struct mark {
    uint32_t place; /* position in the chain, or NOWHERE */
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point; /* the point whose time plus latencies is `value` */
    int64_t value;
    uint32_t grew; /* last position in the chain where `value` rose */
    bool by_hub;   /* true if all paths lead through a hub that is not a vertex */
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* What is known about `vertex` at the present point: the preceding point of `vertex` with the
 * greatest time plus latencies (`value`). If clocks drift, a vertex may have several entries,
 * because an earlier point with greater latencies may be stricter at other rates. */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* for each chain of the present point: index in its list, or NOWHERE */
    uint32_t next;   /* index of the next known entry of the same vertex, or NOWHERE */
    bool dropped;
    bool implied; /* true for a hub whose constraint follows from a later hub */
    bool by_hub;  /* true if all paths lead through a hub that is not a vertex */
};

/* Entries of a point: a head, then items, together a power of 2. They are kept until the last edge
 * has left the point. For a hub that is a vertex, they are only the earlier hubs. */
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
    uint32_t own;        /* index in `known` of the present point's own vertex, or NOWHERE */
    struct entry *fresh; /* scratch memory for a new list */
    size_t fresh_capacity;
    /* For each point: the number of its leaving edges. After its visit: the index in `pool` of its
     * entries, or 0 if it has no entry but itself. */
    uint32_t *left;
    struct pool pool;
    const uint32_t *rate_ppb; /* greatest rate of each vertex's clock; NULL without drift */
    bool passes_hubs;         /* true if hubs are not vertices */
    uint8_t *met;             /* at s * nclocks + t: true if s and t have a constraint with no hub
                               * in between */
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

/* Set `hi` of a point of `vertex` that was added without; its chain's `list` has it at `place`. */
void reduction_set_hi(const struct reduction *reduction, struct list *list, uint32_t vertex,
                      uint32_t place, int64_t hi);

csy_status reduction_collect(struct reduction *reduction, struct pairs *out, csy_error *error);

/* Visit the next point p. n edges lead to p from earlier points, and left[p] edges leave p. */
csy_status reduction_visit(struct reduction *reduction, uint32_t p, const struct order_edge *edges,
                           size_t n, csy_error *error);

#endif
