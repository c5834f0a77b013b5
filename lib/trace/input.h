/* The contents of csy_input: settings for reading a trace. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include <cellsync/cellsync.h>

struct csy_input {
    csy_format format;
    csy_time_unit time_unit; /* CSV only */
    unsigned counter_bits;   /* CSV only: number of bits of a counter; 0: counters do not wrap */
    const char *columns;     /* CSV only; owned copy */
    csy_clock_per clock_per; /* OTF2 only */
    csy_spans spans;         /* spans only */
    csy_join join;           /* whether to join several files to one trace */
    const char *offsets;     /* a file of measured offsets, or NULL; owned copy */
    bool is_offsets;         /* the file contains measured offsets, not a trace (trace/offsets.h) */
    bool part;               /* true if the file becomes a part of a joined trace */
};

#endif
