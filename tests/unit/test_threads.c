/* Pseudo-threads: numbered as they come, counted as their records come. */
#include "clock/threads.h"
#include "support.h"

#include <string.h>

START_TEST(threads_are_numbered)
{
    struct threads threads;
    csy_error error;
    uint32_t index;
    threads_init(&threads);
    ck_assert_uint_eq(threads.ppe, NO_THREAD);
    for (uint32_t i = 0; i < 1000; i++) {
        struct thread thread = {.kind = i == 7 ? CSY_KIND_PPE : CSY_KIND_SPE,
                                .context = i,
                                .name = i % 2 ? strdup("odd") : NULL};
        ck_ok(threads_add(&threads, &thread, &index, &error), error);
        ck_assert_uint_eq(index, i);
    }
    ck_assert_uint_eq(threads.count, 1000);
    ck_assert_uint_eq(threads.ppe, 7);
    ck_assert_int_eq(threads.items[999].context, 999);
    ck_assert_str_eq(threads.items[999].name, "odd");
    threads_fini(&threads);
    ck_assert_uint_eq(threads.count, 0);
    ck_assert_uint_eq(threads.ppe, NO_THREAD);
    threads_fini(&threads);
}
END_TEST

START_TEST(records_are_counted)
{
    static const int64_t times[] = {5, -3, INT64_MAX, INT64_MIN, 8};
    struct threads threads;
    struct thread thread = {.kind = CSY_KIND_SPE};
    csy_error error;
    uint32_t index;
    threads_init(&threads);
    ck_ok(threads_add(&threads, &thread, &index, &error), error);
    for (size_t i = 0; i < 5; i++)
        threads_note(&threads, index, 10 * i, times[i]);
    const struct thread *got = &threads.items[index];
    ck_assert_uint_eq(got->records, 5);
    ck_assert_uint_eq(got->last_record, 40);
    ck_assert_int_eq(got->first_ticks, 5);
    ck_assert_int_eq(got->last_ticks, 8);
    ck_assert_int_eq(got->min_ticks, INT64_MIN);
    ck_assert_int_eq(got->max_ticks, INT64_MAX);
    threads_fini(&threads);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("threads");
    tcase_add_test(tests, threads_are_numbered);
    tcase_add_test(tests, records_are_counted);
    return unit_run();
}
