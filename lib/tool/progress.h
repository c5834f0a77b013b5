/* Shows progress on standard error, in a line that is overwritten. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <cellsync/cellsync.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress_line {
    bool on, always;
    bool shown; /* true while the line is on the terminal */
    int64_t begun_ns, last_ns;
    const char *stage; /* name of the current stage, or NULL before the first call */
    int64_t stage_ns;  /* time when the stage began, in nanoseconds */
    uint64_t stage_done, last_done;
};

void progress_line_init(struct progress_line *progress, enum progress_mode mode, bool quiet);

/* Show progress, as a csy_progress with a struct progress_line as `user`. The line appears after
 * half a second (at once with PROGRESS_ALWAYS), and changes at most six times a second. */
void progress_line_show(void *user, const char *stage, csy_unit unit, uint64_t done,
                        uint64_t total);

/* Clear the line. Call this before anything else is written to the terminal. */
void progress_line_clear(struct progress_line *progress);

/* Stop showing progress if `path` is standard output on a terminal, where both would mix. */
void progress_line_yield(struct progress_line *progress, const char *path);

enum { PROGRESS_LINE_MAX = 128 };

/* Format the line, such as "reading 45 %, 120 MB/s, 12 s left", and return `text`. If `total` is 0,
 * the line shows the amount `done` instead of a percentage. The rate is `more` (the amount done in
 * elapsed_ns) per second; if elapsed_ns is too short, rate and remaining time are left out. */
const char *progress_line_text(char text[PROGRESS_LINE_MAX], const char *stage, csy_unit unit,
                               uint64_t done, uint64_t total, uint64_t more, int64_t elapsed_ns);

#endif
