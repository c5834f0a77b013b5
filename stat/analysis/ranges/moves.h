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

/* Extend a range to its estimate. Wrong timestamps may step back, so that an estimate is
 * impossible, such as a time below 0. Estimates are printed all the same. */
static inline void range_include_estimate(csy_range *range)
{
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    range->lo = range->lo > range->estimate ? range->estimate : range->lo;
    range->hi = range->hi < range->estimate ? range->estimate : range->hi;
}

/* Widen a range by `by` ticks at both ends. An end that exceeds 64 bits has no limit afterwards. */
void range_widen(csy_range *range, int128 by);

#define MOVES_NONE INT64_MAX

/* Moves of all clocks that made requested sums greatest, in order. The first are all 0. At most
 * `most` are stored. */
struct moves_met {
    int64_t *items; /* for each clock, relative to the first one */
    size_t count, capacity, most;
};

struct moves {
    csy_sync *sync;
    size_t n;        /* number of clocks */
    bool known;      /* there are bounds; otherwise other members are unused */
    bool star;       /* only bounds to the reference count */
    bool neighbours; /* slack is from neighbouring records */
    struct flow_arc *arcs;
    size_t narcs, narcs_capacity;
    uint32_t *slots;  /* with few clocks, the arc of each pair plus 1, or 0; otherwise NULL */
    struct keys keys; /* with many clocks, the pairs of clocks, numbered as `arcs` */
    bool begun;       /* a record was noted, and is described below */
    uint32_t clock;
    int64_t global_ticks;
    struct moves_met *met;       /* or NULL */
    struct event_places *places; /* places of events of drifting clocks; without arcs; or NULL */
};

csy_status moves_init(struct moves *moves, csy_sync *sync, csy_error *error);
void moves_fini(struct moves *moves);

/* Add a limit: a record of clock t directly follows one of clock s, `slack` later. Returns false if
 * out of memory. */
bool moves_limit(struct moves *moves, uint32_t s, uint32_t t, int64_t slack);

/* Note the next record of the buffer. Returns false if out of memory. */
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

/* Finish, after the last record. O(pairs of clocks that are live together) if bounds are needed. */
csy_status moves_finish(struct moves *moves, csy_error *error);

/* Find the greatest sum of c[t] x[t] over all moves; the coefficients must add up to 0. *limited is
 * false if there is no limit. `more` has nmore further arcs of limited capacity (graph/flow.h). x
 * is NULL, or gets n moves with the greatest sum. */
csy_status moves_greatest(const struct moves *moves, const int64_t *c, const struct flow_arc *more,
                          size_t nmore, int64_t *x, int128 *out, bool *limited, csy_error *error);

/* Find how far the time between two moments may be below and above moments_apart, or MOVES_NONE,
 * without the imprecision of the timestamps. Times on one clock have no moves, unless clocks drift;
 * then the reference's time counts. */
csy_status moves_apart(const struct moves *moves, const struct moment *begin,
                       const struct moment *end, int64_t *less, int64_t *more, csy_error *error);

/* True if each clock has a record before the last record of the other. */
bool moves_live_together(const struct moves *moves, size_t s, size_t t);

/* Find the greatest x[s] - x[t] and x[t] - x[s] from the bounds, or MOVES_NONE. If clocks drift,
 * they hold for all events. */
csy_status moves_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                         int64_t *back, csy_error *error);

/* --- Reach: how far each clock can move against each other ------------------------------------ */

enum { REACH_CLOCKS_MAX = 4096 };

/* In place of a move: all records of one clock precede all records of the other. */
#define REACH_APART (-1)

struct reach {
    size_t n;
    int64_t *matrix; /* [s * n + t]: greatest x[s] - x[t], or REACH_APART */
    int64_t added_ticks;
    int64_t greatest;            /* greatest entry; MOVES_NONE if some pair has no limit */
    struct event_places *places; /* moves.places */
};

/* Prepare, for at most REACH_CLOCKS_MAX clocks with bounds (moves.known). 8 bytes for each pair of
 * clocks. */
csy_status reach_init(struct reach *reach, const struct moves *moves, csy_error *error);
void reach_fini(struct reach *reach);

static inline int64_t reach_of(const struct reach *reach, uint32_t s, uint32_t t)
{
    return reach->matrix[(size_t)s * reach->n + t];
}

/* --- Extent: from the first to the last record of a trace in partial order -------------------- */

/* The first and the last record of a clock, in global time. */
struct clock_extent {
    bool any;
    int64_t first_ticks, last_ticks;
    int64_t first_local, last_local; /* the same in local time */
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

/* Set the ends of the extent's range: 0 and INT64_MAX if nothing is known. O(T^2). */
csy_status extent_range(const struct extent *extent, const struct moves *moves, csy_range *range,
                        csy_error *error);

/* Like extent_range, from a moment (`first`) to the last record, or from the first record to a
 * moment (`last`); the other is NULL. The time is at least 0. O(T). */
csy_status extent_range_from(const struct extent *extent, const struct moves *moves,
                             const struct moment *first, const struct moment *last,
                             csy_range *range, csy_error *error);

#endif
