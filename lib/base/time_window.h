/* Parses a window, "A..B": the part of a trace from A to B. */
#ifndef BASE_TIME_WINDOW_H
#define BASE_TIME_WINDOW_H

#include <cellsync/cellsync.h>

/* How a limit of a window is given: not at all, in ticks, as a time with a unit, as a percentage,
 * or as the number of a record. */
enum end_kind { END_OPEN, END_TICKS, END_TIME, END_PERCENT, END_RECORD };

struct window_end {
    enum end_kind kind;
    bool negative;
    bool begin;         /* true if a record counts from its begin, as in "#100.begin"; only for
                         * END_RECORD */
    csy_fraction value; /* absolute value of the limit; for END_TIME, in units of 1/per_second
                         * seconds */
    int64_t per_second;
};

/* Parse a window. Returns CSY_USAGE if the text is not a window, or if the window ends before it
 * begins. */
csy_status window_read(const char *text, struct window_end *from, struct window_end *to,
                       csy_error *error);

#endif
