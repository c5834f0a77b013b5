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
    int64_t wander_ppb;  /* less than the greatest rate of the network, ageing->rate_ppb */
    int64_t least_ticks; /* addition that suffices if rates may change */
    size_t solves_most;
};

struct steady {
    int64_t added_ticks; /* addition that suffices for the rates below */
    int64_t *rate_ppb;   /* for each clock; steady_fini frees it */
    int64_t least_ticks; /* all rates need at least this */
    bool best;           /* least_ticks is added_ticks, or whole ppb near the optimum were tried */
};

/* Find the addition. The ages of the network must be the least ages at rule->least_ticks.
 * Afterwards, its rates are those of ageing_set_rate, and its ages are undefined. Takes passes as
 * ageing_find for each of a few solves, 3 to 6 for 2 or 3 clocks. */
csy_status steady_find(struct ageing *ageing, const struct steady_rule *rule, struct steady *out,
                       csy_error *error);
void steady_fini(struct steady *steady);

#endif
