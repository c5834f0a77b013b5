/*
 * Clocks that drift: what pairs of points say of how much each clock has aged at its readings.
 *
 *   G_t(x) = x + h_t(x) / S           S = RATE_UNIT; h, an integer, is the age
 *   A (b - a) <= h(b) - h(a) <= B (b - a)     for readings a <= b of t; A and B in parts of S
 *   h_s(lo(p)) - h_t(hi(q)) <= S weight + added (S + rate)      of a pair (p,q); none is added
 *                                                               where q is a hub
 *
 * The readings of pairs are the nodes of a network: neighbours on a clock, and the ends of a pair,
 * limit each other.  Of each node the least age and the greatest, where that of the first node of
 * its component's reference is 0, come from passes forth and back over the nodes in an order
 * of theirs, of which only those are looked at that have changed.  Cycles that can not be show
 * among those which each node was last changed by.  Everything is exact, in 128 bits.
 *
 * Components are those of vertices that lead to each other by pairs; pairs between two of them say
 * nothing here.
 */
#ifndef GRAPH_AGEING_H
#define GRAPH_AGEING_H

#include "graph/pair_table.h"

#define NO_NODE UINT32_MAX

/* In `pair` of an arc: what is added counts. */
#define ARC_COUNTS ((uint32_t)1 << 31)

enum { AGEING_WORD = 64 }; /* bits of `changed` */

/* Ages stay within this: 2^32 nodes, of steps below 2^91. */
#define AGE_NONE (-((int128)1 << 126))

struct ageing_rate {
    int64_t least, greatest; /* A and B */
};

struct ageing_arc {
    uint32_t node;
    uint32_t pair; /* and ARC_COUNTS */
    int64_t weight;
};

struct ageing {
    const struct pairs *pairs;
    uint32_t rate_ppb;         /* of all clocks at most */
    struct ageing_rate *rates; /* by vertex */
    uint32_t *component;       /* by vertex */
    size_t ncomponents;
    uint32_t *reference; /* by component, a vertex */
    size_t nnodes;
    uint32_t *vertex; /* by node, which are numbered in an order of theirs */
    int64_t *reading;
    uint32_t *next, *previous;    /* on the same vertex, by reading, or NO_NODE */
    uint32_t *sorted;             /* nodes by vertex and reading, */
    size_t *first_of;             /* and by vertex, and one more, where those of it begin */
    uint32_t *from, *to;          /* by pair, nodes */
    size_t *first_out, *first_in; /* by node, and one more: where its arcs begin */
    struct ageing_arc *arcs_out, *arcs_in; /* within components */
    int128 *least, *negated; /* by node: the least age, and the greatest with its sign changed */
    uint32_t *parent;
    uint64_t *changed; /* a bit a node */
    uint32_t *mark;
    int64_t added_ticks;
};

/* A cycle that can not be at less than what it asks for. */
struct ageing_cycle {
    size_t *pairs;      /* in its order */
    size_t length;      /* 0: there was none */
    int64_t asks_ticks; /* for so much to be added */
};

/* Clocks and how they may run.  tau is the reference of its component; of another one the clock is
 * that is preferred most, of these the first: its age is 0 at its first node, but it may drift as
 * others do. */
struct ageing_rule {
    uint32_t tau;
    uint32_t rate_ppb;      /* of all clocks but tau, below RATE_UNIT */
    const uint64_t *prefer; /* by clock */
};

/* Of pairs of points, which must stay.  The caller calls ageing_fini even after a failure.  About
 * 130 bytes a node and 60 a pair. */
csy_status ageing_init(struct ageing *ageing, const struct points *points,
                       const struct pairs *pairs, const struct ageing_rule *rule, csy_error *error);
void ageing_fini(struct ageing *ageing);

/* All clocks but tau gain or lose up to that, which is no more than what pairs were made for. */
void ageing_set_rate(struct ageing *ageing, uint32_t tau, uint32_t rate_ppb);

/* The least added_ticks from `least` on at which there is no cycle that can not be; or, where it is
 * given, whether there is none at that.  *cycle, freed by the caller: that which was met last, and
 * where it is given, length 0 if it is enough.  Sets the least ages. */
csy_status ageing_find(struct ageing *ageing, int64_t least_ticks, bool given,
                       struct ageing_cycle *cycle, csy_error *error);

/* The least ages and the greatest at added_ticks, where ageing_find has found no cycle. */
csy_status ageing_bound(struct ageing *ageing, csy_error *error);

/* Rates stay within `wander` of a constant: narrow them by what bounds say of that, and bounds by
 * them, at most 8 times.  *wanders: a clock of which no rate is left, or NO_NODE; where some cycle
 * can not be, the first clock of it. */
csy_status ageing_wander(struct ageing *ageing, uint32_t wander_ppb, uint32_t *wanders,
                         csy_error *error);

/* The least age of a clock at a reading of it, and the greatest, to its component's reference.
 * O(log nodes of the clock). */
void ageing_at(const struct ageing *ageing, uint32_t vertex, int64_t reading, int128 *least,
               int128 *greatest);

/* The same to the first node of tau, for all clocks.  Pairs from one component to another limit the
 * ages there on one side.  *out has ages of its own, AGE_NONE on a side without a limit; it shares
 * the rest with `ageing`, which must outlive it.  The caller frees least and negated, also after a
 * failure.  Passes as of ageing_bound; about 60 bytes a pair until it returns. */
csy_status ageing_bound_from(const struct ageing *ageing, uint32_t tau, struct ageing *out,
                             csy_error *error);

/* A reading of a clock. */
struct ageing_moment {
    uint32_t vertex;
    int64_t reading;
};

/* By how much the age of `to` is more than that of `from` at least, and at most, where ageing_bound
 * has found bounds.  *known: their clocks are of one component.  Passes as of ageing_bound over
 * ages of their own, 32 bytes a node. */
csy_status ageing_between(const struct ageing *ageing, struct ageing_moment from,
                          struct ageing_moment to, bool *known, int128 *least, int128 *greatest,
                          csy_error *error);

/* What a pair of that weight takes from an age. */
static inline int128 ageing_loss(const struct ageing *ageing, int64_t weight, bool counts)
{
    int128 added =
        counts ? (int128)ageing->added_ticks * ((int128)RATE_UNIT + ageing->rate_ppb) : 0;
    return (int128)weight * RATE_UNIT + added;
}

static inline int128 ageing_greatest(const struct ageing *ageing, uint32_t node)
{
    return -ageing->negated[node];
}

#endif
