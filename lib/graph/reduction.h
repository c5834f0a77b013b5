/* Internals that graph/reduce.c and graph/reduce_stream.c share. Both compute constraints between
 * clocks from points, which are the begins and ends of events (graph/reduce.h). */
#ifndef GRAPH_REDUCTION_H
#define GRAPH_REDUCTION_H

#include "graph/age_matrix.h"
#include "graph/pair_table.h"

#define NOWHERE UINT32_MAX

/* A place in the sequence of points of one location or buffer. `hi` is the latest time of the point
 * at this place. */
struct mark {
    uint32_t place; /* index in the sequence, or NOWHERE */
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point;
    int64_t value;
    uint32_t grew; /* index in the sequence of the point at which `value` last increased */
    bool by_hub;
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* A point that precedes the point being visited. `value` is its time plus the latencies on the way
 * to the visited point; no other point of the same clock or hub (`vertex`) has a greater value. If
 * clocks drift, a vertex may have several elements, because a point with a smaller value may imply
 * a stricter constraint at other rates. */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* index of the entry for `vertex` in the list of the visited point's location,
                      * and in the list of its buffer, or NOWHERE */
    uint32_t next;   /* index in `known` of the next element with the same vertex, or NOWHERE */
    bool dropped;
    bool implied; /* true for a hub that precedes a later hub, which implies its constraint */
    bool by_hub;  /* true if all paths from `point` to the visited point lead through hubs (groups
                   * of points, graph/reduce.h) that are not vertices */
};

/* What a visited point stores for the later points to which its edges lead: an array with a head,
 * then items. The size of the array is a power of 2. */
union kept {
    struct {
        /* left: number of edges from this point to points that have not been visited */
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
    const struct order_edge *edges; /* the edges to the point being visited */
    size_t nedges;
    size_t nclocks, nvertices;
    int64_t window;
    struct list *lists; /* one list for each location, then one for each buffer */
    size_t nlists;
    uint32_t *slot_of; /* for each vertex: index of its first element in `known`, or NOWHERE */
    struct known *known;
    size_t nknown, known_capacity;
    uint32_t own;        /* index in `known` of the vertex of the point being visited, or NOWHERE */
    struct entry *fresh; /* scratch memory for the entries of a list */
    size_t fresh_capacity;
    /* For a point that was not visited: the number of edges from it. For a visited point: index in
     * `pool` of what it stores for these edges, or 0 if it stores nothing. */
    uint32_t *left;
    struct pool pool;
    const uint32_t *rate_ppb; /* greatest rate of each vertex's clock; NULL without drift */
    bool passes_hubs;
    /* [s * nclocks + t]: true if clocks s and t have a constraint that does not come from a hub (a
     * group of points) */
    uint8_t *met;
    /* [t * nclocks + s]: least weight of all constraints from clock s to clock t; may be NULL */
    int64_t *least;
    struct pair_table table;
    struct age_matrix *ages; /* if not NULL, it gets the constraints, and `table` gets none */
};

/* Prepare a reduction with points, nclocks, window, and rate_ppb. Always call reduction_fini. */
csy_status reduction_init(struct reduction *reduction, csy_error *error);
void reduction_fini(struct reduction *reduction);

uint32_t reduction_vertex(const struct reduction *reduction, const struct instant *point);

/* Call this after the last edge from point p if the number of these edges was unknown when p was
 * visited. */
void reduction_release(struct reduction *reduction, uint32_t p);

/* Set the latest time `hi` of a point that was visited while `hi` was unknown. The point belongs to
 * the clock or hub `vertex`. `list` is the list of its location or buffer, and `place` the index of
 * the point there. */
void reduction_set_hi(const struct reduction *reduction, struct list *list, uint32_t vertex,
                      uint32_t place, int64_t hi);

csy_status reduction_collect(struct reduction *reduction, struct pairs *out, csy_error *error);

/* Visit point p, after all points that precede it. `edges` are the n edges that lead to p.
 * reduction->left[p] must be the number of edges that lead from p. */
csy_status reduction_visit(struct reduction *reduction, uint32_t p, const struct order_edge *edges,
                           size_t n, csy_error *error);

#endif
