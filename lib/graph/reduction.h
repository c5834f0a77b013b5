/* The state of graph/reduce.c between points, for callers that add points one by one. */
#ifndef GRAPH_REDUCTION_H
#define GRAPH_REDUCTION_H

#include "graph/age_matrix.h"
#include "graph/pair_table.h"

#define NOWHERE UINT32_MAX

/* A place in a chain, with hi of its point. An entry has two marks: the last one, and a candidate
 * up to which older entries may be dropped. */
struct mark {
    uint32_t place; /* place in the chain; NOWHERE: none */
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point; /* where the value comes from */
    int64_t value;
    uint32_t grew; /* place in the chain where the value last rose */
    bool by_hub;   /* see struct known */
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* An entry known at a point. If clocks drift, a vertex may have several entries: earlier points
 * have greater latencies, so none implies another at all rates. */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* its indexes in the lists of the point's chains, or NOWHERE */
    uint32_t next;   /* next entry of the same vertex, or NOWHERE */
    bool dropped;
    bool implied; /* a hub that a later hub implies */
    bool by_hub;  /* known only through a passed hub */
};

/* The entries of a point, stored in the pool until the last edge has left the point: a head, then
 * items. A block has a power of two of them. A hub stores the hubs before it. */
union kept {
    struct {
        /* number of items; number of edges still to leave */
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
    uint32_t free[SIZE_CLASSES]; /* 0: none, since the first item is never used */
};

struct reduction {
    const struct points *points;
    const struct order_edge *edges; /* edges that lead to the present point */
    size_t nedges;
    size_t nclocks, nvertices;
    int64_t window;
    struct list *lists; /* lists of locations, then of buffers */
    size_t nlists;
    uint32_t *slot_of;   /* first entry of each vertex in known, or NOWHERE */
    struct known *known; /* entries of the present point */
    size_t nknown, known_capacity;
    uint32_t own;        /* index in `known` of the point's own entry, or NOWHERE */
    struct entry *fresh; /* list under construction */
    size_t fresh_capacity;
    /* For each point. Before the visit: how many edges leave the point. After the visit: where its
     * entries are in the pool; 0 if the point has only its own entry. */
    uint32_t *left;
    struct pool pool;
    const uint32_t *rate_ppb; /* for each vertex; or NULL */
    bool passes_hubs;         /* see struct reduce_window */
    uint8_t *met;             /* see struct pairs */
    int64_t *least;           /* for each t, then s: weights in the table; or NULL */
    struct pair_table table;
    struct age_matrix *ages; /* see reduce_stream_new */
};

/* points, nclocks, window, and rate_ppb must be set. Call reduction_fini even after a failure. */
csy_status reduction_init(struct reduction *reduction, csy_error *error);
void reduction_fini(struct reduction *reduction);

uint32_t reduction_vertex(const struct reduction *reduction, const struct instant *point);

/* No more edges leave this point, whose number of edges was unknown. */
void reduction_release(struct reduction *reduction, uint32_t p);

/* Set hi of the point of `vertex` at this place of a chain. */
void reduction_set_hi(const struct reduction *reduction, struct list *list, uint32_t vertex,
                      uint32_t place, int64_t hi);

/* After the last point: get the pairs. */
csy_status reduction_collect(struct reduction *reduction, struct pairs *out, csy_error *error);

/* Visit the next point p, with n edges from visited points. left[p] is the number of edges out of
 * p. */
csy_status reduction_visit(struct reduction *reduction, uint32_t p, const struct order_edge *edges,
                           size_t n, csy_error *error);

#endif
