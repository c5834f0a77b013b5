/* Progress on standard error: one line that is overwritten while work takes long. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <cellsync/cellsync.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress_line {
    bool on, always;
    bool shown; /* a line is on the terminal */
    int64_t begun_ns, last_ns;
    const char *stage; /* of the last call; NULL: no call yet */
    int64_t stage_ns;  /* when the stage began, and how much was done then */
    uint64_t stage_done, last_done;
};

void progress_line_init(struct progress_line *progress, enum progress_mode mode, bool quiet);

/* A csy_progress; user is a struct progress_line. Writes after half a second (PROGRESS_ALWAYS: at
 * once), whenever a stage begins, and at most six times a second. */
void progress_line_show(void *user, const char *stage, csy_unit unit, uint64_t done,
                        uint64_t total);

/* Clear the line; call it before writing anything else. */
void progress_line_clear(struct progress_line *progress);

/* Show no more progress if path is standard output and that is a terminal, where the lines would
 * mix. */
void progress_line_yield(struct progress_line *progress, const char *path);

enum { PROGRESS_LINE_MAX = 128 };

/* "reading  45 %, 120 MB/s, 12 s left": the percentage, or the amount if total is 0. The rate and
 * remaining time follow if `more` was done in elapsed_ns and that suffices for an estimate. Returns
 * text. */
const char *progress_line_text(char text[PROGRESS_LINE_MAX], const char *stage, csy_unit unit,
                               uint64_t done, uint64_t total, uint64_t more, int64_t elapsed_ns);

#endif
