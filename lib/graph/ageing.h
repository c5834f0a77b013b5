/* Drifting clocks: computes limits for the age of each clock at its readings (local times).
 *
 * The age h of a clock is how much it has gained or lost. It is an integer in units of 1/S tick,
 * where S = RATE_UNIT. G_t(x) is the corrected time of clock t at its reading x. A and B are the
 * least and the greatest rate of a clock, in units of 1/S.
 *
 *   G_t(x) = x + h_t(x) / S
 *   A (b - a) <= h(b) - h(a) <= B (b - a)        for readings a <= b of the same clock
 *   h_s(lo(p)) - h_t(hi(q)) <= S weight + added (S + rate)      for each pair of points p and q of
 *                                                               clocks s and t (graph/reduce.h);
 *                                                               without `added` if q is a hub
 *
 * The readings of pairs are the nodes of a network. The ages at two neighbouring readings of a
 * clock limit each other, and the ages at both ends of a pair limit each other, too. Passes
 * forwards and backwards over the nodes find the least and the greatest age of each node, relative
 * to the first node of a reference clock. The order of nodes is chosen so that few passes are
 * needed, and passes visit only nodes that have changed. The parent of a node is the node that
 * changed it last. If constraints contradict each other, the parents contain a cycle. All
 * arithmetic is exact, in 128 bits.
 *
 * A component is a set of vertices that reach each other through pairs; it has a reference of its
 * own. Pairs between components do not limit ages within a component. */
#ifndef GRAPH_AGEING_H
#define GRAPH_AGEING_H

#include "graph/pair_table.h"

#define NO_NODE UINT32_MAX

/* Flag in the member `pair` of struct ageing_arc: added_ticks is added to this pair. */
#define ARC_COUNTS ((uint32_t)1 << 31)

enum { AGEING_WORD = 64 }; /* number of bits in a word of the arrays `changed` and `seen` */

/* Stands for minus infinity: nothing limits the least age. Real ages are far greater, because they
 * are sums of at most 2^32 numbers below 2^91. */
#define AGE_NONE (-((int128)1 << 126))

struct ageing_rate {
    int64_t least, greatest; /* least and greatest rate of a clock, in units of 1/RATE_UNIT */
};

/* A pair as seen from one of its two nodes; `node` is the other node. */
struct ageing_arc {
    uint32_t node;
    uint32_t pair; /* index of the pair, with the flag ARC_COUNTS if added_ticks is added to the
                    * weight */
    int64_t weight;
};

struct ageing {
    const struct pairs *pairs;
    uint32_t rate_ppb; /* greatest rate of all clocks but tau, in 1/RATE_UNIT */
    struct ageing_rate *rates;
    uint32_t *component; /* for each vertex: number of its component */
    size_t ncomponents;
    uint32_t *reference; /* the ages in each component are relative to this clock or hub */
    size_t nnodes;
    uint32_t *vertex; /* clock or hub of each node; passes visit nodes in this order */
    int64_t *reading;
    uint32_t *sorted; /* all nodes, sorted by clock, then by local time */
    uint32_t *rank;   /* for each node: its index in `sorted` */
    /* the nodes of vertex v are sorted[first_of[v]] to sorted[first_of[v + 1] - 1] */
    size_t *first_of;
    uint32_t *from, *to;            /* for each pair: the nodes at its two ends */
    uint32_t *first_out, *first_in; /* index of each node's first arc; nnodes + 1 entries */
    struct ageing_arc *arcs_out, *arcs_in;
    int128 *least, *negated; /* the least age of each node, and minus the greatest age */
    uint32_t *parent;
    /* which ages the last search computed; the next search may reuse `parent` for the same ones */
    enum { PARENTS_NONE, PARENTS_LEAST, PARENTS_GREATEST } parents;
    uint64_t *changed, *seen; /* bit arrays with a bit for each node */
    int64_t added_ticks;
};

/* Constraints that contradict each other unless ticks are added to each of them. They form a
 * cycle. */
struct ageing_cycle {
    size_t *pairs;      /* indices of the pairs in the cycle, in order */
    size_t length;      /* number of pairs, or 0 if no cycle was found */
    int64_t asks_ticks; /* ticks to add to each constraint to avoid this contradiction */
};

/* The possible rates of clocks, and the clock that ages are relative to: tau, the reference clock
 * of the trace, if the component contains it, and otherwise the first clock with the greatest
 * `prefer`. */
struct ageing_rule {
    uint32_t tau;
    uint32_t rate_ppb;      /* greatest rate of all clocks except tau, in 1/RATE_UNIT */
    const uint64_t *prefer; /* for each clock: a greater number makes it a better reference */
};

/* Build the network that the head of this file explains. `pairs` must outlive it. Call
 * ageing_fini even after a failure. Memory: about 65 bytes for each node and 40 for each pair. */
csy_status ageing_init(struct ageing *ageing, const struct points *points,
                       const struct pairs *pairs, const struct ageing_rule *rule, csy_error *error);
void ageing_fini(struct ageing *ageing);

/* Set the greatest rate of all clocks except the reference clock tau. It must not exceed the
 * rate for which ageing->pairs was made. */
void ageing_set_rate(struct ageing *ageing, uint32_t tau, uint32_t rate_ppb);

/* Find the least number of ticks, at least least_ticks, that must be added to each constraint so
 * that they do not contradict each other. If `given` is true, only test least_ticks. Also computes
 * least ages. *cycle becomes the last contradiction; its length is 0 if there was none. The caller
 * frees cycle->pairs. */
csy_status ageing_find(struct ageing *ageing, int64_t least_ticks, bool given,
                       struct ageing_cycle *cycle, csy_error *error);

/* Test whether constraints contradict each other if added_ticks is added to each; *fits becomes
 * false if they do. Also computes least ages. Faster than ageing_find after another test. */
csy_status ageing_test(struct ageing *ageing, int64_t added_ticks, bool *fits, csy_error *error);

/* Compute the greatest age of each clock at each of its readings, with the added_ticks that
 * ageing_find has set. */
csy_status ageing_bound(struct ageing *ageing, csy_error *error);

/* Assume that each clock's rate varies by at most `wander_ppb` around a constant, and narrow the
 * limits of rates and ages accordingly. *wanders becomes a clock with a rate that must vary more,
 * or NO_NODE if there is none. */
csy_status ageing_wander(struct ageing *ageing, uint32_t wander_ppb, uint32_t *wanders,
                         csy_error *error);

/* Compute the least and the greatest age of a clock at a local time, relative to the clock that
 * struct ageing_rule explains. Time: O(log nodes of the clock). */
void ageing_at(const struct ageing *ageing, uint32_t vertex, int64_t reading, int128 *least,
               int128 *greatest);

/* Compute limits of all ages relative to the first reading of the clock tau. AGE_NONE means no
 * limit. The caller frees out->least and out->negated, even after a failure. All other arrays of
 * *out belong to `ageing`. Memory: 48 bytes for each pair. */
csy_status ageing_bound_from(struct ageing *ageing, uint32_t tau, struct ageing *out,
                             csy_error *error);

/* A local time of one clock; `vertex` is the number of the clock. */
struct ageing_moment {
    uint32_t vertex;
    int64_t reading;
};

/* The readings of a clock next to a given local time: the last one at or before it, and the first
 * one after it. NO_NODE if there is none. Time: O(log nodes). */
struct neighbours {
    uint32_t before, after;
};
struct neighbours ageing_neighbours(const struct ageing *ageing, struct ageing_moment moment);

/* Compute the least and the greatest value of the age at `to` minus the age at `from`. Call
 * ageing_bound first. *known becomes false if no pairs connect the two clocks. Time: as
 * ageing_bound. Memory: 32 bytes for each node. */
csy_status ageing_between(struct ageing *ageing, struct ageing_moment from, struct ageing_moment to,
                          bool *known, int128 *least, int128 *greatest, csy_error *error);

/* Find the pairs that limit the greatest value of ageing_between. They form a path from `to` back
 * to `from`. The caller frees *pairs. Not for clocks in different components. */
csy_status ageing_walk(const struct ageing *ageing, struct ageing_moment from,
                       struct ageing_moment to, size_t **pairs, size_t *length, int128 *greatest,
                       csy_error *error);

/* Returns by how much the age at the first end of a pair can exceed the age at its second end.
 * `weight` is the weight of the pair. `counts` is true if added_ticks is added to the weight. */
static inline int128 ageing_loss(const struct ageing *ageing, int64_t weight, bool counts)
{
    int128 added =
        counts ? (int128)ageing->added_ticks * ((int64_t)RATE_UNIT + ageing->rate_ppb) : 0;
    return (int128)weight * RATE_UNIT + added;
}

static inline int128 ageing_greatest(const struct ageing *ageing, uint32_t node)
{
    return -ageing->negated[node];
}

#endif
