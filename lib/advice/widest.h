/* Finds the pairs of threads with the widest bounds, without visiting all pairs. */
#ifndef ADVICE_WIDEST_H
#define ADVICE_WIDEST_H

#include "advice/spans.h"

enum { WIDEST_PAIRS = 10, WIDEST_SOURCES_MAX = 64 };

struct wide_pair {
    size_t s, t;   /* two threads, s < t */
    int64_t error; /* event error of the pair, in ticks */
};

struct widest {
    struct wide_pair pairs[WIDEST_PAIRS]; /* widest first */
    size_t n;
    bool certain; /* it is certain that no other pair is wider */
};

/* Search among threads that the reference bounds on both sides.
 *
 * The error bound of a pair is at most the sum of the bounds of both threads to the reference. So
 * pairs are examined in descending order of the looser bound. The search ends when no other pair
 * can be wider than the last one in the list, or after WIDEST_SOURCES_MAX rows of bounds were
 * computed. O(T W) for each row. */
csy_status widest_find(const struct csy_sync *sync, const struct spans *lives, struct widest *out,
                       csy_error *error);

#endif
