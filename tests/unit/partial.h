/* Random partial orders, and their bounds by brute force: all points and clocks are vertices of one
 * graph, whose shortest paths are computed by the Floyd-Warshall algorithm. */
#ifndef UNIT_PARTIAL_H
#define UNIT_PARTIAL_H

#include "support.h"

#include "base/number.h"
#include "clock/points.h"

enum { PARTIAL_CLOCKS = 6, PARTIAL_POINTS = 26, PARTIAL_VERTICES = 64 };

struct partial {
    struct points points; /* after points_finish */
    size_t nclocks;
};

/* Draw records of a few clocks with messages, latencies, flushes, and late timestamps (in some
 * draws, none is late). Locations may share or change their clock, and write to several buffers. */
void partial_draw(struct random *r, struct partial *p);

/* Draw barriers of two or three clocks with late timestamps. There are also messages from one
 * barrier to the next, and clocks that leave a barrier long after the previous one. */
void partial_draw_barriers(struct random *r, struct partial *p);
void partial_discard(struct partial *p);

/* Add a record of each clock i < n, at a location of its own and with the local time x[i]. end[i]
 * is the point of the record. */
void partial_add_records(struct points *points, uint32_t n, const int64_t *x, uint32_t *end);

#define PARTIAL_FAR ((int128)1 << 90)

/* Compute the greatest value bound[s][t] of g[s] - g[t], in units of 1 / (2 den) ticks; PARTIAL_FAR
 * means that there is no limit. The timestamp error is twice_num / (2 den) ticks. Returns false if
 * no instants satisfy the order. */
bool partial_answer(const struct partial *p, int64_t twice_num, int64_t den,
                    int128 bound[PARTIAL_CLOCKS][PARTIAL_CLOCKS]);

#endif
