/* Progress on standard error. */
#include "cli/progress.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL_NS (1000000000 / 6)

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void cli_progress_init(struct cli_progress *progress, enum progress_mode mode, bool quiet)
{
    bool terminal = isatty(STDERR_FILENO);
    progress->on = mode == PROGRESS_ALWAYS || (mode == PROGRESS_AUTO && terminal && !quiet);
    progress->shown = false;
    progress->last_ns = mode == PROGRESS_ALWAYS ? 0 : now_ns();
}

void cli_progress_show(void *user, const char *stage, uint64_t done, uint64_t total)
{
    struct cli_progress *progress = user;
    int64_t now = now_ns();
    if (!progress->on || now - progress->last_ns < INTERVAL_NS)
        return;
    progress->last_ns = now;
    progress->shown = true;
    if (total > 0)
        fprintf(stderr, "\r%s %3" PRIu64 " %%\033[K", stage,
                done >= total ? 100 : done * 100 / total);
    else
        fprintf(stderr, "\r%s %" PRIu64 " MiB\033[K", stage, done >> 20);
    fflush(stderr);
}

void cli_progress_clear(struct cli_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
