/*
 * Unwrapping by the closed bounds of the records so far (rule 2 of clock/unwrap.h): the clock of
 * any thread that has just spoken says how late it is by now.
 *
 * Every constraint is loosened by B.  With wbar over all records so far, for a record of j that
 * follows one at t_a
 *   L = max over all threads k of (last time of k - wbar(j,k)) - t_a
 *   U = (first PPE time after) + wbar(ppe,j) - t_a.
 * Each is true of the time elapsed, give or take B, if no stamp is off by more than B/2: the last
 * record of k came before the one asked about, whether k is live or not.
 *
 * Walks between live threads are kept closed from one question to the next: what neighbouring
 * records say is only noted, and closes the matrix where it is tighter than what is known, before
 * the next question or elimination.  A thread is eliminated when its last record has passed; what
 * its last time says stays with the others, in the column of a vertex of its own, the past:
 *   wbar(a,past) = min over eliminated k of (wbar(a,k) - last time of k).
 */
#ifndef SYNC_CLOSED_LIMITS_H
#define SYNC_CLOSED_LIMITS_H

#include "base/slots.h"
#include "clock/threads.h"
#include "clock/unwrap.h"
#include "order/rebase.h"
#include "order/sink.h"

struct closed_limits {
    const struct rebase *rough;
    int64_t imprecision_ticks; /* B */
    uint32_t ppe;              /* the caller's, or NO_THREAD */
    bool lost;                 /* contradictions beyond B: rule 2 says nothing any more */
    struct slots slots;
    size_t stride;   /* entries a row */
    int64_t *last_x; /* by slot */
    int64_t *closed; /* stride * stride: walks, without what is noted */
    int64_t *noted;  /* stride * stride: edges since, or WALK_INF */
    struct closed_limits_edge {
        uint32_t from, to;
    } * edges; /* those */
    size_t nedges, edges_capacity;
    uint32_t *shorter; /* room for a list of slots */
};

csy_status closed_limits_init(struct closed_limits *v, const struct rebase *rough,
                              int64_t imprecision_ticks, csy_error *error);
void closed_limits_fini(struct closed_limits *v);

/* Takes births, neighbours and eliminations; those of threads that are gone do not count.  A pair
 * O(1); a new thread O(W) where W are live, and 16 bytes of memory W^2; an elimination O(W), and
 * what has been noted is closed first, at most O(W^2) an event.  CSY_MEMORY; CSY_INPUT where walks
 * leave the range of the arithmetic. */
struct sink closed_limits_sink(struct closed_limits *v);

/* Whether an event is so far behind the greatest x before it that L may exclude what it takes for
 * elapsed.  Where none is, offsets of 0 between all x keep every constraint that is loosened by
 * B/4, so no wbar is negative and no L above the greatest x: a trace in which none is is not read
 * again for the sake of rule 2. */
static inline bool closed_limits_is_behind(int128 behind_ticks, int64_t imprecision_ticks)
{
    return behind_ticks > imprecision_ticks / 4;
}

/* An unwrap_closed; user is a struct closed_limits.  O(W), and what has been noted is closed
 * first. */
csy_status closed_limits_of(void *user, uint32_t thread, const int64_t *end_ticks,
                            struct elapsed_limits *out, bool *applies, csy_error *error);

#endif
