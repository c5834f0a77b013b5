/* Where each thread stands in global time, and how well it is known there. */
#ifndef ADVICE_SPANS_H
#define ADVICE_SPANS_H

#include "sync/solution.h"

#define BOUND_NONE INT64_MAX

struct span {
    int64_t begin, end; /* global times of its first record and its last, the lesser first */
    int64_t bound;      /* event error against the reference, ticks, or BOUND_NONE */
};

struct spans {
    struct span *items; /* one a thread */
    size_t *order;      /* threads, the least bound first; among equals in order */
    size_t n, nbounded; /* order[nbounded] and on have no bound */
    int64_t begin, end; /* of all of them */
};

/* O(T log T).  CSY_INPUT where a global time leaves 64 bits. */
csy_status spans_init(struct spans *lives, const struct csy_sync *sync, csy_error *error);
void spans_fini(struct spans *lives);

/* The greatest bound, and the one in the middle; 0 where there are none. */
int64_t spans_most(const struct spans *lives);
int64_t spans_median(const struct spans *lives);

/* begin <= g <= end to 0 <= place <= room. */
static inline int spans_place(const struct spans *lives, int64_t g, int room)
{
    int128 length = (int128)lives->end - lives->begin;
    return length ? (int)(((int128)g - lives->begin) * room / length) : 0;
}

/* Which of n equal parts of the time of all g is in: 0 to n - 1. */
static inline size_t spans_part(const struct spans *lives, int64_t g, size_t n)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    return (size_t)(((int128)g - lives->begin) * (int128)n / length);
}

#endif
