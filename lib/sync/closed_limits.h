/* Unwraps counters with limits that follow from all records so far (rule 2 of clock/unwrap.h).
 *
 * Each pair of neighbouring records limits the difference of two clocks' offsets. Every such
 * constraint is loosened by the permitted imprecision B. wbar(j,k) is the least upper limit of the
 * offset of thread j minus the offset of thread k that follows from all constraints together. If a
 * record of thread j follows a record of j at t_a, then the elapsed time is at least L and at most
 * U, within B, unless a timestamp is wrong by more than B/2:
 *
 *    L = max over all threads k of (last time of k - wbar(j,k)) - t_a
 *    U = (first PPE time after the new record) + wbar(ppe,j) - t_a
 *
 * L is valid because the last record of each thread k precedes the new record, even if k has ended.
 *
 * A matrix contains wbar for all live threads. New constraints are first noted, and the matrix is
 * updated when a limit is requested or a thread ends. A thread leaves the matrix after its last
 * record. Its last time still counts, by a column for the past:
 *
 *    wbar(a,past) = min over all ended threads k of (wbar(a,k) - last time of k) */
#ifndef SYNC_CLOSED_LIMITS_H
#define SYNC_CLOSED_LIMITS_H

#include "base/slots.h"
#include "clock/threads.h"
#include "clock/unwrap.h"
#include "order/rebase.h"
#include "order/sink.h"

struct closed_limits {
    const struct rebase *rough;
    int64_t imprecision_ticks; /* B in the comment at the head of this file */
    uint32_t ppe;              /* thread number of the PPE, or NO_THREAD */
    bool lost; /* true if constraints contradict each other, so no limits can be found */
    struct slots slots;
    size_t stride;   /* length of a row in the matrices `closed` and `noted` */
    int64_t *last_x; /* for each thread in the matrices: local time of its last record plus its
                      * rough offset (order/rebase.h) */
    int64_t *closed; /* wbar in the comment at the head of this file, without the constraints in
                      * `noted` */
    int64_t *noted;  /* constraints that are not yet included in `closed`; WALK_INF where there is
                      * none */
    struct closed_limits_edge {
        uint32_t from, to;
    } * edges; /* indices of all constraints in `noted` */
    size_t nedges, edges_capacity;
    uint32_t *shorter; /* temporary list */
};

csy_status closed_limits_init(struct closed_limits *v, const struct rebase *rough,
                              int64_t imprecision_ticks, csy_error *error);
void closed_limits_fini(struct closed_limits *v);

/* Returns functions that add threads, pairs of successive records, and ends of threads to *v. They
 * return CSY_INPUT if a number overflows. If W threads are live at once, each call takes O(W^2),
 * and *v takes 16 W^2 bytes. */
struct sink closed_limits_sink(struct closed_limits *v);

/* Find L and U (see the head of this file): the least and greatest time that has elapsed since the
 * last record of a thread. `user` is a struct closed_limits. If W threads are live at once: O(W),
 * and O(W^2) for each new constraint. */
csy_status closed_limits_of(void *user, uint32_t thread, const int64_t *end_ticks,
                            struct elapsed_limits *out, bool *applies, csy_error *error);

#endif
