/* What reduce.c knows while it visits points, for those that give it points one by one. */
#ifndef GRAPH_REDUCING_H
#define GRAPH_REDUCING_H

#include "graph/age_matrix.h"
#include "graph/pair_table.h"

#define NOWHERE UINT32_MAX

/* A list takes part in a chain's places: two of them, a candidate for what all before may be
 * dropped for, and the last one. */
struct mark {
    uint32_t place; /* in the chain; NOWHERE: none */
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point; /* that the value is from */
    int64_t value;
    uint32_t grew; /* at this place of the chain */
    bool by_hub;   /* as known has it */
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* What is known at a point.  Of a vertex that is one entry, but where clocks drift there may be
 * several, of which none follows from another for all rates: the latencies of the earlier points
 * are greater. */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* its entries in the lists of the chains, or NOWHERE */
    uint32_t next;   /* of the same vertex, or NOWHERE */
    bool dropped;
    bool implied; /* a hub that is known by way of a later one */
    bool by_hub;  /* it is known by way of a hub that was passed, and not otherwise */
};

/* What was known at a point that edges leave, until the last of them is served: in the pool, a head
 * and its items after it, in blocks of powers of two.  Of a hub: the hubs before it. */
union kept {
    struct {
        uint32_t count, left; /* items; edges */
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
    uint32_t free[SIZE_CLASSES]; /* 0: none; the first item is never used */
};

struct reducing {
    const struct points *points;
    const struct order_edge *edges; /* into the present point */
    size_t nedges;
    size_t nclocks, nvertices;
    int64_t window;
    struct list *lists; /* of locations, then of buffers */
    size_t nlists;
    uint32_t *slot_of;   /* by vertex: the first of its known, or NOWHERE */
    struct known *known; /* at the present point */
    size_t nknown, known_capacity;
    uint32_t own;        /* of these what follows from the point itself, or NOWHERE */
    struct entry *fresh; /* what a list becomes */
    size_t fresh_capacity;
    uint32_t *left; /* by point: edges that leave it; once it is visited, its snapshot in the
                            pool, or 0: it only knows itself */
    struct pool pool;
    const uint32_t *rate_ppb; /* by vertex, or NULL */
    bool passes_hubs;         /* as struct reduce_window has it: */
    uint8_t *met;             /* as struct pairs has it */
    int64_t *least;           /* weights that the table has, by t and then s, or NULL */
    struct pair_table table;
    struct age_matrix *ages; /* as reduce_stream_new has it */
};

/* points, nclocks, window and rate_ppb are there; the caller calls reducing_fini even after a
 * failure. */
csy_status reducing_init(struct reducing *reducing, csy_error *error);
void reducing_fini(struct reducing *reducing);

uint32_t reducing_vertex(const struct reducing *reducing, const struct instant *point);

/* No more edges leave a point of which it was not known how many would. */
void reducing_release(struct reducing *reducing, uint32_t p);

/* All points have been visited: their pairs. */
csy_status reducing_collect(struct reducing *reducing, struct pairs *out, csy_error *error);

/* The next point p, and the n edges into it, of which all sources have been visited.  left has the
 * number of those that leave it. */
csy_status reducing_visit(struct reducing *reducing, uint32_t p, const struct order_edge *edges,
                          size_t n, csy_error *error);

#endif
