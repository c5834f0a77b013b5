/* Parses a window of a trace: "A..B". */
#ifndef BASE_TIME_WINDOW_H
#define BASE_TIME_WINDOW_H

#include <cellsync/cellsync.h>

/* One end of a window. */
enum end_kind { END_OPEN, END_TICKS, END_TIME, END_PERCENT, END_RECORD };

struct window_end {
    enum end_kind kind;
    bool negative;
    bool begin;         /* END_RECORD only: the begin of the record, as in "#100.begin" */
    csy_fraction value; /* END_TIME: in seconds / per_second */
    int64_t per_second;
};

/* Parse a window. CSY_USAGE for other texts, and for ends of the same kind in the wrong order. */
csy_status window_read(const char *text, struct window_end *from, struct window_end *to,
                       csy_error *error);

#endif
