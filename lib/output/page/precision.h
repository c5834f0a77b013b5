/* Records, bounds to the reference, and bounds of pairs that are live together, in each of up to
 * PRECISION_BINS equal parts of global time. */
#ifndef OUTPUT_PAGE_PRECISION_H
#define OUTPUT_PAGE_PRECISION_H

#include "advice/spans.h"
#include "output/trace/members.h"

enum { PRECISION_BINS = 200, PRECISION_SCOUTS = 10, PRECISION_PAIRS_MAX = 1 << 22 };

/* Pairs of threads that are both live in this part of the trace, the reference included. */
struct precision_pairs {
    int64_t pairs, bounded;
    int128 sum_ticks;   /* for the bounded pairs, as is the next member */
    int64_t most_ticks; /* -1: none */
};

/* Bounds of live threads without the reference; BOUND_NONE if the rank belongs to an
 * unbounded thread. */
struct precision_bin {
    uint64_t live, unbounded;
    int64_t least, median, most;
    uint64_t records, reference_records;
    struct precision_pairs together;
};

/* Distances between records of a thread and of the reference. */
struct precision_scout {
    size_t thread;
    /* The least time from a record of the reference to a later one of this thread, and from one of
     * this thread to a later one of the reference; BOUND_NONE: none. */
    int64_t behind, ahead;
    uint64_t amid; /* records of the reference between the first and last record of the thread */
    uint64_t amid_so_far;
    bool begun;
};

struct precision {
    size_t nbins, nscouts;
    bool has_pairs;     /* precision_take_pairs has filled in the pairs */
    int64_t pairs_most; /* the maximum over all bins; 0: none */
    struct precision_bin bins[PRECISION_BINS];
    struct precision_scout scouts[PRECISION_SCOUTS];
};

/* Fill the bins of the bounds. At worst O(T PRECISION_BINS). */
void precision_init(struct precision *course, const struct spans *lives, size_t reference);

/* Fill the bins of pairs that are live together, if there are at most pairs_max: 16 bytes each,
 * besides the memory of bounds/concurrent.h. CSY_INPUT if a bound overflows. */
csy_status precision_take_pairs(struct precision *course, const struct spans *lives,
                                const struct csy_sync *sync, uint64_t pairs_max, csy_error *error);

/* Add a thread to the scouts, of which there are up to PRECISION_SCOUTS, before the pass. */
void precision_send(struct precision *course, size_t thread);

/* Pass over the trace once, filling members, too. */
csy_status precision_pass(struct precision *course, const struct spans *lives,
                          struct members *members, struct csy_trace *trace,
                          const struct csy_sync *sync, csy_error *error);

/* The global time where a bin begins, in ticks since the beginning of the trace; the end for bin
 * nbins. */
int128 precision_begin(const struct precision *course, const struct spans *lives, size_t bin);

#endif
