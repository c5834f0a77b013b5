/*
 * How a trace goes on: the records and the bounds to the reference in each of up to COURSE_BINS equal
 * parts of its global time.
 */
#ifndef OUTPUT_COURSE_H
#define OUTPUT_COURSE_H

#include "output/lives.h"

enum { COURSE_BINS = 200, COURSE_SCOUTS = 10 };

/* Bounds are those of the threads that are live in it, but the reference; where a rank falls on one
 * that is not bounded: BOUND_NONE. */
struct course_bin {
    uint64_t live, unbounded;
    int64_t least, median, most;
    uint64_t records, reference_records;
};

/* How the records of a thread stand to those of the reference. */
struct course_scout {
    size_t thread;
    int64_t
        behind; /* the least time from a record of the reference to a later one of this thread, */
    int64_t
        ahead; /* and from one of this thread to a later one of the reference; BOUND_NONE: none */
    uint64_t amid; /* records of the reference between its first and its last */
    uint64_t amid_so_far;
    int64_t greatest_ticks; /* so far */
    bool begun;
};

struct course {
    size_t nbins, nscouts;
    struct course_bin bins[COURSE_BINS];
    struct course_scout scouts[COURSE_SCOUTS];
};

/* The bins of the bounds.  O(T COURSE_BINS) at the worst. */
void course_init(struct course *course, const struct lives *lives, size_t reference);

/* Ask for one more thread, up to COURSE_SCOUTS and before the records pass. */
void course_send(struct course *course, size_t thread);

/* Let the records pass: one pass over the trace. */
csy_status course_pass(struct course *course, const struct lives *lives, struct csy_trace *trace,
                       const struct csy_sync *sync, csy_error *error);

/* Global time where a bin begins, in ticks since the beginning of all; that of bin nbins: the end. */
int128 course_begin(const struct course *course, const struct lives *lives, size_t bin);

#endif
