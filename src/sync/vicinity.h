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
#ifndef SYNC_VICINITY_H
#define SYNC_VICINITY_H

#include "base/slots.h"
#include "clock/threads.h"
#include "clock/unwrap.h"
#include "order/rough.h"
#include "order/sink.h"

struct vicinity {
    const struct rough *rough;
    int64_t imprecision_ticks; /* B */
    uint32_t ppe;              /* the caller's, or NO_THREAD */
    bool lost;                 /* contradictions beyond B: rule 2 says nothing any more */
    struct slots slots;
    size_t stride;   /* entries a row */
    int64_t *last_x; /* by slot */
    int64_t *closed; /* stride * stride: walks, without what is noted */
    int64_t *noted;  /* stride * stride: edges since, or WALK_INF */
    struct vicinity_edge {
        uint32_t from, to;
    } * edges; /* those */
    size_t nedges, edges_capacity;
    uint32_t *shorter; /* room for a list of slots */
};

csy_status vicinity_init(struct vicinity *v, const struct rough *rough, int64_t imprecision_ticks,
                         csy_error *error);
void vicinity_fini(struct vicinity *v);

/* Takes births, neighbours and deaths; those of threads that are gone do not count.  A pair O(1);
 * a new thread O(W) where W are live, and 16 bytes of memory W^2; a death O(W), and what has
 * been noted is closed first, at most O(W^2) an event.  CSY_MEMORY; CSY_INPUT where walks leave the
 * range of the arithmetic. */
struct sink vicinity_sink(struct vicinity *v);

/* Whether an event is so far behind the greatest x before it that L may exclude what it takes for
 * elapsed.  Where none is, offsets of 0 between all x keep every constraint that is loosened by
 * B/4, so no wbar is negative and no L above the greatest x: a trace in which none is is not read
 * again for the sake of rule 2. */
static inline bool vicinity_is_behind(int128 behind_ticks, int64_t imprecision_ticks)
{
    return behind_ticks > imprecision_ticks / 4;
}

/* An unwrap_closed; user is a struct vicinity.  O(W), and what has been noted is closed first. */
csy_status vicinity_limits(void *user, uint32_t thread, const int64_t *end_ticks,
                           struct elapsed_limits *out, bool *applies, csy_error *error);

#endif
