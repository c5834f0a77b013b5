/* Measured offsets between clocks, from a separate CSV file (--offsets). It has the columns clock,
 * time, other_clock, and other_time, and optionally begin and within. Each row states what
 * other_clock showed at some instant between `begin` and `time` on `clock`. The reading is
 * other_time, with an error of at most `within`. */
#ifndef TRACE_OFFSETS_H
#define TRACE_OFFSETS_H

#include <cellsync/cellsync.h>

/* A measured offset in ticks of the trace. If a row has no begin, begin_ticks is time_ticks. */
struct measured_offset {
    char *clock, *other_clock;
    int64_t begin_ticks, time_ticks, other_ticks;
    int64_t within_ticks; /* error of other_ticks; >= 0 */
    uint64_t line;
};

struct measured_offsets {
    char *name;
    struct measured_offset *items;
    size_t count, capacity;
    uint32_t crc32; /* checksum of names and ticks */
};

void offsets_free(struct measured_offsets *offsets);

/* Read the file of offsets that `input` names, if any, into an open trace. Returns CSY_USAGE if the
 * trace is not in partial order. */
struct csy_trace;
csy_status offsets_read(struct csy_trace *trace, const csy_input *input, csy_error *error);

#endif
