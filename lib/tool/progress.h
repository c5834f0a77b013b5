/* Progress on standard error: one line that is written over, for work that takes a while. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <cellsync/cellsync.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct progress_line {
    bool on, always;
    bool shown; /* a line stands on the terminal */
    int64_t begun_ns, last_ns;
    const char *stage; /* of the last call; NULL: there was none */
    int64_t stage_ns;  /* when it began, and with how much done */
    uint64_t stage_done, last_done;
};

void progress_line_init(struct progress_line *progress, enum progress_mode mode, bool quiet);

/* A csy_progress; user is a struct progress_line.  Writes from half a second on (PROGRESS_ALWAYS:
 * from the start), whenever a stage begins and six times a second at the most. */
void progress_line_show(void *user, const char *stage, csy_unit unit, uint64_t done,
                        uint64_t total);

/* Wipe the line before anything else is written. */
void progress_line_clear(struct progress_line *progress);

/* Show nothing from here on if path is standard output and that a terminal, where lines would
 * mix. */
void progress_line_yield(struct progress_line *progress, const char *path);

enum { PROGRESS_LINE_MAX = 128 };

/* "reading  45 %, 120 MB/s, 12 s left": percent, or how much where total is 0; rate and time left
 * once `more` was done in elapsed_ns and that can be told from.  Returns text. */
const char *progress_line_text(char text[PROGRESS_LINE_MAX], const char *stage, csy_unit unit,
                               uint64_t done, uint64_t total, uint64_t more, int64_t elapsed_ns);

#endif
