/* Unwraps counters with the closed bounds of the records so far (rule 2 of clock/unwrap.h): a
 * recent record of any thread limits how late it is now.
 *
 * Every constraint is loosened by B. wbar is the bound from all records so far. If a record of j
 * follows a record of j at t_a, then
 *
 *    L = max over all threads k of (last time of k - wbar(j,k)) - t_a
 *    U = (first PPE time after) + wbar(ppe,j) - t_a
 *
 * limit the elapsed time, within B, if no timestamp is wrong by more than B/2. The reason is that
 * the last record of k precedes the new record, even if k is no longer live.
 *
 * The matrix of walks between live threads is closed whenever a limit is requested. Constraints of
 * neighbouring records are only noted. Before the next request or elimination, those that are
 * tighter than the matrix are closed into it. A thread is eliminated after its last record. The
 * limits by its last time remain in the column of a separate vertex, the past:
 *
 *    wbar(a,past) = min over eliminated k of (wbar(a,k) - last time of k) */
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
    uint32_t ppe;              /* number of the PPE, or NO_THREAD */
    bool lost;                 /* contradictions exceed B, so rule 2 gives no more limits */
    struct slots slots;
    size_t stride;   /* entries in a row */
    int64_t *last_x; /* x of each slot's last record */
    int64_t *closed; /* stride * stride: shortest walks, without the noted edges */
    int64_t *noted;  /* stride * stride: edges noted since the last closing, or WALK_INF */
    struct closed_limits_edge {
        uint32_t from, to;
    } * edges; /* noted edges */
    size_t nedges, edges_capacity;
    uint32_t *shorter; /* scratch: a list of slots */
};

csy_status closed_limits_init(struct closed_limits *v, const struct rebase *rough,
                              int64_t imprecision_ticks, csy_error *error);
void closed_limits_fini(struct closed_limits *v);

/* A sink for births, neighbours, and eliminations. Pairs of eliminated threads are ignored. A pair
 * takes O(1). A new thread takes O(W) with W live threads, which need 16 W^2 bytes. An elimination
 * takes O(W), plus closing the noted edges, which is at most O(W^2) for each event. CSY_MEMORY;
 * CSY_INPUT if walks leave the range of the arithmetic. */
struct sink closed_limits_sink(struct closed_limits *v);

/* True if an event is so far below the greatest x before it that L may exclude the assumed elapsed
 * time. If no event is, offsets of 0 satisfy all constraints between x, loosened by B/4. Then no
 * wbar is negative and no L exceeds the greatest x, so rule 2 needs no second pass. */
static inline bool closed_limits_is_behind(int128 behind_ticks, int64_t imprecision_ticks)
{
    return behind_ticks > imprecision_ticks / 4;
}

/* A function of type unwrap_closed; `user` is a struct closed_limits. O(W), plus the time for
 * closing the noted edges. */
csy_status closed_limits_of(void *user, uint32_t thread, const int64_t *end_ticks,
                            struct elapsed_limits *out, bool *applies, csy_error *error);

#endif
