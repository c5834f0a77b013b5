/*
 * The profile of delta: each entry is what an independent search gives for the records that are
 * left, and it never rises; a few stamps that are far too early are found; too few records to leave
 * any out make a profile of one entry.  A solution that leaves some out is, in delta and all
 * bounds, that of a trace which never had them, and is proved.
 */
#include "sync/line/drop.h"

#include "graph/windows.h"
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>

static struct folder folder;

enum { ROWS_MAX = 3000, CLOCKS = 4 };

struct rows {
    size_t n;
    size_t clock[ROWS_MAX];
    int64_t x[ROWS_MAX];
};

/* Exact clocks, but for `early` records that are far too early, and noise of so many ticks. */
static void draw(struct random *r, struct rows *rows, size_t n, size_t early, int64_t noise)
{
    int64_t now = 0, offset[CLOCKS];
    rows->n = n;
    for (size_t c = 0; c < CLOCKS; c++)
        offset[c] = random_between(r, -1000000, 1000000);
    for (size_t k = 0; k < n; k++) {
        now += random_between(r, 1, 200);
        rows->clock[k] = k < CLOCKS ? k : (size_t)random_between(r, 0, CLOCKS - 1);
        rows->x[k] = offset[rows->clock[k]] + now - random_between(r, 0, noise);
    }
    for (size_t i = 0; i < early; i++)
        rows->x[random_between(r, CLOCKS + 50, (int64_t)n - 1)] -= random_between(r, 3000, 9000);
}

/* Those that are left out have clock CLOCKS. */
static csy_sync *solve_dropping(const struct rows *rows, uint64_t drop, csy_trace **trace)
{
    struct buffer b = {0};
    char line[64];
    csy_options options;
    csy_sync *sync;
    csy_error error;
    buffer_text(&b, "thread,time\n");
    for (size_t k = 0; k < rows->n; k++) {
        if (rows->clock[k] == CLOCKS)
            continue;
        snprintf(line, sizeof line, "t%zu,%" PRId64 "\n", rows->clock[k], rows->x[k]);
        buffer_text(&b, line);
    }
    const char *path = folder_file(&folder, "t.csv");
    file_write(path, b.bytes, b.size);
    buffer_free(&b);
    options = options_default;
    options.drop = drop;
    ck_ok(csy_trace_open(path, NULL, trace, &error), error);
    ck_ok(csy_trace_synchronize(*trace, &options, &sync, &error), error);
    return sync;
}

static csy_sync *solve(const struct rows *rows, csy_trace **trace)
{
    return solve_dropping(rows, 0, trace);
}

static bool is_out(const struct survey *survey, size_t k)
{
    for (size_t i = 0; i < survey->ndropped; i++)
        if (survey->dropped[i] == k)
            return true;
    return false;
}

/* 2 delta of the records that are left, from all pairs of them. */
static csy_fraction twice_of_rest(const struct rows *rows, const struct survey *survey)
{
    struct joint joint;
    csy_error error;
    ck_ok(joint_init(&joint, CLOCKS, &error), error);
    for (size_t k = 0; k < rows->n; k++)
        for (size_t j = 0; j < k && !is_out(survey, k); j++) {
            int64_t *a = &joint.a[rows->clock[k] * CLOCKS + rows->clock[j]];
            int64_t w = rows->x[k] - rows->x[j];
            *a = w < *a && !is_out(survey, j) ? w : *a;
        }
    csy_fraction twice = joint_twice(&joint, NULL);
    joint_fini(&joint);
    return twice;
}

static void drop(csy_trace *trace, csy_sync *sync, uint64_t most, struct drop_entries *entries)
{
    csy_fraction twice;
    csy_error error;
    bool cut_short;
    csy_fraction delta = sync->imprecision.delta;
    *entries = (struct drop_entries){0};
    sync->survey.ndropped = 0;
    ck_assert(fraction_make((int128)2 * delta.num, delta.den, &twice));
    ck_ok(drop_records(trace, sync, twice, most, false, entries, &cut_short, &error), error);
    ck_assert(!cut_short && sync->survey.ndropped <= most);
}

static bool below(csy_fraction a, csy_fraction b)
{
    return (int128)a.num * b.den < (int128)b.num * a.den;
}

START_TEST(entries_are_true)
{
    static struct rows rows;
    struct random r = random_trial((uint64_t)_i);
    csy_trace *trace;
    draw(&r, &rows, (size_t)random_between(&r, 200, 700), (size_t)random_between(&r, 1, 6),
         _i % 2 ? 0 : 300);
    csy_sync *sync = solve(&rows, &trace);
    const csy_profile *profile;
    csy_error error;
    ck_ok(csy_sync_profile_delta(sync, &profile, &error), error);
    ck_assert(profile->count > 0);
    for (size_t i = 0; i < profile->count; i++) {
        struct drop_entries entries;
        const csy_profile_entry *entry = &profile->entries[i];
        drop(trace, sync, entry->dropped, &entries);
        csy_fraction twice = twice_of_rest(&rows, &sync->survey), delta;
        ck_assert(fraction_make(twice.num, (int128)2 * twice.den, &delta));
        ck_assert(delta.num == entry->delta.num && delta.den == entry->delta.den);
        ck_assert_uint_eq(sync->survey.ndropped, entry->dropped);
        ck_assert(i == 0 || !below(profile->entries[i - 1].delta, entry->delta));
        ck_assert_uint_eq(entries.items[entries.count - 1].dropped, entry->dropped);
        free(entries.items);
    }
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

/* Five stamps far too early among exact ones: when ten may go, none of them is left. */
START_TEST(early_stamps_are_found)
{
    static struct rows rows;
    struct random r = random_trial((uint64_t)_i);
    csy_trace *trace;
    draw(&r, &rows, ROWS_MAX, 5, 0);
    csy_sync *sync = solve(&rows, &trace);
    const csy_profile *profile;
    csy_error error;
    ck_ok(csy_sync_profile_delta(sync, &profile, &error), error);
    const csy_profile_entry *last = &profile->entries[profile->count - 1];
    ck_assert(!profile->cut_short && last->delta.num == 0);
    ck_assert_uint_le(last->dropped, 10);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

static bool same(csy_fraction a, csy_fraction b)
{
    return a.num == b.num && a.den == b.den;
}

/* The solution is that of a trace which never had the records; those are left out once. */
static void compare_with_rest(csy_sync *sync, struct rows rows)
{
    csy_trace *trace;
    csy_error error;
    const csy_dropped *dropped = csy_sync_dropped(sync);
    for (size_t i = 0; i < dropped->count; i++) {
        size_t k = (size_t)dropped->records[i].record;
        ck_assert(i == 0 || k > dropped->records[i - 1].record);
        ck_assert_uint_eq(dropped->records[i].thread, rows.clock[k]);
        ck_assert_uint_eq(dropped->records[i].place, k + 2);
        rows.clock[k] = CLOCKS;
    }
    csy_sync *rest = solve(&rows, &trace);
    const csy_imprecision *got = csy_sync_imprecision(sync), *want = csy_sync_imprecision(rest);
    ck_assert(same(got->delta, want->delta));
    ck_assert_uint_eq(got->inversions - dropped->count, want->inversions);
    for (size_t i = 0; i < CLOCKS; i++)
        for (size_t j = 0; j < CLOCKS; j++) {
            int64_t low[2], high[2];
            ck_ok(csy_sync_bounds(sync, i, j, &low[0], &high[0], NULL, &error), error);
            ck_ok(csy_sync_bounds(rest, i, j, &low[1], &high[1], NULL, &error), error);
            ck_assert(low[0] == low[1] && high[0] == high[1]);
        }
    csy_sync_free(rest);
    csy_trace_free(trace);
}

static void check_written(const csy_sync *sync)
{
    csy_proof proof;
    csy_error error;
    const char *path = folder_file(&folder, "s.csv");
    ck_ok(csy_sync_write_trace(sync, path, NULL, &error), error);
    ck_ok(prove(path, &proof, &error), error);
    ck_assert_uint_eq(proof.dropped, csy_sync_dropped(sync)->count);
    ck_assert_int_le(proof.largest_inversion_ticks, proof.allowed_inversion_ticks);
}

/* Leaving out k does what the profile says, whatever the number of those asked for beyond it. */
START_TEST(records_are_left_out)
{
    static struct rows rows;
    struct random r = random_trial((uint64_t)_i);
    csy_trace *trace, *plain;
    csy_error error;
    const csy_profile *profile, *own;
    draw(&r, &rows, (size_t)random_between(&r, 500, 900), (size_t)random_between(&r, 1, 6),
         _i % 2 ? 0 : 300);
    csy_sync *whole = solve(&rows, &plain);
    ck_ok(csy_sync_profile_delta(whole, &profile, &error), error);
    for (size_t i = 1; i < profile->count; i++) {
        bool last = profile->entries[i].delta.num == 0;
        csy_sync *sync =
            solve_dropping(&rows, last ? rows.n / 100 : profile->entries[i].dropped, &trace);
        ck_assert_uint_eq(csy_sync_dropped(sync)->count, profile->entries[i].dropped);
        ck_assert(same(csy_sync_imprecision(sync)->delta, profile->entries[i].delta));
        ck_ok(csy_sync_profile_delta(sync, &own, &error), error);
        ck_assert_uint_eq(own->count, i + 1);
        check_written(sync);
        compare_with_rest(sync, rows);
        csy_sync_free(sync);
        csy_trace_free(trace);
    }
    csy_sync_free(whole);
    csy_trace_free(plain);
}
END_TEST

START_TEST(there_is_none_without_a_contradiction)
{
    static struct rows rows;
    struct random r = random_trial(1);
    csy_trace *trace;
    const csy_profile *profile;
    csy_error error;
    draw(&r, &rows, 500, 0, 0);
    csy_sync *sync = solve(&rows, &trace);
    ck_ok(csy_sync_profile_delta(sync, &profile, &error), error);
    ck_assert_uint_eq(profile->count, 0);
    csy_sync_free(sync);
    csy_trace_free(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("drop");
    unit_in_folder(tests, &folder);
    tcase_add_loop_test(tests, entries_are_true, 0, trials_of(60));
    tcase_add_loop_test(tests, early_stamps_are_found, 0, trials_of(20));
    tcase_add_loop_test(tests, records_are_left_out, 0, trials_of(40));
    tcase_add_test(tests, there_is_none_without_a_contradiction);
    return unit_run();
}
