/*
 * Moves: by how much clocks may be away from their estimated offsets, together.
 *
 *   x[s] - x[t] <= slack(s,t)
 *
 * with x the move of each, of all pairs of clocks that are live together.  With delta 0 slack is
 * the least time from a record of s to a record of t right after it in the buffer, from which all
 * else follows; else it is what the bounds leave, or those to the reference alone (star).  The
 * greatest sum of moves is the cost of a flow (graph/flow.h).
 */
#ifndef ANALYSIS_RANGES_MOVES_H
#define ANALYSIS_RANGES_MOVES_H

#include "graph/flow.h"
#include "sync/solution.h"

#define MOVES_NONE INT64_MAX

/* Moves of all clocks at which sums that were asked for are greatest, as they were met, the first
 * of them none at all; where there are `most`, others are left out. */
struct moves_met {
    int64_t *items; /* by clock, against the first */
    size_t count, capacity, most;
};

struct moves {
    csy_sync *sync;
    size_t n;        /* clocks */
    bool known;      /* there are bounds; else nothing else is meant */
    bool star;       /* each clock's to the reference alone */
    bool neighbours; /* slack is told by them */
    struct flow_arc *arcs;
    size_t narcs, narcs_capacity;
    uint32_t *slots; /* by hashes of pairs, a power of 2 of them: 1 more than the arc; 0: free */
    bool direct;     /* by pairs, as clocks are few */
    size_t nslots;
    bool begun; /* a record was met: */
    uint32_t clock;
    int64_t global_ticks;
    struct moves_met *met; /* or NULL: they are not wanted */
};

csy_status moves_init(struct moves *moves, csy_sync *sync, csy_error *error);
void moves_fini(struct moves *moves);

/* Right after a record of one clock comes one of another, so much later; false on no memory. */
bool moves_limit(struct moves *moves, uint32_t s, uint32_t t, int64_t slack);

/* The next record of the buffer; false on no memory. */
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

/* After the last: what was noted is all.  O(pairs of clocks that are live together) where bounds
 * are asked for. */
csy_status moves_finish(struct moves *moves, csy_error *error);

/* The greatest sum of c[t] x[t]; *limited is false where there is none.  The c sum to 0.  nmore
 * arcs of limited capacity (graph/flow.h) are more[]. */
csy_status moves_greatest(const struct moves *moves, const int64_t *c, const struct flow_arc *more,
                          size_t nmore, int128 *out, bool *limited, csy_error *error);

/* The same without further arcs; x, of n clocks, is where the sum is greatest, if it is limited. */
csy_status moves_find(const struct moves *moves, const int64_t *c, int64_t *x, int128 *out,
                      bool *limited, csy_error *error);

/* Whether a record of each comes before the last one of the other. */
bool moves_live_together(const struct moves *moves, size_t s, size_t t);

/* max x[s] - x[t] by the bounds, or MOVES_NONE. */
csy_status moves_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                         int64_t *back, csy_error *error);

#endif
