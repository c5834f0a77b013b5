/* The figures of a bounds graph, against a count of its pairs one by one. */
#include "bounds/statistics.h"
#include "swept.h"

static void count_in(csy_group *group, int64_t sum, bool bounded)
{
    group->pairs++;
    if (!bounded)
        return;
    group->mean = mean_make(mean_sum(group->mean) + sum, group->mean.pairs + 1);
    group->max_error_ticks = sum > group->max_error_ticks ? sum : group->max_error_ticks;
}

static csy_summary count_pairs(size_t n, const int64_t *walks,
                               const struct pair_tally_thread *threads)
{
    csy_group spe = {.max_error_ticks = -1}, other = spe, live = spe, successive = spe;
    for (size_t s = 0; s < n; s++) {
        for (size_t t = s + 1; t < n; t++) {
            const struct pair_tally_thread *a = &threads[s], *b = &threads[t];
            int64_t there = walks[s * n + t], back = walks[t * n + s], sum = there + back;
            bool bounded = there != WALK_INF && back != WALK_INF;
            count_in(a->spe && b->spe ? &spe : &other, sum, bounded);
            if (b->first_record < a->last_record)
                count_in(&live, sum, bounded);
            if (a->next == t)
                count_in(&successive, sum, bounded);
        }
    }
    bool both = spe.max_error_ticks > other.max_error_ticks;
    return (csy_summary){.pairs = spe.pairs + other.pairs,
                         .bounded = spe.mean.pairs + other.mean.pairs,
                         .max_error_ticks = both ? spe.max_error_ticks : other.max_error_ticks,
                         .max_error_spe_ticks = spe.max_error_ticks,
                         .error_ppe = other.mean,
                         .error_spe = spe.mean,
                         .live = live,
                         .successive = successive};
}

static void compare_means(csy_mean got, csy_mean want)
{
    ck_assert_uint_eq(got.pairs, want.pairs);
    ck_assert_int_eq(got.ticks, want.ticks);
    ck_assert_uint_eq(got.rest, want.rest);
}

static void compare_groups(const csy_group *got, const csy_group *want)
{
    ck_assert_uint_eq(got->pairs, want->pairs);
    ck_assert_int_eq(got->max_error_ticks, want->max_error_ticks);
    compare_means(got->mean, want->mean);
}

static void compare(const csy_summary *got, const csy_summary *want)
{
    ck_assert_uint_eq(got->pairs, want->pairs);
    ck_assert_uint_eq(got->bounded, want->bounded);
    ck_assert_int_eq(got->max_error_ticks, want->max_error_ticks);
    ck_assert_int_eq(got->max_error_spe_ticks, want->max_error_spe_ticks);
    compare_means(got->error_ppe, want->error_ppe);
    compare_means(got->error_spe, want->error_spe);
    compare_groups(&got->live, &want->live);
    compare_groups(&got->successive, &want->successive);
}

/* Threads with the ranges of these events; every other one has the next one for a successor. */
static void fill_threads(const struct events *e, int64_t ppe, struct pair_tally_thread *threads)
{
    for (uint32_t t = 0; t < e->nthreads; t++)
        threads[t] = (struct pair_tally_thread){
            .next = t % 2 == 0 && t + 1 < e->nthreads ? t + 1 : NO_THREAD, .spe = t != ppe};
    for (size_t i = 0; i < e->n; i++) {
        struct pair_tally_thread *thread = &threads[e->thread[i]];
        if (thread->records++ == 0)
            thread->first_record = i;
        thread->last_record = i;
    }
}

static const struct statistics_effort any_effort = {NULL, 1, UINT64_MAX};

/* Figures that would take more steps than they may are none, and as many steps as that are enough.
 * Returns whether one step was too little. */
static bool gather_limited(const struct bounds *b, const struct pair_tally_thread *threads,
                           const csy_summary *want)
{
    struct statistics_effort effort = {NULL, 1, 1};
    csy_summary got;
    csy_error error;
    ck_ok(statistics_gather(b, threads, &effort, &got, &error), error);
    if (got.uncomputed_steps == 0) {
        compare(&got, want);
        return false;
    }
    ck_assert(!b->dense.closure);
    ck_assert_uint_eq(got.uncomputed_steps, b->n * bounds_row_steps(b));
    ck_assert_uint_eq(got.pairs, want->pairs);
    ck_assert(got.bounded == 0 && got.max_error_ticks == -1 && got.error_spe.pairs == 0 &&
              got.live.mean.pairs == 0 && !got.quadratic);
    effort.steps_max = got.uncomputed_steps;
    ck_ok(statistics_gather(b, threads, &effort, &got, &error), error);
    compare(&got, want);
    return true;
}

START_TEST(pairs_are_counted)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    size_t uncomputed = 0;
    for (int trial = 0; trial < trials_of(150); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        struct pair_tally_thread threads[THREADS_MAX];
        bool feasible;
        csy_summary got, want;
        csy_error error;
        events_draw(&r, &e, 0);
        struct lasts lasts = lasts_draw(&r, &e);
        struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
        fill_threads(&e, random_between(&r, -1, (int64_t)c.count - 1), threads);
        ck_assert(shortest_walks(&c, 0, walks));
        want = count_pairs(c.count, walks, threads);
        struct bounds b = {.n = c.count};
        if (trial % 2)
            ck_ok(dense_close(&c, 0, 1, &b.dense, &error), error);
        else
            ck_ok(sweep_events(&e, &lasts, 0, &b.sweep, &feasible, &error), error);
        ck_ok(statistics_gather(&b, threads, &any_effort, &got, &error), error);
        compare(&got, &want);
        uncomputed += gather_limited(&b, threads, &want);
        bounds_fini(&b);
        constraints_fini(&c);
    }
    ck_assert_of_trials(uncomputed > (size_t)trials_of(20));
}
END_TEST

START_TEST(sums_have_no_limit)
{
    const int64_t far = WALK_FAR / 12;
    struct pair_tally_thread threads[10] = {{0}};
    csy_summary summary;
    csy_error error;
    struct constraints c = graph_new(10);
    for (size_t s = 0; s < 10; s++) {
        threads[s].spe = s > 0;
        threads[s].next = NO_THREAD;
        for (size_t t = 0; t < 10; t++)
            graph_set(&c, s, t, far);
    }
    struct bounds b = {.n = c.count};
    ck_ok(dense_close(&c, 0, 1, &b.dense, &error), error);
    ck_ok(statistics_gather(&b, threads, &any_effort, &summary, &error), error);
    ck_assert_int_gt(far, INT64_MAX / 72);
    compare_means(summary.error_spe, (csy_mean){36, 2 * far, 0});
    compare_means(summary.error_ppe, (csy_mean){9, 2 * far, 0});
    bounds_fini(&b);
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("statistics");
    tcase_add_test(tests, pairs_are_counted);
    tcase_add_test(tests, sums_have_no_limit);
    return unit_run();
}
