/*
 * Messages to be drawn: where each leaves and arrives, in global time.
 *
 * All of them, up to a number; of more those that took least time beyond their latency, which are
 * those that bounds rest on.
 */
#ifndef ANALYSIS_ARROWS_H
#define ANALYSIS_ARROWS_H

#include "sync/solution.h"

struct match;

struct arrow {
    uint32_t s, t; /* clocks, not the same */
    int64_t begin_ticks, end_ticks;
    int64_t slack_ticks; /* end less begin less latency */
    uint64_t number;     /* in the order of messages that are known */
};

struct arrows {
    struct arrow *items; /* by number */
    size_t n;
    uint64_t messages; /* between two clocks and within one, drawn or not */
    bool one_each;     /* at most one of each channel is known */
};

/* Traces with more records are not read again for more than one message of each channel. */
enum { ARROWS_RECORDS_MAX = 1000000 };

/* Of a solution in partial order, most arrows at most; none of another solution.  The caller calls
 * arrows_fini even after a failure.  May read the trace once more.  O(messages log most). */
csy_status arrows_find(struct csy_trace *trace, const struct csy_sync *sync, size_t most,
                       struct arrows *out, csy_error *error);
void arrows_fini(struct arrows *arrows);

/* The points of all records of a trace whose solution has those of some only, and what matched
 * them, once more; points are empty, and to be freed even after a failure, and after *out.  Memory
 * by messages; reads the trace. */
csy_status arrows_match(struct csy_trace *trace, const struct csy_sync *sync, struct points *points,
                        struct match **out, csy_error *error);

#endif
