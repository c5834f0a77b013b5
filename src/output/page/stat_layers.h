/*
 * A directed graph in columns, for a drawing of few nodes.
 *
 * Edges lead from one column to one further right, but those that close a cycle, which are turned.
 * What passes a column on its way has a place there, too, a waypoint.  Places of a column are
 * ordered by those that they lead to, back and forth, and moved towards these.  All by integers, so
 * that every machine draws the same.
 */
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
    int64_t rank;         /* by which places of a column are ordered */
};

struct layer_edge {
    size_t from, to;        /* nodes, not the same */
    bool back;              /* it was turned */
    size_t way[LAYERS_MAX]; /* items that it passes, from left to right, both ends too */
    size_t length;          /* of them; 0: it is not drawn */
};

/* Caller sets nodes and edges, the most important first; nodes' heights; and the room between two
 * places.  Set are places of items, of which the first are the nodes, and ways of edges.  layer of
 * a node that would be beyond LAYERS_MAX: -1. */
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
