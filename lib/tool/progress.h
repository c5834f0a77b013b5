/* Progress on standard error: one line, which is overwritten as long as the work continues. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <cellsync/cellsync.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress_line {
    bool on, always;
    bool shown; /* the line is on the terminal now */
    int64_t begun_ns, last_ns;
    const char *stage; /* stage of the last call; NULL: there was no call yet */
    int64_t stage_ns;  /* stage_ns: when the stage began; stage_done: how much was done then */
    uint64_t stage_done, last_done;
};

void progress_line_init(struct progress_line *progress, enum progress_mode mode, bool quiet);

/* Show progress. This is a csy_progress whose `user` is a struct progress_line. The line is written
 * first after half a second (PROGRESS_ALWAYS: at once), then whenever a stage begins, and otherwise
 * at most six times a second. */
void progress_line_show(void *user, const char *stage, csy_unit unit, uint64_t done,
                        uint64_t total);

/* Clear the line. Call this before anything else is written to the terminal. */
void progress_line_clear(struct progress_line *progress);

/* Stop showing progress if `path` is standard output and standard output is a terminal. The line
 * would otherwise mix with the output. */
void progress_line_yield(struct progress_line *progress, const char *path);

enum { PROGRESS_LINE_MAX = 128 };

/* Format the line, such as "reading  45 %, 120 MB/s, 12 s left". It shows the percentage, or the
 * amount if total is 0. It also shows the rate and the remaining time if `more` was done in the
 * last elapsed_ns and this is enough for an estimate. Returns text. */
const char *progress_line_text(char text[PROGRESS_LINE_MAX], const char *stage, csy_unit unit,
                               uint64_t done, uint64_t total, uint64_t more, int64_t elapsed_ns);

#endif
