/*
 * Segments land where records are plain: nearly all of a plain trace goes that way, with the same
 * bytes written as one thread writes; and where records are not plain, or only look like some, the
 * lane goes on after the last segment that landed.
 */
#include "support.h"

#include "sync/events.h"
#include "trace/trace.h"

#include <string.h>

enum { SEGMENT = 4096 };

/* As many as make some 40 segments, or more. */
static uint64_t records(void)
{
    return 5000 + (uint64_t)trials_of(15000);
}

/* Records of four contexts and the PPE in turn; every odd_every-th (0: none) steps over three
 * wraps.  With lures, what an SPE record carries is the record itself. */
static void make_trace(struct buffer *file, int odd_every, bool lures)
{
    uint64_t now = 1000000000, n = records();
    buffer_text(file, "<pdt_trace version='1'><machine timebase_hz='14318000'/>"
                      "<trace_file/></pdt_trace>");
    buffer_add(file, "", 1);
    add_header(file, 0, n);
    for (int i = 0; (uint64_t)i < n; i++) {
        now += 7 + (uint64_t)i % 11;
        if (odd_every && i % odd_every == odd_every - 1)
            now += (uint64_t)3 << 32;
        if (i % 5 == 0) {
            add_ppe(file, now);
            continue;
        }
        size_t at = file->size;
        add_spe(file, (uint32_t)(i % 5), (uint32_t)((uint64_t)i % 5 * 1000 - now));
        if (lures) {
            uint8_t lure[RECORD_SPE_BYTES];
            memcpy(lure, file->bytes + at, sizeof lure);
            buffer_add(file, lure, sizeof lure);
            file->bytes[at + 1] = (uint8_t)(file->bytes[at + 1] + sizeof lure);
            file->bytes[at + 7] = (uint8_t)(file->bytes[at + 7] + sizeof lure / 8);
        }
    }
}

struct made {
    struct folder folder;
    csy_trace *trace;
    csy_sync *sync;
};

static void made_open(struct made *made, int odd_every, bool lures)
{
    csy_error error;
    csy_options options;
    struct buffer file = {0};
    options = options_default;
    folder_open(&made->folder);
    make_trace(&file, odd_every, lures);
    const char *path = folder_file(&made->folder, "a.pex");
    file_write(path, file.bytes, file.size);
    buffer_free(&file);
    ck_ok(csy_trace_open(path, NULL, &made->trace, &error), error);
    made->trace->segment_bytes = SEGMENT;
    csy_trace_set_workers(made->trace, 3);
    ck_ok(csy_trace_synchronize(made->trace, &options, &made->sync, &error), error);
}

static void made_close(struct made *made)
{
    csy_sync_free(made->sync);
    csy_trace_free(made->trace);
    folder_close(&made->folder);
}

static uint64_t claim(void *user, size_t size)
{
    size_t *written = user, at = *written;
    *written += size;
    return at;
}

static void place(void *user, const uint8_t *bytes, size_t size, uint64_t at)
{
    (void)user;
    (void)bytes;
    (void)size;
    (void)at;
}

/* How many records land in segments. */
static uint64_t count_shared(const struct made *made)
{
    csy_error error;
    csy_events *events;
    csy_event event;
    uint64_t shared = 0;
    size_t written = 0;
    const struct fast_sink sink = {&written, claim, place};
    ck_ok(csy_events_open(made->sync, &events, &error), error);
    for (bool more = true; more;) {
        struct fast_taken taken;
        ck_ok(events_share(events, &sink, &taken, &error), error);
        shared += taken.records;
        ck_ok(csy_events_next(events, &event, &more, &error), error);
    }
    csy_events_free(events);
    ck_assert_uint_ge(written, shared * RECORD_PPE_BYTES);
    return shared;
}

static struct buffer write_with(const struct made *made, unsigned threads, int level)
{
    csy_error error;
    const csy_output output = {.embed = true, .compress_level = level};
    const char *path = folder_file(&made->folder, "b.pex");
    csy_trace_set_workers(made->trace, threads);
    ck_ok(csy_sync_write_trace(made->sync, path, &output, &error), error);
    return file_read(path);
}

static void assert_same_bytes(const struct made *made, int level)
{
    struct buffer one = write_with(made, 1, level), three = write_with(made, 3, level);
    ck_assert(buffer_is(&three, one.bytes, one.size));
    buffer_free(&one);
    buffer_free(&three);
}

START_TEST(plain_records_land)
{
    struct made made;
    made_open(&made, 0, false);
    ck_assert_uint_ge(count_shared(&made), records() * 9 / 10);
    assert_same_bytes(&made, -1);
    assert_same_bytes(&made, 1);
    made_close(&made);
}
END_TEST

/* Too often for segments to be tried again and again. */
START_TEST(others_interrupt)
{
    static const int odd_every[] = {4000, 1000, 300, 50};
    for (size_t i = 0; i < sizeof odd_every / sizeof *odd_every; i++) {
        struct made made;
        made_open(&made, odd_every[i], false);
        uint64_t shared = count_shared(&made);
        ck_assert_uint_le(shared, records() - records() / (uint64_t)odd_every[i]);
        ck_assert(shared > 0 || odd_every[i] < 1000);
        assert_same_bytes(&made, -1);
        made_close(&made);
    }
}
END_TEST

START_TEST(lures_are_seen_through)
{
    struct made made;
    made_open(&made, 0, true);
    ck_assert_uint_lt(count_shared(&made), records() * 9 / 10);
    assert_same_bytes(&made, -1);
    made_close(&made);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("fast");
    tcase_add_test(tests, plain_records_land);
    tcase_add_test(tests, others_interrupt);
    tcase_add_test(tests, lures_are_seen_through);
    return unit_run();
}
