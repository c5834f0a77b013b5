/* Measured offsets between clocks, from a file of their own (--offsets): a CSV with the columns
 * clock, time, other_clock, and other_time, and optionally begin and within. At some instant from
 * begin to time of `clock`, other_clock showed other_time, within `within`. */
#ifndef TRACE_OFFSETS_H
#define TRACE_OFFSETS_H

#include <stddef.h>
#include <stdint.h>

/* Times are in ticks of the trace; begin_ticks is time_ticks for a row without a begin. */
struct measured_offset {
    char *clock, *other_clock;
    int64_t begin_ticks, time_ticks, other_ticks;
    int64_t within_ticks; /* >= 0 */
    uint64_t line;
};

struct measured_offsets {
    char *name;
    struct measured_offset *items;
    size_t count, capacity;
    uint32_t crc32; /* of names and ticks */
};

void offsets_free(struct measured_offsets *offsets);

#endif
