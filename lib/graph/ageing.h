/* Drifting clocks: computes the limits that pairs of points imply for the age of each clock at its
 * readings.
 *
 *   G_t(x) = x + h_t(x) / S           S = RATE_UNIT; h, an integer, is the age
 *   A (b - a) <= h(b) - h(a) <= B (b - a)     for readings a <= b of t; A and B in units of 1/S
 *   h_s(lo(p)) - h_t(hi(q)) <= S weight + added (S + rate)      for a pair (p,q), without added
 *                                                               if q is a hub
 *
 * The readings of pairs are the nodes of a network. Two neighbouring readings of a clock limit each
 * other, and so do the two ends of a pair. Passes forwards and backwards over the nodes find the
 * least and the greatest age of each node, relative to the first node of the reference of its
 * component. The order of nodes is chosen so that few passes are needed, and passes visit only
 * nodes that have changed. The parent of a node is the node that changed it last. If constraints
 * contradict each other, the parents contain a cycle. All arithmetic is exact, in 128 bits.
 *
 * Components are sets of vertices that reach each other through pairs. Pairs between components do
 * not limit ages within a component. */
#ifndef GRAPH_AGEING_H
#define GRAPH_AGEING_H

#include "graph/pair_table.h"

#define NO_NODE UINT32_MAX

/* Flag in the member `pair` of an arc: added_ticks is added to this pair. */
#define ARC_COUNTS ((uint32_t)1 << 31)

enum { AGEING_WORD = 64 }; /* bits in a word of the array `changed` */

/* A value below all ages. There are at most 2^32 nodes, with steps below 2^91. */
#define AGE_NONE (-((int128)1 << 126))

struct ageing_rate {
    int64_t least, greatest; /* the rates A and B */
};

/* A copy of what passes need of a pair. Passes read many arcs, so arcs are small. */
struct ageing_arc {
    uint32_t node;
    uint32_t pair; /* or-ed with ARC_COUNTS */
    int64_t weight;
};

struct ageing {
    const struct pairs *pairs;
    uint32_t rate_ppb;         /* greatest rate of all clocks */
    struct ageing_rate *rates; /* indexed by vertex */
    uint32_t *component;       /* indexed by vertex */
    size_t ncomponents;
    uint32_t *reference; /* for each component: the vertex to which its ages are relative */
    size_t nnodes;
    uint32_t *vertex; /* for each node: its vertex; nodes are numbered in the order of passes */
    int64_t *reading;
    uint32_t *sorted; /* nodes, sorted by vertex and reading */
    uint32_t *rank;   /* for each node: its index in `sorted` */
    /* for each vertex: index of its first node in `sorted`; nvertices + 1 entries */
    size_t *first_of;
    uint32_t *from, *to;            /* for each pair: its nodes */
    uint32_t *first_out, *first_in; /* for each node: index of its first arc; nnodes + 1 entries */
    struct ageing_arc *arcs_out, *arcs_in; /* arcs within components */
    int128 *least, *negated; /* for each node: the least age, and the negated greatest age */
    uint32_t *parent;
    uint64_t *changed, *seen; /* a bit for each node */
    int64_t added_ticks;
};

/* A cycle of pairs that contradict each other unless enough is added to each. */
struct ageing_cycle {
    size_t *pairs;      /* indexes of pairs, in order */
    size_t length;      /* 0: no cycle */
    int64_t asks_ticks; /* the addition that the cycle needs */
};

/* The rates that clocks may have, and the references of components. In the component of tau, the
 * reference is tau. In any other component, it is the first clock with the greatest `prefer`. Such
 * a reference has the age 0 at its first node, but it may drift like other clocks. */
struct ageing_rule {
    uint32_t tau;
    uint32_t rate_ppb;      /* greatest rate of all clocks except tau, below RATE_UNIT */
    const uint64_t *prefer; /* indexed by clock */
};

/* Make the network. `pairs` must outlive it. Call ageing_fini even after a failure. Memory: about
 * 65 bytes for each node and 40 for each pair. */
csy_status ageing_init(struct ageing *ageing, const struct points *points,
                       const struct pairs *pairs, const struct ageing_rule *rule, csy_error *error);
void ageing_fini(struct ageing *ageing);

/* Set the greatest rate of all clocks except tau, at most the rate for which pairs were made. */
void ageing_set_rate(struct ageing *ageing, uint32_t tau, uint32_t rate_ppb);

/* Find the least addition, from least_ticks on, without a contradictory cycle. If `given` is true,
 * only least_ticks is tested. *cycle receives the last cycle found; its length is 0 if a given
 * addition suffices. The caller frees the pairs of *cycle. Sets the least ages. */
csy_status ageing_find(struct ageing *ageing, int64_t least_ticks, bool given,
                       struct ageing_cycle *cycle, csy_error *error);

/* Find the least and greatest age of each node at added_ticks, after ageing_find found no cycle. */
csy_status ageing_bound(struct ageing *ageing, csy_error *error);

/* Let the rate of each clock vary by at most `wander_ppb` around a constant. Rates and bounds
 * narrow each other up to 8 times. *wanders becomes a clock without a possible rate, or a clock on
 * a contradictory cycle, or NO_NODE. */
csy_status ageing_wander(struct ageing *ageing, uint32_t wander_ppb, uint32_t *wanders,
                         csy_error *error);

/* Get the least and the greatest age of a clock at a reading, relative to the reference of its
 * component. Time: O(log nodes of the clock). */
void ageing_at(const struct ageing *ageing, uint32_t vertex, int64_t reading, int128 *least,
               int128 *greatest);

/* Like ageing_bound, for all clocks relative to the first node of tau. Pairs between components
 * limit ages on one side only. *out gets ages of its own, which are AGE_NONE without a limit, and
 * shares everything else with `ageing`. The caller frees `least` and `negated` of *out, even after
 * a failure. Cost: as many passes as ageing_bound, and 48 bytes for each pair meanwhile. */
csy_status ageing_bound_from(const struct ageing *ageing, uint32_t tau, struct ageing *out,
                             csy_error *error);

/* A reading of a clock. */
struct ageing_moment {
    uint32_t vertex;
    int64_t reading;
};

/* The nodes of a clock next to a reading: the last node at or before the reading, and the first
 * node after the reading. NO_NODE stands for a missing node. Time: O(log nodes of the clock). */
struct neighbours {
    uint32_t before, after;
};
struct neighbours ageing_neighbours(const struct ageing *ageing, struct ageing_moment moment);

/* Find the minimum and maximum of the age of `to` minus the age of `from`, after ageing_bound.
 * *known becomes false if the clocks are in different components. Cost: as ageing_bound; 32 bytes a
 * node. */
csy_status ageing_between(const struct ageing *ageing, struct ageing_moment from,
                          struct ageing_moment to, bool *known, int128 *least, int128 *greatest,
                          csy_error *error);

/* Find the walk that determines the maximum of ageing_between. *pairs receives its pairs in order,
 * from the clock of `to` to that of `from`. Both clocks must be in one component. The caller frees
 * *pairs. */
csy_status ageing_walk(const struct ageing *ageing, struct ageing_moment from,
                       struct ageing_moment to, size_t **pairs, size_t *length, int128 *greatest,
                       csy_error *error);

/* Returns the amount that a pair with this weight subtracts from an age. */
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
