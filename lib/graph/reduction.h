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
    uint32_t place;
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point;
    int64_t value;
    uint32_t grew;
    bool by_hub;
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* A point that precedes the visited point. `value` is its time plus the latencies between the two
 * points. `vertex` is its clock or hub (a group of points, graph/reduce.h). */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* old[0]: index of the entry for `vertex` in the list of the visited point's
                      * location; old[1]: in the list of its buffer; NOWHERE if there is none */
    uint32_t next;   /* index in reduction.known of the next element with the same vertex, or
                      * NOWHERE */
    bool dropped;
    bool implied;
    bool by_hub; /* true if every path of edges from `point` to the visited point leads through a
                  * hub */
};

/* An element of an array that a point stores for the later points at the ends of its edges. The
 * first element of the array is `head`, the others are items. */
union kept {
    struct {
        /* left: number of edges from the point to points that were not visited yet */
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
    uint32_t *slot_of;
    struct known *known;
    size_t nknown, known_capacity;
    uint32_t own;
    struct entry *fresh; /* scratch memory for the entries of a list */
    size_t fresh_capacity;
    /* [p]: number of edges that lead from point p. After the visit of p: index in `pool` of the
     * array that p stores for these edges, or 0. */
    uint32_t *left;
    struct pool pool;
    const uint32_t *rate_ppb; /* greatest drift rate of each vertex's clock; NULL if clocks do not
                               * drift */
    bool passes_hubs;
    /* [s * nclocks + t]: true if clocks s and t have a constraint that does not come from a hub (a
     * group of points) */
    uint8_t *met;
    /* [t * nclocks + s]: least weight of all constraints from clock s to clock t; may be NULL */
    int64_t *least;
    struct pair_table table;
    struct age_matrix *ages; /* if not NULL, constraints are added to this matrix instead of
                              * `table` */
};

/* Before the call, set the members points, nclocks, window, and rate_ppb. Afterwards, always call
 * reduction_fini, even after a failure. */
csy_status reduction_init(struct reduction *reduction, csy_error *error);
void reduction_fini(struct reduction *reduction);

uint32_t reduction_vertex(const struct reduction *reduction, const struct instant *point);

/* Call this after the last edge from point p if you did not know the number of its edges when you
 * visited it. */
void reduction_release(struct reduction *reduction, uint32_t p);

/* Set the latest time `hi` of a point that was visited before `hi` was known. The point is element
 * `place` of the location or buffer with this `list`. `vertex` is its clock or hub. */
void reduction_set_hi(const struct reduction *reduction, struct list *list, uint32_t vertex,
                      uint32_t place, int64_t hi);

csy_status reduction_collect(struct reduction *reduction, struct pairs *out, csy_error *error);

/* Visit point p, after all points that precede it. `edges` are the n edges that lead to p. Before,
 * set reduction->left[p] to the number of edges that lead from p. */
csy_status reduction_visit(struct reduction *reduction, uint32_t p, const struct order_edge *edges,
                           size_t n, csy_error *error);

#endif
