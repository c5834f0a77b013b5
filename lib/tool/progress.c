/* See progress.h. */
#include "tool/progress.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)
#define INTERVAL_NS (SECOND_NS / 6)
#define PATIENCE_NS (SECOND_NS / 2)
#define TELLING_NS (SECOND_NS / 4) /* least duration of a stage before its rate is shown */

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND_NS + now.tv_nsec;
}

void progress_line_init(struct progress_line *progress, enum progress_mode mode, bool quiet)
{
    bool terminal = isatty(STDERR_FILENO);
    *progress = (struct progress_line){.always = mode == PROGRESS_ALWAYS, .begun_ns = now_ns()};
    progress->on = progress->always || (mode == PROGRESS_AUTO && terminal && !quiet);
}

/* Write an amount such as "120 MB" or "120 threads". */
static size_t put_amount(char *text, size_t size, csy_unit unit, double amount)
{
    int n = unit == CSY_UNIT_BYTES ? snprintf(text, size, "%.*f MB", amount < 1e7, amount / 1e6)
                                   : snprintf(text, size, "%.0f threads", amount);
    return (size_t)n;
}

const char *progress_line_text(char text[PROGRESS_LINE_MAX], const char *stage, csy_unit unit,
                               uint64_t done, uint64_t total, uint64_t more, int64_t elapsed_ns)
{
    size_t size = PROGRESS_LINE_MAX;
    size_t n = (size_t)snprintf(text, size, "%.32s ", stage);
    double share = done < total ? (double)done / (double)total : 1;
    if (total > 0)
        n += (size_t)snprintf(text + n, size - n, "%3d %%", (int)(share * 100));
    else
        n += put_amount(text + n, size - n, unit, (double)done);
    if (elapsed_ns < TELLING_NS || more == 0)
        return text;
    double rate = (double)more / ((double)elapsed_ns / (double)SECOND_NS);
    n += (size_t)snprintf(text + n, size - n, ", ");
    n += put_amount(text + n, size - n, unit, rate);
    n += (size_t)snprintf(text + n, size - n, "/s");
    if (done >= total)
        return text;
    double seconds = (double)(total - done) / rate;
    uint64_t s = seconds < 3.6e8 ? (uint64_t)seconds + 1 : 360000000, minutes = s / 60;
    if (s < 60)
        snprintf(text + n, size - n, ", %" PRIu64 " s left", s);
    else if (minutes < 60)
        snprintf(text + n, size - n, ", %" PRIu64 ":%02" PRIu64 " min left", minutes, s % 60);
    else
        snprintf(text + n, size - n, ", %" PRIu64 ":%02" PRIu64 " h left", minutes / 60,
                 minutes % 60);
    return text;
}

void progress_line_show(void *user, const char *stage, csy_unit unit, uint64_t done, uint64_t total)
{
    struct progress_line *progress = user;
    char text[PROGRESS_LINE_MAX];
    if (!progress->on)
        return;
    int64_t now = now_ns();
    bool begins = !progress->stage || strcmp(stage, progress->stage) != 0;
    if (begins || done < progress->last_done) {
        progress->stage = stage;
        progress->stage_ns = now;
        progress->stage_done = done;
    }
    progress->last_done = done;
    bool early = !progress->always && now - progress->begun_ns < PATIENCE_NS;
    bool often = now - progress->last_ns < INTERVAL_NS;
    if (early || (often && !begins))
        return;
    progress->last_ns = now;
    progress->shown = true;
    fprintf(stderr, "\r%s\033[K",
            progress_line_text(text, stage, unit, done, total, done - progress->stage_done,
                               now - progress->stage_ns));
    (void)fflush(stderr);
}

void progress_line_clear(struct progress_line *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

void progress_line_yield(struct progress_line *progress, const char *path)
{
    if (path && strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
        progress->on = false;
}
