/* A directed graph in columns, for drawings of few nodes.
 *
 * Edges lead to columns further right, except edges that close a cycle, which are reversed. An edge
 * that passes a column has a place there, called a waypoint. Places in a column are ordered by
 * their neighbours, back and forth, and moved towards them. Integer arithmetic makes all machines
 * draw the same. */
#ifndef OUTPUT_PAGE_STAT_LAYERS_H
#define OUTPUT_PAGE_STAT_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYERS_NODES_MAX = 40, LAYERS_EDGES_MAX = 120, LAYERS_MAX = 8, LAYERS_ITEMS_MAX = 1024 };

/* A node, or a waypoint of an edge. */
struct layer_item {
    int layer, y, height; /* y: its top */
    size_t place;         /* in its column */
    int64_t rank;         /* orders the places of a column */
};

struct layer_edge {
    size_t from, to;        /* different nodes */
    bool back;              /* reversed */
    size_t way[LAYERS_MAX]; /* items that it passes, from left to right, including both ends */
    size_t length;          /* of way; 0: not drawn */
};

/* The caller sets nodes and edges, most important first, the heights of nodes, and the gap. The
 * result is the places of items, the first of which are the nodes, and the ways of edges. layer is
 * -1 for a node that would be beyond LAYERS_MAX. */
struct layers {
    struct layer_item items[LAYERS_ITEMS_MAX];
    size_t nnodes, nitems;
    struct layer_edge edges[LAYERS_EDGES_MAX];
    size_t nedges;
    int gap, waypoint; /* between two places; height of a waypoint */
    int nlayers, height;
};

void layers_place(struct layers *layers);

#endif
