/*
 * Constraints: the least difference of stamps over every pair that the definition names, against a
 * brute search over all pairs of events; and the true offsets satisfy what true clocks give.
 */
#include "graphs.h"

/* min(x(e2) - x(e1)) over the pairs, [BHH08] eq. (6) or (12), for every two threads. */
static void brute_weights(const struct events *e, enum line_pairs pairs,
                          int64_t weights[THREADS_MAX][THREADS_MAX])
{
    for (size_t s = 0; s < e->nthreads; s++)
        for (size_t t = 0; t < e->nthreads; t++)
            weights[s][t] = WALK_INF;
    for (size_t j = 1; j < e->n; j++) {
        for (size_t i = pairs == LINE_ALL ? 0 : j - 1; i < j; i++) {
            int64_t *least = &weights[e->thread[i]][e->thread[j]];
            *least = e->x[j] - e->x[i] < *least ? e->x[j] - e->x[i] : *least;
        }
    }
}

static void compare(const struct events *e, enum line_pairs pairs, int trial)
{
    int64_t want[THREADS_MAX][THREADS_MAX];
    struct constraints c = graph_of(e, pairs);
    ck_assert_uint_eq(c.count, e->nthreads);
    brute_weights(e, pairs, want);
    for (size_t s = 0; s < c.count; s++) {
        for (size_t t = 0; t < c.count; t++) {
            int64_t got = constraints_weight(&c, s, t);
            if (s == t && pairs == LINE_ALL && got == WALK_INF && want[s][t] >= 0)
                continue; /* a loop that says nothing */
            if (got != want[s][t])
                ck_abort_msg("trial %d: w(%zu,%zu) = %lld, want %lld", trial, s, t, (long long)got,
                             (long long)want[s][t]);
        }
    }
    constraints_fini(&c);
}

START_TEST(weights_follow_the_definition)
{
    for (int trial = 0; trial < 600; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        events_draw(&r, &e, random_chance(&r, 30) ? 0 : random_between(&r, 1, 60));
        compare(&e, LINE_NEIGHBOURS, trial);
        compare(&e, LINE_ALL, trial);
    }
}
END_TEST

/* g[s] - g[t] <= w(s,t) for exact clocks, and <= w + 2 jitter for imprecise ones. */
START_TEST(true_offsets_satisfy_them)
{
    for (int trial = 0; trial < 300; trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct events e;
        int64_t jitter = random_between(&r, 0, 40);
        events_draw(&r, &e, jitter);
        struct constraints c = graph_of(&e, trial % 2 ? LINE_ALL : LINE_NEIGHBOURS);
        for (size_t s = 0; s < c.count; s++) {
            for (size_t t = 0; t < c.count; t++) {
                int64_t w = constraints_weight(&c, s, t);
                int64_t apart = (e.offset[s] - e.rough[s]) - (e.offset[t] - e.rough[t]);
                if (w != WALK_INF && apart > w + 2 * jitter)
                    ck_abort_msg("trial %d: threads %zu and %zu", trial, s, t);
            }
        }
        constraints_fini(&c);
    }
}
END_TEST

/* T1@0 T2@0 T3@3 T1@10 T1@16 T3@10 T2@10; the rough offset of T3 is -3. */
START_TEST(the_known_answer)
{
    struct events e = {
        .n = 7, .nthreads = 3, .thread = {0, 1, 2, 0, 0, 2, 1}, .local = {0, 0, 3, 10, 16, 10, 10}};
    static const int64_t want[3][3] = {{6, 0, -6}, {WALK_INF, WALK_INF, 3}, {7, 0, WALK_INF}};
    events_place(&e);
    struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
    for (size_t s = 0; s < 3; s++) {
        for (size_t t = 0; t < 3; t++) {
            int64_t w = constraints_weight(&c, s, t);
            ck_assert_int_eq(w == WALK_INF ? w : w + e.rough[s] - e.rough[t], want[s][t]);
        }
    }
    constraints_fini(&c);
}
END_TEST

START_TEST(the_largest_weight_is_found)
{
    struct constraints c = graph_new(4);
    ck_assert_int_eq(constraints_largest(&c), 0);
    graph_set(&c, 0, 2, 7);
    ck_assert_int_eq(constraints_largest(&c), 7);
    graph_set(&c, 3, 1, -9);
    ck_assert_int_eq(constraints_largest(&c), 9);
    constraints_fini(&c);
}
END_TEST

START_TEST(steps_back_are_loops)
{
    struct events e = {.n = 8,
                       .nthreads = 2,
                       .thread = {0, 0, 0, 1, 0, 0, 1, 1},
                       .local = {5, 4, 4, 9, 3, 3, 8, 7}};
    events_place(&e);
    struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
    ck_assert_int_eq(constraints_weight(&c, 0, 0), -1);
    ck_assert_int_eq(constraints_weight(&c, 1, 1), -1);
    constraints_fini(&c);
    c = graph_of(&e, LINE_ALL);
    ck_assert_int_eq(constraints_weight(&c, 0, 0), -2);
    ck_assert_int_eq(constraints_weight(&c, 1, 1), -2);
    constraints_fini(&c);
}
END_TEST

START_TEST(threads_beyond_the_limit_are_counted)
{
    struct constraints c;
    csy_error error;
    struct line line;
    constraints_init(&c, 5);
    struct sink sink = constraints_sink(&c);
    line_init(&line, &sink, LINE_ALL, 0);
    for (uint32_t i = 0; i < 50; i++) {
        ck_assert(c.beyond_limit == (i > 5));
        for (uint32_t k = 0; k < 2; k++) {
            struct point point = {.thread = k == 0 ? i : 0, .x = 7 * i};
            ck_ok(line_event(&line, &point, &error), error);
        }
    }
    ck_assert(c.beyond_limit);
    ck_assert_uint_eq(c.count, 50);
    line_fini(&line);
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("constraints");
    tcase_add_test(tests, weights_follow_the_definition);
    tcase_add_test(tests, true_offsets_satisfy_them);
    tcase_add_test(tests, the_known_answer);
    tcase_add_test(tests, the_largest_weight_is_found);
    tcase_add_test(tests, steps_back_are_loops);
    tcase_add_test(tests, threads_beyond_the_limit_are_counted);
    return unit_run();
}
