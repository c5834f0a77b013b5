/*
 * How a trace goes on: the records, the bounds to the reference and those of pairs of threads that
 * are live together, in each of up to PRECISION_BINS equal parts of its global time.
 */
#ifndef OUTPUT_PAGE_PRECISION_H
#define OUTPUT_PAGE_PRECISION_H

#include "advice/spans.h"
#include "output/trace/members.h"

enum { PRECISION_BINS = 200, PRECISION_SCOUTS = 10, PRECISION_PAIRS_MAX = 1 << 22 };

/* Pairs of threads that are live together, both in this part of the trace, the reference among
 * them. */
struct precision_pairs {
    int64_t pairs, bounded;
    int128 sum_ticks;   /* of those that are bounded, as the next: */
    int64_t most_ticks; /* -1: there are none */
};

/* Bounds are those of the threads that are live in it, but the reference; where a rank falls on one
 * that is not bounded: BOUND_NONE. */
struct precision_bin {
    uint64_t live, unbounded;
    int64_t least, median, most;
    uint64_t records, reference_records;
    struct precision_pairs together;
};

/* How the records of a thread stand to those of the reference. */
struct precision_scout {
    size_t thread;
    /* The least time from a record of the reference to a later one of this thread, and from one of
     * this thread to a later one of the reference; BOUND_NONE: there are none. */
    int64_t behind, ahead;
    uint64_t amid; /* records of the reference between its first and its last */
    uint64_t amid_so_far;
    bool begun;
};

struct precision {
    size_t nbins, nscouts;
    bool has_pairs;     /* precision_take_pairs has filled them in */
    int64_t pairs_most; /* of all of them; 0: none */
    struct precision_bin bins[PRECISION_BINS];
    struct precision_scout scouts[PRECISION_SCOUTS];
};

/* The bins of the bounds.  O(T PRECISION_BINS) at the worst. */
void precision_init(struct precision *course, const struct spans *lives, size_t reference);

/* The bins of the pairs that are live together, unless these are more than pairs_max: 16 bytes
 * each, beside what bounds/concurrent.h takes.  CSY_INPUT where a bound leaves the range of the
 * arithmetic. */
csy_status precision_take_pairs(struct precision *course, const struct spans *lives,
                                const struct csy_sync *sync, uint64_t pairs_max, csy_error *error);

/* Ask for one more thread, up to PRECISION_SCOUTS and before the records pass. */
void precision_send(struct precision *course, size_t thread);

/* Let the records pass, members looking on: one pass over the trace. */
csy_status precision_pass(struct precision *course, const struct spans *lives,
                          struct members *members, struct csy_trace *trace,
                          const struct csy_sync *sync, csy_error *error);

/* Global time where a bin begins, in ticks since the beginning of all; that of bin nbins: the
 * end. */
int128 precision_begin(const struct precision *course, const struct spans *lives, size_t bin);

#endif
