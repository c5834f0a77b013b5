/* Parses a window, "A..B": the part of a trace from A to B. */
#ifndef BASE_TIME_WINDOW_H
#define BASE_TIME_WINDOW_H

#include <cellsync/cellsync.h>

/* How the begin or the end of a window is given. END_OPEN: not at all. */
enum end_kind { END_OPEN, END_TICKS, END_TIME, END_PERCENT, END_RECORD };

struct window_end {
    enum end_kind kind;
    bool negative;
    bool begin;         /* for END_RECORD: true for the record's begin, false for its end */
    csy_fraction value; /* absolute value of the number in the text; for END_TIME in 1/per_second
                         * seconds */
    int64_t per_second;
};

/* Parse a window. Returns CSY_USAGE if it is malformed, or ends before it begins. */
csy_status window_read(const char *text, struct window_end *from, struct window_end *to,
                       csy_error *error);

#endif
