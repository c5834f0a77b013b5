/* Computes limits of the difference between the ages of every two drifting clocks at many moments.
 * The age of a clock is how much it has gained or lost (graph/ageing.h). A moment is one reading
 * (local time) of each clock.
 *
 * The program keeps a limit of the age difference of every two clocks at their present readings,
 * called the frontier. A forward sweep visits all constraints in the order of time, and moves the
 * readings past each of them. When a clock moves to another reading, its limits grow by the most
 * that it can age in between. When a constraint lowers a limit, it may lower limits of other
 * clocks, too. A backward sweep does the same from the last constraint to the first.
 *
 * A path of constraints that limits a difference at a moment has parts before the moment, parts
 * after it, and constraints that cross it. So the limits of both sweeps and of crossing
 * constraints, combined over other clocks, include all paths. One sweep serves all moments.
 *
 * Each constraint is moved to the frontier's readings of its clocks, which makes it wider by at
 * most 2 R times its latency, where R is the greatest rate. So limits are always valid, but exact
 * only up to this amount. The ages relative to the component's reference also limit the
 * differences. */
#ifndef GRAPH_FRONTIER_H
#define GRAPH_FRONTIER_H

#include "graph/ageing.h"

#define FRONTIER_NONE ((int128)1 << 120)

struct frontier_moments {
    size_t count;
    const int128 *times;     /* for each moment: its time, in ascending order */
    const int64_t *readings; /* clock i at moment k reads readings[k * nclocks + i] */
    /* Approximate global time of each node (graph/ageing.h). frontier_limits sets the times of hubs
     * (groups of points). Wrong times make the limits wider, but not wrong. */
    int128 *places;
};

/* Set limits[(k * nclocks + i) * nclocks + j] to the greatest possible age of clock i minus the age
 * of clock j at moment k. `limits` must have room for all moments. Call ageing_bound before. Time:
 * O(pairs * clocks^2 + moments * clocks^3), usually less. Memory: 32 bytes for each pair. */
csy_status frontier_limits(const struct ageing *ageing, const struct frontier_moments *moments,
                           int128 *limits, csy_error *error);

uint128 frontier_steps(const struct ageing *ageing, size_t nmoments);

#endif
