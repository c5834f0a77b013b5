/* Computes the precision of global times over time. Global time is divided into up to
 * PRECISION_BINS equal parts, the bins. Each bin has numbers of records, error bounds of active
 * threads relative to the reference, and error bounds of pairs of active threads. */
#ifndef OUTPUT_PAGE_PRECISION_H
#define OUTPUT_PAGE_PRECISION_H

#include "advice/spans.h"
#include "sync/solution.h"

enum { PRECISION_BINS = 200, PRECISION_SCOUTS = 10, PRECISION_PAIRS_MAX = 1 << 22 };
enum { PRECISION_DRIFT_BINS = 240 }; /* number of bins of page_precision if clocks drift */
/* Pairs of threads that are both active in a bin (part of the time). The reference is included. */
struct precision_pairs {
    int64_t pairs, bounded;
    int128 sum_ticks;   /* sum of the error bounds of all bounded pairs */
    int64_t most_ticks; /* greatest error bound of a pair, or -1 if there is none */
};

/* Data of one bin. The least, median, and greatest bounds are taken over all threads that are
 * active in the bin, except the reference. A bound is BOUND_NONE if infinite. */
struct precision_bin {
    uint64_t live, unbounded;
    int64_t least, median, most;
    size_t widest; /* a thread with the greatest bound; set only if clocks drift */
    uint64_t records, reference_records;
    struct precision_pairs together;
};

/* One of the threads with the widest bounds. To explain them, its records are compared with the
 * records of the reference. */
struct precision_scout {
    size_t thread;
    /* behind: least time from a record of the reference to a later record of this thread. ahead:
     * least time from a record of this thread to a later record of the reference. BOUND_NONE if
     * there are no such records. */
    int64_t behind, ahead;
    uint64_t amid; /* number of records of the reference between the first and the last record of
                    * this thread */
    uint64_t amid_so_far;
    bool begun;
};

struct precision {
    size_t nbins, nscouts;
    bool has_pairs;     /* true if `together` is set in all elements of `bins` */
    int64_t pairs_most; /* greatest `together.most_ticks` in `bins`, or 0 */
    struct precision_bin bins[PRECISION_DRIFT_BINS];
    struct precision_scout scouts[PRECISION_SCOUTS];
};

/* A thread of a CSV that shares its clock with other threads, or has a clock with another name. */
struct member {
    size_t clock; /* index of its clock, a csy_thread */
    size_t track; /* index of the csy_track */
    uint64_t records;
    int64_t begin, end; /* least and greatest global time of its records */
};

struct members {
    struct member *items; /* sorted by clock; NULL if n is 0; the caller frees it */
    size_t n;
    size_t nclocks; /* number of clocks of these threads */
};

/* Fill course->bins, except the numbers of records and of pairs. Error bounds are relative to the
 * reference. O(T PRECISION_BINS) for T threads. */
void precision_init(struct precision *course, const struct spans *lives, size_t reference);

/* Set in each bin (a part of the time) the error bounds between every two threads that are active
 * in it. Does nothing if there are more than pairs_max such pairs. Returns CSY_INPUT if a bound
 * overflows. Memory: as bounds/concurrent.h, plus 16 bytes per pair. */
csy_status precision_take_pairs(struct precision *course, const struct spans *lives,
                                const struct csy_sync *sync, uint64_t pairs_max, csy_error *error);

/* Add a thread to course->scouts, to explain its wide bounds. Does nothing if there are
 * PRECISION_SCOUTS already. Call this before precision_pass. */
void precision_send(struct precision *course, size_t thread);

/* Read the trace once. Count the records in each bin (a part of the time), fill `members`, and
 * compare the records of the threads in course->scouts with the records of the reference. O(n log
 * n) for n tracks, besides reading. */
csy_status precision_pass(struct precision *course, const struct spans *lives,
                          struct members *members, struct csy_trace *trace,
                          const struct csy_sync *sync, csy_error *error);

#endif
