/* Costs of messages between two SPEs of a cluster, from [DBK09], Table 2, which was measured with
 * the Cell Messaging Layer on tri-blades. See doc/simulator.md, The model. */
#ifndef PDTSIM_CLUSTER_WIRES_H
#define PDTSIM_CLUSTER_WIRES_H

#include "simulator/machine.h"

#include <stddef.h>

enum distance { SAME_CELL, SAME_NODE, OTHER_NODE };

/* Returns the cycles from the begin of a send to the end of its receive, without waits. */
int64_t wire_latency(const struct machine *machine, enum distance distance);

/* wire_transfer returns the additional cycles for the bytes of a message. wire_link returns the
 * cycles during which they occupy the link of a node. */
int64_t wire_transfer(const struct machine *machine, enum distance distance, int64_t bytes);
int64_t wire_link(const struct machine *machine, int64_t bytes);

/* The places of ranks. Nodes have equal numbers of ranks, and Cells are filled in order. */
struct places {
    size_t ranks, per_node, per_cell;
};

/* places_node_spes returns the number of SPEs of a node. places_make returns the places of ranks on
 * `nodes` nodes with `spes` SPEs each. */
size_t places_node_spes(const struct machine *machine);
struct places places_make(size_t nodes, size_t spes);

size_t places_node(const struct places *places, size_t rank);
size_t places_cell(const struct places *places, size_t rank); /* counted over all nodes */
enum distance places_distance(const struct places *places, size_t a, size_t b);

#endif
