/* Clock steps. A step is a place in a trace where someone set a clock forward or back. The place is
 * only known to be between two records of the clock, `before` and `after`.
 *
 * The records up to `before` form one segment, and those from `after` on another. Each record
 * between them is a segment of its own. Segments are treated like different clocks. The order of
 * the events of a location does not change.
 *
 * If the clock's records are in several locations, a record's local time decides if it is up to
 * `before`, because the clock was set forward. Otherwise, its position decides. */
#ifndef TRACE_STEPS_H
#define TRACE_STEPS_H

#include <cellsync/cellsync.h>

struct clock_step {
    char *clock;
    size_t clock_size;
    uint64_t before, after; /* positions of the last record before the step, and of the first one
                             * after it */
    bool timed;             /* true if a record's time decides if it is before or after the step;
                             * otherwise, its position does */
    int64_t before_ticks, after_ticks; /* if `timed`: local times of `before` and `after` */
    bool found; /* true if cellsync found this step in the trace; the members below are only set if
                 * it did */
    uint64_t place_before, place_after;
    bool sized;                      /* true if least_ticks and most_ticks are known */
    int64_t least_ticks, most_ticks; /* limits of how far the clock was set forward; negative if it
                                      * was set back */
    int64_t sized_twice; /* limits hold if no timestamp error exceeds half of this, in ticks */
    size_t among;        /* If any one of several steps can explain the data: number of these steps.
                          * Only one of them happened. */
    size_t choice;       /* the same number for all of these steps */
};

struct clock_steps {
    struct clock_step *items; /* steps of each clock are in the order of time, and do not overlap */
    size_t count, capacity;
};

void clock_steps_fini(struct clock_steps *steps);

/* Add a copy of a moment or interval when a clock was set. Returns CSY_INPUT if `steps` has one of
 * the same clock that overlaps it. */
csy_status clock_steps_add(struct clock_steps *steps, const struct clock_step *step,
                           csy_error *error);

csy_status clock_steps_copy(struct clock_steps *steps, const struct clock_steps *from,
                            csy_error *error);

size_t clock_steps_of(const struct clock_steps *steps, const char *clock, size_t size);

/* Returns the number of the segment (part of the clock's records) that contains the record at
 * `position` with the local time `ticks`. The segments before and after steps have the numbers 0,
 * 2, 4, ... A record between `before` and `after` of a step has its own odd number, and *before is
 * the number of the segment before the step. Otherwise, *before is the result. O(steps). */
uint64_t clock_steps_segment(const struct clock_steps *steps, const char *clock, size_t size,
                             uint64_t position, int64_t ticks, uint64_t *before);

/* Add the step in a text "NAME:RECORD-RECORD" or "NAME:RECORD@TICKS-RECORD@TICKS", which is
 * changed. Error messages contain `file`. */
csy_status clock_steps_parse(struct clock_steps *steps, char *text, const char *file,
                             csy_error *error);

#endif
