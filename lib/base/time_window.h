/* A window of a trace as a user writes it: "A..B". */
#ifndef BASE_TIME_WINDOW_H
#define BASE_TIME_WINDOW_H

#include <cellsync/cellsync.h>

/* An end of a window as it is written. */
enum end_kind { END_OPEN, END_TICKS, END_TIME, END_PERCENT, END_RECORD };

struct window_end {
    enum end_kind kind;
    bool negative;
    bool begin;         /* END_RECORD: where it begins, as "#100.begin" */
    csy_fraction value; /* END_TIME: in units of one second / per_second */
    int64_t per_second;
};

/* CSY_USAGE for a text that is none, and for ends of one kind that are in the wrong order. */
csy_status window_read(const char *text, struct window_end *from, struct window_end *to,
                       csy_error *error);

#endif
