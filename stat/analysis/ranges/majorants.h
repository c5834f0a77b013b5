/*
 * Majorants of the time with at least i actors active, or of the negated time.  A majorant is a
 * function of the moves of clocks, for each level:
 *
 *   number + sum over clocks of c[clock] x[clock]
 *          - sum over arcs of capacity * max(0, x[s] - x[t] - cost)
 *
 * It is at least as great as the time at all moves.  All coefficients are in 1/256.
 * analysis/ranges/swaps.h finds the pairs of changes that it is made of.
 */
#ifndef ANALYSIS_RANGES_MAJORANTS_H
#define ANALYSIS_RANGES_MAJORANTS_H

#include "analysis/ranges/moves.h"
#include "base/keys.h"

enum { PARTS = 256, ARCS_OF_PAIR = 32 };

struct majorant {
    int128 number;
    int64_t *c; /* by clock; NULL: all 0 */
    struct flow_arc *arcs;
    uint32_t *next;   /* by arc: the next arc of its pair of clocks, or NO_ARC */
    uint32_t *firsts; /* by pair: its first arc */
    struct keys pairs;
    size_t narcs, arcs_capacity, next_capacity, firsts_capacity;
    uint64_t turns; /* how often the base order crosses the level */
};

/* Majorants for all levels. The level of at least i active actors, for i from 1 to n, is at index i
 * - 1. Index n has the sum of all levels, which is the total active time of all actors. */
struct majorants {
    struct majorant *levels;
    size_t n, nclocks;
    int sign; /* -1: majorants of the negated time */
};

/* A change of the number of active actors by one, or an edge of the examined time.  Time outside
 * the edges does not count. */
struct change {
    int64_t global_ticks, local_ticks;
    uint32_t clock;
    uint32_t actor; /* or NO_ACTOR: the change was moved to a record */
    int sign;       /* 1 or -1; 0 for an edge, or for a record that changes nothing */
    int edge;       /* 1: the examined time begins; -1: it ends; 0: no edge */
    bool ordered;
};

csy_status majorants_init(struct majorants *majorants, size_t nlevels, size_t nclocks, int sign,
                          csy_error *error);
void majorants_fini(struct majorants *majorants);

/* Add a change in the base order. `active` is the number of active actors before the change.
 * counts: true if the time before the change is part of the examined time. Returns false if memory
 * runs out. */
bool majorants_take(struct majorants *majorants, int64_t active, bool counts,
                    const struct change *change);

/* The time before both of two changes that may be in either order. */
struct before_both {
    int64_t least, greatest; /* limits of the number of active actors */
    /* may_count: it may be part of the examined time; may_not: it may be outside of it */
    bool may_count, may_not;
};

/* Allow for the possibility that a comes after b, although a comes before b in the base order.
 * Returns false if memory runs out. */
bool majorants_invert(struct majorants *majorants, const struct reach *reach,
                      const struct change *a, const struct change *b,
                      const struct before_both *before);

/* A term of the sum for majorants_greatest, which finds the greatest value of the sum of weight *
 * majorant over all moves. Weights are above 0. The value includes imprecision and is in 1/256. */
struct weighted {
    const struct majorant *majorant; /* NULL: the term is 0 */
    int64_t weight;
};

csy_status majorants_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                              int128 *out, bool *limited, csy_error *error);

#endif
