/* Pseudo-threads: numbered as they come, counted as their records come. */
#include "clock/threads.h"
#include "steps.h"
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

/* The next live interval of a context, whatever ended the one before. */
START_TEST(intervals_of_a_context_are_linked)
{
    /* Context 7 has threads 1, 3, 4 (a straggler) and 5, context 8 has 2. */
    const struct step steps[] = {PPE(0),       IN(1, 7, 0),   IN(2, 8, 1),   SPE(7, 5000),
                                 SPE(8, 900),  OUT(10, 7, 0), OUT(11, 8, 1), IN(20, 7, 2),
                                 SPE(7, 4000), OUT(30, 7, 2), SPE(7, 3000),  IN(40, 7, 0),
                                 SPE(7, 2000), PPE(50)};
    const uint32_t want[] = {NO_THREAD, 3, NO_THREAD, 4, 5, NO_THREAD};
    struct outcome out;
    csy_error error;
    ck_ok(steps_run(steps, sizeof steps / sizeof *steps, 10, false, &out, &error), error);
    ck_assert_uint_eq(out.threads.count, sizeof want / sizeof *want);
    for (size_t t = 0; t < out.threads.count; t++)
        ck_assert_uint_eq(out.threads.items[t].next, want[t]);
    threads_fini(&out.threads);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("threads");
    tcase_add_test(tests, threads_are_numbered);
    tcase_add_test(tests, records_are_counted);
    tcase_add_test(tests, intervals_of_a_context_are_linked);
    return unit_run();
}
