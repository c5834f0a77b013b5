/* Settings for reading a trace: the contents of csy_input. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include <cellsync/cellsync.h>

struct csy_input {
    csy_format format;
    csy_time_unit time_unit; /* unit of times in a CSV */
    unsigned counter_bits;   /* number of bits of a counter in a CSV; 0: no wrap */
    const char *columns;     /* which columns of a CSV to use; owned copy */
    csy_clock_per clock_per; /* which threads of an OTF2 archive share a clock */
    csy_spans spans;         /* value of the option --spans, for spans of services */
    csy_join join;           /* whether to join several files to one trace */
    const char *offsets;     /* name of a file with measured offsets, or NULL; owned copy */
    bool is_offsets;         /* true for a file of measured offsets (trace/offsets.h) */
    bool part;               /* true if the file is one of several files of a joined trace */
};

#endif
