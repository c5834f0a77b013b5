/* Limits between every two drifting clocks at many moments.
 *
 * A moment is a reading of each clock. The limits follow from walks over pairs of readings, as in
 * graph/ageing.h, but one sweep over the pairs serves all clocks and moments.
 *
 * A frontier is one reading of each clock, with a limit of h_i - h_j for every two clocks i and j.
 * In the forward sweep, limits follow from walks in the past of the frontier. The sweep moves the
 * frontier from the first pair to the last. When a clock moves, its limits grow by what it can age
 * in between. When a pair improves the limit of its two clocks, limits of other clocks improve,
 * too. The backward sweep does the same with walks in the future.
 *
 * A walk between two readings of a moment meets the moment on some clocks. Each part of the walk in
 * between is in the past, in the future, or a pair that crosses the moment. So the least limits of
 * both sweeps and of crossing pairs, closed under chains, include all walks. Each pair is moved to
 * the frontier's reading of its clock. This costs at most 2 R times the latency of the pair, so
 * limits are always valid, and exact up to this amount. Finally, the least and greatest ages
 * relative to the component's reference limit the ages, too. */
#ifndef GRAPH_FRONTIER_H
#define GRAPH_FRONTIER_H

#include "graph/ageing.h"

/* The value of a limit that does not exist. */
#define FRONTIER_NONE ((int128)1 << 120)

struct frontier_moments {
    size_t count;
    const int128 *times;     /* times in ascending order */
    const int64_t *readings; /* for each moment: the reading of each clock */
    /* For each node: its time. frontier_limits sets the times of hubs. Limits are valid for any
     * times, but closest if times rise along pairs. */
    int128 *places;
};

/* Find the limit of h_i(x_i) - h_j(x_j) for each moment, clock i, and clock j. Call ageing_bound
 * before. The caller allocates count * nclocks^2 limits. Time: O(pairs clocks^2 + count clocks^3),
 * usually less. Memory: 32 bytes for each pair, and 16 for every two clocks. */
csy_status frontier_limits(const struct ageing *ageing, const struct frontier_moments *moments,
                           int128 *limits, csy_error *error);

/* Estimate the number of steps of frontier_limits. */
uint128 frontier_steps(const struct ageing *ageing, size_t nmoments);

#endif
