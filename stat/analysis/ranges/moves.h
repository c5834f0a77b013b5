/*
 * Moves: how far all clocks together may be from their estimated offsets.
 *
 *   x[s] - x[t] <= slack(s,t)
 *
 * for all pairs of clocks that are live together; x is the move of each clock.  With delta 0 slack
 * is the least time from a record of s to a record of t that directly follows it in the buffer; all
 * other limits follow.  Otherwise slack comes from the bounds, or from the bounds to the reference
 * alone (star).  The greatest sum of moves is the cost of a flow (graph/flow.h).
 *
 * A clock that drifts has no single move: the time of each of its events is within limits of its
 * own (analysis/ranges/places.h).
 */
#ifndef ANALYSIS_RANGES_MOVES_H
#define ANALYSIS_RANGES_MOVES_H

#include "analysis/ranges/places.h"
#include "graph/flow.h"
#include "instants/actors.h"
#include "sync/solution.h"

#include <cellsync/analysis.h>

/* Make a range include its estimate. Wrong timestamps may step back, so that an estimate is
 * impossible, for example a time below 0. Estimates are printed as they are. */
static inline void range_include_estimate(csy_range *range)
{
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    range->lo = range->lo > range->estimate ? range->estimate : range->lo;
    range->hi = range->hi < range->estimate ? range->estimate : range->hi;
}

/* Widen a range by `by` ticks at both ends.  An end that leaves 64 bits has no limit afterwards. */
void range_widen(csy_range *range, int128 by);

#define MOVES_NONE INT64_MAX

/* Moves of all clocks that made requested sums greatest, in the order in which they were found. The
 * first moves are all 0. At most `most` are stored. */
struct moves_met {
    int64_t *items; /* by clock, relative to the first clock */
    size_t count, capacity, most;
};

struct moves {
    csy_sync *sync;
    size_t n;        /* number of clocks */
    bool known;      /* there are bounds; otherwise the other members are unused */
    bool star;       /* only the bounds to the reference count */
    bool neighbours; /* neighbouring records give the slack */
    struct flow_arc *arcs;
    size_t narcs, narcs_capacity;
    uint32_t *slots; /* by hash of the pair, a power of 2; 1 more than the arc, or 0 */
    bool direct;     /* slots are indexed by the pair, because clocks are few */
    size_t nslots;
    bool begun; /* a record was noted; the next members are from the last one */
    uint32_t clock;
    int64_t global_ticks;
    struct moves_met *met; /* or NULL */
    struct event_places
        *places; /* of events of clocks that drift, or NULL.  Each event then moves by
                              itself, as far as its place allows; there are no arcs */
};

csy_status moves_init(struct moves *moves, csy_sync *sync, csy_error *error);
void moves_fini(struct moves *moves);

/* A record of one clock is directly followed by a record of another, `slack` later.  Returns false
 * if memory runs out. */
bool moves_limit(struct moves *moves, uint32_t s, uint32_t t, int64_t slack);

/* Note the next record of the buffer.  Returns false if memory runs out. */
static inline bool moves_note(struct moves *moves, uint32_t clock, int64_t global_ticks)
{
    bool good = true;
    if (moves->neighbours && moves->begun && clock != moves->clock) {
        int64_t slack = global_ticks - moves->global_ticks;
        uint32_t arc = moves->direct ? moves->slots[moves->clock * moves->n + clock] : 0;
        if (arc == 0 || slack < moves->arcs[arc - 1].cost)
            good = moves_limit(moves, moves->clock, clock, slack);
    }
    moves->begun = true;
    moves->clock = clock;
    moves->global_ticks = global_ticks;
    return good;
}

/* Call it after the last record.  O(pairs of clocks that are live together) if bounds are
 * needed. */
csy_status moves_finish(struct moves *moves, csy_error *error);

/* Find the greatest sum of c[t] x[t] over all moves. The factors c must add up to 0. *limited is
 * false if the sum has no limit. `more` has nmore further arcs with a limited capacity
 * (graph/flow.h). x is NULL, or has room for n moves; it receives moves for which the sum is
 * greatest. */
csy_status moves_greatest(const struct moves *moves, const int64_t *c, const struct flow_arc *more,
                          size_t nmore, int64_t *x, int128 *out, bool *limited, csy_error *error);

/* Find how much the time between two moments may be below and above moments_apart, or MOVES_NONE.
 * This does not include the imprecision of the two timestamps.  Times by one clock have no moves,
 * unless clocks drift; then the result refers to the time of the reference. */
csy_status moves_apart(const struct moves *moves, const struct moment *begin,
                       const struct moment *end, int64_t *less, int64_t *more, csy_error *error);

/* True if a record of each clock comes before the last record of the other one. */
bool moves_live_together(const struct moves *moves, size_t s, size_t t);

/* The greatest x[s] - x[t], and x[t] - x[s], by the bounds, or MOVES_NONE.  If clocks drift, they
 * hold for all events of the two clocks. */
csy_status moves_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                         int64_t *back, csy_error *error);

/* --- Reach: how far each clock can be moved against each other one ---------------------------- */

enum { REACH_CLOCKS_MAX = 4096 };

/* The entry for two clocks that are not live together: all records of one clock come before all
 * records of the other. */
#define REACH_APART (-1)

struct reach {
    size_t n;
    int64_t *matrix; /* max x[s] - x[t] at s * n + t, or REACH_APART */
    int64_t added_ticks;
    int64_t greatest; /* the greatest entry of the matrix; MOVES_NONE if a pair has no limit */
    struct event_places *places; /* moves.places */
};

/* For at most REACH_CLOCKS_MAX clocks with bounds (moves.known).  Takes 8 bytes for each pair of
 * clocks. */
csy_status reach_init(struct reach *reach, const struct moves *moves, csy_error *error);
void reach_fini(struct reach *reach);

static inline int64_t reach_of(const struct reach *reach, uint32_t s, uint32_t t)
{
    return reach->matrix[(size_t)s * reach->n + t];
}

/* --- Extent: from the first record of a trace in partial order to the last ------------------- */

/* The first and the last record of a clock, in global time. */
struct clock_extent {
    bool any;
    int64_t first_ticks, last_ticks;
    int64_t first_local, last_local; /* the same two records in local time of the clock */
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

/* Set the ends of the range of the extent: 0 and INT64_MAX if nothing is known.  O(T^2). */
csy_status extent_range(const struct extent *extent, const struct moves *moves, csy_range *range,
                        csy_error *error);

/* The same for the time from a moment (`first`) to the last record, or from the first record to a
 * moment (`last`). The other of the two moments is NULL. The time is at least 0. O(T). */
csy_status extent_range_from(const struct extent *extent, const struct moves *moves,
                             const struct moment *first, const struct moment *last,
                             csy_range *range, csy_error *error);

#endif
