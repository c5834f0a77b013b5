/* For each thread: the range of global time that its records cover, and its error bound. */
#ifndef ADVICE_SPANS_H
#define ADVICE_SPANS_H

#include "sync/solution.h"

#define BOUND_NONE INT64_MAX

struct span {
    int64_t begin, end; /* global times of the first and the last record; begin <= end */
    int64_t bound;      /* error bound relative to the reference in ticks, or BOUND_NONE */
};

struct spans {
    struct span *items; /* indexed by thread */
    size_t *order;      /* indices in `items`, sorted by the member `bound`, then by index */
    size_t n, nbounded; /* n: number of threads. The first nbounded threads in `order` have an error
                         * bound. */
    int64_t begin, end; /* global times of the first and the last record of the trace */
};

/* Returns CSY_INPUT if a global time overflows. */
csy_status spans_init(struct spans *lives, const struct csy_sync *sync, csy_error *error);
void spans_fini(struct spans *lives);

/* Return the greatest bound or the median bound of the threads that have one, or 0 if none has. */
int64_t spans_most(const struct spans *lives);
int64_t spans_median(const struct spans *lives);

/* Returns which of n equal parts of the trace contains the global time g, counted from 0. */
static inline size_t spans_part(const struct spans *lives, int64_t g, size_t n)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    return (size_t)(((int128)g - lives->begin) * (int128)n / length);
}

/* --- The pairs of threads with the widest bounds, found without visiting all pairs --- */

enum { WIDEST_PAIRS = 10, WIDEST_SOURCES_MAX = 64 };

struct wide_pair {
    size_t s, t;   /* indices of two threads, s < t */
    int64_t error; /* error bound for the offset between the two threads, in ticks */
};

struct widest {
    struct wide_pair pairs[WIDEST_PAIRS]; /* the pairs found, by descending error */
    size_t n;
    bool certain; /* true if it is certain that no pair has a greater error than those in `pairs` */
};

/* Find the WIDEST_PAIRS pairs of threads with the greatest errors, among threads that have a bound.
 *
 * The error of a pair is at most the sum of the bounds of its threads. So pairs are examined in
 * descending order of the greater bound. The search ends when no other pair can have a greater
 * error, or after WIDEST_SOURCES_MAX threads were compared with all others. */
csy_status widest_find(const struct csy_sync *sync, const struct spans *lives, struct widest *out,
                       csy_error *error);

#endif
