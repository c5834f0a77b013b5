/* Moves are the differences between the true and the estimated offsets of clocks.
 *
 *    x[s] - x[t] <= slack(s,t)   for all pairs of clocks that have records at the same time
 *
 * x is the move of a clock: its true offset minus its estimated offset.  Without timestamp errors,
 * slack is the least time from a record of clock s to a record of clock t that directly follows in
 * the buffer.  With timestamp errors, slack comes from the bounds of both clocks, or only from the
 * bounds to the reference clock (star).  The greatest sum of moves is the cost of a flow
 * (graph/flow.h).  If clocks drift, each event has its own limits (struct event_places). */
#ifndef ANALYSIS_RANGES_MOVES_H
#define ANALYSIS_RANGES_MOVES_H

#include "graph/flow.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

/* Finds how much earlier or later than estimated an event of a drifting clock may have been. The
 * solution has bounds for some readings (local times) of each clock. The bounds of the readings
 * before and after an event limit its time. */

#define PLACE_NONE INT64_MAX

/* Two readings of a clock, with bounds of global minus local time in 1/AGE_UNIT tick. */
struct place_segment {
    bool found, has_before, has_after;
    int64_t from, to; /* valid for local times from `from` to `to` - 1 */
    int64_t before, after;
    int128 least_before, greatest_before, least_after, greatest_after;
    int64_t slow, fast; /* least and greatest rate of the clock */
};

/* The last search for pairs of events of known order. The later event is on the clock t. */
struct pair_hint {
    uint32_t t;
    bool found;
    size_t first, end; /* indices of the pairs found: `first` to `end` - 1 */
};

struct event_places {
    csy_sync *sync;
    size_t n;
    struct place_segment *segments; /* for each clock: readings around the last event examined */
    struct pair_hint *hints;        /* for each clock: its last search for pairs of events */
    int64_t *early, *late;          /* for each clock: how much earlier and later than estimated an
                                     * event may be, in ticks, or PLACE_NONE */
    int64_t rate_ppb;               /* greatest possible drift of a clock, in parts per billion */
    int64_t stamp_ticks;            /* excess of a timestamp error over added_ticks / 2, in ticks */
};

/* *out becomes new limits of event times, or NULL if clocks do not drift or have no bounds. Cost:
 * O(number of bounds). */
csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error);
void places_free(struct event_places *places);

/* Set how much earlier and later than estimated a moment may have been, in ticks, without timestamp
 * errors; PLACE_NONE means no limit. Cost: O(1) for successive moments of a clock. */
void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late);

/* Set how much shorter and longer than estimated a time may be, in ticks, without timestamp errors;
 * PLACE_NONE means no limit. Pairs of events whose order is known can narrow these limits. */
void places_apart(struct event_places *places, const struct moment *begin, const struct moment *end,
                  int64_t *less, int64_t *more);

/* Set the limits of a time on one clock, in reference ticks, without timestamp errors. */
void places_length(struct event_places *places, const struct moment *begin,
                   const struct moment *end, int128 *least, int128 *most);

/* Set *lo and *hi to the earliest and the latest global time of a moment; INT64_MIN and INT64_MAX
 * mean no limit. Only *lo allows for `added`, the error of two timestamps together. If clocks do
 * not drift, `places` is NULL, and the limits come from the bounds of the clock. */
void places_limits(struct event_places *places, const csy_sync *sync, const struct moment *at,
                   int64_t added, int128 *lo, int128 *hi);

/* Returns how far a time measured by a drifting clock may differ from the reference clock, rounded
 * up. Without drift, `places` is NULL and the result is 0. */
static inline int128 places_own(const struct event_places *places, int128 ticks)
{
    int128 size = ticks < 0 ? -ticks : ticks;
    return places ? ceil_div(size * places->rate_ppb, 1000000000) : 0;
}

static inline int64_t places_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return a == PLACE_NONE || b == PLACE_NONE || __builtin_add_overflow(a, b, &sum) ? PLACE_NONE
                                                                                    : sum;
}

/* Extend a range to include its estimate, which is outside if timestamps are wrong. */
static inline void range_include_estimate(csy_range *range)
{
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    range->lo = range->lo > range->estimate ? range->estimate : range->lo;
    range->hi = range->hi < range->estimate ? range->estimate : range->hi;
}

/* Returns the kind of a range that is computed from two ranges of these kinds. */
static inline csy_range_kind range_kind_of_both(csy_range_kind a, csy_range_kind b)
{
    return a == CSY_RANGE_UNKNOWN || b == CSY_RANGE_UNKNOWN ? CSY_RANGE_UNKNOWN
           : a == CSY_RANGE_STAR || b == CSY_RANGE_STAR     ? CSY_RANGE_STAR
           : a == CSY_RANGE_CLOCK && b == CSY_RANGE_CLOCK   ? CSY_RANGE_CLOCK
                                                            : CSY_RANGE_PROVEN;
}

/* Extend a range by `by` ticks at both ends. An end beyond 64 bits becomes unlimited. */
void range_widen(csy_range *range, int128 by);

#define MOVES_NONE INT64_MAX

/* Moves of clocks at which sums in moves_greatest were greatest. The first entry has only zeros. */
struct moves_met {
    int64_t *items; /* for each entry: each clock's move minus the first clock's move */
    size_t count, capacity, most;
};

struct moves {
    csy_sync *sync;
    size_t n;        /* number of clocks */
    bool known;      /* true if there are limits; if false, the members below are unused */
    bool star;       /* true if limits come only from bounds to the reference clock */
    bool neighbours; /* true if limits come from the order of successive records */
    struct flow_arc *arcs;
    size_t narcs, narcs_capacity;
    uint32_t *slots;  /* for few clocks: at s * n + t, index in `arcs` plus 1, or 0 */
    struct keys keys; /* for many clocks: finds the index in `arcs` of a pair of clocks */
    bool begun;       /* true if `clock` and `global_ticks` have the values of the last record */
    uint32_t clock;
    int64_t global_ticks;
    struct moves_met *met;       /* list to which moves_greatest adds its moves, or NULL */
    struct event_places *places; /* limits of event times if clocks drift, or NULL */
};

csy_status moves_init(struct moves *moves, csy_sync *sync, csy_error *error);
void moves_fini(struct moves *moves);

/* Add the limit x[s] - x[t] <= slack. It is known, for example, if a record of clock s precedes a
 * record of t that is `slack` ticks later as estimated. Returns false if out of memory. */
bool moves_limit(struct moves *moves, uint32_t s, uint32_t t, int64_t slack);

/* Limit moves by the order of the next record and the last one. Call it for the records of all
 * actors, even of those left out. Returns false if out of memory. */
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

/* Complete the limits of moves after the last record. Cost: O(pairs of clocks) if from bounds. */
csy_status moves_finish(struct moves *moves, csy_error *error);

/* Find the greatest sum of c[t] * x[t] over all clocks t, for all possible moves x of clocks. All
 * c[t] together must be 0. *limited is false if the sum has no limit. `more` has nmore arcs to add
 * to the flow problem (graph/flow.h). x, unless NULL, receives the moves of the greatest sum. */
csy_status moves_greatest(const struct moves *moves, const int64_t *c, const struct flow_arc *more,
                          size_t nmore, int64_t *x, int128 *out, bool *limited, csy_error *error);

/* Set how much shorter and longer than estimated a time may be, in ticks; MOVES_NONE means no
 * limit. Timestamp errors are not included. */
csy_status moves_apart(const struct moves *moves, const struct moment *begin,
                       const struct moment *end, int64_t *less, int64_t *more, csy_error *error);

/* Set the ends of a range to the limits of the time between two moments. range->estimate must be
 * that time. `added` is the error of both timestamps together, in ticks. */
csy_status moves_limit_time(const struct moves *moves, const struct moment *begin,
                            const struct moment *end, int64_t added, csy_range *range,
                            csy_error *error);

/* Set *there to the greatest x[s] - x[t], and *back to the greatest x[t] - x[s], in ticks, for the
 * moves x of two clocks; MOVES_NONE means no limit. The bounds of both clocks limit them. If clocks
 * drift, the results hold for all events. */
csy_status moves_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                         int64_t *back, csy_error *error);

/* --- Reach: how far each clock can move against each other ------------------------------------ */

enum { REACH_CLOCKS_MAX = 4096 };

/* Entry of reach.matrix if all records of one clock precede all records of the second clock. */
#define REACH_APART (-1)

struct reach {
    size_t n;
    int64_t *matrix; /* at s * n + t: greatest x[s] - x[t] of clock moves x, in ticks */
    int64_t added_ticks;
    int64_t greatest;            /* greatest entry of `matrix`; MOVES_NONE if a pair has no limit */
    struct event_places *places; /* limits of event times if clocks drift, or NULL */
};

/* Compute how far each clock can move relative to each other clock, in 8 bytes for each pair. There
 * must be at most REACH_CLOCKS_MAX clocks, and moves->known must be true. */
csy_status reach_init(struct reach *reach, const struct moves *moves, csy_error *error);
void reach_fini(struct reach *reach);

static inline int64_t reach_of(const struct reach *reach, uint32_t s, uint32_t t)
{
    return reach->matrix[(size_t)s * reach->n + t];
}

/* --- Extent: from the first to the last record of a trace in partial order -------------------- */

struct clock_extent {
    bool any;
    int64_t first_ticks, last_ticks;
    int64_t first_local, last_local; /* local times of first and last record */
};

enum { EXTENT_CLOCKS_MAX = 4096 };

struct extent {
    struct clock_extent *clocks;
    size_t n;
};

/* Returns false if out of memory. */
bool extent_init(struct extent *extent, size_t nclocks);
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

/* Set the ends of a range to the limits of the time from `first` to `last`. If `first` is NULL, the
 * first record is used; if `last` is NULL, the last record. One must be NULL. Without limits, the
 * range is 0 to INT64_MAX. Cost: O(clocks), or O(clocks^2) if both are NULL. */
csy_status extent_range(const struct extent *extent, const struct moves *moves,
                        const struct moment *first, const struct moment *last, csy_range *range,
                        csy_error *error);

#endif
