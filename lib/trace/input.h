/* How a trace is to be read: what csy_input holds. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include <cellsync/cellsync.h>

struct csy_input {
    csy_format format;
    csy_time_unit time_unit; /* of a CSV */
    unsigned counter_bits;   /* of a CSV; 0: counters do not wrap */
    const char *columns;     /* of a CSV; csy_input_set_columns owns its copy */
    csy_clock_per clock_per; /* of an OTF2 archive */
};

#endif
