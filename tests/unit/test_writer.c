/*
 * The walk over what is written: plain records that come many at a time are those that the ordinary
 * way gives one by one, for one worker and for two, which write by way of a relay.
 */
#include "base/crc.h"
#include "base/error.h"
#include "output/trace/writer.h"
#include "support.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 3, RECORDS = 9000, TIMEBASE_HZ = 14318000, CHUNKS = RELAY_PENDING + 1 };

static struct folder folder;

/* A record of any size, with its stamps at `now`. */
static void add_record(struct random *r, struct buffer *file, int64_t now)
{
    static const uint16_t most[] = {0, 1, 3, 9, 200, 8100};
    int rare = random_chance(r, 99) ? random_chance(r, 90) ? 3 : 4 : 5;
    unsigned n = (unsigned)random_between(r, 0, most[random_between(r, 0, rare)]);
    unsigned more = random_chance(r, 5) ? (unsigned)random_between(r, 1, 9) : 0;
    bool spe = random_chance(r, 90);
    unsigned fixed = spe ? RECORD_SPE_BYTES : RECORD_PPE_BYTES, width = spe ? 4 : 8;
    uint32_t context = (uint32_t)random_between(r, 0, CONTEXTS - 1);
    bool interval = random_chance(r, 30);
    int64_t before = interval ? random_between(r, 0, 50) : 0;
    buffer_number(file, fixed + 8 * (n + more), 2);
    buffer_number(file, spe ? CORE_SPE : CORE_PPE, 1);
    buffer_number(file, interval, 1);
    buffer_number(file, (uint64_t)random_between(r, 0x300, 0x700), 2);
    buffer_number(file, n, 2);
    buffer_number(file, spe ? context : 4711, 4);
    buffer_number(file, random_bits(r) >> 32, 4);
    uint64_t stamp = spe ? (uint32_t)(77777 * context - now) : (uint64_t)now;
    buffer_number(file, stamp, width);
    buffer_number(file, spe ? (uint32_t)(stamp + (uint64_t)before) : stamp - (uint64_t)before,
                  width);
    for (unsigned i = 0; i < n + more; i++)
        buffer_number(file, random_bits(r), 8);
}

/* Mostly plain, but for switches and long silences. */
static void draw_trace(struct random *r, const char *path)
{
    struct buffer file = {0};
    int64_t now = (int64_t)1 << 40;
    buffer_text(&file, "<pdt_trace version='1'><machine timebase_hz='14318000'/>"
                       "<trace_file/></pdt_trace>");
    buffer_add(&file, "", 1);
    add_header(&file, 0, RECORDS);
    for (int i = 0; i < RECORDS; i++) {
        now += random_chance(r, 1) ? TIMEBASE_HZ : random_between(r, 0, 60);
        if (random_chance(r, 1))
            add_switch(&file, true, (uint64_t)now, (uint64_t)random_between(r, 0, CONTEXTS - 1), 1);
        else
            add_record(r, &file, now);
    }
    file_write(path, file.bytes, file.size);
    buffer_free(&file);
}

struct chunk {
    uint8_t bytes[4096];
    size_t used;
};

/* A format that notes all it sees. */
struct noting {
    const struct relay *relay;
    struct chunk chunks[CHUNKS];
    size_t chunk, chunk_bytes;
    struct buffer out;
    uint64_t events, fails_at; /* UINT64_MAX: never */
    bool ended;
};

static void write_note(void *file, const void *bytes, size_t size)
{
    buffer_add(file, bytes, size);
}

static void flush(struct noting *n)
{
    struct chunk *chunk = &n->chunks[n->chunk];
    if (n->relay)
        n->relay->ask(n->relay->user, write_note, &n->out, chunk->bytes, chunk->used);
    else
        write_note(&n->out, chunk->bytes, chunk->used);
    n->chunk = (n->chunk + 1) % CHUNKS;
    n->chunks[n->chunk].used = 0;
}

static void note(struct noting *n, uint64_t value)
{
    struct chunk *chunk = &n->chunks[n->chunk];
    memcpy(chunk->bytes + chunk->used, &value, sizeof value);
    chunk->used += sizeof value;
    if (chunk->used + sizeof value > n->chunk_bytes)
        flush(n);
}

static void note_event(struct noting *n, const csy_event *event)
{
    note(n, event->record);
    note(n, event->thread);
    note(n, event->track);
    note(n, (uint64_t)event->local_ticks);
    note(n, (uint64_t)event->global_ticks);
    note(n, event->size);
    note(n, crc_add(0, event->bytes, event->size));
}

static csy_status take_event(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct noting *n = user;
    const struct record *record = source->record;
    if (n->events++ == n->fails_at)
        return error_set(error, CSY_INPUT, "event %d", (int)event->record);
    note_event(n, event);
    note(n, source->position);
    note(n, source->place);
    note(n, source->thread);
    note(n, source->track);
    note(n, (uint64_t)source->local_ticks);
    note(n, source->size);
    note(n, crc_add(0, source->bytes, source->size));
    note(n, record->position);
    note(n, record->offset);
    note(n, crc_add(0, record->bytes, record->size));
    note(n, record->id);
    note(n, record->npayload);
    note(n, record->thread);
    note(n, record->spe);
    note(n, record->interval);
    note(n, record->stamp);
    note(n, record->begin);
    return CSY_OK;
}

static csy_status pass_event(void *user, const csy_event *event, csy_error *error)
{
    struct noting *n = user;
    (void)error;
    note(n, UINT64_MAX);
    note_event(n, event);
    return CSY_OK;
}

static csy_status end_notes(void *user, csy_error *error)
{
    struct noting *n = user;
    (void)error;
    ck_assert_ptr_null(n->relay);
    flush(n);
    n->ended = true;
    return CSY_OK;
}

static void set_relay(void *user, const struct relay *relay)
{
    ((struct noting *)user)->relay = relay;
}

static const struct writer_format format = {
    .event = take_event, .pass = pass_event, .end = end_notes, .relay = set_relay};

static struct noting *noting_new(size_t chunk_bytes)
{
    struct noting *n = calloc(1, sizeof *n);
    ck_assert_ptr_nonnull(n);
    n->chunk_bytes = chunk_bytes;
    n->fails_at = UINT64_MAX;
    return n;
}

static void noting_free(struct noting *n)
{
    buffer_free(&n->out);
    free(n);
}

/* What the ordinary way gives. */
static struct noting *note_ordinarily(csy_sync *sync, const struct selection *selection)
{
    struct noting *n = noting_new(4096);
    struct csy_events *events;
    csy_event event;
    csy_error error;
    bool more = true;
    ck_ok(events_open(sync->trace, sync, &events, &error), error);
    fast_free(events->fast);
    events->fast = NULL;
    for (;;) {
        ck_ok(events_next(events, &event, &more, &error), error);
        if (!more)
            break;
        if (selection_has(selection, &event))
            take_event(n, &events->event, &event, &error);
        else
            pass_event(n, &event, &error);
    }
    end_notes(n, &error);
    csy_events_free(events);
    return n;
}

struct solved {
    csy_trace *trace;
    csy_sync *sync;
};

static struct solved solve(struct random *r)
{
    struct solved solved;
    csy_options options;
    csy_error error;
    const char *path = folder_file(&folder, "a.pex");
    options = options_default;
    draw_trace(r, path);
    ck_ok(csy_trace_open(path, NULL, &solved.trace, &error), error);
    ck_ok(csy_trace_synchronize(solved.trace, &options, &solved.sync, &error), error);
    return solved;
}

static void solved_free(struct solved *solved)
{
    csy_sync_free(solved->sync);
    csy_trace_free(solved->trace);
}

START_TEST(all_ways_see_the_same)
{
    struct random r = random_trial((uint64_t)_i);
    struct solved solved = solve(&r);
    csy_error error;
    csy_output output;
    struct selection selection;
    output = settings_default;
    output.window = _i % 3 == 1 ? "#3..#5000" : _i % 3 == 2 ? "30%..70%" : NULL;
    output.only = _i % 4 == 3 ? "spe1.*" : NULL;
    ck_ok(selection_init(&selection, solved.sync, &output, &error), error);
    struct noting *ordinary = note_ordinarily(solved.sync, &selection);
    for (unsigned workers = 1; workers <= 3; workers++) {
        struct noting *n = noting_new((size_t)random_between(&r, 8, 4096));
        csy_trace_set_workers(solved.trace, workers);
        ck_ok(writer_walk(&(struct writer){solved.trace, solved.sync, &selection, &format, n},
                          &error),
              error);
        ck_assert(n->ended);
        ck_assert_uint_eq(n->events, ordinary->events);
        ck_assert_uint_eq(n->out.size, ordinary->out.size);
        ck_assert(memcmp(n->out.bytes, ordinary->out.bytes, n->out.size) == 0);
        noting_free(n);
    }
    noting_free(ordinary);
    selection_fini(&selection);
    solved_free(&solved);
}
END_TEST

/* An event that cannot be written ends the walk with its own error, whichever worker takes it. */
START_TEST(the_first_failure_is_told)
{
    struct random r = random_trial(100 + (uint64_t)_i);
    struct solved solved = solve(&r);
    const struct selection all = {.all = true};
    uint64_t at = (uint64_t)random_between(&r, 0, RECORDS - 1);
    char want[32];
    snprintf(want, sizeof want, "event %d", (int)at);
    for (unsigned workers = 1; workers <= 2; workers++) {
        csy_error error;
        struct noting *n = noting_new(256);
        n->fails_at = at;
        csy_trace_set_workers(solved.trace, workers);
        ck_refused(
            writer_walk(&(struct writer){solved.trace, solved.sync, &all, &format, n}, &error),
            CSY_INPUT, error, want);
        ck_assert_uint_eq(n->events, at + 1);
        ck_assert(!n->ended);
        noting_free(n);
    }
    solved_free(&solved);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("writer");
    unit_in_folder(tests, &folder);
    tcase_add_loop_test(tests, all_ways_see_the_same, 0, 8);
    tcase_add_loop_test(tests, the_first_failure_is_told, 0, 4);
    return unit_run();
}
