/* The figures of a bounds graph, against a count of its pairs one by one. */
#include "graph/statistics.h"
#include "swept.h"

static csy_summary count_pairs(size_t n, const int64_t *walks, const bool *spe)
{
    csy_summary out = {.max_error_ticks = -1, .max_error_spe_ticks = -1};
    for (size_t s = 0; s < n; s++) {
        for (size_t t = s + 1; t < n; t++) {
            int64_t there = walks[s * n + t], back = walks[t * n + s], sum = there + back;
            csy_mean *mean = spe[s] && spe[t] ? &out.error_spe : &out.error_ppe;
            out.pairs++;
            if (there == WALK_INF || back == WALK_INF)
                continue;
            out.bounded++;
            mean->pairs++;
            mean->sum_ticks += sum;
            out.max_error_ticks = sum > out.max_error_ticks ? sum : out.max_error_ticks;
            if (spe[s] && spe[t] && sum > out.max_error_spe_ticks)
                out.max_error_spe_ticks = sum;
        }
    }
    return out;
}

static void compare(const csy_summary *got, const csy_summary *want)
{
    ck_assert_uint_eq(got->pairs, want->pairs);
    ck_assert_uint_eq(got->bounded, want->bounded);
    ck_assert_int_eq(got->max_error_ticks, want->max_error_ticks);
    ck_assert_int_eq(got->max_error_spe_ticks, want->max_error_spe_ticks);
    ck_assert_uint_eq(got->error_ppe.pairs, want->error_ppe.pairs);
    ck_assert_int_eq(got->error_ppe.sum_ticks, want->error_ppe.sum_ticks);
    ck_assert_uint_eq(got->error_spe.pairs, want->error_spe.pairs);
    ck_assert_int_eq(got->error_spe.sum_ticks, want->error_spe.sum_ticks);
}

START_TEST(pairs_are_counted)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    for (int trial = 0; trial < 150; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        bool spe[THREADS_MAX], feasible;
        csy_summary got, want;
        csy_error error;
        events_draw(&r, &e, 0);
        struct deaths deaths = deaths_draw(&r, &e);
        struct constraints c = graph_of(&e, PAIRS_IMMEDIATE);
        int64_t ppe = random_between(&r, -1, (int64_t)c.count - 1);
        for (size_t t = 0; t < c.count; t++)
            spe[t] = (int64_t)t != ppe;
        ck_assert(shortest_walks(&c, 0, walks));
        want = count_pairs(c.count, walks, spe);
        struct bounds b = {.n = c.count};
        if (trial % 2)
            ck_ok(dense_close(&c, 0, &b.dense, &error), error);
        else
            ck_ok(sweep_events(&e, &deaths, 0, &b.sweep, &feasible, &error), error);
        ck_ok(statistics_gather(&b, spe, &got, &error), error);
        compare(&got, &want);
        bounds_fini(&b);
        constraints_fini(&c);
    }
}
END_TEST

START_TEST(sums_have_a_limit)
{
    const int64_t far = WALK_FAR / 12;
    bool spe[10];
    csy_summary summary;
    csy_error error;
    struct constraints c = graph_new(10);
    for (size_t s = 0; s < 10; s++) {
        spe[s] = s > 0;
        for (size_t t = 0; t < 10; t++)
            graph_set(&c, s, t, far);
    }
    struct bounds b = {.n = c.count};
    ck_ok(dense_close(&c, 0, &b.dense, &error), error);
    ck_refused(statistics_gather(&b, spe, &summary, &error), CSY_INPUT, error,
               "the sum of the error bounds leaves 64 bits");
    bounds_fini(&b);
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("statistics");
    tcase_add_test(tests, pairs_are_counted);
    tcase_add_test(tests, sums_have_a_limit);
    return unit_run();
}
