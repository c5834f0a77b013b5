/* Progress on standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/options.h"

struct cli_progress {
    bool on;
    bool shown; /* a line stands on the terminal */
    int64_t last_ns;
};

void cli_progress_init(struct cli_progress *progress, enum progress_mode mode, bool quiet);

/* A csy_progress; user is a struct cli_progress.  Writes six times a second at the most. */
void cli_progress_show(void *user, const char *stage, uint64_t done, uint64_t total);

/* Wipe the line before anything else is written. */
void cli_progress_clear(struct cli_progress *progress);

#endif
