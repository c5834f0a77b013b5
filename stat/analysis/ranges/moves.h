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

/* Two successive readings (local times) of a clock for which the solution has bounds, and their
 * bounds of global minus local time, in 1/AGE_UNIT tick. */
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
    size_t first, end;
};

struct event_places {
    csy_sync *sync;
    size_t n;
    struct place_segment *segments; /* for each clock: readings around the last event examined */
    struct pair_hint *hints;
    int64_t *early, *late; /* [clock]: greatest results of places_at for any event */
    int64_t rate_ppb;      /* greatest possible drift of a clock, in parts per billion */
    int64_t stamp_ticks;   /* timestamp error minus imprecision.added_ticks / 2 */
};

/* Prepare to compute limits of event times. *out becomes NULL if clocks do not drift or have no
 * bounds. Cost: O(number of bounds). */
csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error);
void places_free(struct event_places *places);

/* Set how much earlier and later than estimated a moment may have been, in ticks, without timestamp
 * errors; PLACE_NONE means no limit. Cost: O(1) for successive moments of a clock. */
void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late);

/* Find by how many ticks the time from `begin` to `end` may be shorter (*less) and longer (*more)
 * than estimated, without timestamp errors; PLACE_NONE means no limit. If other events show the
 * order of the two clocks near these moments, the result is narrower. */
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

/* Extend a range so that it contains its estimate. The estimate may be outside if timestamps are
 * wrong. */
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

/* Subtract `by` ticks from the lower end of a range, and add them to the upper end. An end that
 * exceeds 64 bits becomes unlimited. */
void range_widen(csy_range *range, int128 by);

#define MOVES_NONE INT64_MAX

/* Possible errors of the clock offsets (moves), collected by moves_greatest. Each entry has one
 * error for each clock. With these errors, a sum in moves_greatest is greatest. In the first entry,
 * all errors are 0. */
struct moves_met {
    int64_t *items; /* element i * n + clock, of n clocks: in entry i, error of the clock's offset
                     * minus error of the offset of clock 0 */
    size_t count, capacity, most;
};

struct moves {
    csy_sync *sync;
    size_t n;   /* number of clocks */
    bool known; /* false if nothing limits the errors of clock offsets; the members below are then
                 * unused */
    bool star;  /* true if only bounds between each clock and the reference clock are used */
    bool neighbours;
    struct flow_arc *arcs;
    size_t narcs, narcs_capacity;
    uint32_t *slots;  /* only for few clocks, [s * n + t]: 1 plus the index in `arcs` for the clocks
                       * s and t, or 0 */
    struct keys keys; /* for many clocks: finds the index in `arcs` of a pair of clocks */
    bool begun;       /* true if `clock` and `global_ticks` are from the last record */
    uint32_t clock;
    int64_t global_ticks;
    struct moves_met *met;       /* moves_greatest adds an entry to this list; NULL for no list */
    struct event_places *places; /* earliest and latest times of events if clocks drift, or NULL */
};

csy_status moves_init(struct moves *moves, csy_sync *sync, csy_error *error);
void moves_fini(struct moves *moves);

/* Add the limit x[s] - x[t] <= slack, where x are the moves of two clocks (true minus estimated
 * offsets). For example, `slack` is the estimated time from a record of clock s to a later record
 * of clock t. Returns false if out of memory. */
bool moves_limit(struct moves *moves, uint32_t s, uint32_t t, int64_t slack);

/* Add the next record of the trace. It cannot be earlier than the record before it, which limits
 * how wrong the offsets of both clocks can be. Call it for the records of all actors, even of those
 * left out. Returns false if out of memory. */
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

/* Find how wrong clock offsets may be, unless this is already known from the order of the records.
 * Call after the last record. Cost: O(pairs of clocks). */
csy_status moves_finish(struct moves *moves, csy_error *error);

/* Set *out to the greatest sum of c[t] * x[t] over all clocks t. x[t] is the true offset of clock t
 * minus its estimated offset; all possible values are tried. The sum of all c[t] must be 0.
 * *limited becomes false if the sum can be arbitrarily large. `x`, unless NULL, receives the values
 * for which the sum is greatest. `more` has nmore arcs to add to the flow problem
 * (graph/flow.h). */
csy_status moves_greatest(const struct moves *moves, const int64_t *c, const struct flow_arc *more,
                          size_t nmore, int64_t *x, int128 *out, bool *limited, csy_error *error);

/* Find by how many ticks the time from `begin` to `end` may be shorter (*less) and longer (*more)
 * than estimated; MOVES_NONE means no limit. Timestamp errors are not included. */
csy_status moves_apart(const struct moves *moves, const struct moment *begin,
                       const struct moment *end, int64_t *less, int64_t *more, csy_error *error);

/* Set the ends of a range to the limits of the time from `begin` to `end`. Its estimate must
 * already be this time. `added` is the greatest error of both timestamps together, in ticks. */
csy_status moves_limit_time(const struct moves *moves, const struct moment *begin,
                            const struct moment *end, int64_t added, csy_range *range,
                            csy_error *error);

/* Set *there to the greatest x[s] - x[t], and *back to the greatest x[t] - x[s], in ticks, where x
 * are the moves of two clocks (true minus estimated offsets); MOVES_NONE means no limit. If clocks
 * drift, the results hold for every event of the two clocks. */
csy_status moves_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                         int64_t *back, csy_error *error);

/* --- Reach: how far each clock can move against each other ------------------------------------ */

enum { REACH_CLOCKS_MAX = 4096 };

/* value in reach.matrix for two clocks if all records of one precede all records of the other */
#define REACH_APART (-1)

struct reach {
    size_t n;
    int64_t *matrix; /* [s * n + t]: by how many ticks the offset of clock s can grow more than the
                      * offset of clock t */
    int64_t added_ticks;
    int64_t greatest;            /* MOVES_NONE if a value in `matrix` has no limit */
    struct event_places *places; /* limits of the time of each event; NULL if clocks do not drift */
};

/* Compute `matrix`, which takes 8 bytes for each pair of clocks. There must be at most
 * REACH_CLOCKS_MAX clocks, and moves->known must be true. */
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

/* Initialize without records. Returns false if out of memory. */
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

/* Set range->lo and range->hi to the shortest and the longest time from `first` to `last`. NULL
 * stands for the first or the last record of the trace; at least one must be NULL. If nothing is
 * known, the range is 0 to INT64_MAX. Cost: O(clocks), or O(clocks^2) if both are NULL. */
csy_status extent_range(const struct extent *extent, const struct moves *moves,
                        const struct moment *first, const struct moment *last, csy_range *range,
                        csy_error *error);

#endif
