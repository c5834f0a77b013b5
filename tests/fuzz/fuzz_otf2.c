/*
 * OTF2 archives, mutated file by file.  A byte of options, and then files, as draw_files has them:
 *
 *   0           the anchor            1           the global definitions
 *   2 k + 2     the events of location k          2 k + 3     its own definitions
 *
 * Read by one worker, by two, and the ordinary way, archives come to the same.
 */
#include "support.h"

#include "sync/options.h"
#include "sync/solution.h"
#include "trace/input.h"
#include "trace/trace.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCATIONS_MOST = 8, KINDS = 2 * LOCATIONS_MOST + 2, WAYS = 3 };

/* What libotf2 takes for an anchor that it then refuses, it loses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libopen-trace-format2";
}

static char folder[] = "/tmp/fuzz-otf2-XXXXXX";
static char path[PATH_MAX];

static const char *file_of(unsigned kind)
{
    if (kind < 2)
        snprintf(path, sizeof path, "%s/t.%s", folder, kind ? "def" : "otf2");
    else
        snprintf(path, sizeof path, "%s/t/%u.%s", folder, (kind - 2) / 2, kind % 2 ? "def" : "evt");
    return path;
}

static void remove_files(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        unlink(file_of(kind));
}

/* libotf2 does not close an anchor that it refuses, and a process has few descriptors. */
static void close_lost(void)
{
    enum { DESCRIPTORS = 256 };
    char link[32], target[PATH_MAX];
    for (int fd = 3; fd < DESCRIPTORS; fd++) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t size = readlink(link, target, sizeof target - 1);
        if (size > 0 && strncmp(target, folder, strlen(folder)) == 0)
            close(fd);
    }
}

static void remove_folder(void)
{
    remove_files();
    snprintf(path, sizeof path, "%s/t", folder);
    rmdir(path);
    rmdir(folder);
}

static void make_folder(void)
{
    static bool made;
    if (made)
        return;
    must(mkdtemp(folder), folder);
    snprintf(path, sizeof path, "%s/t", folder);
    must(mkdir(path, 0700) == 0, path);
    made = atexit(remove_folder) == 0;
}

struct way {
    csy_trace *trace;
    csy_sync *sync;
    csy_status status;
    csy_error error;
    struct source ordinary;
};

static void solve(struct way *way, unsigned options, unsigned workers)
{
    csy_options chosen = options_default;
    const csy_input input = {.format = CSY_FORMAT_OTF2, .clock_per = (csy_clock_per)(options % 4)};
    chosen.relax = options & 4 ? CSY_RELAX_NONE : CSY_RELAX_EXACT;
    way->status = csy_trace_open(file_of(0), &input, &way->trace, &way->error);
    if (!way->status) {
        csy_trace_set_workers(way->trace, workers ? workers : 1);
        csy_trace_set_salvage(way->trace, options & 8);
        if (workers == 0) {
            way->ordinary = *way->trace->source;
            way->ordinary.streams = NULL;
            way->trace->source = &way->ordinary;
        }
        way->status = csy_trace_synchronize(way->trace, &chosen, &way->sync, &way->error);
    }
    must_be_told(way->status, &way->error);
}

static void compare_violations(const struct way *a, const struct way *b)
{
    const csy_violations *x, *y;
    csy_error error;
    must_be_ok(csy_sync_violations(a->sync, &x, &error), error);
    must_be_ok(csy_sync_violations(b->sync, &y, &error), error);
    must(!x == !y, "violations");
    if (!x)
        return;
    const csy_backward *of[2][3] = {{&x->raw, &x->tracer, &x->ours},
                                    {&y->raw, &y->tracer, &y->ours}};
    for (int i = 0; i < 3; i++)
        must(of[0][i]->known == of[1][i]->known && of[0][i]->count == of[1][i]->count &&
                 of[0][i]->largest_ticks == of[1][i]->largest_ticks,
             "violations");
}

static void compare(const struct way *a, const struct way *b)
{
    must(a->status == b->status, a->error.text[0] ? a->error.text : b->error.text);
    must(!a->status || strcmp(a->error.text, b->error.text) == 0, b->error.text);
    if (a->status)
        return;
    size_t n = a->sync->survey.threads.count;
    must(n == b->sync->survey.threads.count, "threads");
    for (size_t i = 0; i < n; i++) {
        const csy_thread *x = csy_sync_thread(a->sync, i), *y = csy_sync_thread(b->sync, i);
        must(strcmp(x->name, y->name) == 0 && x->records == y->records, x->name);
        must(x->first_record == y->first_record, x->name);
        must(x->offset_ticks == y->offset_ticks && x->earliest_ticks == y->earliest_ticks &&
                 x->latest_ticks == y->latest_ticks,
             x->name);
    }
    const csy_imprecision *x = csy_sync_imprecision(a->sync), *y = csy_sync_imprecision(b->sync);
    must(x->inversions == y->inversions && x->delta.num == y->delta.num, "inversions");
    const csy_matched *v = csy_sync_matched(a->sync), *w = csy_sync_matched(b->sync);
    must(v->messages == w->messages && v->nunused == w->nunused, "messages");
    for (size_t i = 0; i < v->nunused; i++)
        must(v->unused[i].count == w->unused[i].count &&
                 v->unused[i].listed[0].record == w->unused[i].listed[0].record,
             "unused");
    compare_violations(a, b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct drawing d = {data, size};
    struct way ways[WAYS] = {0};
    make_folder();
    unsigned options = draw_below(&d, 256);
    draw_files(&d, KINDS, file_of);
    for (unsigned i = 0; i < WAYS; i++) {
        solve(&ways[i], options, i);
        if (i > 0)
            compare(&ways[0], &ways[i]);
    }
    for (unsigned i = 0; i < WAYS; i++) {
        csy_sync_free(ways[i].sync);
        csy_trace_free(ways[i].trace);
    }
    close_lost();
    remove_files();
    return 0;
}
