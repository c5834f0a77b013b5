/*
 * What a message between two SPEs of a cluster costs: [DBK09] Table 2, measured with the Cell
 * Messaging Layer on tri-blades.  pdtsim(1), The model.
 */
#ifndef PDTSIM_CLUSTER_WIRES_H
#define PDTSIM_CLUSTER_WIRES_H

#include "pdtsim/machine.h"

#include <stddef.h>

enum distance { SAME_CELL, SAME_NODE, OTHER_NODE };

/* Cycles from the begin of a send to the end of its receive, without waiting for either. */
int64_t wire_latency(const struct machine *machine, enum distance distance);

/* Cycles that its bytes take more, and that they keep a node's link to others busy. */
int64_t wire_transfer(const struct machine *machine, enum distance distance, int64_t bytes);
int64_t wire_link(const struct machine *machine, int64_t bytes);

/* Where the ranks are: as many on each node, Cell after Cell. */
struct places {
    size_t ranks, per_node, per_cell;
};

/* A node of that machine: so many SPEs, on Cells of so many. */
size_t places_node_spes(const struct machine *machine);
struct places places_make(size_t nodes, size_t spes);

size_t places_node(const struct places *places, size_t rank);
size_t places_cell(const struct places *places, size_t rank); /* of all Cells */
enum distance places_distance(const struct places *places, size_t a, size_t b);

#endif
