/* Majorants: upper bounds of the time with at least i active actors, or of the negative time.
 * Clock offsets are only known within limits, so each bound is a function of the moves x of clocks
 * (analysis/ranges/moves.h):
 *
 *    number + sum over clocks of c[clock] x[clock]
 *           - sum over arcs of capacity * max(0, x[s] - x[t] - cost)
 *
 * For all possible moves, it is at least the time.  All coefficients are in 1/256.  The terms come
 * from pairs of changes that may be in either order (analysis/ranges/swaps.h). */
#ifndef ANALYSIS_RANGES_MAJORANTS_H
#define ANALYSIS_RANGES_MAJORANTS_H

#include "analysis/ranges/moves.h"
#include "base/keys.h"

enum { PARTS = 256, ARCS_OF_PAIR = 32 };

struct majorant {
    int128 number;
    int64_t *c; /* coefficient of each clock; NULL if all are 0 */
    struct flow_arc *arcs;
    uint32_t *next;   /* for each arc: the next arc between the same clocks, or NO_ARC */
    uint32_t *firsts; /* for each pair of clocks: its first arc */
    struct keys pairs;
    size_t narcs, arcs_capacity, next_capacity, firsts_capacity;
    uint64_t turns; /* number of terms in the bound, each from one timestamp */
};

/* levels[i - 1]: upper bounds of the time with at least i active actors, 1 <= i <= n; levels[n]: of
 * the sum of the active times of all actors. */
struct majorants {
    struct majorant *levels;
    size_t n, nclocks;
    int sign; /* 1: bounds of the time; -1: bounds of the negative time */
};

/* An event at which an actor becomes active or inactive, or an edge of the examined block. */
struct change {
    int64_t global_ticks, local_ticks;
    uint32_t clock;
    uint32_t actor; /* index of the actor; NO_ACTOR if the change was moved to another record */
    int sign;       /* 1: the actor becomes active; -1: it becomes inactive; 0: neither */
    int edge;       /* 1: the block begins; -1: the block ends; 0: no edge */
    bool ordered;
};

static inline struct change change_at(const struct moment *at, uint32_t actor, int sign,
                                      bool ordered)
{
    return (struct change){at->global_ticks, at->local_ticks, at->clock, actor, sign, 0, ordered};
}

csy_status majorants_init(struct majorants *majorants, size_t nlevels, size_t nclocks, int sign,
                          csy_error *error);
void majorants_fini(struct majorants *majorants);

/* Add the next change in the order of the records. `active` is the number of active actors before
 * it. `counts` is true if the time before it is in the block. Returns false if out of memory. */
bool majorants_take(struct majorants *majorants, int64_t active, bool counts,
                    const struct change *change);

/* What is possible just before two changes whose order is unknown. */
struct before_both {
    int64_t least, greatest; /* least and greatest number of active actors */
    /* true if this moment may be inside the block, and true if it may be outside */
    bool may_count, may_not;
};

/* Raise the bounds, because change a, recorded before b, may come after b. Returns false if out of
 * memory. */
bool majorants_invert(struct majorants *majorants, const struct reach *reach,
                      const struct change *a, const struct change *b,
                      const struct before_both *before);

/* A term of a weighted sum of upper bounds, with a weight above 0. majorants_greatest finds the
 * greatest value of the sum for all clock offsets, in 1/256 tick. */
struct weighted {
    const struct majorant *majorant; /* the upper bound, or NULL for a term of 0 */
    int64_t weight;
};

csy_status majorants_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                              int128 *out, bool *limited, csy_error *error);

#endif
