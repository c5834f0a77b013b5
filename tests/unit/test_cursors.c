/* Several places in one trace: each goes on where it was, whatever the others, passes over the
 * trace and csy_events_seek do in between. */
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CURSORS = 4, BATCH = 60, STEPS = 400 };

static struct folder folder;

/* What csy_events_next gives in one go. */
struct told {
    size_t thread, size;
    int64_t local_ticks, global_ticks;
    uint64_t sum; /* of its bytes */
};

static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
    uint64_t sum = size;
    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + bytes[i];
    return sum;
}

static struct told *tell_all(const csy_sync *sync)
{
    csy_error error;
    csy_events *events;
    csy_event e;
    bool more;
    struct told *told = calloc((size_t)csy_sync_records(sync), sizeof *told);
    ck_assert_ptr_nonnull(told);
    ck_ok(csy_events_open(sync, &events, &error), error);
    for (;;) {
        ck_ok(csy_events_next(events, &e, &more, &error), error);
        if (!more)
            break;
        told[e.record] =
            (struct told){e.thread, e.size, e.local_ticks, e.global_ticks, sum_of(e.bytes, e.size)};
    }
    csy_events_free(events);
    return told;
}

static void compare(const struct told *told, const csy_decoded *e, uint64_t position)
{
    const struct told *want = &told[position];
    ck_assert_uint_eq(e->record, position);
    ck_assert(e->thread == want->thread && e->size == want->size &&
              e->local_ticks == want->local_ticks && e->global_ticks == want->global_ticks &&
              sum_of(e->bytes, e->size) == want->sum);
}

/* One of the cursors does one of the things that it can do. */
static void step(struct random *r, csy_events *events, uint64_t *at, uint64_t records,
                 const struct told *told)
{
    static csy_decoded batch[BATCH];
    csy_error error;
    csy_event e;
    bool more;
    size_t got, n = (size_t)random_between(r, 1, BATCH);
    if (random_chance(r, 30)) {
        int64_t to = random_chance(r, 50) ? random_between(r, 0, (int64_t)records)
                                          : (int64_t)*at + random_between(r, -20, 90);
        *at = to < 0 ? 0 : (uint64_t)to > records ? records : (uint64_t)to;
        ck_ok(csy_events_seek(events, *at, &error), error);
    } else if (random_chance(r, 50)) {
        ck_ok(csy_events_read(events, batch, n, &got, &error), error);
        ck_assert(got > 0 || *at == records);
        for (size_t i = 0; i < got; i++)
            compare(told, &batch[i], (*at)++);
    } else {
        for (size_t i = 0; i < n; i++) {
            ck_ok(csy_events_next(events, &e, &more, &error), error);
            ck_assert(more == (*at < records));
            if (more)
                compare(told,
                        &(csy_decoded){.record = e.record,
                                       .thread = (uint32_t)e.thread,
                                       .size = (uint32_t)e.size,
                                       .local_ticks = e.local_ticks,
                                       .global_ticks = e.global_ticks,
                                       .bytes = e.bytes},
                        (*at)++);
        }
    }
}

static void try_trace(csy_trace *trace, const csy_options *options, uint64_t trial)
{
    struct random r = random_trial(trial);
    csy_error error;
    csy_sync *sync, *other;
    csy_events *events[CURSORS];
    uint64_t at[CURSORS] = {0};
    ck_ok(csy_trace_synchronize(trace, options, &sync, &error), error);
    uint64_t records = csy_sync_records(sync);
    struct told *told = tell_all(sync);
    for (size_t i = 0; i < CURSORS; i++)
        ck_ok(csy_events_open(sync, &events[i], &error), error);
    for (int i = 0; i < trials_of(STEPS); i++) {
        size_t which = (size_t)random_between(&r, 0, CURSORS - 1);
        step(&r, events[which], &at[which], records, told);
        if (i % 100 == 50) { /* passes over the trace itself */
            ck_ok(csy_trace_synchronize(trace, options, &other, &error), error);
            csy_sync_free(other);
            ck_ok(csy_sync_write_trace(sync, folder_file(&folder, "o.json"), NULL, &error), error);
        }
    }
    csy_status status = csy_events_seek(events[0], records + 1, &error);
    ck_assert_msg(status == CSY_USAGE && strstr(error.text, ": no record "), "%s", error.text);
    step(&r, events[0], &at[0], records, told); /* it is where it was */
    for (size_t i = 0; i < CURSORS; i++)
        csy_events_free(events[i]);
    free(told);
    csy_sync_free(sync);
}

START_TEST(every_cursor_has_its_place)
{
    static const char *const samples[] = {"plain.pex",       "jitter.pex", "embedded.pex",
                                          "switches-gz.pex", "paper.csv",  "stragglers.pex"};
    csy_error error;
    csy_options options;
    csy_trace *trace;
    char path[4096];
    options = options_default;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        snprintf(path, sizeof path, SAMPLES "/%s", samples[i]);
        ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
        csy_trace_set_workers(trace, i % 2 ? 2 : 1);
        options.monotonic = false;
        options.method = CSY_METHOD_BHH;
        try_trace(trace, &options, i);
        options.monotonic = true;
        try_trace(trace, &options, i + 100);
        options.monotonic = false;
        options.method = CSY_METHOD_LAMPORT_CLOCK;
        try_trace(trace, &options, i + 200);
        csy_trace_free(trace);
    }
}
END_TEST

START_TEST(one_made_in_memory_has_places_too)
{
    csy_error error;
    csy_options options;
    csy_trace *trace;
    size_t a, b;
    options = options_default;
    ck_ok(csy_trace_new("made", 1000, &trace, &error), error);
    ck_ok(csy_trace_add_thread(trace, "a", NULL, &a, &error), error);
    ck_ok(csy_trace_add_thread(trace, "b", NULL, &b, &error), error);
    for (int64_t i = 0; i < 1000; i++)
        ck_ok(csy_trace_add(trace, &(csy_new_event){.thread = i % 3 ? a : b, .time_ticks = i}, 1,
                            &error),
              error);
    try_trace(trace, &options, 300);
    csy_trace_free(trace);
}
END_TEST

/* Long runs of plain records, in which seeks end anywhere. */
START_TEST(seeking_passes_plain_records_exactly)
{
    enum { RECORDS = 20000 };
    struct buffer file = {0};
    csy_error error;
    csy_options options;
    csy_trace *trace;
    uint64_t now = 1000000000;
    buffer_text(&file, "<pdt_trace version='1'><machine timebase_hz='14318000'/>"
                       "<trace_file/></pdt_trace>");
    buffer_add(&file, "", 1);
    add_header(&file, 0, RECORDS);
    for (int i = 0; i < RECORDS; i++) {
        now += 7 + (uint64_t)i % 11;
        if (i % 5 == 0)
            add_ppe(&file, now);
        else
            add_spe(&file, (uint32_t)(i % 5), (uint32_t)((uint64_t)i % 5 * 1000 - now));
    }
    const char *path = folder_file(&folder, "a.pex");
    file_write(path, file.bytes, file.size);
    buffer_free(&file);
    options = options_default;
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    try_trace(trace, &options, 400);
    csy_trace_free(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("cursors");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, every_cursor_has_its_place);
    tcase_add_test(tests, one_made_in_memory_has_places_too);
    tcase_add_test(tests, seeking_passes_plain_records_exactly);
    return unit_run();
}
