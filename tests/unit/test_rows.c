/*
 * The quick way for rows comes to what the ordinary way comes to, on one worker or several: the
 * same threads, edges, line numbers and errors, in files that are mostly plain and now and then
 * anything but.  The ordinary way is a timeline that feeds the sweep row by row.
 */
#include "fast/csv_plain.h"
#include "fast/fast.h"
#include "measured.h"
#include "support.h"

#include <inttypes.h>
#include <string.h>

/* What a way through the file has come to. */
struct outcome {
    struct timeline timeline;
    struct rebase rough;
    struct sweep *sweep;
    struct fast *fast;
    csy_trace *trace;
    bool feasible;
    struct eliminations
        eliminations; /* what eliminating all threads leaves, where that is feasible */
    uint64_t by_lane; /* rows */
    uint32_t previous;
    int64_t previous_x;
    csy_status status;
    csy_error error;
};

static csy_status take_one(struct outcome *o, bool *more)
{
    struct event event;
    int64_t x;
    csy_status status = timeline_next(&o->timeline, &event, more, &o->error);
    if (status || !*more)
        return status;
    status = rebase_place(&o->rough, event.thread, event.local_ticks, &x, &o->error);
    if (status)
        return status;
    if (o->previous != NO_THREAD && o->previous != event.thread)
        disorder_note(&o->rough.disorder, x - o->previous_x);
    if (o->feasible)
        status = sweep_event(o->sweep, event.thread, x, &o->feasible, &o->error);
    o->previous = event.thread;
    o->previous_x = x;
    if (!status && o->fast && o->feasible)
        fast_note(o->fast, &event, x);
    return status;
}

static csy_status take_run(struct outcome *o)
{
    struct fast_taken taken;
    csy_status status =
        fast_run(o->fast, &(struct fast_job){.limit = UINT64_MAX}, &taken, &o->error);
    if (taken.records > 0) {
        o->previous = taken.thread;
        o->previous_x = taken.x;
    }
    return status;
}

static csy_status take_all(struct outcome *o)
{
    bool more = true;
    csy_status status = CSY_OK;
    while (!status && more) {
        uint64_t before = o->timeline.records;
        if (o->fast && o->feasible)
            status = take_run(o);
        o->by_lane += o->timeline.records - before;
        if (!status)
            status = take_one(o, &more);
    }
    return status;
}

/* How a file is gone through. */
struct draw {
    int64_t added;        /* to each constraint, in ticks */
    size_t segment_bytes; /* 0: the usual ones */
};

/* nthreads 0: the ordinary way. */
static struct outcome go(const char *path, unsigned nthreads, const struct draw *draw)
{
    struct outcome o = {.feasible = true, .previous = NO_THREAD};
    const struct unwrap_lore *known = NULL;
    ck_ok(csy_trace_open(path, &(csy_input){.format = CSY_FORMAT_CSV}, &o.trace, &o.error),
          o.error);
    csy_trace_set_workers(o.trace, nthreads ? nthreads : 1);
    if (draw->segment_bytes)
        o.trace->segment_bytes = draw->segment_bytes;
    struct timeline_rules rules = timeline_default_rules(o.trace);
    ck_ok(timeline_init(&o.timeline, o.trace, &rules, known, &o.error), o.error);
    ck_ok(sweep_new(draw->added, 1000, &o.sweep, &o.error), o.error);
    if (nthreads)
        ck_ok(fast_new(&o.timeline, &o.rough, o.sweep, NULL, &o.fast, &o.error), o.error);
    o.status = take_all(&o);
    if (!o.status && o.feasible && o.timeline.threads.count > 0)
        o.status = sweep_finish(o.sweep, 0, &o.eliminations, &o.feasible, &o.error);
    return o;
}

static void outcome_free(struct outcome *o)
{
    fast_free(o->fast);
    eliminations_fini(&o->eliminations);
    sweep_free(o->sweep);
    rebase_fini(&o->rough);
    timeline_fini(&o->timeline);
    csy_trace_free(o->trace);
}

static void compare_threads(const struct threads *a, const struct threads *b)
{
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->ppe, b->ppe);
    for (size_t t = 0; t < a->count; t++) {
        const struct thread *x = &a->items[t], *y = &b->items[t];
        ck_assert_int_eq(x->kind, y->kind);
        ck_assert_uint_eq(x->first_record, y->first_record);
        ck_assert_uint_eq(x->last_record, y->last_record);
        ck_assert_uint_eq(x->records, y->records);
        ck_assert_int_eq(x->last_ticks, y->last_ticks);
        ck_assert_int_eq(x->min_ticks, y->min_ticks);
        ck_assert_int_eq(x->max_ticks, y->max_ticks);
    }
}

static void compare_eliminations(const struct eliminations *a, const struct eliminations *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct elimination *x = &a->items[i], *y = &b->items[i];
        ck_assert_uint_eq(x->thread, y->thread);
        ck_assert_uint_eq(x->live, y->live);
        ck_assert_mem_eq(x->ids, y->ids, x->live * sizeof *x->ids);
        ck_assert_mem_eq(x->row, y->row, x->live * sizeof *x->row);
        ck_assert_mem_eq(x->column, y->column, x->live * sizeof *x->column);
        if (a->has_carrier)
            ck_assert_mem_eq(x->carrier, y->carrier, (x->live + 1) * sizeof *x->carrier);
    }
}

static void compare(struct outcome *a, struct outcome *b)
{
    ck_assert_int_eq(a->status, b->status);
    if (a->status)
        ck_assert_str_eq(a->error.text, b->error.text);
    if (!a->status) /* else what a run broke may not have shown yet */
        ck_assert_int_eq(a->feasible, b->feasible);
    ck_assert_uint_eq(a->timeline.records, b->timeline.records);
    ck_assert_uint_eq(a->trace->lines.line, b->trace->lines.line);
    ck_assert_int_eq(a->rough.previous_x, b->rough.previous_x);
    ck_assert_uint_eq(a->previous, b->previous);
    ck_assert_int_eq(a->previous_x, b->previous_x);
    ck_assert_uint_eq(a->rough.disorder.neighbours, b->rough.disorder.neighbours);
    ck_assert_uint_eq(a->rough.disorder.wrong, b->rough.disorder.wrong);
    ck_assert_int_eq(a->rough.disorder.largest_ticks, b->rough.disorder.largest_ticks);
    compare_threads(&a->timeline.threads, &b->timeline.threads);
    compare_eliminations(&a->eliminations, &b->eliminations);
}

enum { WAYS = 3 };

/* Go all ways and compare; how many rows the lane took, by way: on 1, 2 and 7 threads. */
static uint64_t all_ways(const struct buffer *file, struct draw draw, uint64_t by_lane[WAYS])
{
    static const unsigned numbers[WAYS] = {1, 2, 7};
    struct folder folder;
    folder_open(&folder);
    const char *path = folder_file(&folder, "a.csv");
    file_write(path, file->bytes, file->size);
    struct outcome ordinary = go(path, 0, &draw);
    uint64_t rows = ordinary.timeline.records;
    for (size_t i = 0; i < WAYS; i++) {
        struct outcome lane = go(path, numbers[i], &draw);
        compare(&lane, &ordinary);
        by_lane[i] = lane.by_lane;
        outcome_free(&lane);
    }
    outcome_free(&ordinary);
    folder_close(&folder);
    return rows;
}

enum { COLUMNS_MAX = 5, NAMES = 40 };

/* The columns in some order, and clocks. */
struct table {
    struct random *r;
    struct buffer *file;
    char columns[COLUMNS_MAX +
                 1]; /* t: thread, x: time, c: core, b: begin, d: duration, o: others */
    const char *separator;
    bool decimal; /* times are microseconds with decimals */
    const char *line_end;
    int names; /* in use */
    int digits;
    size_t padding; /* bytes in other columns */
    int64_t now, zero[NAMES];
};

static void add(struct table *t, const char *text)
{
    buffer_text(t->file, text);
}

static void add_name(struct table *t, int name)
{
    static const char *const before[] = {"", "spe", "worker: ", "thread number ",
                                         "a long beginning "};
    static const char *const after[] = {"", ".1", "", " of some", " and the end of a long name"};
    char number[12];
    snprintf(number, sizeof number, "%d", name * 37);
    add(t, name == 0 ? "" : before[name % 5]);
    add(t, name == 0 ? "ppe" : number);
    add(t, name == 0 ? "" : after[name % 5]);
}

static void add_padding(struct table *t)
{
    char text[1001];
    size_t size = t->padding ? t->padding : (size_t)random_between(t->r, 0, 12);
    memset(text, '.', size);
    text[size] = 0;
    add(t, text);
}

/* Decimals are left out where they are 0, now and then. */
static void add_time(struct table *t, int64_t ns)
{
    char number[40];
    if (t->decimal && (ns % 1000 || random_chance(t->r, 50)))
        snprintf(number, sizeof number, "%0*" PRId64 ".%03" PRId64, t->digits > 12 ? 12 : t->digits,
                 ns / 1000, ns % 1000);
    else
        snprintf(number, sizeof number, "%0*" PRId64, t->digits, t->decimal ? ns / 1000 : ns);
    add(t, number);
}

static void add_row(struct table *t, int name)
{
    t->now += random_between(t->r, 0, 100);
    for (const char *column = t->columns; *column; column++) {
        if (column > t->columns)
            add(t, t->separator);
        if (*column == 't')
            add_name(t, name);
        else if (*column == 'x')
            add_time(t, t->now + t->zero[name]);
        else if (*column == 'b' && random_chance(t->r, 80))
            add_time(t, t->now + t->zero[name] - random_between(t->r, 0, 2000));
        else if (*column == 'd' && random_chance(t->r, 80))
            add_time(t, random_between(t->r, 0, 2000));
        else if (*column == 'c' && name % 3 != 1)
            add(t, name == 0 ? "ppe" : "spe");
        else if (*column == 'o')
            add_padding(t);
    }
    add(t, t->line_end);
}

/* Rows with one field of their own, the others as they are. */
static void add_field(struct table *t, char which, const char *field)
{
    for (const char *column = t->columns; *column; column++) {
        if (column > t->columns)
            add(t, t->separator);
        if (*column == which)
            add(t, field);
        else if (*column == 't')
            add(t, "odd");
        else if (*column == 'x')
            add(t, "500");
    }
    add(t, t->line_end);
}

static void add_long_row(struct table *t)
{
    char field[CSV_PLAIN_WINDOW_BYTES + 100];
    memset(field, 'l', sizeof field);
    field[random_between(t->r, CSV_PLAIN_WINDOW_BYTES - 100, CSV_PLAIN_WINDOW_BYTES + 99)] = 0;
    add_field(t, 'o', field);
}

/* Rows that are no errors, but not plain either. */
static void add_odd(struct table *t)
{
    static const char *const times[] = {
        "-7", "+9", "0000000000000000000000012", "\"77\"", "100000000000000000", "0"};
    static const char *const threads[] = {"\"odd\"", "\"a\"\"b\"",        "\"a,\nb\"",
                                          "x\ry",    "\"\n\n\"",          "\"o\n500,o\nd\"",
                                          "odd\r",   "a name of just 16", "1"};
    switch (random_between(t->r, 0, 6)) {
    case 0:
        add(t, random_chance(t->r, 50) ? "\n\n" : "\r\n");
        break;
    case 1:
        add_field(t, 'x', times[random_between(t->r, 0, 5)]);
        break;
    case 2:
        add_field(t, 't', threads[random_between(t->r, 0, 8)]);
        break;
    case 3:
        add_long_row(t);
        break;
    case 4:
        add_field(t, 'o', "\"q\n0,0,0\n\"");
        break;
    case 5:
        t->line_end = random_chance(t->r, 50) ? "\n" : "\r\n";
        break;
    default:
        t->names += t->names < NAMES;
        break;
    }
}

/* No core, however much like one. */
static void add_core(struct table *t)
{
    static const size_t sizes[] = {3, 4, 5, 259, 515};
    char text[600] = "spe";
    memset(text + 3, ' ', sizeof text - 3);
    text[sizes[random_between(t->r, 0, 4)]] = 0;
    add_field(t, 'c', "spe");
    add_field(t, 'c', text);
}

/* Errors, threads that step back, and clocks that leave the range. */
static void add_bad(struct table *t)
{
    static const char *const times[] = {"",
                                        "-",
                                        "1.5",
                                        "12345678x",
                                        "1234567890123:",
                                        "99/9",
                                        "9223372036854775808",
                                        "99999999999999999999",
                                        "9000000000000000000",
                                        "123456789012345\r6"};
    size_t before;
    uint8_t *separator;
    switch (random_between(t->r, 0, 9)) {
    case 0:
        add_field(t, 't', "");
        break;
    case 8:
        add_field(t, 'b', "501");
        break;
    case 9:
        add_field(t, random_chance(t->r, 50) ? 'b' : 'd', random_chance(t->r, 50) ? "-1" : "x");
        break;
    case 1:
        add_core(t);
        break;
    case 2:
        add_row(t, 0);
        t->now -= random_between(t->r, 0, 300);
        add_row(t, 0);
        break;
    case 3:
        add(t, random_chance(t->r, 50) ? "1,2,3,4,5,6,7\n" : "1\n");
        break;
    case 4:
        add(t, "\"open\n");
        break;
    case 5: /* a separator that is another one */
        before = t->file->size;
        add_row(t, 0);
        separator = memchr(t->file->bytes + before, *t->separator, t->file->size - before);
        *separator = random_chance(t->r, 50) ? '\n' : '"';
        break;
    default:
        add_field(t, 'x', "500");
        add_field(t, 'x', times[random_between(t->r, 0, 9)]);
        break;
    }
}

static void begin_table(struct random *r, struct table *t, struct buffer *file)
{
    static const char *const orders[] = {"tx",  "xt",    "txc", "otx",  "ocxot", "cotxo",
                                         "xct", "oxoto", "btx", "txod", "cxtb"};
    static const char *const separators[] = {",", ",", ";", "\t"};
    *t = (struct table){.r = r, .file = file, .now = 5000000000, .line_end = "\n"};
    strcpy(t->columns, orders[random_between(r, 0, 10)]);
    t->separator = separators[random_between(r, 0, 3)];
    t->decimal = random_chance(r, 30);
    t->names = (int)random_between(r, 1, 20);
    t->digits = (int)random_between(r, 1, 19);
    for (int i = 0; i < NAMES; i++)
        t->zero[i] = random_chance(r, 30) ? 0 : random_between(r, -4000000000, 4000000000000000000);
    for (const char *column = t->columns; *column; column++) {
        if (column > t->columns)
            add(t, t->separator);
        add(t, *column == 't'   ? "thread"
               : *column == 'x' ? t->decimal ? "time_us" : "time"
               : *column == 'b' ? "begin"
               : *column == 'd' ? "duration"
               : *column == 'c' ? "core"
                                : "other");
    }
    add(t, "\n");
}

/* Rows are long where `padding` is above 0, one in odd_in is odd, and one in bad_in is bad; 0:
 * none. */
static void draw_table(struct random *r, struct buffer *file, size_t bytes, size_t padding,
                       int odd_in, int bad_in)
{
    struct table t;
    begin_table(r, &t, file);
    t.padding = padding;
    t.names = padding ? NAMES : t.names;
    while (file->size < bytes) {
        if (odd_in && random_between(r, 1, odd_in) == 1)
            add_odd(&t);
        if (bad_in && random_between(r, 1, bad_in) == 1)
            add_bad(&t);
        add_row(&t, (int)random_between(r, 0, t.names - 1));
    }
    if (random_chance(r, 30)) /* the last line may have no end */
        file->size--;
}

START_TEST(small_files)
{
    static const int one_in[] = {0, 300, 50, 10};
    uint64_t rows = 0, taken = 0, by_lane[WAYS];
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(600); trial++) {
        struct random r = random_trial(trial);
        struct buffer file = {0};
        size_t bytes = (size_t)random_between(&r, 0, 40000);
        draw_table(&r, &file, bytes, 0, one_in[random_between(&r, 0, 3)],
                   random_chance(&r, 30) ? 500 : 0);
        struct draw draw = {.segment_bytes = (size_t)random_between(&r, 0, 3) * 3000};
        draw.added = random_chance(&r, 50) ? 0 : random_between(&r, 1, 300);
        rows += all_ways(&file, draw, by_lane);
        taken += by_lane[0];
        buffer_free(&file);
    }
    ck_assert_uint_gt(taken, rows / 2);
}
END_TEST

/* Several rounds of segments, with odd rows in some of them.  After two files, all is a twelfth as
 * large; where every access takes long, all files are, and fewer. */
#ifdef __SANITIZE_THREAD__
enum { FULL_FILES = 0, NEXT_FILE = 5, ENGINE_FILES = 1 };
#else
enum { FULL_FILES = 2, NEXT_FILE = 1, ENGINE_FILES = 2 };
#endif

START_TEST(large_files)
{
    static const int one_in[] = {0, 0, 100000, 30000};
    static const size_t paddings[] = {0, 1000, 300};
    for (uint64_t trial = 0; trial < 12; trial += NEXT_FILE) {
        struct random r = random_trial(trial);
        struct buffer file = {0};
        int part = (int)trial < FULL_FILES ? 1 : 12;
        int odd_in = one_in[trial % 4] / part, bad_in = trial / 4 == 1 ? 20000 / part : 0;
        uint64_t by_lane[WAYS];
        draw_table(&r, &file, (14 << 20) / (size_t)part, paddings[trial % 3], odd_in, bad_in);
        struct draw draw = {trial % 2 ? 250 : 0, SEGMENT_BYTES / (size_t)part};
        uint64_t rows = all_ways(&file, draw, by_lane);
        if (part == 1) { /* a row goes the ordinary way where a buffer ends */
            ck_assert_uint_gt(by_lane[0], rows / 100 * 99);
            ck_assert_uint_lt(rows - by_lane[1], (rows - by_lane[0]) * 3 / 4);
        }
        buffer_free(&file);
    }
}
END_TEST

/* A newline between quotes stands where a segment seems to begin a row: it is not taken for one. */
START_TEST(rows_across_segments)
{
    struct buffer file = {0};
    uint64_t by_lane[WAYS];
    const struct draw draw = {.segment_bytes = SEGMENT_BYTES / 8};
    buffer_text(&file, "thread,time,other\n");
    for (int i = 0; i < 700000 / 8; i++)
        buffer_text(&file, i % 2 ? "A,17,\n" : "B,18,\n");
    for (int i = 0; i < 8; i++) {
        buffer_text(&file, "A,17,\"");
        for (int k = 0; k < 100000 / 8; k++)
            buffer_text(&file, "B,2,.\n");
        buffer_text(&file, "\"\n");
    }
    all_ways(&file, draw, by_lane);
    buffer_free(&file);
}
END_TEST

/* What csy_trace_synchronize finds by one of the engines; the dense one goes the ordinary way.
 * What is added is delta, in ticks; -1: to be estimated. */
static csy_sync *solve(const char *path, csy_engine engine, unsigned nthreads,
                       const struct draw *draw, csy_trace **trace)
{
    csy_error error;
    csy_options options;
    csy_sync *sync;
    options = options_default;
    options.engine = engine;
    options.measure = true;
    if (draw->added >= 0) {
        options.relax = CSY_RELAX_GIVEN;
        options.delta = (csy_fraction){draw->added, 1};
    }
    ck_ok(csy_trace_open(path, &(csy_input){.format = CSY_FORMAT_CSV}, trace, &error), error);
    csy_trace_set_workers(*trace, nthreads);
    if (draw->segment_bytes)
        (*trace)->segment_bytes = draw->segment_bytes;
    ck_ok(csy_trace_synchronize(*trace, &options, &sync, &error), error);
    return sync;
}

static void compare_views(const csy_sync *a, const csy_sync *b)
{
    ck_assert_uint_eq(csy_sync_records(a), csy_sync_records(b));
    ck_assert_uint_eq(csy_sync_nthreads(a), csy_sync_nthreads(b));
    ck_assert_int_eq(csy_sync_imprecision(a)->delta.num, csy_sync_imprecision(b)->delta.num);
    ck_assert_uint_eq(csy_sync_imprecision(a)->adjacent_steps_back,
                      csy_sync_imprecision(b)->adjacent_steps_back);
    for (size_t t = 0; t < csy_sync_nthreads(a); t++) {
        const csy_thread *x = csy_sync_thread(a, t), *y = csy_sync_thread(b, t);
        ck_assert_str_eq(x->name, y->name);
        ck_assert_uint_eq(x->records, y->records);
        ck_assert_int_eq(x->offset_ticks, y->offset_ticks);
        ck_assert_int_eq(x->earliest_ticks, y->earliest_ticks);
        ck_assert_int_eq(x->latest_ticks, y->latest_ticks);
    }
}

static void engines_at(const char *path, struct draw draw)
{
    csy_trace *dense_trace, *trace;
    csy_sync *dense = solve(path, CSY_ENGINE_DENSE, 1, &draw, &dense_trace);
    assert_measured(dense);
    for (unsigned nthreads = 1; nthreads <= 3; nthreads++) {
        csy_sync *sync = solve(path, CSY_ENGINE_SWEEP, nthreads, &draw, &trace);
        compare_views(sync, dense);
        assert_measured(sync);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    csy_sync_free(dense);
    csy_trace_free(dense_trace);
}

START_TEST(engines_agree)
{
    for (uint64_t trial = 0; trial < ENGINE_FILES; trial++) {
        struct random r = random_trial(trial);
        struct buffer file = {0};
        struct folder folder;
        folder_open(&folder);
        const char *path = folder_file(&folder, "a.csv");
        size_t bytes = SEGMENT_BYTES / 16;
        draw_table(&r, &file, 4 * bytes, 0, 3000, 0);
        file_write(path, file.bytes, file.size);
        engines_at(path, (struct draw){-1, bytes});
        engines_at(path, (struct draw){trial == 0 ? 1000000 : 5000000, bytes});
        buffer_free(&file);
        folder_close(&folder);
    }
}
END_TEST

START_TEST(numbers)
{
    static const struct {
        const char *text;
        int64_t value; /* -1: not plain */
    } cases[] = {{"0", 0},
                 {"7", 7},
                 {"12345678", 12345678},
                 {"123456789", 123456789},
                 {"1234567890123456", 1234567890123456},
                 {"12345678901234567", 12345678901234567},
                 {"9223372036854775807", INT64_MAX},
                 {"9223372036854775808", -1},
                 {"9999999999999999999", -1},
                 {"00000000000000000000", -1},
                 {"", -1},
                 {"-1", -1},
                 {"1234567/", -1},
                 {":2345678", -1},
                 {"12345678\xb1", -1},
                 {"1 ", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[64] = {0};
        int64_t value = -1;
        strcpy((char *)bytes, cases[i].text);
        bool plain = csv_plain_number(bytes, strlen(cases[i].text), &value);
        ck_assert_msg(plain == (cases[i].value >= 0), "%s", cases[i].text);
        if (plain)
            ck_assert_int_eq(value, cases[i].value);
    }
}
END_TEST

START_TEST(separators)
{
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(200); trial++) {
        struct random r = random_trial(trial);
        static struct csv_plain_index index;
        uint8_t bytes[CSV_PLAIN_WINDOW_BYTES];
        size_t size =
            (size_t)random_between(&r, 0, CSV_PLAIN_WINDOW_BYTES / CSV_PLAIN_BLOCK_BYTES) *
            CSV_PLAIN_BLOCK_BYTES;
        int often = (int)random_between(&r, 0, 100);
        for (size_t i = 0; i < size; i++)
            bytes[i] = random_chance(&r, often) ? (uint8_t) ",\n\""[random_between(&r, 0, 2)]
                                                : (uint8_t)random_bits(&r);
        csv_plain_index(&index, bytes, size, ',');
        size_t n = 0;
        for (uint32_t i = 0; i < size; i++)
            if (memchr(",\n\"", bytes[i], 3))
                ck_assert_uint_eq(index.at[++n], i);
        ck_assert_uint_eq(index.n, n);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("rows");
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, separators);
    tcase_add_test(tests, small_files);
    tcase_add_test(tests, large_files);
    tcase_add_test(tests, rows_across_segments);
    tcase_add_test(tests, engines_agree);
    return unit_run();
}
