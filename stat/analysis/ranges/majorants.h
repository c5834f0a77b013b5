/*
 * Majorants of the time with at least i actors active, and of what is below 0 of it: for each level
 * a function of moves of clocks,
 *
 *   number + sum over clocks of c[clock] x[clock]
 *          - sum over arcs of capacity * max(0, x[s] - x[t] - cost)
 *
 * that is nowhere less.  All in 1/256.  The pairs of instants that it is made of are told in
 * analysis/ranges/swaps.h.
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
    uint32_t *next; /* by arc: another one of its pair of clocks, or none; the first by pair: */
    uint32_t *firsts;
    struct keys pairs;
    size_t narcs, arcs_capacity, next_capacity, firsts_capacity;
    uint64_t turns; /* how often the base order crosses the level */
};

/* Levels 1 to n, at 0 to n - 1; and at n their sum, the time of all actors. */
struct majorants {
    struct majorant *levels;
    size_t n, nclocks;
    int sign; /* -1: majorants of the negated time */
};

/* A change of the number of active actors by one, or an edge of the time that is looked at.
 * Nothing outside the edges counts. */
struct change {
    int64_t global_ticks, local_ticks;
    uint32_t clock;
    uint32_t actor; /* or NO_ACTOR: it is not where that says */
    int sign;       /* 1 or -1; 0 of an edge, and of a record that changes nothing */
    int edge;       /* 1: the time begins; -1: it ends; 0: no edge */
    bool ordered;
};

csy_status majorants_init(struct majorants *majorants, size_t nlevels, size_t nclocks, int sign,
                          csy_error *error);
void majorants_fini(struct majorants *majorants);

/* Add a change of the base order.  `active` actors are active before it, and the time before it
 * counts or not.  Returns false if memory runs out. */
bool majorants_take(struct majorants *majorants, int64_t active, bool counts,
                    const struct change *change);

/* The time before both of two changes that can be inverted. */
struct before_both {
    int64_t least, greatest; /* active actors */
    bool may_count, may_not; /* whether it is looked at */
};

/* a comes before b in the base order, but need not. */
bool majorants_invert(struct majorants *majorants, const struct reach *reach,
                      const struct change *a, const struct change *b,
                      const struct before_both *before);

/* The greatest value of a sum of weight * majorant, weights above 0, with what imprecision adds, in
 * 1/256. */
struct weighted {
    const struct majorant *majorant; /* NULL: nothing */
    int64_t weight;
};

csy_status majorants_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                              int128 *out, bool *limited, csy_error *error);

#endif
