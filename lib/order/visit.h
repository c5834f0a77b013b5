/* Sorts the points of a trace, which are the begins and ends of its events (clock/points.h). Each
 * point comes after the earlier points of its location and of its buffer, and after the points from
 * which edges lead to it.
 *
 * Points keep the order of the file wherever possible. If a point must wait for other points, these
 * are visited first, depth first. So if the file is sorted by time, points are visited from the
 * beginning of the file to the end. */
#ifndef ORDER_VISIT_H
#define ORDER_VISIT_H

#include "clock/points.h"

/* A step of a cycle of points (struct visit_cycle): point `from` must precede point `to`. */
struct visit_step {
    uint32_t from, to;
    uint16_t kind; /* a value of enum edge_kind; EDGE_CHAIN if the step, or several steps joined,
                    * leads along the points of one location or buffer */
    bool buffer;   /* for EDGE_CHAIN: true if the chain is of a buffer, false if of a location */
    uint32_t key;
};

/* A contradiction: steps that lead back to the first point. Steps along a chain are joined. */
struct visit_cycle {
    struct visit_step *steps;
    size_t length; /* number of steps, or 0 if the points could be sorted */
};

/* Sort the points so that each comes after its predecessors. *order becomes a list of the numbers
 * of all points, which the caller frees. If points must precede each other in a cycle, *order is
 * NULL, and *cycle is set; then call visit_cycle_fini. Call points_finish before. Time: O(points +
 * edges). Memory: 12 bytes for each point, 8 more with buffers; *order keeps 4 of them. */
csy_status visit_order(const struct points *points, uint32_t **order, struct visit_cycle *cycle,
                       csy_error *error);
void visit_cycle_fini(struct visit_cycle *cycle);

#endif
