/* Costs of messages between two SPEs of a cluster. They are from [DBK09], Table 2, which was
 * measured with the Cell Messaging Layer. See doc/simulator.md, The model. */
#ifndef PDTSIM_CLUSTER_WIRES_H
#define PDTSIM_CLUSTER_WIRES_H

#include "simulator/machine.h"

#include <stddef.h>

enum distance { SAME_CELL, SAME_NODE, OTHER_NODE };

/* Returns the latency of a message without data, in cycles: the time from the begin of its send to
 * the end of its receive, if neither of them waits. */
int64_t wire_latency(const struct machine *machine, enum distance distance);

/* Returns the cycles that the data of a message add to its latency. */
int64_t wire_transfer(const struct machine *machine, enum distance distance, int64_t bytes);

/* Returns the cycles for which the data of a message occupy the link of a node. */
int64_t wire_link(const struct machine *machine, int64_t bytes);

/* The number of ranks in all, on each node, and on each Cell. One Cell of a node is filled after
 * the other, so its last Cell may have fewer ranks. */
struct places {
    size_t ranks, per_node, per_cell;
};

size_t places_node_spes(const struct machine *machine);

/* Returns the places of ranks on `nodes` nodes, with `spes` SPEs each. */
struct places places_make(size_t nodes, size_t spes);

size_t places_node(const struct places *places, size_t rank);
/* Returns the number of a rank's Cell. Cells are numbered over all nodes. */
size_t places_cell(const struct places *places, size_t rank);
enum distance places_distance(const struct places *places, size_t a, size_t b);

#endif
