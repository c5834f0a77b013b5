/* The backlog of records: what overlaps comes in the order of ends, whichever order a log has. */
#include "support.h"
#include "trace/event80/backlog.h"

#include <stdlib.h>

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

int main(void)
{
    TCase *tests = unit_begin("backlog");
    tcase_add_loop_test(tests, records_come_as_they_end, 0, trials_of(50));
    tcase_add_test(tests, memory_is_bounded);
    return unit_run();
}
