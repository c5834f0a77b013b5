/* Logs of event80. Records that overlap come in the order of their ends, whichever order a log has.
 * Seconds in doubles become ticks: a whole tick stays whole, and any remainder is exact. */
#include "support.h"
#include "trace/event80/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 200 };

static int by_begin(const void *a, const void *b)
{
    const struct log_record *x = a, *y = b;
    return x->begin_ticks != y->begin_ticks ? (x->begin_ticks < y->begin_ticks ? -1 : 1)
                                            : (x->place > y->place) - (x->place < y->place);
}

static int by_end(const void *a, const void *b)
{
    const struct log_record *x = a, *y = b;
    return x->time_ticks != y->time_ticks ? (x->time_ticks < y->time_ticks ? -1 : 1)
                                          : (x->place > y->place) - (x->place < y->place);
}

/* In order, and as early as that can be known: no more wait than overlap. */
static void pass(struct backlog *backlog, const struct log_record *records, size_t n)
{
    struct log_record taken, last = {.time_ticks = -1};
    size_t count = 0;
    backlog_clear(backlog);
    for (size_t i = 0; i <= n; i++) {
        if (i < n)
            ck_assert(backlog_put(backlog, &records[i]));
        while (backlog_take(backlog, i == n, &taken)) {
            ck_assert(by_end(&last, &taken) < 0);
            last = taken;
            count++;
        }
        size_t open = 0;
        for (size_t j = 0; j < i && i < n; j++)
            open += records[j].time_ticks > backlog->latest_begin_ticks;
        ck_assert_uint_le(backlog->count, open + 1);
    }
    ck_assert_uint_eq(count, n);
}

START_TEST(records_come_as_they_end)
{
    struct random r = random_trial((uint64_t)_i);
    struct log_record records[RECORDS];
    struct backlog backlog = {0};
    for (size_t i = 0; i < RECORDS; i++) {
        int64_t begin = random_between(&r, 0, 500);
        records[i] = (struct log_record){
            .begin_ticks = begin,
            .time_ticks = begin + (random_chance(&r, 40) ? 0 : random_between(&r, 0, 60))};
    }
    for (unsigned ends = 0; ends < 2; ends++) {
        qsort(records, RECORDS, sizeof *records, ends ? by_end : by_begin);
        for (size_t i = 0; i < RECORDS; i++)
            records[i].place = i;
        pass(&backlog, records, RECORDS);
    }
    backlog_fini(&backlog);
}
END_TEST

/* A log in no order is taken as it is, step back and all; and it takes no more memory than that. */
START_TEST(memory_is_bounded)
{
    struct backlog backlog = {0};
    struct log_record taken;
    size_t most = 0, count = 0;
    for (int64_t i = 0; i < 300000; i++) {
        ck_assert(backlog_put(&backlog, &(struct log_record){.time_ticks = 1000000 - i}));
        while (backlog_take(&backlog, false, &taken))
            count++;
        most = backlog.count > most ? backlog.count : most;
    }
    while (backlog_take(&backlog, true, &taken))
        count++;
    ck_assert_uint_eq(count, 300000);
    ck_assert_uint_le(most, 65536);
    backlog_fini(&backlog);
}
END_TEST

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const uint64_t timebases[] = {1,        1000,       14318000,   26666666,
                                     79800000, 2596127000, 1000000000, UINT64_C(1) << 53};

/* Divided by the timebase, the nearest double is good for every tick up to 2^51. */
START_TEST(whole_ticks_come_back)
{
    struct random r = random_trial(0);
    for (int i = 0; i < trials_of(20000); i++) {
        uint64_t hz = timebases[random_between(&r, 0, 7)];
        int64_t tick = (int64_t)(random_bits(&r) >> random_between(&r, 13, 63));
        struct fine_time time;
        uint128 left;
        enum fine_fault fault = fine_time(bits_of((double)tick / (double)hz), hz, &time);
        ck_assert_int_eq(fault, FINE_GOOD);
        ck_assert_int_eq(fine_nearest(time.ticks, &left), tick);
        if (left > time.ulp)
            ck_abort_msg("try %d: a remainder of more than the last bit", i);
    }
}
END_TEST

/* m * 2^e seconds, by a timebase of a power of two, are known without any arithmetic. */
START_TEST(fractions_are_exact)
{
    static const struct {
        double seconds;
        int64_t tick;
        uint64_t remainder; /* in units of 2^-64 tick */
    } cases[] = {{0, 0, 0},
                 {-0.0, 0, 0},
                 {0x1p-10, 1, 0},
                 {0x1.8p-10, 2, UINT64_C(1) << 63},
                 {0x1.7ffffffffffffp-10, 1, (UINT64_C(1) << 63) - (UINT64_C(1) << 12)},
                 {0x1.4p-12, 0, UINT64_C(5) << 60},
                 {0x1p-1074, 0, 0},
                 {0x1p-74, 0, 1},
                 {0x1p+43, INT64_C(1) << 53, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fine_time time;
        uint128 left;
        ck_assert_int_eq(fine_time(bits_of(cases[i].seconds), 1024, &time), FINE_GOOD);
        ck_assert_int_eq(fine_nearest(time.ticks, &left), cases[i].tick);
        if (left != cases[i].remainder)
            ck_abort_msg("case %zu", i);
    }
}
END_TEST

START_TEST(what_is_no_time_is_told)
{
    static const struct {
        double seconds;
        enum fine_fault fault;
    } cases[] = {{-1, FINE_NEGATIVE},
                 {-0x1p-1074, FINE_NEGATIVE},
                 {(double)NAN, FINE_NO_NUMBER},
                 {(double)INFINITY, FINE_BEYOND},
                 {-(double)INFINITY, FINE_NEGATIVE},
                 {0x1.0000000000001p+43, FINE_BEYOND},
                 {0x1p+44, FINE_BEYOND},
                 {0x1p+1023, FINE_BEYOND}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fine_time time;
        ck_assert_int_eq(fine_time(bits_of(cases[i].seconds), 1024, &time), cases[i].fault);
        ck_assert_int_ne(fine_time(bits_of(0x1p+1023), UINT64_MAX, &time), FINE_GOOD);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("log");
    tcase_add_loop_test(tests, records_come_as_they_end, 0, trials_of(50));
    tcase_add_test(tests, memory_is_bounded);
    tcase_add_test(tests, whole_ticks_come_back);
    tcase_add_test(tests, fractions_are_exact);
    tcase_add_test(tests, what_is_no_time_is_told);
    return unit_run();
}
