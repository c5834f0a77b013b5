/* What a pass of graph/exact.h keeps: for graph/exact.c and graph/exact_walks.c alone. */
#ifndef GRAPH_EXACT_MATRIX_H
#define GRAPH_EXACT_MATRIX_H

#include "base/slots.h"
#include "graph/walks.h"

#define NONE UINT32_MAX
#define STEP ((uint32_t)1 << 31) /* the number below it is that of an elimination */

/* How a closed walk was made last: of the open walk `open`, closed at the point `end`; or of two
 * that the elimination `end` joined.  NONE: it has no length. */
struct part {
    uint32_t open; /* of an open walk: the point where its last edge starts, or an elimination */
    uint32_t end;
};

/* The elimination of a thread: walks from the threads that were live, and to them; and C. */
struct removal {
    uint32_t thread, live, open;
    struct part *from, *to;
    uint32_t *ids;
};

struct exact_matrix {
    struct slots slots;
    size_t live_max, stride;
    uint32_t *waiting; /* threads that will have no event, but are not eliminated yet */
    size_t nwaiting, waiting_capacity;
    /* D: stride * stride entries; its key is (weight + count * 2 delta) q.  C: stride. */
    void *keys, *carrier_keys; /* int64_t, or where these are too small, int128 */
    bool wide;                 /* they are int128 */
    int128 most;               /* no key is of a greater magnitude */
    uint32_t *counts, *carrier_counts;
    bool counts_fit;
    struct part *parts;
    uint32_t *opens;
    /* The records on walks, counted by those that refer to them. */
    struct point *points;
    uint32_t *references;
    size_t npoints, points_capacity, references_capacity;
    uint32_t free_point; /* the others follow in `thread` */
    struct removal *removals;
    size_t nremovals, removals_capacity;
};

/* A list of edges; {0} is an empty one. */
struct edge_list {
    struct edge *items;
    size_t count, capacity;
};

/* Append the edges of a closed walk from one thread to another, in order. */
csy_status exact_walk_edges(const struct exact_matrix *m, uint32_t from, uint32_t to,
                            struct part part, struct edge_list *list, csy_error *error);

#endif
