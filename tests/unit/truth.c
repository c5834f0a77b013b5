/* Records of which it is known what they really were. */
#include "truth.h"

void truth_begin(struct truth *truth)
{
    *truth = (struct truth){.n = 0};
    buffer_text(&truth->file, "<pdt_trace version='1'><machine timebase_hz='14318000'/>"
                              "<trace_file/></pdt_trace>");
    buffer_add(&truth->file, "", 1);
    add_header(&truth->file, 0, UINT64_MAX);
}

static void note(struct truth *truth, int64_t stamp, int stay)
{
    ck_assert_uint_lt(truth->n, TRUTH_RECORDS);
    truth->stamp[truth->n] = stamp;
    truth->stay[truth->n++] = stay;
}

void truth_ppe(struct truth *truth, int64_t stamp)
{
    note(truth, stamp, -1);
    add_ppe(&truth->file, (uint64_t)stamp);
}

void truth_switched(struct truth *truth, bool in, uint32_t context, int64_t stamp)
{
    note(truth, stamp, -1);
    add_switch(&truth->file, in, (uint64_t)stamp, context, context % 3);
}

void truth_spe(struct truth *truth, uint32_t context, int64_t stamp, int64_t zero, int stay)
{
    note(truth, stamp, stay);
    add_spe(&truth->file, context, (uint32_t)(zero - stamp));
}

struct solved truth_solve(const struct truth *truth, const csy_options *options)
{
    struct folder folder;
    struct solved solved;
    csy_error error;
    folder_open(&folder);
    const char *path = folder_file(&folder, "a.pex");
    file_write(path, truth->file.bytes, truth->file.size);
    ck_ok(csy_trace_open(path, NULL, &solved.trace, &error), error);
    folder_close(&folder);
    ck_ok(csy_trace_synchronize(solved.trace, options, &solved.sync, &error), error);
    return solved;
}

void solved_free(struct solved *solved)
{
    csy_sync_free(solved->sync);
    csy_trace_free(solved->trace);
}

/* The thread of every record, and its local time. */
static void read_events(const struct solved *solved, size_t *thread, int64_t *local)
{
    csy_events *events;
    csy_event event;
    csy_error error;
    bool more;
    ck_ok(csy_events_open(solved->sync, &events, &error), error);
    for (;;) {
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        thread[event.record] = event.thread;
        local[event.record] = event.local_ticks;
    }
    csy_events_free(events);
}

void truth_assert_places(const struct truth *truth, const struct solved *solved, bool whole,
                         int trial)
{
    static size_t thread[TRUTH_RECORDS];
    static int64_t local[TRUTH_RECORDS];
    read_events(solved, thread, local);
    for (size_t i = 0; i < truth->n; i++) {
        for (size_t j = i + 1; j < truth->n; j++) {
            bool together = thread[i] == thread[j], really = truth->stay[i] == truth->stay[j];
            if (together ? !really || local[j] - local[i] != truth->stamp[j] - truth->stamp[i]
                         : really && whole)
                ck_abort_msg("trial %d: records %zu and %zu of thread %zu", trial, i, j, thread[i]);
        }
    }
}

void truth_assert_bounds(const struct truth *truth, const struct solved *solved, int trial)
{
    size_t n = csy_sync_nthreads(solved->sync);
    for (size_t s = 0; s < n; s++) {
        for (size_t t = 0; t < n; t++) {
            const csy_thread *a = csy_sync_thread(solved->sync, s),
                             *b = csy_sync_thread(solved->sync, t);
            int64_t true_a = a->kind == CSY_KIND_PPE ? 0 : truth->stamp[a->first_record];
            int64_t true_b = b->kind == CSY_KIND_PPE ? 0 : truth->stamp[b->first_record];
            int64_t lower, upper;
            csy_error error;
            ck_ok(csy_sync_bounds(solved->sync, s, t, &lower, &upper, NULL, &error), error);
            if (true_a - true_b < lower || true_a - true_b > upper)
                ck_abort_msg("trial %d: threads %s and %s", trial, a->name, b->name);
        }
    }
}
