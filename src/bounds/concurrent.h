/*
 * Bounds of the pairs of threads that are live together (bounds/pair_tally.h), without those of any
 * others.  cellsync-model(7), The sweep.
 *
 * Threads are in the order of their first records, so those after s that it is live together with
 * are the next few: s + 1, s + 2, ... up to the last one that begins before s ends.
 */
#ifndef BOUNDS_CONCURRENT_H
#define BOUNDS_CONCURRENT_H

#include "bounds/bounds.h"
#include "bounds/pair_tally.h"

struct walks_between {
    int64_t there, back; /* wbar(s,t), wbar(t,s) */
};

struct concurrent {
    const struct dense *dense;   /* or NULL: */
    struct walks_between *walks; /* of the pair (s,t) at first[s] + t - s - 1 */
    uint64_t *first;             /* by thread, and one more: how many pairs there are */
};

/* Collect them; the bounds must stay.  Eliminations are in any order, but must have each of the
 * pairs as neighbours, as in that of one buffer they do.  They take O(T W^2) time, 16 bytes a pair
 * and O(W^2); dense ones are looked up.  CSY_INPUT where a bound leaves the range of the
 * arithmetic. */
csy_status concurrent_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             struct concurrent *out, csy_error *error);
void concurrent_fini(struct concurrent *together);

/* How many threads after s are live together with it. */
static inline size_t concurrent_count(const struct concurrent *together, size_t s)
{
    return (size_t)(together->first[s + 1] - together->first[s]);
}

/* The pair (s,t); s < t <= s + concurrent_count(s). */
struct walks_between concurrent_walks(const struct concurrent *together, size_t s, size_t t);

#endif
