/* Bounds of the pairs of threads that are live together (their ranges of records overlap). See
 * doc/algorithms.md, The sweep.
 *
 * Threads are sorted by their first records. So the threads after s that are live together with s
 * are s + 1, s + 2, ..., up to the last thread to begin before s ends. */
#ifndef BOUNDS_CONCURRENT_H
#define BOUNDS_CONCURRENT_H

#include "bounds/bounds.h"
#include "bounds/pair_tally.h"

struct walks_between {
    int64_t there, back; /* bounds from s to t and from t to s (bounds/bounds.h) */
};

struct concurrent {
    const struct dense *dense; /* the bounds, if they are a dense matrix; otherwise NULL */
    /* the bounds of two threads s < t are at index first[s] + t - s - 1; NULL if `dense` is used */
    struct walks_between *walks;
    uint64_t *first; /* for each thread: index of its first item in `walks`; first[number of
                      * threads] is their number */
};

/* Collect the bounds of all pairs of threads that are live together. `b` must outlive the result.
 * If `b` consists of eliminations (graph/eliminations.h), one of them must contain both threads of
 * each pair. Memory: 16 bytes for each pair. Returns CSY_INPUT if a bound overflows. */
csy_status concurrent_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             struct concurrent *out, csy_error *error);
void concurrent_fini(struct concurrent *together);

/* Returns the number of threads after s that are live together with s. */
static inline size_t concurrent_count(const struct concurrent *together, size_t s)
{
    return (size_t)(together->first[s + 1] - together->first[s]);
}

/* Returns the bounds of two threads s < t that are live together: t is at most s +
 * concurrent_count(together, s). */
struct walks_between concurrent_walks(const struct concurrent *together, size_t s, size_t t);

#endif
