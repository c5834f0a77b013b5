/* Unwraps counters with the closed bounds of the records so far (rule 2 of clock/unwrap.h): a
 * recent record of any thread limits the present time.
 *
 * Every constraint is loosened by the imprecision B. The bound from all records so far is called
 * wbar. If a record of thread j follows a record of j at t_a, then
 *
 *    L = max over all threads k of (last time of k - wbar(j,k)) - t_a
 *    U = (first PPE time after) + wbar(ppe,j) - t_a
 *
 * limit the elapsed time, within B, if no timestamp is wrong by more than B/2. The reason is that
 * the last record of thread k precedes the new record, even if k has ended.
 *
 * The matrix of walks between live threads is closed whenever a limit is requested. Constraints of
 * neighbouring records are only noted. Before the next request or elimination, the matrix is
 * updated with the noted constraints that are tighter. A thread is eliminated after its last
 * record. Limits by its last time remain in the column of a separate vertex, the past:
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
    int64_t imprecision_ticks; /* called B in the comment above */
    uint32_t ppe;              /* thread number of the PPE, or NO_THREAD */
    bool lost; /* true if contradictions exceed B, so that rule 2 gives no more limits */
    struct slots slots;
    size_t stride;   /* number of entries in a row of the matrices */
    int64_t *last_x; /* for each slot: x (rebased timestamp) of the last record */
    int64_t *closed; /* stride * stride: shortest walks between slots, without the noted edges */
    int64_t *noted;  /* stride * stride: edges noted since the last closing, or WALK_INF */
    struct closed_limits_edge {
        uint32_t from, to;
    } * edges; /* list of the noted edges */
    size_t nedges, edges_capacity;
    uint32_t *shorter; /* temporary list of slots */
};

csy_status closed_limits_init(struct closed_limits *v, const struct rebase *rough,
                              int64_t imprecision_ticks, csy_error *error);
void closed_limits_fini(struct closed_limits *v);

/* Returns a sink that takes new threads, pairs of neighbouring records, and ends of threads. Pairs
 * with ended threads are ignored. With W unfinished threads, a pair takes O(1), and a new thread
 * O(W). The end of a thread takes O(W), plus at most O(W^2) for each event. The matrices take 16
 * W^2 bytes. The sink returns CSY_INPUT if walks leave the range of the arithmetic. */
struct sink closed_limits_sink(struct closed_limits *v);

/* Returns true if an event is so far below the greatest earlier x that L may exclude the assumed
 * elapsed time. If no event is, offsets of 0 satisfy all constraints loosened by B/4. Then no L
 * exceeds the greatest x, so rule 2 needs no second pass. */
static inline bool closed_limits_is_behind(int128 behind_ticks, int64_t imprecision_ticks)
{
    return behind_ticks > imprecision_ticks / 4;
}

/* A function of type unwrap_closed whose parameter `user` is a struct closed_limits. It takes O(W),
 * plus the time for closing the noted edges. */
csy_status closed_limits_of(void *user, uint32_t thread, const int64_t *end_ticks,
                            struct elapsed_limits *out, bool *applies, csy_error *error);

#endif
