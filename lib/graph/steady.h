/* The least addition for which each clock can keep a nearly constant rate.
 *
 * Rate r of a clock is a whole number of ppb from -(rate - wander) to rate - wander, and the clock
 * runs within `wander` of it. For fixed rates, passes over the network (graph/ageing.h) find the
 * least addition. Each contradictory cycle that they meet is a cut, which holds for all rates:
 *
 *   count unit added >= constant + sum of r[c] distance[c]
 *
 * count is the number of its pairs that have an addition, and distance[c] is how far the cycle
 * moves along clock c from the end of one pair to the begin of the next. The minimum over the
 * rates of the greatest cut is a small linear program. Its rates are tried next, until a
 * combination of cuts proves that no rates need less, or the same rates come up again.
 *
 * The linear program works with fixed-point numbers and only proposes rates and combinations. Each
 * addition is attained by passes, and each proof is checked with exact integers. */
#ifndef GRAPH_STEADY_H
#define GRAPH_STEADY_H

#include "graph/ageing.h"

struct steady_rule {
    uint32_t tau;
    int64_t wander_ppb;  /* below the greatest rate of the network, ageing->rate_ppb */
    int64_t least_ticks; /* an addition that is enough if rates may change */
    size_t solves_most;
};

struct steady {
    int64_t added_ticks; /* it is enough, with these rates */
    int64_t *rate_ppb;   /* by clock; steady_fini frees it */
    int64_t least_ticks; /* no rates need less than this */
    bool best; /* least_ticks is added_ticks, or rates in whole ppb near the optimum were tried */
};

/* The ages of the network must be least ones at rule->least_ticks; they are the starting point.
 * Afterwards the rates of the network are those of ageing_set_rate again, and its ages are
 * undefined. Passes as ageing_find, for each of a few solves: 3 to 6 for 2 or 3 clocks. */
csy_status steady_find(struct ageing *ageing, const struct steady_rule *rule, struct steady *out,
                       csy_error *error);
void steady_fini(struct steady *steady);

#endif
