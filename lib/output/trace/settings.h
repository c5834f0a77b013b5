/* The settings of an output. */
#ifndef OUTPUT_TRACE_SETTINGS_H
#define OUTPUT_TRACE_SETTINGS_H

#include <cellsync/cellsync.h>

struct csy_output {
    csy_format format;
    bool embed;         /* true if a .pex (PDT-style trace) contains its records */
    int compress_level; /* level from 0 to 9, or CSY_COMPRESS_BY_NAME */
    bool linked;        /* true if event files of OTF2 may be hard links */
    csy_csv_header csv_header;
    csy_csv_time csv_time;
    bool sort; /* true to sort events by global time */
    bool ranges;
    csy_json_args json_args;
    const char *window, *only; /* window of time, and names of threads; NULL for all; owned */
};

extern const struct csy_output settings_default;

#endif
