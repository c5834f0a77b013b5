/* A format that the library does not know: one source, which source_add puts into the table. Its
 * traces are read, synchronized, and written in each format that needs only events. */
#include "output/file/tempname.h"
#include "support.h"
#include "trace/csv/csv.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "TOY" and then 16 bytes an event: a letter for its thread, seven for its name, and its time. */
enum { EVENT_BYTES = 16, NAME_BYTES = 7, HEAD = 3 };

static bool toy_probe(const struct head *head)
{
    return head->size >= HEAD && memcmp(head->bytes, "TOY", HEAD) == 0;
}

static csy_status toy_look(struct csy_trace *trace, csy_error *error)
{
    (void)trace, (void)error;
    return CSY_OK;
}

/* Skip the head here rather than by the offset for bytes_new, which counts compressed bytes. */
static csy_status toy_rewind(struct csy_trace *trace, csy_error *error)
{
    const uint8_t *at;
    size_t have;
    *(uint64_t *)trace->state = 0;
    csy_status status = bytes_peek(trace->bytes, HEAD, &at, &have, error);
    if (!status)
        bytes_skip(trace->bytes, HEAD);
    return status;
}

static csy_status toy_open(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    trace->timebase_hz = 1000000000;
    trace->state = calloc(1, sizeof(uint64_t));
    ck_assert_ptr_nonnull(trace->state);
    csy_status status =
        bytes_new(trace->fd, trace->name, start, trace->gzip, trace->workers, &trace->bytes, error);
    return status ? status : toy_rewind(trace, error);
}

static csy_status toy_next(struct csy_trace *trace, struct event *event, bool *more,
                           csy_error *error)
{
    uint64_t *number = trace->state;
    const uint8_t *at;
    size_t have;
    csy_status status = bytes_peek(trace->bytes, EVENT_BYTES, &at, &have, error);
    *more = !status && have >= EVENT_BYTES;
    if (status || !*more)
        return status;
    event->place = ++*number;
    event->bytes = at;
    event->size = EVENT_BYTES;
    event->record = NULL;
    event->row = NULL;
    event->stamp = (struct named_stamp){
        .thread = (const char *)at, .thread_size = 1, .time_ticks = (int64_t)load64(at + 8)};
    event->name = (const char *)at + 1;
    event->name_size = NAME_BYTES;
    bytes_skip(trace->bytes, EVENT_BYTES);
    return CSY_OK;
}

static void toy_close(struct csy_trace *trace)
{
    free(trace->state);
    trace->state = NULL;
}

static const csy_cut *toy_cut(const struct csy_trace *trace)
{
    (void)trace;
    return NULL;
}

static const struct source toy = {.written_as = CSY_FORMAT_CSV,
                                  .title = "a toy",
                                  .place = "event",
                                  .probe = toy_probe,
                                  .look = toy_look,
                                  .open = toy_open,
                                  .rewind = toy_rewind,
                                  .next = toy_next,
                                  .close = toy_close,
                                  .cut = toy_cut};

enum { EVENTS = 500, THREADS = 5 };

static struct folder folder;

/* The same events as a toy and as a CSV: threads take turns at random, their clocks are apart. */
static void write_both(const char *toys, const char *rows)
{
    struct random r = random_trial(7);
    FILE *a = fopen(toys, "wb"), *b = fopen(rows, "w");
    ck_assert(a && b);
    fputs("TOY", a);
    fputs("thread,time,event\n", b);
    int64_t now = 0;
    for (int i = 0; i < EVENTS; i++) {
        uint8_t bytes[EVENT_BYTES];
        char name[NAME_BYTES + 1];
        int thread = (int)random_between(&r, 0, THREADS - 1);
        now += random_between(&r, 0, 9);
        int64_t time = now + 1000 * thread * thread - 5;
        snprintf(name, sizeof name, "call%03d", i % 7);
        bytes[0] = (uint8_t)('A' + thread);
        memcpy(bytes + 1, name, NAME_BYTES);
        store64(bytes + 8, (uint64_t)time);
        fwrite(bytes, 1, sizeof bytes, a);
        fprintf(b, "%c,%" PRId64 ",%s\n", 'A' + thread, time, name);
    }
    ck_assert(fclose(a) == 0 && fclose(b) == 0);
}

static csy_sync *synchronize(const char *path, csy_trace **trace)
{
    csy_sync *sync;
    csy_error error;
    csy_options options;
    options = options_default;
    ck_ok(csy_trace_open(path, NULL, trace, &error), error);
    ck_ok(csy_trace_synchronize(*trace, &options, &sync, &error), error);
    return sync;
}

static void assert_same_bounds(csy_sync *a, csy_sync *b, size_t s, size_t t)
{
    int64_t lower[2], upper[2];
    csy_error error;
    ck_ok(csy_sync_bounds(a, s, t, &lower[0], &upper[0], NULL, &error), error);
    ck_ok(csy_sync_bounds(b, s, t, &lower[1], &upper[1], NULL, &error), error);
    ck_assert(lower[0] == lower[1] && upper[0] == upper[1]);
}

START_TEST(a_toy_goes_all_the_way)
{
    static const char *const ends[] = {"csv", "json", "ctf"};
    char toys[4096], rows[4096];
    csy_trace *trace, *same;
    csy_error error;
    csy_event event, want;
    csy_events *events, *others;
    bool more = true, more_others = true;
    snprintf(toys, sizeof toys, "%s", folder_file(&folder, "a.toy"));
    snprintf(rows, sizeof rows, "%s", folder_file(&folder, "a.csv"));
    write_both(toys, rows);
    source_add(&toy);
    csy_sync *sync = synchronize(toys, &trace), *synced = synchronize(rows, &same);
    ck_assert_uint_eq(csy_sync_nthreads(sync), THREADS);
    ck_assert_str_eq(csy_trace_place_name(trace), "event");
    ck_ok(csy_events_open(sync, &events, &error), error);
    ck_ok(csy_events_open(synced, &others, &error), error);
    for (int n = 0; more; n++) {
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        ck_ok(csy_events_next(others, &want, &more_others, &error), error);
        ck_assert(more == more_others && (more || n == EVENTS));
        ck_assert(!more || (event.global_ticks == want.global_ticks &&
                            event.thread == want.thread && event.local_ticks == want.local_ticks));
    }
    csy_events_free(events);
    csy_events_free(others);
    for (size_t s = 0; s < THREADS; s++)
        for (size_t t = 0; t < THREADS; t++)
            assert_same_bounds(sync, synced, s, t);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char name[32];
        snprintf(name, sizeof name, "out.%s", ends[i]);
        ck_ok(csy_sync_write_trace(sync, folder_file(&folder, name), NULL, &error), error);
    }
    ck_assert_int_eq(csy_sync_write_trace(sync, folder_file(&folder, "out.pex"), NULL, &error),
                     CSY_USAGE);
    ck_assert_ptr_nonnull(
        strstr(error.text, "a.toy: a toy cannot be written as .pex; write a CSV instead"));
    csy_sync_free(sync);
    csy_sync_free(synced);
    csy_trace_free(trace);
    csy_trace_free(same);
    source_add(NULL);
    /* What was written as CSV has the same global times. */
    synced = synchronize(folder_file(&folder, "out.csv"), &same);
    ck_assert(csy_trace_is_synchronized(same));
    ck_assert_uint_eq(csy_sync_nthreads(synced), THREADS);
    csy_proof proof;
    ck_ok(prove(folder_file(&folder, "out.csv"), &proof, &error), error);
    ck_assert_uint_eq(proof.records, EVENTS);
    csy_sync_free(synced);
    csy_trace_free(same);
}
END_TEST

static void open_folder(void)
{
    folder_open(&folder);
}

static void close_folder(void)
{
    source_add(NULL);
    tempname_remove_folder(folder_file(&folder, "out.ctf"), true);
    folder_close(&folder);
}

int main(void)
{
    TCase *tests = unit_begin("source");
    tcase_add_checked_fixture(tests, open_folder, close_folder);
    tcase_add_test(tests, a_toy_goes_all_the_way);
    return unit_run();
}
