/* Moves: how far all clocks together may be from their estimated offsets.
 *
 *    x[s] - x[t] <= slack(s,t)
 *
 * for all pairs of clocks that are live together; x is the move of each clock. With delta 0,
 * slack is the least time from a record of s to a record of t that directly follows it in the
 * buffer; these limits imply all others. Otherwise slack comes from the bounds, or only from the
 * bounds to the reference (star). The greatest sum of moves is the cost of a flow (graph/flow.h).
 *
 * A clock that drifts has no single move: each of its events has its own limits
 * (analysis/ranges/places.h). */
#ifndef ANALYSIS_RANGES_MOVES_H
#define ANALYSIS_RANGES_MOVES_H

#include "analysis/ranges/places.h"
#include "base/keys.h"
#include "graph/flow.h"
#include "instants/actors.h"
#include "sync/solution.h"

#include <cellsync/analysis.h>

/* Extend a range to include its estimate. Wrong timestamps can make an estimate impossible, such as
 * a time below 0, but estimates are printed all the same. */
static inline void range_include_estimate(csy_range *range)
{
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    range->lo = range->lo > range->estimate ? range->estimate : range->lo;
    range->hi = range->hi < range->estimate ? range->estimate : range->hi;
}

/* Widen a range by `by` ticks at both ends. An end beyond 64 bits becomes unlimited. */
void range_widen(csy_range *range, int128 by);

#define MOVES_NONE INT64_MAX

/* A list of entries: moves of all clocks at which requested sums were greatest. The moves in the
 * first entry are 0. At most `most` entries are stored. */
struct moves_met {
    int64_t *items; /* in each entry, for each clock: its move minus the move of the first clock */
    size_t count, capacity, most;
};

struct moves {
    csy_sync *sync;
    size_t n;        /* number of clocks */
    bool known;      /* true if there are bounds; otherwise other members are unused */
    bool star;       /* only bounds to the reference clock count */
    bool neighbours; /* limits come from neighbouring records */
    struct flow_arc *arcs;
    size_t narcs, narcs_capacity;
    uint32_t *slots;  /* for few clocks: index of each pair's arc plus 1, or 0; otherwise NULL */
    struct keys keys; /* for many clocks: pairs of clocks, in the order of `arcs` */
    bool begun;       /* true if the next two members describe the last noted record */
    uint32_t clock;
    int64_t global_ticks;
    struct moves_met *met;       /* where to store the moves that are found, or NULL */
    struct event_places *places; /* limits of events on drifting clocks, or NULL */
};

csy_status moves_init(struct moves *moves, csy_sync *sync, csy_error *error);
void moves_fini(struct moves *moves);

/* Limit the moves of two clocks: a record of clock t directly follows a record of clock s, `slack`
 * ticks later. Returns false if out of memory. */
bool moves_limit(struct moves *moves, uint32_t s, uint32_t t, int64_t slack);

/* Limit moves by the next record of the buffer. Analyses pass the ordered own records of all
 * actors, even of actors that they do not count; otherwise, ranges with delta 0 are too wide or
 * unlimited. Returns false if out of memory. */
static inline bool moves_note(struct moves *moves, uint32_t clock, int64_t global_ticks)
{
    bool good = true;
    if (moves->neighbours && moves->begun && clock != moves->clock) {
        int64_t slack = global_ticks - moves->global_ticks;
        uint32_t arc = moves->slots ? moves->slots[moves->clock * moves->n + clock] : 0;
        if (arc == 0 || slack < moves->arcs[arc - 1].cost)
            good = moves_limit(moves, moves->clock, clock, slack);
    }
    moves->begun = true;
    moves->clock = clock;
    moves->global_ticks = global_ticks;
    return good;
}

/* Complete the limits after the last record, in O(pairs of clocks) if bounds are needed. */
csy_status moves_finish(struct moves *moves, csy_error *error);

/* Find the greatest sum of c[t] * x[t] over all moves x. The coefficients c must add up to 0. If
 * there is no limit, *limited is false. `more` has nmore further arcs of limited capacity
 * (graph/flow.h). If x is not NULL, x gets n moves with the greatest sum. */
csy_status moves_greatest(const struct moves *moves, const int64_t *c, const struct flow_arc *more,
                          size_t nmore, int64_t *x, int128 *out, bool *limited, csy_error *error);

/* Set how far the time between two moments may be below and above moments_apart, or MOVES_NONE for
 * no limit. Timestamp errors are not included. A time on one clock is exact unless clocks drift. */
csy_status moves_apart(const struct moves *moves, const struct moment *begin,
                       const struct moment *end, int64_t *less, int64_t *more, csy_error *error);

/* Returns true if each of two clocks has a record before the last record of the other clock. */
bool moves_live_together(const struct moves *moves, size_t s, size_t t);

/* Set the greatest x[s] - x[t] and x[t] - x[s] from the bounds of two clocks, or MOVES_NONE for no
 * limit. If clocks drift, the limits hold for all events. */
csy_status moves_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                         int64_t *back, csy_error *error);

/* --- Reach: how far each clock can move against each other ------------------------------------ */

enum { REACH_CLOCKS_MAX = 4096 };

/* This value of a move means that all records of one clock precede all records of the other. */
#define REACH_APART (-1)

struct reach {
    size_t n;
    int64_t *matrix; /* at s * n + t: the greatest x[s] - x[t], or REACH_APART */
    int64_t added_ticks;
    int64_t greatest; /* greatest entry of `matrix`; MOVES_NONE if some pair has no limit */
    struct event_places *places; /* the member `places` of struct moves */
};

/* Compute how far each clock can move against each other, with 8 bytes for each pair. There must be
 * bounds (moves.known), and at most REACH_CLOCKS_MAX clocks. */
csy_status reach_init(struct reach *reach, const struct moves *moves, csy_error *error);
void reach_fini(struct reach *reach);

static inline int64_t reach_of(const struct reach *reach, uint32_t s, uint32_t t)
{
    return reach->matrix[(size_t)s * reach->n + t];
}

/* --- Extent: from the first to the last record of a trace in partial order -------------------- */

/* The global times of the first and the last record of a clock. */
struct clock_extent {
    bool any;
    int64_t first_ticks, last_ticks;
    int64_t first_local, last_local; /* local times of the first and last record */
};

enum { EXTENT_CLOCKS_MAX = 4096 };

struct extent {
    struct clock_extent *clocks;
    size_t n;
};

csy_status extent_init(struct extent *extent, size_t nclocks, csy_error *error);
void extent_fini(struct extent *extent);

static inline void extent_note(struct extent *extent, const struct moment *at)
{
    struct clock_extent *c = &extent->clocks[at->clock];
    if (!c->any || at->global_ticks < c->first_ticks) {
        c->first_ticks = at->global_ticks;
        c->first_local = at->local_ticks;
    }
    if (!c->any || at->global_ticks > c->last_ticks) {
        c->last_ticks = at->global_ticks;
        c->last_local = at->local_ticks;
    }
    c->any = true;
}

/* Set the ends of a range to the limits of the time from `first` to `last`, or to 0 and INT64_MAX
 * if nothing is known. NULL stands for the first or the last record of the trace, so at most one of
 * the moments is given. The time is at least 0. O(clocks), or O(clocks^2) without a moment. */
csy_status extent_range(const struct extent *extent, const struct moves *moves,
                        const struct moment *first, const struct moment *last, csy_range *range,
                        csy_error *error);

#endif
