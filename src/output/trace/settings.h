/* How a trace is to be written: what csy_output holds. */
#ifndef OUTPUT_TRACE_SETTINGS_H
#define OUTPUT_TRACE_SETTINGS_H

#include <cellsync/cellsync.h>

struct csy_output {
    csy_format format;
    bool embed;         /* a .pex with its records inside */
    int compress_level; /* 0 to 9, or CSY_COMPRESS_BY_NAME */
    bool linked;        /* event files of OTF2 may be hard links */
    csy_csv_header csv_header;
    csy_csv_time csv_time;
    csy_json_args json_args;
    const char *window, *only; /* NULL: all; their setters own copies */
};

extern const struct csy_output settings_default;

#endif
