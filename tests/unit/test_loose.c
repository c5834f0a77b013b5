/* Constraints of a loose trace that are dropped, because they follow from others: bounds are the
 * same without them. */
#include "support.h"

#include "clock/knots.h"
#include "sync/solution.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 600, ROWS = 80, THREADS = 4, KEYS = 24 };

static struct folder folder;

/* A row: keys of each column. */
struct row {
    int64_t time;
    unsigned thread;
    struct buffer columns[6];
};

enum { SEND, RECV, ENTER, LEAVE, ID, AFTER };

static void add_key(struct row *row, unsigned column, const char *letter, unsigned key)
{
    char text[16];
    snprintf(text, sizeof text, "%s%s%u", row->columns[column].size ? " " : "", letter, key);
    buffer_text(&row->columns[column], text);
}

/* Constraints that hold for times of one clock, with delays that leave few of them tight. */
static void draw_rows(struct random *r, struct row *rows, int64_t jitter)
{
    for (unsigned key = 0; key < KEYS; key++) {
        unsigned kind = (unsigned)random_between(r, 0, 9);
        struct row *a = &rows[random_between(r, 0, ROWS - 2)];
        struct row *b = &rows[random_between(r, a - rows + 1, ROWS - 1)];
        if (kind < 6) {
            add_key(a, SEND, "m", key);
            add_key(b, RECV, "m", key);
        } else if (kind < 8) {
            add_key(a, ID, "i", key);
            add_key(b, AFTER, "i", key);
        } else {
            for (int n = 0; n < 3 && a < b; n++, a++)
                add_key(a, ENTER, "g", key);
            for (int n = 0; n < 3 && b < rows + ROWS; n++, b++)
                add_key(b, LEAVE, "g", key);
        }
    }
    for (size_t i = 0; i < ROWS; i++)
        rows[i].time += random_between(r, -jitter, jitter);
}

/* Write the rows in any order. */
static void write_rows(struct random *r, struct row *rows, const char *path)
{
    struct buffer text = {.bytes = NULL};
    char line[64];
    buffer_text(&text, "# order=messages\nthread,time,send,recv,enter,leave,id,after\n");
    for (size_t left = ROWS; left > 0; left--) {
        size_t at = (size_t)random_between(r, 0, (int64_t)left - 1);
        struct row row = rows[at];
        rows[at] = rows[left - 1];
        snprintf(line, sizeof line, "t%u,%" PRId64, row.thread, row.time);
        buffer_text(&text, line);
        for (int c = 0; c < 6; c++) {
            buffer_text(&text, ",");
            buffer_add(&text, row.columns[c].bytes, row.columns[c].size);
            buffer_free(&row.columns[c]);
        }
        buffer_text(&text, "\n");
    }
    file_write(path, text.bytes, text.size);
    buffer_free(&text);
}

/* The constraints that were found: all, or only those that do not follow from others. */
struct found {
    csy_status status;
    csy_fraction delta;
    size_t n;
    csy_thread threads[THREADS];
    bool drifts;
    csy_drift_clock clocks[THREADS];
    csy_fine error;
    uint64_t messages;
    size_t ndelays;
    struct delay delays[THREADS * THREADS];
};

static void solve(const char *path, const csy_options *options, size_t kept, struct found *out)
{
    csy_trace *trace;
    csy_sync *sync = NULL;
    csy_error error;
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    trace->loose_kept = kept;
    *out = (struct found){.status = csy_trace_synchronize(trace, options, &sync, &error)};
    if (!out->status) {
        const csy_drift *drift = csy_sync_drift(sync);
        out->delta = csy_sync_imprecision(sync)->delta;
        out->messages = csy_sync_matched(sync)->messages;
        out->n = csy_sync_nthreads(sync);
        ck_assert_uint_le(out->n, THREADS);
        for (size_t t = 0; t < out->n; t++)
            out->threads[t] = *csy_sync_thread(sync, t);
        const csy_violations *violations;
        ck_ok(csy_sync_violations(sync, &violations, &error), error);
        out->ndelays = sync->ndelays;
        if (out->ndelays > 0)
            memcpy(out->delays, sync->delays, out->ndelays * sizeof *out->delays);
        out->drifts = drift != NULL;
        if (drift) {
            out->error = drift->max_event_error;
            memcpy(out->clocks, drift->clocks, out->n * sizeof *out->clocks);
        }
    }
    csy_sync_free(sync);
    csy_trace_free(trace);
}

START_TEST(test_dropped)
{
    struct random r = random_trial((uint64_t)_i);
    struct row rows[ROWS] = {{0}};
    struct found all, some;
    csy_options *options;
    csy_error error;
    int64_t offsets[THREADS], gap = random_between(&r, 1, 3) == 1 ? 1 : 100;
    const char *path = folder_file(&folder, "t.csv");
    for (size_t t = 0; t < THREADS; t++)
        offsets[t] = random_between(&r, -1000, 1000);
    for (size_t i = 0; i < ROWS; i++) {
        rows[i].thread = (unsigned)random_between(&r, 0, THREADS - 1);
        rows[i].time = (int64_t)i * gap + random_between(&r, 0, gap) + offsets[rows[i].thread];
    }
    draw_rows(&r, rows, random_chance(&r, 50) ? 0 : random_between(&r, 1, 2 * gap));
    bool plain = random_chance(&r, 50); /* messages only */
    for (size_t i = 0; i < ROWS && plain; i++)
        for (size_t column = ENTER; column <= AFTER; column++)
            rows[i].columns[column].size = 0;
    write_rows(&r, rows, path);
    ck_ok(csy_options_new(&options, &error), error);
    if (random_chance(&r, 50))
        options->drift_ppb = random_chance(&r, 50) ? 1000000 : random_between(&r, 1, 400000000);
    if (random_chance(&r, 40)) {
        options->relax = CSY_RELAX_GIVEN;
        options->delta = (csy_fraction){random_between(&r, 0, 4 * gap), 1};
    }
    solve(path, options, SIZE_MAX / 2, &all);
    solve(path, options, 0, &some);
    csy_options_free(options);
    ck_assert_int_eq(some.status, all.status);
    ck_assert_uint_eq(some.messages, all.messages);
    ck_assert_int_eq(some.delta.num, all.delta.num);
    ck_assert_int_eq(some.delta.den, all.delta.den);
    ck_assert_uint_eq(some.n, all.n);
    for (size_t t = 0; t < all.n; t++) {
        ck_assert_int_eq(some.threads[t].earliest_ticks, all.threads[t].earliest_ticks);
        ck_assert_int_eq(some.threads[t].latest_ticks, all.threads[t].latest_ticks);
        ck_assert_int_eq(some.threads[t].offset_ticks, all.threads[t].offset_ticks);
        if (!all.drifts)
            continue;
        const csy_drift_clock *a = &all.clocks[t], *b = &some.clocks[t];
        ck_assert_int_eq(b->bounded, a->bounded);
        ck_assert_int_eq(b->least_ppb, a->least_ppb);
        ck_assert_int_eq(b->greatest_ppb, a->greatest_ppb);
        ck_assert_int_eq(b->max_error.ticks, a->max_error.ticks);
        ck_assert_uint_eq(b->max_error.billionths, a->max_error.billionths);
        ck_assert_int_eq(b->mean_error.ticks, a->mean_error.ticks);
        ck_assert_uint_eq(b->mean_error.billionths, a->mean_error.billionths);
    }
    ck_assert_int_eq(some.error.ticks, all.error.ticks);
    ck_assert(some.ndelays == all.ndelays || (!plain && some.ndelays == 0));
    for (size_t i = 0; i < some.ndelays; i++) {
        const struct delay *a = &all.delays[i], *b = &some.delays[i];
        ck_assert_uint_eq(b->messages, a->messages);
        ck_assert(b->from == a->from && b->to == a->to);
        ck_assert(b->least == a->least);
        ck_assert(b->greatest == a->greatest ||
                  (b->greatest >= DELAY_NONE / 2 && a->greatest >= DELAY_NONE / 2));
        ck_assert(b->greatest >= DELAY_NONE / 2 ||
                  b->estimate - a->estimate <= (int128)2 * AGE_UNIT);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("loose");
    unit_in_folder(tests, &folder);
    tcase_add_loop_test(tests, test_dropped, 0, trials_of(TRIALS));
    return unit_run();
}
