/* Majorants of the time with at least i actors active, or of its negative. For each level, a
 * majorant is a function of the moves of clocks:
 *
 *    number + sum over clocks of c[clock] x[clock]
 *           - sum over arcs of capacity * max(0, x[s] - x[t] - cost)
 *
 * It is never less than the time, whatever the moves are. All coefficients are in 1/256.
 * analysis/ranges/swaps.h finds the pairs of changes that it is made of. */
#ifndef ANALYSIS_RANGES_MAJORANTS_H
#define ANALYSIS_RANGES_MAJORANTS_H

#include "analysis/ranges/moves.h"
#include "base/keys.h"

enum { PARTS = 256, ARCS_OF_PAIR = 32 };

struct majorant {
    int128 number;
    int64_t *c; /* coefficient of each clock; NULL: all are 0 */
    struct flow_arc *arcs;
    uint32_t *next;   /* for each arc: the next arc of the same pair of clocks, or NO_ARC */
    uint32_t *firsts; /* for each pair of clocks: its first arc */
    struct keys pairs;
    size_t narcs, arcs_capacity, next_capacity, firsts_capacity;
    uint64_t turns; /* number of times that the base order crosses the level */
};

/* Majorants (upper bounds) of all levels: levels[i - 1] for the time with at least i active actors,
 * 1 <= i <= n; levels[n] for the sum of all levels, the active time of all actors. */
struct majorants {
    struct majorant *levels;
    size_t n, nclocks;
    int sign; /* 1: bounds of the time; -1: bounds of the negated time */
};

/* A change of the number of active actors by one, or an edge where the examined time begins or
 * ends. Time outside of the edges does not count. */
struct change {
    int64_t global_ticks, local_ticks;
    uint32_t clock;
    uint32_t actor; /* NO_ACTOR if the change was moved to a record */
    int sign;       /* added active actors, 1 or -1; 0: an edge, or a record without a change */
    int edge;       /* 1: the examined time begins; -1: the examined time ends; 0: no edge */
    bool ordered;
};

csy_status majorants_init(struct majorants *majorants, size_t nlevels, size_t nclocks, int sign,
                          csy_error *error);
void majorants_fini(struct majorants *majorants);

/* Add the next change in the base order. `active` is the number of active actors before the change.
 * `counts` is true if the time before the change is examined. Returns false if out of memory. */
bool majorants_take(struct majorants *majorants, int64_t active, bool counts,
                    const struct change *change);

/* What may hold before both of two changes, which may be in either order. */
struct before_both {
    int64_t least, greatest; /* limits of the number of active actors */
    /* whether the time may be examined, and whether the time may be outside of the examined time */
    bool may_count, may_not;
};

/* Allow for change a after change b, against the base order. Returns false if out of memory. */
bool majorants_invert(struct majorants *majorants, const struct reach *reach,
                      const struct change *a, const struct change *b,
                      const struct before_both *before);

/* A term of the sum of weight * majorant, with a weight above 0. majorants_greatest finds the
 * greatest sum over all moves, with imprecision, in 1/256 tick. */
struct weighted {
    const struct majorant *majorant; /* NULL if the term is 0 */
    int64_t weight;
};

csy_status majorants_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                              int128 *out, bool *limited, csy_error *error);

#endif
