/* Clock steps. A step is a place in a trace where someone set a clock forward or back.
 *
 * The exact place of a step is unknown. It is between two records of the clock, `before` and
 * `after`. The records up to `before` and the records from `after` on are two segments, which are
 * treated like two clocks. Each record between them is a segment of its own. The order of the
 * events of a location does not change.
 *
 * If the records of the clock are in several locations, their times tell which of them are up to
 * `before`, because the clock was set forward. Otherwise, their positions tell. */
#ifndef TRACE_STEPS_H
#define TRACE_STEPS_H

#include <cellsync/cellsync.h>

struct clock_step {
    char *clock;
    size_t clock_size;
    uint64_t before, after; /* positions of the last record before the step, and of the first one
                             * after it */
    bool timed;             /* true if times, not positions, show the segment of a record */
    int64_t before_ticks, after_ticks; /* if `timed` is true: local times of these two records */
    bool found; /* true if cellsync itself found the step, and set the members below */
    uint64_t place_before, place_after;
    bool sized;                      /* true if least_ticks and most_ticks are known */
    int64_t least_ticks, most_ticks; /* least and greatest size of the step; > 0: forward */
    int64_t sized_twice; /* the limits are valid if the timestamp error is at most half of this */
    size_t among;        /* number of alternative steps, of which only one happened */
    size_t choice;       /* number that identifies these alternatives */
};

struct clock_steps {
    struct clock_step *items; /* the steps of each clock are in order, and do not overlap */
    size_t count, capacity;
};

void clock_steps_fini(struct clock_steps *steps);

/* Add a copy of a step. Returns CSY_INPUT if it overlaps another step of the clock. */
csy_status clock_steps_add(struct clock_steps *steps, const struct clock_step *step,
                           csy_error *error);

csy_status clock_steps_copy(struct clock_steps *steps, const struct clock_steps *from,
                            csy_error *error);

size_t clock_steps_of(const struct clock_steps *steps, const char *clock, size_t size);

/* Returns the number of the segment with the record at `position`, whose local time is `ticks`.
 * Segments before and after steps have even numbers from 0. A record inside a step has an odd
 * number, and *before is then the segment before this step. Otherwise, *before is the result.
 * O(steps). */
uint64_t clock_steps_segment(const struct clock_steps *steps, const char *clock, size_t size,
                             uint64_t position, int64_t ticks, uint64_t *before);

/* Add the step in a text "NAME:RECORD-RECORD" or "NAME:RECORD@TICKS-RECORD@TICKS", which is
 * changed. Error messages contain `file`. */
csy_status clock_steps_parse(struct clock_steps *steps, char *text, const char *file,
                             csy_error *error);

#endif
