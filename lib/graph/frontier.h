/* Drifting clocks: limits between every two clocks, at many moments.
 *
 * A moment is a reading of each clock. The limits follow from walks over pairs of readings, as in
 * graph/ageing.h, but one sweep over the pairs serves all clocks and moments.
 *
 * A frontier is one reading of each clock, with the limit of h_i - h_j for every two clocks i and j
 * by walks on one side of it. The sweep forth moves the frontier from the first pair to the last;
 * its limits are those of walks in the past. Moving one clock costs what the clock can age in
 * between. A pair that improves the limit of its two clocks then improves others. The sweep back
 * does the same for walks in the future.
 *
 * A walk between two readings of a moment meets the moment on some clocks. Each part in between is
 * in the past, in the future, or a pair that crosses the moment. So the least of both sweeps and of
 * crossing pairs, closed under chains, has all walks. Each pair is moved to the reading that its
 * clock has on the frontier, which costs at most 2 R times its latency: limits are sound, and exact
 * up to that. Finally, the least and greatest ages to the component's reference limit them, too. */
#ifndef GRAPH_FRONTIER_H
#define GRAPH_FRONTIER_H

#include "graph/ageing.h"

/* No limit. */
#define FRONTIER_NONE ((int128)1 << 120)

struct frontier_moments {
    size_t count;
    const int128 *times;     /* in rising order */
    const int64_t *readings; /* by moment, then by clock */
    int128 *places; /* by node: its time; nodes of hubs are set here. Every choice is sound;
                              * limits are closest if times of pairs rise */
};

/* The limit of h_i(x_i) - h_j(x_j) for each moment, clock i, and clock j, after ageing_bound.
 * The caller allocates count * nclocks^2 limits. O(pairs clocks^2 + count clocks^3); usually a pair
 * improves few limits. 32 bytes for each pair, and 16 for every two clocks. */
csy_status frontier_limits(const struct ageing *ageing, const struct frontier_moments *moments,
                           int128 *limits, csy_error *error);

/* An estimate of the steps. */
uint128 frontier_steps(const struct ageing *ageing, size_t nmoments);

#endif
