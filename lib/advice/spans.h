/* For each thread: the range of global time in which it has records, and its error bound. */
#ifndef ADVICE_SPANS_H
#define ADVICE_SPANS_H

#include "sync/solution.h"

#define BOUND_NONE INT64_MAX

struct span {
    int64_t begin, end; /* global times of the first and the last record; begin <= end */
    int64_t bound;      /* event error relative to the reference, in ticks, or BOUND_NONE */
};

struct spans {
    struct span *items; /* one item for each thread */
    /* threads by ascending bound; if bounds are equal, by index */
    size_t *order;
    size_t n, nbounded; /* order[nbounded] and later threads have no bound */
    int64_t begin, end; /* global times of the first and the last record of the trace */
};

/* Compute the spans of all threads. O(T log T). Returns CSY_INPUT if a global time overflows. */
csy_status spans_init(struct spans *lives, const struct csy_sync *sync, csy_error *error);
void spans_fini(struct spans *lives);

/* Return the greatest bound or the median bound, or 0 if there are no bounds. */
int64_t spans_most(const struct spans *lives);
int64_t spans_median(const struct spans *lives);

/* Scale a global time g from begin <= g <= end to a place from 0 to `room`. */
static inline int spans_place(const struct spans *lives, int64_t g, int room)
{
    int128 length = (int128)lives->end - lives->begin;
    return length ? (int)(((int128)g - lives->begin) * room / length) : 0;
}

/* Divide the trace into n equal parts. Returns the number, from 0, of the part that contains g. */
static inline size_t spans_part(const struct spans *lives, int64_t g, size_t n)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    return (size_t)(((int128)g - lives->begin) * (int128)n / length);
}

/* --- The pairs of threads with the widest bounds, found without visiting all pairs --- */

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
