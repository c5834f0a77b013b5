/* Sorts points topologically: each point comes after the earlier points of its chains and after the
 * sources of the edges that lead to it.
 *
 * The order is the order of the file wherever possible. If a point must wait, the points that it
 * waits for are visited first, depth first. So if the file is in the order of time, the points are
 * visited from the beginning of the file to its end. */
#ifndef ORDER_VISIT_H
#define ORDER_VISIT_H

#include "clock/points.h"

/* A step of a cycle: `from` precedes `to`. */
struct visit_step {
    uint32_t from, to;
    uint16_t kind; /* enum edge_kind; EDGE_CHAIN: one or more steps along a chain */
    bool buffer; /* EDGE_CHAIN: true for the chain of a buffer, false for the chain of a location */
    uint32_t key;
};

/* A contradiction: each step begins at the end of the step before, and the last one ends at the
 * begin of the first. Successive steps along one chain are merged. */
struct visit_cycle {
    struct visit_step *steps;
    size_t length; /* 0: there is no cycle */
};

/* Find the order. *order lists all points; the caller frees it. If there is a cycle, the function
 * succeeds with *order NULL, and the caller frees *cycle by visit_cycle_fini. Call points_finish
 * before. O(points + edges) time. Memory: 12 bytes a point, and 8 more if there are buffers; 4 of
 * these bytes until the caller frees *order. */
csy_status visit_order(const struct points *points, uint32_t **order, struct visit_cycle *cycle,
                       csy_error *error);
void visit_cycle_fini(struct visit_cycle *cycle);

#endif
