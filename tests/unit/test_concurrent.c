/* Bounds of the pairs live together: the right pairs, and of each what the whole graph has. */
#include "bounds/concurrent.h"
#include "swept.h"

static void fill_threads(const struct events *e, struct pair_tally_thread *threads)
{
    for (size_t i = 0; i < e->n; i++) {
        struct pair_tally_thread *thread = &threads[e->thread[i]];
        if (thread->records++ == 0)
            thread->first_record = i;
        thread->last_record = i;
    }
}

/* Of n threads; how many pairs there are. */
static size_t compare(const struct concurrent *together, size_t n, const int64_t *walks,
                      const struct pair_tally_thread *threads)
{
    size_t pairs = 0;
    for (size_t s = 0; s < n; s++) {
        for (size_t t = s + 1; t < n; t++) {
            bool want = threads[t].first_record <= threads[s].last_record;
            if ((t - s <= concurrent_count(together, s)) != want)
                ck_abort_msg("threads %zu and %zu: listed or not", s, t);
            if (!want)
                continue;
            struct walks_between got = concurrent_walks(together, s, t);
            if (got.there != walks[s * n + t] || got.back != walks[t * n + s])
                ck_abort_msg("threads %zu and %zu: their bounds", s, t);
            pairs++;
        }
    }
    return pairs;
}

START_TEST(walks_are_those_of_the_whole_graph)
{
    static int64_t walks[THREADS_MAX * THREADS_MAX];
    size_t some = 0, every = 0;
    for (int trial = 0; trial < trials_of(400); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        struct pair_tally_thread threads[THREADS_MAX] = {{0}};
        struct concurrent together;
        csy_error error;
        bool feasible;
        int64_t jitter = trial % 2 ? random_between(&r, 1, 20) : 0;
        events_draw(&r, &e, jitter);
        struct lasts lasts = lasts_draw(&r, &e);
        struct constraints c = graph_of(&e, jitter ? LINE_ALL : LINE_NEIGHBOURS);
        struct bounds b = {.n = c.count};
        fill_threads(&e, threads);
        ck_assert(shortest_walks(&c, 2 * jitter, walks));
        if (trial % 4 > 1)
            ck_ok(dense_close(&c, 2 * jitter, 1, &b.dense, &error), error);
        else
            ck_ok(sweep_events(&e, &lasts, 2 * jitter, &b.sweep, &feasible, &error), error);
        ck_ok(concurrent_gather(&b, threads, &together, &error), error);
        size_t pairs = compare(&together, c.count, walks, threads);
        ck_assert_uint_eq(pairs, together.first[c.count]);
        some += pairs;
        every += c.count * (c.count - 1) / 2;
        concurrent_fini(&together);
        bounds_fini(&b);
        constraints_fini(&c);
    }
    ck_assert_of_trials(some > every / 8 && some < every * 7 / 8); /* or the trials say little */
}
END_TEST

/* From one thread to the next and from there to the first one: too far together. */
START_TEST(sums_have_a_limit)
{
    struct events e = {.n = 3, .nthreads = 3, .thread = {0, 1, 2}};
    struct pair_tally_thread threads[3] = {{0, 9, 1, NO_THREAD, false, false},
                                           {1, 9, 1, NO_THREAD, true, false},
                                           {2, 9, 1, NO_THREAD, true, false}};
    struct lasts lasts = {.before = {3, 3, 3}, .tau = 0};
    struct bounds b = {.n = 3};
    struct concurrent together;
    csy_error error;
    bool feasible;
    ck_ok(sweep_events(&e, &lasts, 0, &b.sweep, &feasible, &error), error);
    for (size_t k = 0; k < b.sweep.count; k++) {
        struct elimination *d = &b.sweep.items[k];
        for (uint32_t i = 0; i < d->live; i++)
            ((int64_t *)(uintptr_t)d->row)[i] =
                d->live == 3 && d->ids[i] == 0 ? WALK_INF : WALK_MAX - 1;
    }
    ck_refused(concurrent_gather(&b, threads, &together, &error), CSY_INPUT, error,
               "the differences between clocks are too large for 64-bit arithmetic");
    bounds_fini(&b);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("concurrent");
    tcase_add_test(tests, walks_are_those_of_the_whole_graph);
    tcase_add_test(tests, sums_have_a_limit);
    return unit_run();
}
