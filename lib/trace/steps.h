/* Clock steps: places in a trace where a clock was set.
 *
 * A step of a clock lies somewhere between two of its records, `before` and `after`. Records up to
 * `before` and records from `after` on are on different segments of the clock, and each record in
 * between is on a segment of its own. A segment is a clock like any other; its location keeps its
 * order across the step. */
#ifndef TRACE_STEPS_H
#define TRACE_STEPS_H

#include <cellsync/cellsync.h>

struct clock_step {
    char *clock;
    size_t clock_size;
    uint64_t before, after; /* positions of the records around the step */
    bool found;             /* true if cellsync found the step, and has set the next members */
    uint64_t place_before, place_after;
    bool sized; /* true if the size of the step is known to be from least_ticks to most_ticks */
    int64_t least_ticks, most_ticks; /* positive if the clock was set forward */
    int64_t sized_twice; /* the size is correct if delta is at most half of sized_twice */
    size_t among; /* exactly one of this many clocks was set; 1: this clock; more: unknown which */
};

struct clock_steps {
    struct clock_step *items; /* the steps of one clock are in order and do not overlap */
    size_t count, capacity;
};

void clock_steps_fini(struct clock_steps *steps);

/* Add a step, and copy the name of its clock. Returns CSY_INPUT if steps of the clock overlap. */
csy_status clock_steps_add(struct clock_steps *steps, const struct clock_step *step,
                           csy_error *error);

csy_status clock_steps_copy(struct clock_steps *steps, const struct clock_steps *from,
                            csy_error *error);

/* Returns the number of steps of a clock. O(steps). */
size_t clock_steps_of(const struct clock_steps *steps, const char *clock, size_t size);

/* Returns the number of the clock segment that contains the record at `position`. Segments between
 * steps have even numbers from 0. A record inside a step is a segment with an odd number; *before
 * is then the segment before the step, and otherwise the result. O(steps). */
uint64_t clock_steps_segment(const struct clock_steps *steps, const char *clock, size_t size,
                             uint64_t position, uint64_t *before);

/* Add the step "NAME:RECORD-RECORD" from a line of facts. `text` changes. `file` is for
 * messages. */
csy_status clock_steps_parse(struct clock_steps *steps, char *text, const char *file,
                             csy_error *error);

#endif
