/* The pairs of threads with the widest bounds, without visiting all of them. */
#ifndef ADVICE_WIDEST_H
#define ADVICE_WIDEST_H

#include "advice/spans.h"

enum { WIDEST_PAIRS = 10, WIDEST_SOURCES_MAX = 64 };

struct wide_pair {
    size_t s, t;   /* s < t */
    int64_t error; /* event error, ticks */
};

struct widest {
    struct wide_pair pairs[WIDEST_PAIRS]; /* the widest first */
    size_t n;
    bool certain; /* no pair that is left out is wider */
};

/*
 * Among the threads that are bounded to the reference.  The error bound of a pair is at most the
 * sum of those of the two to the reference, so pairs are looked at by the looser of their threads,
 * the loosest first, until no two that are left could make a wider pair than the last one of the
 * list, or WIDEST_SOURCES_MAX rows of bounds have been made.  O(T W) each.
 */
csy_status widest_find(const struct csy_sync *sync, const struct spans *lives, struct widest *out,
                       csy_error *error);

#endif
