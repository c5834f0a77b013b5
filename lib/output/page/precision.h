/* Divides global time into up to PRECISION_BINS equal parts, the bins. Each bin has numbers of
 * records, bounds to the reference, and bounds of pairs of active threads. */
#ifndef OUTPUT_PAGE_PRECISION_H
#define OUTPUT_PAGE_PRECISION_H

#include "advice/spans.h"
#include "output/trace/members.h"

enum { PRECISION_BINS = 200, PRECISION_SCOUTS = 10, PRECISION_PAIRS_MAX = 1 << 22 };

/* Pairs of threads that are both active in a part of the trace, including the reference. */
struct precision_pairs {
    int64_t pairs, bounded;
    int128 sum_ticks;   /* sum of all bounds */
    int64_t most_ticks; /* greatest bound; -1: none */
};

/* The bounds of the threads that are active in a part of the trace, without the reference. The
 * least, median, or greatest bound is BOUND_NONE if the thread of this rank has no bound. */
struct precision_bin {
    uint64_t live, unbounded;
    int64_t least, median, most;
    uint64_t records, reference_records;
    struct precision_pairs together;
};

/* A scout is one of the threads with the widest bounds. The pass measures how near its records are
 * to records of the reference. */
struct precision_scout {
    size_t thread;
    /* Least times between two records, or BOUND_NONE. behind: from a record of the reference to a
     * later record of the scout; ahead: from a record of the scout to a later record of the
     * reference. */
    int64_t behind, ahead;
    uint64_t amid; /* reference records between the first and the last record of the scout */
    uint64_t amid_so_far;
    bool begun;
};

struct precision {
    size_t nbins, nscouts;
    bool has_pairs;     /* precision_take_pairs has filled in the pairs */
    int64_t pairs_most; /* maximum of most_ticks over all bins; 0: none */
    struct precision_bin bins[PRECISION_BINS];
    struct precision_scout scouts[PRECISION_SCOUTS];
};

/* Fill in the bounds of each bin, in at most O(T PRECISION_BINS) for T threads. */
void precision_init(struct precision *course, const struct spans *lives, size_t reference);

/* Fill in the bounds of pairs of active threads, unless the number of pairs exceeds pairs_max. Each
 * pair takes 16 bytes, in addition to the memory of bounds/concurrent.h. Returns CSY_INPUT if a
 * bound overflows. */
csy_status precision_take_pairs(struct precision *course, const struct spans *lives,
                                const struct csy_sync *sync, uint64_t pairs_max, csy_error *error);

/* Make a thread a scout. Call this function before the pass, at most PRECISION_SCOUTS times. */
void precision_send(struct precision *course, size_t thread);

/* Count records in one pass over the trace. The pass also fills in `members`. */
csy_status precision_pass(struct precision *course, const struct spans *lives,
                          struct members *members, struct csy_trace *trace,
                          const struct csy_sync *sync, csy_error *error);

/* Returns the global time at which a bin begins, in ticks since the beginning of the trace. For bin
 * nbins, the result is the end of the trace. */
int128 precision_begin(const struct precision *course, const struct spans *lives, size_t bin);

#endif
