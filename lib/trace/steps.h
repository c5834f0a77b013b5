/*
 * Places at which clocks of a trace were set.
 *
 * A step of a clock lies somewhere between two of its records, `before` and `after`. Records up to
 * `before` and records from `after` on are on different segments of the clock, and each record in
 * between is on a segment of its own. A segment is a clock like any other; its location keeps its
 * order across the step.
 */
#ifndef TRACE_STEPS_H
#define TRACE_STEPS_H

#include <cellsync/cellsync.h>

struct clock_step {
    char *clock;
    size_t clock_size;
    uint64_t before, after; /* positions of records */
    bool found;             /* in this trace, so that the rest is known: */
    uint64_t place_before, place_after;
    bool sized;
    int64_t least_ticks, most_ticks; /* forward; below 0: back */
    int64_t sized_twice;             /* the largest 2 delta at which this size holds */
    size_t among; /* clocks of which only one was set, but which is not known; 1: this one was */
};

struct clock_steps {
    struct clock_step *items; /* those of a clock are in order and apart */
    size_t count, capacity;
};

void clock_steps_fini(struct clock_steps *steps);

/* Add a step, of which clock is copied. CSY_INPUT if it meets another step of the clock. */
csy_status clock_steps_add(struct clock_steps *steps, const struct clock_step *step,
                           csy_error *error);

/* Add all of from. */
csy_status clock_steps_copy(struct clock_steps *steps, const struct clock_steps *from,
                            csy_error *error);

size_t clock_steps_of(const struct clock_steps *steps, const char *clock, size_t size);

/* The segment of a clock on which a record is: 0 for the first; an odd number for one record by
 * itself. O(steps). */
uint64_t clock_steps_segment(const struct clock_steps *steps, const char *clock, size_t size,
                             uint64_t position);

/* The step "NAME:RECORD-RECORD" of a line of facts, in text, which is changed. */
csy_status clock_steps_parse(struct clock_steps *steps, char *text, const char *file,
                             csy_error *error);

#endif
