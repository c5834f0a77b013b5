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
    uint16_t kind; /* a value of enum edge_kind; EDGE_CHAIN if `to` comes later than `from` at the
                    * same location or in the same buffer */
    bool buffer;   /* for EDGE_CHAIN: true if the points are in the same buffer, false if at the
                    * same location */
    uint32_t key;
};

/* A cycle of points that must precede each other, so they cannot be sorted. The last step leads to
 * the point where the first step begins. */
struct visit_cycle {
    struct visit_step *steps;
    size_t length; /* number of steps; 0 if there is no cycle */
};

/* Sort the points so that each comes after all points that must precede it. Call points_finish
 * before. *order becomes a list of the numbers of all points, which the caller frees. If points
 * must precede each other in a cycle, *order is NULL, and the caller must call visit_cycle_fini.
 * Time: O(points + edges). Memory: 12 bytes for each point, 8 more with buffers; *order keeps 4 of
 * them. */
csy_status visit_order(const struct points *points, uint32_t **order, struct visit_cycle *cycle,
                       csy_error *error);
void visit_cycle_fini(struct visit_cycle *cycle);

#endif
