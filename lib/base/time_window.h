/* Parses the limits of a window of a trace, written as "A..B". */
#ifndef BASE_TIME_WINDOW_H
#define BASE_TIME_WINDOW_H

#include <cellsync/cellsync.h>

/* The kinds of ends that a window may have. */
enum end_kind { END_OPEN, END_TICKS, END_TIME, END_PERCENT, END_RECORD };

struct window_end {
    enum end_kind kind;
    bool negative;
    bool begin;         /* for END_RECORD: the begin of the record, as in "#100.begin" */
    csy_fraction value; /* for END_TIME: the end, in seconds / per_second */
    int64_t per_second;
};

/* Parse a window. Returns CSY_USAGE for other text, and for ends of one kind in the wrong order. */
csy_status window_read(const char *text, struct window_end *from, struct window_end *to,
                       csy_error *error);

#endif
