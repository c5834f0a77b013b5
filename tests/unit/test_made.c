/* A trace of events that the program hands over: the same as a CSV of them, and what is refused. */
#include "output/file/tempname.h"
#include "support.h"

#include <cellsync/analysis.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 3000, THREADS = 7, HZ = 1000000 };

static struct folder folder;

/* Threads 4 to 6 share a clock; thread 0 is the PPE. */
static const char *const names[THREADS] = {"ppe", " b,b", "c\"", "d", "e", "f", "g"};
static const char *const clocks[THREADS] = {NULL, NULL, "", "d", "host", "host", "host"};

static csy_trace *new_trace(const char *name)
{
    csy_trace *trace;
    csy_error error;
    ck_ok(csy_trace_new(name, HZ, &trace, &error), error);
    for (size_t i = 0; i < THREADS; i++) {
        size_t index;
        ck_ok(csy_trace_add_thread(trace, names[i], clocks[i], &index, &error), error);
        ck_assert_uint_eq(index, i);
    }
    return trace;
}

/* The n events of a trial: some intervals, some without a name; jitter makes delta rise above 0. */
static void draw(uint64_t trial, csy_new_event *events, char (*texts)[16], int n, int jitter)
{
    struct random r = random_trial(trial);
    int64_t now = 0;
    for (int i = 0; i < n; i++) {
        size_t thread = (size_t)random_between(&r, 0, THREADS - 1);
        now += random_between(&r, 0, 9);
        int64_t clock = thread < 4 ? (int64_t)(thread * thread) * 100000 : -77777;
        events[i] = (csy_new_event){.thread = thread,
                                    .time_ticks = now + clock + random_between(&r, 0, jitter)};
        if (random_chance(&r, 30)) {
            events[i].interval = true;
            events[i].begin_ticks = events[i].time_ticks - random_between(&r, 0, 50);
        }
        snprintf(texts[i], sizeof *texts, " call %d", i % 11);
        events[i].name = random_chance(&r, 80) ? texts[i] : NULL;
    }
}

/* In quotes, so the blanks that are left out of names that are handed over are no part of it. */
static void put_field(FILE *out, const char *text)
{
    putc('"', out);
    if (text && *text == ' ')
        text++;
    for (; text && *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, out);
    fputs("\",", out);
}

static void write_rows(const char *path, const csy_new_event *events, int n)
{
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fprintf(out, "# timebase_hz=%d\nthread,clock,event,begin,time\n", HZ);
    for (int i = 0; i < n; i++) {
        put_field(out, names[events[i].thread]);
        put_field(out, clocks[events[i].thread]);
        put_field(out, events[i].name);
        if (events[i].interval)
            fprintf(out, "%" PRId64, events[i].begin_ticks);
        fprintf(out, ",%" PRId64 "\n", events[i].time_ticks);
    }
    ck_assert_int_eq(fclose(out), 0);
}

static csy_sync *synchronize(csy_trace *trace)
{
    csy_sync *sync;
    csy_error error;
    csy_options options;
    options = options_default;
    ck_ok(csy_trace_synchronize(trace, &options, &sync, &error), error);
    return sync;
}

static void assert_same_solution(csy_sync *a, csy_sync *b)
{
    csy_error error;
    ck_assert_uint_eq(csy_sync_nthreads(a), csy_sync_nthreads(b));
    ck_assert_uint_eq(csy_sync_ntracks(a), csy_sync_ntracks(b));
    for (size_t s = 0; s < csy_sync_nthreads(a); s++) {
        ck_assert_str_eq(csy_sync_thread(a, s)->name, csy_sync_thread(b, s)->name);
        ck_assert(csy_sync_thread(a, s)->offset_ticks == csy_sync_thread(b, s)->offset_ticks);
        for (size_t t = 0; t < csy_sync_nthreads(a); t++) {
            int64_t lower[2], upper[2];
            ck_ok(csy_sync_bounds(a, s, t, &lower[0], &upper[0], NULL, &error), error);
            ck_ok(csy_sync_bounds(b, s, t, &lower[1], &upper[1], NULL, &error), error);
            ck_assert(lower[0] == lower[1] && upper[0] == upper[1]);
        }
    }
}

static void assert_same_events(csy_sync *of_a, csy_sync *of_b)
{
    csy_error error;
    csy_events *events, *others;
    csy_event event, want;
    bool more, more_others;
    ck_ok(csy_events_open(of_a, &events, &error), error);
    ck_ok(csy_events_open(of_b, &others, &error), error);
    for (;;) {
        ck_ok(csy_events_next(events, &event, &more, &error), error);
        ck_ok(csy_events_next(others, &want, &more_others, &error), error);
        ck_assert(more == more_others);
        if (!more)
            break;
        ck_assert(event.record == want.record && event.thread == want.thread &&
                  event.track == want.track && event.local_ticks == want.local_ticks &&
                  event.global_ticks == want.global_ticks);
    }
    csy_events_free(events);
    csy_events_free(others);
}

/* The words of a file.  A record is named by its event where it was handed over, in the CSV by its
 * line, below three others; what is longer stands on other lines. */
static struct buffer words_of(const char *path)
{
    static const char event[] = "(event ";
    struct buffer from = file_read(path), to = {NULL, 0, 0};
    for (size_t i = 0; i < from.size; i++) {
        bool blank = isspace(from.bytes[i]);
        if (!blank || (i > 0 && !isspace(from.bytes[i - 1])))
            buffer_add(&to, blank ? (const uint8_t *)" " : from.bytes + i, 1);
    }
    buffer_free(&from);
    struct buffer words = {NULL, 0, 0};
    for (size_t i = 0; i < to.size;) {
        char text[32];
        uint64_t number = 3;
        if (to.size - i < sizeof event || memcmp(to.bytes + i, event, sizeof event - 1) != 0) {
            buffer_add(&words, to.bytes + i++, 1);
            continue;
        }
        i += sizeof event - 1;
        size_t end = i;
        while (end < to.size && isdigit(to.bytes[end]))
            end++;
        snprintf(text, sizeof text, "%.*s", (int)(end - i), (const char *)to.bytes + i);
        number += strtoull(text, NULL, 10);
        snprintf(text, sizeof text, "(line %" PRIu64, number);
        buffer_text(&words, text);
        i = end;
    }
    buffer_free(&to);
    return words;
}

/* What is written of events that were handed over, and of a CSV of them, is the same. */
static void assert_same_files(const char *a, const char *b)
{
    struct buffer x = words_of(a), y = words_of(b);
    ck_assert(buffer_is(&x, y.bytes, y.size));
    buffer_free(&x);
    buffer_free(&y);
}

static void compare_outputs(csy_sync *sync, csy_sync *of_rows)
{
    static const csy_report_format formats[] = {CSY_REPORT_TEXT, CSY_REPORT_CSV, CSY_REPORT_JSON,
                                                CSY_REPORT_HTML};
    char a[4096], b[4096];
    csy_error error;
    csy_output output;
    snprintf(a, sizeof a, "%s", folder_file(&folder, "a.json"));
    snprintf(b, sizeof b, "%s", folder_file(&folder, "b.json"));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        ck_ok(csy_sync_write_report(sync, a, formats[i], CSY_PAIRS_AUTO, &error), error);
        ck_ok(csy_sync_write_report(of_rows, b, formats[i], CSY_PAIRS_AUTO, &error), error);
        assert_same_files(a, b);
    }
    output = settings_default;
    output.json_args = CSY_JSON_SHORT;
    ck_ok(csy_sync_write_trace(sync, a, &output, &error), error);
    ck_ok(csy_sync_write_trace(of_rows, b, &output, &error), error);
    assert_same_files(a, b);
    ck_ok(csy_sync_write_trace(sync, folder_file(&folder, "a.ctf"), NULL, &error), error);
    tempname_remove_folder(folder_file(&folder, "a.ctf"), true);
}

/* What is written as CSV is proved, and read as the same threads. */
static void prove_rows(csy_sync *sync)
{
    char path[4096];
    csy_error error;
    csy_proof proof;
    csy_trace *trace;
    snprintf(path, sizeof path, "%s", folder_file(&folder, "out.csv"));
    ck_ok(csy_sync_write_trace(sync, path, NULL, &error), error);
    ck_ok(prove(path, &proof, &error), error);
    ck_assert_uint_eq(proof.records, csy_sync_records(sync));
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    csy_sync *again = synchronize(trace);
    assert_same_solution(sync, again);
    csy_sync_free(again);
    csy_trace_free(trace);
}

START_TEST(it_is_as_a_csv)
{
    static csy_new_event events[EVENTS];
    static char texts[EVENTS][16];
    char path[4096];
    csy_error error;
    csy_trace *rows;
    snprintf(path, sizeof path, "%s", folder_file(&folder, "in.csv"));
    for (int trial = 0; trial < 4; trial++) {
        int n = trial == 0 ? 20 : 300 + trials_of(EVENTS - 300);
        draw((uint64_t)trial, events, texts, n, trial < 2 ? 0 : 8);
        write_rows(path, events, n);
        csy_trace *made = new_trace(path);
        if (trial == 1)
            for (int i = 0; i < n; i++)
                ck_ok(csy_trace_add(made, &events[i], 1, &error), error);
        else
            ck_ok(csy_trace_add(made, events, (size_t)n, &error), error);
        for (int i = 0; i < n; i++)
            memset(texts[i], 'x', sizeof texts[i]); /* they were copied */
        ck_ok(csy_trace_open(path, &(csy_input){.format = CSY_FORMAT_CSV}, &rows, &error), error);
        csy_sync *sync = synchronize(made), *of_rows = synchronize(rows);
        ck_assert_uint_eq(csy_sync_records(sync), (uint64_t)n);
        ck_assert_uint_eq(csy_trace_timebase_hz(made), HZ);
        ck_assert_int_eq(csy_trace_format(made), CSY_FORMAT_AUTO);
        ck_assert_str_eq(csy_trace_place_name(made), "event");
        ck_assert(trial < 2 || csy_sync_imprecision(sync)->added_ticks > 0);
        assert_same_solution(sync, of_rows);
        assert_same_events(sync, of_rows);
        compare_outputs(sync, of_rows);
        prove_rows(sync);
        csy_sync_free(sync);
        csy_sync_free(of_rows);
        csy_trace_free(made);
        csy_trace_free(rows);
    }
}
END_TEST

START_TEST(it_grows_between_solutions)
{
    static csy_new_event events[EVENTS];
    static char texts[EVENTS][16];
    csy_error error;
    csy_event event;
    csy_events *reading;
    bool more = true;
    csy_status status = CSY_OK;
    csy_trace *trace = new_trace("grows");
    draw(9, events, texts, EVENTS, 0);
    ck_ok(csy_trace_add(trace, events, EVENTS / 2, &error), error);
    csy_sync *half = synchronize(trace);
    ck_ok(csy_trace_add(trace, events + EVENTS / 2, EVENTS - EVENTS / 2, &error), error);
    ck_ok(csy_events_open(half, &reading, &error), error);
    while (more && !status)
        status = csy_events_next(reading, &event, &more, &error);
    ck_refused(status, CSY_IO, error, "grows: the trace has changed while it was read");
    csy_events_free(reading);
    csy_sync *whole = synchronize(trace);
    ck_assert_uint_eq(csy_sync_records(whole), EVENTS);
    csy_sync_free(half);
    csy_sync_free(whole);
    csy_trace_free(trace);
}
END_TEST

/* A solution knows no thread that was added later, even if its clock is known. */
START_TEST(it_gets_threads_after_a_solution)
{
    const char *path = folder_file(&folder, "late.csv");
    csy_new_event event = {.thread = 4};
    csy_error error;
    csy_event read;
    csy_events *reading;
    size_t late;
    bool more = true;
    csy_trace *trace = new_trace("late");
    ck_ok(csy_trace_add(trace, &event, 1, &error), error);
    csy_sync *sync = synchronize(trace);
    ck_ok(csy_trace_add_thread(trace, "late", "host", &late, &error), error);
    event.thread = late;
    ck_ok(csy_trace_add(trace, &event, 1, &error), error);
    ck_ok(csy_events_open(sync, &reading, &error), error);
    ck_ok(csy_events_next(reading, &read, &more, &error), error);
    ck_refused(csy_events_next(reading, &read, &more, &error), CSY_IO, error,
               "late: the trace has changed while it was read");
    csy_events_free(reading);
    ck_assert_int_eq(csy_sync_write_trace(sync, path, NULL, NULL), CSY_IO);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* No analysis needs a csy_error, and a failure writes no result. */
START_TEST(analyses_fail_without_an_error)
{
    const csy_calls_options calls = {.actors = "nobody"};
    const csy_profile_options profile = {.actors = "nobody"};
    const csy_states states = {.actors = "nobody"};
    const csy_concurrency concurrency = {.actors = "nobody"};
    csy_new_event event = {.thread = 4};
    csy_analysis *const old = (csy_analysis *)&event, *none = old;
    csy_section *sections = NULL;
    csy_meaning *meaning;
    csy_error error;
    size_t n = 77;
    csy_trace *trace = new_trace("few");
    ck_ok(csy_trace_add(trace, &event, 1, &error), error);
    csy_sync *sync = synchronize(trace);
    ck_ok(csy_meaning_new(&meaning, &error), error);
    ck_assert_int_eq(csy_sync_calls(sync, meaning, &calls, &none, NULL), CSY_INPUT);
    ck_assert_int_eq(csy_sync_profile(sync, meaning, &profile, &none, NULL), CSY_INPUT);
    ck_assert_int_eq(csy_sync_states(sync, meaning, &states, &none, NULL), CSY_USAGE);
    ck_assert_int_eq(csy_sync_concurrency(sync, meaning, &concurrency, &none, NULL), CSY_USAGE);
    ck_assert_int_eq(
        csy_sync_timeline(sync, meaning, CSY_UNITS_AUTO, 5, "nobody", NULL, &none, NULL),
        CSY_USAGE);
    ck_assert_int_eq(csy_sync_sections(sync, meaning, "none", 0, 0, &sections, &n, NULL),
                     CSY_USAGE);
    ck_assert(none == old && !sections && n == 77);
    csy_meaning_free(meaning);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

static uint64_t told, of;

static void note(void *user, const char *stage, csy_unit unit, uint64_t done, uint64_t total)
{
    (void)user, (void)stage, (void)unit;
    ck_assert(done <= total);
    told++;
    of = total;
}

START_TEST(it_tells_progress)
{
    static csy_new_event events[EVENTS];
    static char texts[EVENTS][16];
    csy_error error;
    csy_trace *trace = new_trace("told");
    draw(10, events, texts, EVENTS, 0);
    for (int i = 0; i < 10; i++)
        ck_ok(csy_trace_add(trace, events, EVENTS, &error), error);
    csy_trace_set_progress(trace, note, NULL);
    csy_trace_set_workers(trace, 2);
    csy_sync *sync = synchronize(trace);
    ck_assert(told > 0 && of > 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

START_TEST(what_is_refused)
{
    csy_error error;
    csy_trace *trace, *opened;
    csy_sync *sync;
    csy_options options;
    size_t index;
    csy_new_event event = {.thread = 0, .time_ticks = 5};
    ck_refused(csy_trace_new("z", 0, &trace, &error), CSY_USAGE, error,
               "z: the timebase must be from 1 to 2^63-1 Hz");
    trace = new_trace("made");
    options = options_default;
    ck_refused(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INPUT, error,
               "made: the trace has no records");
    ck_refused(csy_trace_add_thread(trace, " \t", "c", &index, &error), CSY_USAGE, error,
               "made: a thread needs a name");
    csy_new_event two[2] = {event, {.thread = THREADS}};
    ck_refused(csy_trace_add(trace, two, 2, &error), CSY_USAGE, error,
               "made: event 1: no thread has the index 7; the number of threads is 7");
    two[1] = (csy_new_event){.thread = 1, .interval = true, .begin_ticks = 1};
    ck_refused(csy_trace_add(trace, two, 2, &error), CSY_INPUT, error,
               "made: event 1: the begin is after the time");
    ck_ok(csy_trace_add(trace, two, 0, &error), error);
    ck_refused(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INPUT, error,
               "made: the trace has no records"); /* nothing was added */
    two[0].time_ticks = INT64_MIN;
    two[1] = (csy_new_event){
        .thread = 1, .time_ticks = INT64_MAX, .interval = true, .begin_ticks = INT64_MAX};
    ck_ok(csy_trace_add(trace, two, 2, &error), error);
    ck_assert_int_eq(csy_trace_synchronize(trace, &options, &sync, &error), CSY_INPUT);
    csy_set_max_memory(1 << 20);
    csy_status status = CSY_OK;
    uint64_t added = 0;
    while (!(status = csy_trace_add(trace, &event, 1, &error)))
        added++;
    csy_set_max_memory(0);
    ck_assert_msg(status == CSY_MEMORY && strstr(error.text, "the limit is 1 MiB"), "%s",
                  error.text);
    ck_assert_uint_gt(added, 20000);
    ck_ok(csy_trace_add(trace, &event, 1, &error), error);
    ck_assert_int_eq(csy_trace_add(trace, &event, SIZE_MAX, &error), CSY_MEMORY);
    csy_trace_free(trace);
    write_rows(folder_file(&folder, "in.csv"), &event, 1);
    ck_ok(csy_trace_open(folder_file(&folder, "in.csv"), NULL, &opened, &error), error);
    ck_assert_int_eq(csy_trace_add(opened, &event, 1, &error), CSY_USAGE);
    ck_assert_int_eq(csy_trace_add_thread(opened, "a", NULL, &index, &error), CSY_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "only to a trace made by csy_trace_new"));
    csy_trace_free(opened);
}
END_TEST

/* A begin that leaves 64 bits, met by the worker that writes: told as by one alone, or not. */
START_TEST(what_cannot_be_written)
{
    const char *path = folder_file(&folder, "out.csv");
    csy_trace *trace = new_trace("t");
    csy_sync *sync;
    csy_error error;
    csy_options options;
    options = options_default;
    for (int64_t i = 0; i < 9000; i++) {
        csy_new_event event = {.thread = (size_t)(i % 2) * 3,
                               .time_ticks = i % 2 ? i + ((int64_t)1 << 61) : i};
        if (i == 8001) {
            event.interval = true;
            event.begin_ticks = INT64_MIN + 5;
        }
        ck_ok(csy_trace_add(trace, &event, 1, &error), error);
    }
    ck_ok(csy_trace_synchronize(trace, &options, &sync, &error), error);
    char alone[sizeof error.text] = "";
    for (unsigned threads = 1; threads <= 2; threads++) {
        csy_trace_set_workers(trace, threads);
        csy_status status = csy_sync_write_trace(sync, path, NULL, &error);
        ck_assert_int_eq(status, csy_sync_write_trace(sync, path, NULL, NULL));
        if (threads == 1)
            snprintf(alone, sizeof alone, "%s", status ? error.text : "");
        ck_assert_str_eq(alone, status ? error.text : "");
    }
    ck_assert_msg(strstr(alone, "does not fit 64 bits"), "%s", alone);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("made");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, it_is_as_a_csv);
    tcase_add_test(tests, it_grows_between_solutions);
    tcase_add_test(tests, it_gets_threads_after_a_solution);
    tcase_add_test(tests, analyses_fail_without_an_error);
    tcase_add_test(tests, it_tells_progress);
    tcase_add_test(tests, what_is_refused);
    tcase_add_test(tests, what_cannot_be_written);
    return unit_run();
}
