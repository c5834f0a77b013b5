/* The state of graph/reduce.c between points, for callers that add points one by one. */
#ifndef GRAPH_REDUCTION_H
#define GRAPH_REDUCTION_H

#include "graph/age_matrix.h"
#include "graph/pair_table.h"

#define NOWHERE UINT32_MAX

/* A position in a chain, with `hi` of the point there. An entry has two marks: its last position,
 * and a candidate up to which older entries may be dropped. */
struct mark {
    uint32_t place; /* position in the chain; NOWHERE: none */
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point; /* point from which the value comes */
    int64_t value;
    uint32_t grew; /* position in the chain where the value rose last */
    bool by_hub;   /* see struct known */
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* An entry known at a point. If clocks drift, a vertex may have several entries, because none of
 * them implies another at all rates: earlier points have greater latencies. */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* indexes of the entry in the lists of the chains of the point, or NOWHERE */
    uint32_t next;   /* next known entry of the same vertex, or NOWHERE */
    bool dropped;
    bool implied; /* true for a hub that a later hub implies */
    bool by_hub;  /* true if the entry is known only through a passed hub */
};

/* The entries of a point, stored until the last edge has left the point: a head, followed by items.
 * The size of a block is a power of 2. A hub stores the earlier hubs. */
union kept {
    struct {
        /* number of items, and number of edges that have not left the point yet */
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
    const struct order_edge *edges; /* the edges that lead to the present point */
    size_t nedges;
    size_t nclocks, nvertices;
    int64_t window;
    struct list *lists; /* for each location, then for each buffer: its list */
    size_t nlists;
    uint32_t *slot_of;   /* for each vertex: index of its first entry in `known`, or NOWHERE */
    struct known *known; /* entries of the present point */
    size_t nknown, known_capacity;
    uint32_t own;        /* index in `known` of the entry of the point itself, or NOWHERE */
    struct entry *fresh; /* the list under construction */
    size_t fresh_capacity;
    /* For each point before its visit: number of edges that leave the point. After the visit: index
     * of its entries in the pool, or 0 if the point has only its own entry. */
    uint32_t *left;
    struct pool pool;
    const uint32_t *rate_ppb; /* for each vertex: greatest rate; or NULL */
    bool passes_hubs;         /* see struct reduce_window */
    uint8_t *met;             /* see struct pairs */
    int64_t *least;           /* for each t, then s: least weight in the table; or NULL */
    struct pair_table table;
    struct age_matrix *ages; /* see reduce_stream_new */
};

/* Prepare a reduction with points, nclocks, window, and rate_ppb. Always call reduction_fini. */
csy_status reduction_init(struct reduction *reduction, csy_error *error);
void reduction_fini(struct reduction *reduction);

uint32_t reduction_vertex(const struct reduction *reduction, const struct instant *point);

/* Tell that no more edges leave a point whose number of edges was unknown. */
void reduction_release(struct reduction *reduction, uint32_t p);

/* Set `hi` of the point of `vertex` at the position `place` of a chain. */
void reduction_set_hi(const struct reduction *reduction, struct list *list, uint32_t vertex,
                      uint32_t place, int64_t hi);

/* Get the pairs after the last point. */
csy_status reduction_collect(struct reduction *reduction, struct pairs *out, csy_error *error);

/* Visit the next point p, with n edges from visited points. left[p] edges leave p. */
csy_status reduction_visit(struct reduction *reduction, uint32_t p, const struct order_edge *edges,
                           size_t n, csy_error *error);

#endif
