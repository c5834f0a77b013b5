/* The dense bounds graph against every simple path, and against Bellman and Ford. */
#include "graph/constraints.h"
#include "graphs.h"

/* The least weight of a simple path from `at` to `to` that avoids the threads marked in `seen`. */
static int64_t best_path(const struct constraints *c, int64_t added, size_t at, size_t to,
                         unsigned seen)
{
    int64_t best = at == to ? 0 : WALK_INF;
    seen |= 1u << at;
    for (size_t next = 0; at != to && next < c->count; next++) {
        int64_t weight = constraints_weight(c, at, next);
        if (seen & (1u << next) || weight == WALK_INF)
            continue;
        int64_t rest = best_path(c, added, next, to, seen);
        if (rest != WALK_INF && weight + added + rest < best)
            best = weight + added + rest;
    }
    return best;
}

static void compare_paths(const struct constraints *c, int64_t added, int trial)
{
    struct dense d;
    csy_error error;
    ck_ok(dense_close(c, added, 1, &d, &error), error);
    ck_assert_uint_eq(d.n, c->count);
    for (size_t s = 0; s < d.n; s++)
        for (size_t t = 0; t < d.n; t++)
            if (dense_bound(&d, s, t) != best_path(c, added, s, t, 0))
                ck_abort_msg("trial %d: %zu -> %zu", trial, s, t);
    dense_fini(&d);
}

/* Graphs of up to 7 threads, where each closed walk is worth 0 or more. */
START_TEST(bounds_are_the_best_paths)
{
    int compared = 0;
    for (int trial = 0; trial < trials_of(4000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        int64_t least = random_chance(&r, 50) ? 0 : -6, added = random_between(&r, 0, 4);
        int64_t walks[7 * 7];
        struct constraints c = graph_draw(&r, 7, (int)random_between(&r, 10, 90), least, 20);
        if (shortest_walks(&c, added, walks)) {
            compare_paths(&c, added, trial);
            compared++;
        }
        constraints_fini(&c);
    }
    ck_assert_int_gt(compared, trials_of(1000));
}
END_TEST

START_TEST(bounds_are_those_of_bellman_and_ford)
{
    for (int trial = 0; trial < trials_of(300); trial++) {
        struct random r = random_trial(5000 + (uint64_t)trial);
        struct events e;
        struct dense d;
        csy_error error;
        int64_t jitter = random_chance(&r, 50) ? 0 : random_between(&r, 1, 50);
        int64_t walks[THREADS_MAX * THREADS_MAX];
        events_draw(&r, &e, jitter);
        struct constraints c = graph_of(&e, jitter ? LINE_ALL : LINE_NEIGHBOURS);
        ck_assert(shortest_walks(&c, 2 * jitter, walks));
        ck_ok(dense_close(&c, 2 * jitter, 1, &d, &error), error);
        for (size_t i = 0; i < d.n * d.n; i++)
            if (d.closure[i] != walks[i])
                ck_abort_msg("trial %d: %zu -> %zu", trial, i / d.n, i % d.n);
        dense_fini(&d);
        constraints_fini(&c);
    }
}
END_TEST

/* The bounds of the true offsets hold, both ways ([BHH08] eq. (7)). */
START_TEST(true_offsets_lie_inside)
{
    for (int trial = 0; trial < trials_of(300); trial++) {
        struct random r = random_trial(6000 + (uint64_t)trial);
        struct events e;
        struct dense d;
        csy_error error;
        int64_t jitter = random_between(&r, 0, 50);
        events_draw(&r, &e, jitter);
        struct constraints c = graph_of(&e, LINE_ALL);
        ck_ok(dense_close(&c, 2 * jitter, 1, &d, &error), error);
        for (size_t s = 0; s < d.n; s++) {
            for (size_t t = 0; t < d.n; t++) {
                int64_t apart = (e.offset[s] - e.rough[s]) - (e.offset[t] - e.rough[t]);
                if (dense_bound(&d, s, t) != WALK_INF && apart > dense_bound(&d, s, t))
                    ck_abort_msg("trial %d: %zu -> %zu", trial, s, t);
            }
        }
        dense_fini(&d);
        constraints_fini(&c);
    }
}
END_TEST

/* w(1,2) = 0, w(1,3) = -6, w(2,3) = 3, w(3,1) = 7, w(3,2) = 0; by hand. */
START_TEST(the_known_answer)
{
    static const int64_t want[3][3] = {{0, -6, -6}, {10, 0, 3}, {7, 0, 0}};
    struct constraints c = graph_new(3);
    struct dense d;
    csy_error error;
    graph_set(&c, 0, 1, 0);
    graph_set(&c, 0, 2, -6);
    graph_set(&c, 1, 2, 3);
    graph_set(&c, 2, 0, 7);
    graph_set(&c, 2, 1, 0);
    ck_ok(dense_close(&c, 0, 1, &d, &error), error);
    for (size_t s = 0; s < 3; s++)
        for (size_t t = 0; t < 3; t++)
            ck_assert_int_eq(dense_bound(&d, s, t), want[s][t]);
    dense_fini(&d);
    constraints_fini(&c);
}
END_TEST

START_TEST(sums_have_room)
{
    static const char text[] = "the differences between clocks are too large for 64-bit arithmetic";
    struct constraints c = graph_new(3);
    struct dense d;
    csy_error error;
    int64_t edge = WALK_FAR / 4 - 1;
    graph_set(&c, 0, 1, edge);
    graph_set(&c, 1, 2, edge);
    graph_set(&c, 2, 1, -edge);
    ck_ok(dense_close(&c, 0, 1, &d, &error), error);
    ck_assert_int_eq(dense_bound(&d, 0, 2), 2 * edge);
    ck_assert_int_eq(dense_bound(&d, 2, 1), -edge);
    ck_assert_int_eq(dense_bound(&d, 2, 0), WALK_INF);
    dense_fini(&d);
    ck_refused(dense_close(&c, 1, 1, &d, &error), CSY_INPUT, error, text);
    ck_refused(dense_check_range(&c, INT64_MAX, &error), CSY_INPUT, error, text);
    graph_set(&c, 2, 1, -edge - 1);
    ck_refused(dense_close(&c, 0, 1, &d, &error), CSY_INPUT, error, text);
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("dense");
    tcase_add_test(tests, bounds_are_the_best_paths);
    tcase_add_test(tests, bounds_are_those_of_bellman_and_ford);
    tcase_add_test(tests, true_offsets_lie_inside);
    tcase_add_test(tests, the_known_answer);
    tcase_add_test(tests, sums_have_room);
    return unit_run();
}
