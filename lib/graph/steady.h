/* Finds the least addition for which each clock can keep a nearly constant rate. The addition is
 * the time, in ticks, that is added to each constraint (added_ticks in graph/ageing.h).
 *
 * A clock may run within `wander` of its constant rate r, which is a whole number of ppb from
 * -(rate - wander) to rate - wander. For given rates r, passes over the network (graph/ageing.h)
 * find the least addition. Each contradictory cycle that they find gives an inequality, called a
 * cut, which is valid for all rates:
 *
 *    count unit added >= constant + sum of r[c] distance[c]
 *
 * Here `count` is the number of pairs in the cycle that have an addition, and distance[c] is how
 * far the cycle moves along clock c from the end of one pair to the begin of the next. The rates
 * for which the cuts require the least addition are the solution of a small linear program. These
 * rates are tried next. The search ends when a combination of cuts proves that no rates need less,
 * or when the same rates come up again.
 *
 * The linear program works with fixed-point numbers, and only proposes rates and combinations.
 * Passes confirm each addition, and each proof is checked with exact integers. */
#ifndef GRAPH_STEADY_H
#define GRAPH_STEADY_H

#include "graph/ageing.h"

struct steady_rule {
    uint32_t tau;
    int64_t wander_ppb;  /* greatest deviation from the constant rate; below ageing->rate_ppb */
    int64_t least_ticks; /* number of ticks that must be added to each constraint even if rates are
                          * not constant */
    size_t solves_most;
    uint64_t visits_most; /* greatest number of nodes in all calls of ageing_find together */
};

struct steady {
    int64_t added_ticks; /* number of ticks added to each constraint so that no contradictions
                          * remain at these rates */
    int64_t *rate_ppb;   /* for each clock: its constant rate; steady_fini frees the array */
    int64_t least_ticks; /* proved least value of added_ticks for any constant rates */
    /* true if added_ticks is proved to be the least, or if the search came back to rates that it
     * had tried before */
    bool best;
    /* true if the search ended at visits_most. added_ticks is then INT64_MAX if no rates were tried
     * to the end. */
    bool spent;
};

/* Find constant rates such that as few ticks as possible must be added to each constraint. Call
 * ageing_find with rule->least_ticks before. Afterwards, the rates in `ageing` are as after
 * ageing_set_rate, and its ages are undefined. Calls ageing_find at least once for each attempt;
 * with 2 or 3 clocks, 3 to 6 attempts are typical. */
csy_status steady_find(struct ageing *ageing, const struct steady_rule *rule, struct steady *out,
                       csy_error *error);
void steady_fini(struct steady *steady);

#endif
