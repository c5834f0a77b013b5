/* Lamport's clocks: counters, and clocks that local time advances. */
#include "support.h"
#include "sync/placement.h"

static int64_t next(struct lamport *l, uint32_t thread, int64_t local)
{
    int64_t global;
    csy_error error;
    ck_ok(lamport_next(l, thread, local, &global, &error), error);
    return global;
}

START_TEST(counters_count)
{
    struct lamport l;
    lamport_init(&l, true, 0);
    ck_assert_int_eq(next(&l, 1, 500), 0);
    ck_assert_int_eq(next(&l, 0, -3), 1);
    ck_assert_int_eq(next(&l, 1, 900), 2);
    ck_assert_int_eq(next(&l, 1, 100), 3);
    lamport_fini(&l);
}
END_TEST

START_TEST(clocks_advance_and_are_pushed)
{
    struct lamport l;
    lamport_init(&l, false, 1000);
    ck_assert_int_eq(next(&l, 0, 70), 1000);
    ck_assert_int_eq(next(&l, 1, -9), 1001); /* whatever its clock says */
    ck_assert_int_eq(next(&l, 0, 90), 1020); /* its own clock */
    ck_assert_int_eq(next(&l, 1, 0), 1021);  /* pushed, by 11 */
    ck_assert_int_eq(next(&l, 1, 5), 1026);  /* and stays so */
    ck_assert_int_eq(next(&l, 0, 80), 1027); /* a step back is pushed, too */
    ck_assert_int_eq(next(&l, 0, 80), 1028);
    ck_assert(l.threads[0].offset == 930 && l.threads[1].offset == 1010);
    lamport_fini(&l);
}
END_TEST

START_TEST(sums_do_not_wrap)
{
    struct lamport l;
    int64_t global = 5;
    csy_error error;
    lamport_init(&l, false, INT64_MAX - 1);
    ck_assert_int_eq(next(&l, 0, 0), INT64_MAX - 1);
    ck_assert_int_eq(next(&l, 0, 0), INT64_MAX);
    ck_refused(lamport_next(&l, 1, 0, &global, &error), CSY_INPUT, error,
               "global times do not fit 64 bits");
    lamport_fini(&l);
    lamport_init(&l, false, 1);
    ck_assert_int_eq(next(&l, 0, INT64_MIN), 1);
    ck_refused(lamport_next(&l, 0, INT64_MAX, &global, &error), CSY_INPUT, error,
               "global times do not fit 64 bits");
    ck_assert_int_eq(global, 5);
    lamport_fini(&l);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("lamport");
    tcase_add_test(tests, counters_count);
    tcase_add_test(tests, clocks_advance_and_are_pushed);
    tcase_add_test(tests, sums_do_not_wrap);
    return unit_run();
}
