/*
 * Points in a topological order: each after those before it in its chains and after the sources of
 * edges to it.
 *
 * The order is that of the file wherever this allows it; a point that must wait is preceded by
 * what it waits for, depth first.  So a file in the order of time is gone through from its
 * beginning to its end.
 */
#ifndef ORDER_VISIT_H
#define ORDER_VISIT_H

#include "clock/points.h"

/* A step of a cycle: from comes before to. */
struct visit_step {
    uint32_t from, to;
    uint16_t kind; /* enum edge_kind; EDGE_CHAIN: as neighbours in a chain, or several such steps */
    bool buffer;   /* EDGE_CHAIN: that of a buffer, else of a location */
    uint32_t key;
};

/* What cannot be: each step goes on where the one before it ends, and the last ends where the first
 * begins.  Steps along one chain are one. */
struct visit_cycle {
    struct visit_step *steps;
    size_t length; /* 0: there is none */
};

/* *order: all points; the caller frees it.  Where there is a cycle, *order is NULL and *cycle has
 * it, which the caller frees with visit_cycle_fini; that is no failure.  points_finish has been
 * called. O(points + edges) time; 12 bytes a point, 8 more with buffers, of which 4 stay. */
csy_status visit_order(const struct points *points, uint32_t **order, struct visit_cycle *cycle,
                       csy_error *error);
void visit_cycle_fini(struct visit_cycle *cycle);

#endif
