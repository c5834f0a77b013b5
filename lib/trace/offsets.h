/* Measured offsets between clocks, from a separate CSV file (--offsets). Each row states that
 * other_clock showed other_time, with an error of at most `within`, between the times `begin` and
 * `time` of `clock`. The columns begin and within are optional. */
#ifndef TRACE_OFFSETS_H
#define TRACE_OFFSETS_H

#include <cellsync/cellsync.h>

/* A row of the file, in ticks of the trace. By default, begin_ticks equals time_ticks. */
struct measured_offset {
    char *clock, *other_clock;
    int64_t begin_ticks, time_ticks, other_ticks;
    int64_t within_ticks; /* maximum error of other_ticks, in ticks; >= 0 */
    uint64_t line;
};

struct measured_offsets {
    char *name;
    struct measured_offset *items;
    size_t count, capacity;
    uint32_t crc32; /* checksum of the clock names and times */
};

void offsets_free(struct measured_offsets *offsets);

#endif
