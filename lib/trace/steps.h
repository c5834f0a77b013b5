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
    uint64_t before, after; /* positions of the records around the step */
    bool timed;             /* true if times tell the segment of a record, false if positions do */
    int64_t before_ticks, after_ticks; /* if `timed`: local times of the records around the step */
    bool found; /* true if cellsync found the step, and has set the following members */
    uint64_t place_before, place_after;
    bool sized; /* true if the size of the step is between least_ticks and most_ticks */
    int64_t least_ticks, most_ticks; /* limits of the step's size; positive: the clock was set
                                      * forward */
    int64_t sized_twice; /* the limits hold if twice the timestamp error is at most this */
    size_t among;        /* number of alternatives, of which one happened; 1: this step happened */
    size_t choice;       /* a number that alternative steps share */
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

/* Returns the number of the clock's segment that contains the record at `position`, whose local
 * time is `ticks`. Segments between steps have even numbers from 0, and records inside a step have
 * odd numbers. For such a record, *before is the segment before the step, and otherwise the result.
 * O(steps). */
uint64_t clock_steps_segment(const struct clock_steps *steps, const char *clock, size_t size,
                             uint64_t position, int64_t ticks, uint64_t *before);

/* Add the step in a text "NAME:RECORD-RECORD" or "NAME:RECORD@TICKS-RECORD@TICKS", which is
 * changed. Error messages contain `file`. */
csy_status clock_steps_parse(struct clock_steps *steps, char *text, const char *file,
                             csy_error *error);

#endif
