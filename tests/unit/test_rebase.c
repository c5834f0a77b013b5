/* Rough offsets: a thread's first event stands where the event before it stood, others follow. */
#include "graphs.h"

#include "order/rebase.h"

START_TEST(first_events_stand_with_their_neighbours)
{
    for (int trial = 0; trial < 200; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        struct rebase rough = {0};
        csy_error error;
        int64_t x;
        events_draw(&r, &e, random_between(&r, 0, 1000));
        for (size_t i = 0; i < e.n; i++) {
            ck_ok(rebase_place(&rough, e.thread[i], e.local[i], &x, &error), error);
            if (x != e.x[i] || rebase_x(&rough, e.thread[i], e.local[i]) != x)
                ck_abort_msg("trial %d, event %zu", trial, i);
        }
        ck_assert_uint_eq(rough.count, e.nthreads);
        rebase_fini(&rough);
    }
}
END_TEST

/* Two clocks at the ends of int64 that agree at first and then differ by `drift`. */
static csy_status place_drift(int64_t drift, csy_error *error)
{
    struct rebase rough = {0};
    int64_t x;
    ck_ok(rebase_place(&rough, 0, INT64_MIN, &x, error), *error);
    ck_ok(rebase_place(&rough, 1, INT64_MAX, &x, error), *error);
    csy_status status = drift < 0 ? rebase_place(&rough, 1, INT64_MAX + drift, &x, error)
                                  : rebase_place(&rough, 0, INT64_MIN + drift, &x, error);
    ck_assert_int_eq(x, status ? 0 : drift);
    rebase_fini(&rough);
    return status;
}

START_TEST(drifts_have_a_limit)
{
    static const char text[] =
        "times of one clock, or clocks against each other, move by 2^58 ticks or "
        "more";
    csy_error error;
    ck_ok(place_drift(X_MAX - 1, &error), error);
    ck_ok(place_drift(1 - X_MAX, &error), error);
    ck_refused(place_drift(X_MAX, &error), CSY_INPUT, error, text);
    ck_refused(place_drift(-X_MAX, &error), CSY_INPUT, error, text);
    ck_refused(place_drift(INT64_MAX, &error), CSY_INPUT, error, text);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("rebase");
    tcase_add_test(tests, first_events_stand_with_their_neighbours);
    tcase_add_test(tests, drifts_have_a_limit);
    return unit_run();
}
