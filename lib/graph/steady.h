/* Finds the least addition for which each clock can keep a nearly constant rate. The addition is
 * the time, in ticks, that is added to each constraint (added_ticks in graph/ageing.h).
 *
 * The rate r of a clock is a whole number of ppb from -(rate - wander) to rate - wander. The clock
 * runs within `wander` of r. For fixed rates, passes over the network (graph/ageing.h) find the
 * least addition. Each contradictory cycle that these passes find is a cut: an inequality that is
 * valid for all rates:
 *
 *    count unit added >= constant + sum of r[c] distance[c]
 *
 * Here count is the number of pairs in the cycle that have an addition, and distance[c] is how far
 * the cycle moves along clock c from the end of one pair to the begin of the next. The minimum over
 * all rates of the greatest cut is the solution of a small linear program. Its rates are tried
 * next. The search ends when a combination of cuts proves that no rates need less, or when the same
 * rates come up again.
 *
 * The linear program works with fixed-point numbers, and only proposes rates and combinations.
 * Passes confirm each addition, and each proof is checked with exact integers. */
#ifndef GRAPH_STEADY_H
#define GRAPH_STEADY_H

#include "graph/ageing.h"

struct steady_rule {
    uint32_t tau;
    int64_t wander_ppb;  /* less than the greatest rate of the network (ageing->rate_ppb) */
    int64_t least_ticks; /* an addition that suffices if rates may change over time */
    size_t solves_most;
};

struct steady {
    int64_t added_ticks; /* an addition that suffices for the rates in `rate_ppb` */
    int64_t *rate_ppb;   /* for each clock: its rate; steady_fini frees the array */
    int64_t least_ticks; /* an addition that all rates need */
    bool best; /* true if both additions are equal, or if whole ppb near the optimum were tried */
};

/* Find the least addition. The network must have the least ages at rule->least_ticks. Afterwards,
 * its rates are as set by ageing_set_rate, and its ages are undefined. Cost: as ageing_find for
 * each solve; 3 to 6 solves for 2 or 3 clocks. */
csy_status steady_find(struct ageing *ageing, const struct steady_rule *rule, struct steady *out,
                       csy_error *error);
void steady_fini(struct steady *steady);

#endif
