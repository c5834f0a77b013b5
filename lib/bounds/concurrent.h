/* Bounds of only the pairs of threads that are live together (bounds/pair_tally.h). See
 * doc/algorithms.md, The sweep.
 *
 * Threads are sorted by first record. So the threads after s that are live together with s are s +
 * 1, s + 2, ..., up to the last one that begins before s ends. */
#ifndef BOUNDS_CONCURRENT_H
#define BOUNDS_CONCURRENT_H

#include "bounds/bounds.h"
#include "bounds/pair_tally.h"

struct walks_between {
    int64_t there, back; /* wbar(s,t), wbar(t,s) */
};

struct concurrent {
    const struct dense *dense;   /* bounds of a dense graph; NULL: use `walks` */
    struct walks_between *walks; /* the walks of pair (s,t) are at first[s] + t - s - 1 */
    uint64_t *first; /* for each thread: its first pair; first[n] is the number of pairs */
};

/* Collect the pairs of threads that are live together. `b` must outlive them. The threads of each
 * pair must be neighbours, as in the eliminations of one buffer; the order of eliminations is
 * arbitrary. Eliminations take O(T W^2) time, 16 bytes for each pair, and O(W^2) scratch space.
 * Dense bounds are only looked up. Returns CSY_INPUT if a bound overflows. */
csy_status concurrent_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             struct concurrent *out, csy_error *error);
void concurrent_fini(struct concurrent *together);

/* Returns the number of threads after s that are live together with s. */
static inline size_t concurrent_count(const struct concurrent *together, size_t s)
{
    return (size_t)(together->first[s + 1] - together->first[s]);
}

/* Returns the walks of the pair (s,t), where s < t <= s + concurrent_count(s). */
struct walks_between concurrent_walks(const struct concurrent *together, size_t s, size_t t);

#endif
