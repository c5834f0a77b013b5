/*
 * Unwrapping by the closed bounds of the records so far (rule 2 of clock/unwrap.h): the clock of
 * any thread that has just spoken says how late it is by now.
 *
 * Every constraint is loosened by B.  With bounds wbar among the threads live now, and for a record
 * of j that follows one at t_a
 *   L = max over k of (last time of k - wbar(j,k)) - t_a
 *   U = (first PPE time after) + wbar(ppe,j) - t_a.
 */
#ifndef SYNC_VICINITY_H
#define SYNC_VICINITY_H

#include "clock/threads.h"
#include "clock/unwrap.h"
#include "graph/rough.h"
#include "graph/sweep.h"

struct vicinity {
    struct sweep *sweep;
    const struct rough *rough;
    uint32_t ppe;    /* thread, or NO_THREAD */
    int64_t *last_x; /* by thread */
    size_t capacity;
    int64_t greatest_x, imprecision_ticks;
    uint64_t consulted;
    bool lost; /* too many threads, or contradictions beyond B: rule 2 says nothing any more */
};

csy_status vicinity_init(struct vicinity *v, const struct rough *rough, int64_t imprecision_ticks,
                         size_t live_max, csy_error *error);
void vicinity_fini(struct vicinity *v);

/* An event, and the death of a thread, as the sweep takes them. */
csy_status vicinity_event(struct vicinity *v, uint32_t thread, bool ppe, int64_t x,
                          csy_error *error);
csy_status vicinity_death(struct vicinity *v, uint32_t thread, csy_error *error);

/* Consulting costs O(W^2).  After this many times it is done only for events that stand behind. */
enum { VICINITY_FREELY = 1 << 20 };

/* Whether an event stands so far behind the greatest x before it that L may well exclude what it
 * takes for elapsed.  A trace in which none does is not read again for the sake of rule 2. */
static inline bool vicinity_is_behind(int128 behind_ticks, int64_t imprecision_ticks)
{
    return behind_ticks > imprecision_ticks / 4;
}

/* An unwrap_closed; user is a struct vicinity. */
bool vicinity_limits(void *user, uint32_t thread, int128 elapsed_ticks, const int64_t *end_ticks,
                     struct elapsed_limits *out);

#endif
