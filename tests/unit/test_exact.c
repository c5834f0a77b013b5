/*
 * The exact relaxation: the least 2 delta is minus the least mean of the cycles of all pairs of
 * events, by Karp's algorithm; the witness is a simple cycle of records in their order that asks
 * for exactly that.
 */
#include "graph/exact.h"
#include "support.h"
#include "swept.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES_MAX = 30 };

/* What the whole graph needs: max(0, -least cycle mean). */
static csy_fraction least_twice(const struct events *e)
{
    csy_fraction mean;
    struct constraints c = graph_of(e, LINE_ALL);
    bool found = least_cycle_mean(&c, true, &mean);
    constraints_fini(&c);
    if (!found || mean.num > 0)
        return (csy_fraction){0, 1};
    ck_assert(fraction_make(-(int128)mean.num, mean.den, &mean));
    return mean;
}

/* Records of the trace, each edge from an earlier to a later one, no thread twice. */
static bool is_simple_cycle(const struct exact *exact, const struct events *e)
{
    uint64_t seen = 0;
    for (size_t i = 0; i < exact->nwitness; i++) {
        const struct point *from = &exact->witness[i].from, *to = &exact->witness[i].to;
        const struct point *next = &exact->witness[(i + 1) % exact->nwitness].from;
        uint64_t bit = (uint64_t)1 << from->thread;
        if (from->position >= to->position || to->thread != next->thread || seen & bit)
            return false;
        seen |= bit;
        for (int end = 0; end < 2; end++) {
            const struct point *point = end ? to : from;
            if (point->thread != e->thread[point->position] || point->x != e->x[point->position] ||
                point->local_ticks != e->local[point->position] ||
                point->place != 10 * point->position)
                return false;
        }
    }
    return exact->nwitness > 0;
}

/* Passes until one raises nothing. */
static csy_status find_delta(struct exact *exact, const struct events *e, const struct lasts *lasts,
                             size_t eager_max, csy_error *error)
{
    csy_status status;
    int passes = 0;
    exact_init(exact, (csy_fraction){0, 1}, true);
    exact->eager_max = eager_max;
    do {
        status = exact_events(exact, e, lasts, error);
        ck_assert_int_lt(passes++, PASSES_MAX);
    } while (!status && exact->raised);
    return status;
}

static bool same(csy_fraction a, csy_fraction b)
{
    return a.num == b.num && a.den == b.den;
}

static void assert_least(const struct events *e, const struct lasts *lasts, csy_fraction want,
                         int trial)
{
    struct exact exact;
    csy_error error;
    csy_fraction asked;
    ck_ok(find_delta(&exact, e, lasts, trial % 2 ? 0 : (size_t)trial % 7, &error), error);
    if (!same(exact.twice, want))
        ck_abort_msg("trial %d: 2 delta = %lld/%lld, want %lld/%lld", trial,
                     (long long)exact.twice.num, (long long)exact.twice.den, (long long)want.num,
                     (long long)want.den);
    if (want.num == 0) {
        ck_assert_uint_eq(exact.nwitness, 0);
    } else {
        ck_assert(is_simple_cycle(&exact, e));
        ck_assert(fraction_make(-walk_weight(exact.witness, exact.nwitness), (int128)exact.nwitness,
                                &asked));
        ck_assert(same(asked, want));
    }
    exact_fini(&exact);
}

START_TEST(the_least_delta_is_found)
{
    int relaxed = 0, fractions = 0;
    for (int trial = 0; trial < 700; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct events e;
        events_draw(&r, &e, random_between(&r, 0, 40));
        struct lasts lasts = lasts_draw(&r, &e);
        csy_fraction want = least_twice(&e);
        assert_least(&e, &lasts, want, trial);
        relaxed += want.num > 0;
        fractions += want.den > 1;
    }
    printf("%d of 700 traces relaxed, %d by fractions\n", relaxed, fractions);
    fflush(stdout);
    ck_assert_int_gt(relaxed, 400);
    ck_assert_int_gt(fractions, 50);
}
END_TEST

/* Stamps that are 2^48 times as large, whose keys do not fit 64 bits from some raise or sum on: the
 * same witness, and as much larger a delta. */
START_TEST(large_stamps_have_the_same_witness)
{
    const int64_t scale = (int64_t)1 << 48;
    int relaxed = 0, fractions = 0;
    for (int trial = 0; trial < 300; trial++) {
        struct random r = random_trial(4000 + (uint64_t)trial);
        struct events e;
        struct exact small, large;
        csy_error error;
        events_draw(&r, &e, random_between(&r, 1, 40));
        for (size_t i = 0; i < e.n; i++)
            e.x[i] %= 500;
        struct lasts lasts = lasts_draw(&r, &e);
        ck_ok(find_delta(&small, &e, &lasts, trial % 2 ? 0 : 100, &error), error);
        for (size_t i = 0; i < e.n; i++)
            e.x[i] *= scale;
        ck_ok(find_delta(&large, &e, &lasts, trial % 2 ? 0 : 100, &error), error);
        csy_fraction want;
        ck_assert(fraction_make((int128)small.twice.num * scale, small.twice.den, &want));
        ck_assert(same(large.twice, want) && large.nwitness == small.nwitness);
        for (size_t i = 0; i < small.nwitness; i++)
            ck_assert(large.witness[i].from.position == small.witness[i].from.position &&
                      large.witness[i].to.position == small.witness[i].to.position);
        relaxed += small.twice.num > 0;
        fractions += small.twice.den > 1;
        exact_fini(&small);
        exact_fini(&large);
    }
    ck_assert(relaxed > 150 && fractions > 15);
}
END_TEST

/* At a given delta: infeasible exactly below the least, with a cycle that says so. */
START_TEST(given_deltas_are_tested)
{
    int refused = 0;
    for (int trial = 0; trial < 700; trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct events e;
        struct exact exact;
        csy_error error;
        csy_fraction given, least;
        events_draw(&r, &e, random_between(&r, 0, 20));
        struct lasts lasts = lasts_draw(&r, &e);
        least = least_twice(&e);
        given = least;
        if (random_chance(&r, 80))
            ck_assert(fraction_make(random_between(&r, 0, 60), random_between(&r, 1, 6), &given));
        bool want = (int128)given.num * least.den < (int128)least.num * given.den;
        exact_init(&exact, given, false);
        exact.eager_max = trial % 2 ? 0 : 100;
        ck_ok(exact_events(&exact, &e, &lasts, &error), error);
        ck_assert(exact.raised == want);
        ck_assert(same(exact.twice, given));
        if (want) {
            ck_assert(is_simple_cycle(&exact, &e));
            ck_assert(walk_weight(exact.witness, exact.nwitness) * given.den +
                          (int128)exact.nwitness * given.num <
                      0);
        }
        refused += want;
        exact_fini(&exact);
    }
    ck_assert(refused > 100 && refused < 600);
}
END_TEST

/* One thread steps back by 7: a loop, which is a cycle of one edge. */
START_TEST(a_step_back_is_a_loop)
{
    struct events e = {
        .n = 5, .nthreads = 2, .thread = {0, 1, 0, 1, 0}, .local = {10, 0, 12, 2, 5}};
    struct lasts lasts = {{5, 4}, 0};
    events_place(&e);
    assert_least(&e, &lasts, (csy_fraction){7, 1}, 0);
}
END_TEST

/* A@108 B@104 C@100 C@108 A@108, all clocks being equal before.  The pair A@108, C@100 is 8
 * ticks off and closes with C@108, A@108: a cycle of two edges, 4 each.  Neighbours alone make a
 * cycle of three edges, 8/3 each: it would loosen the pair by two edges where it deserves one. */
START_TEST(pairs_are_not_chains)
{
    struct events e = {.n = 8,
                       .nthreads = 3,
                       .thread = {0, 1, 2, 0, 1, 2, 2, 0},
                       .local = {0, 0, 0, 108, 104, 100, 108, 108}};
    struct lasts lasts = {{8, 5, 7}, 0};
    csy_fraction mean;
    events_place(&e);
    assert_least(&e, &lasts, (csy_fraction){4, 1}, 0);
    struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
    ck_assert(least_cycle_mean(&c, true, &mean));
    ck_assert_int_eq(3 * mean.num, -8 * mean.den);
    constraints_fini(&c);
}
END_TEST

START_TEST(live_threads_have_a_limit)
{
    struct exact exact;
    csy_error error;
    exact_init(&exact, (csy_fraction){0, 1}, true);
    ck_ok(exact_begin(&exact, 2, &error), error);
    for (uint32_t t = 0; t < 3; t++) {
        struct point event = {.position = t, .thread = t};
        csy_status status = exact_event(&exact, &event, &error);
        ck_assert_int_eq(status, t < 2 ? CSY_OK : CSY_MEMORY);
    }
    ck_assert_str_eq(error.text, "more than 2 threads are active at once");
    exact_fini(&exact);
}
END_TEST

/* Thread 0 steps back by 6; then a chain of threads along which bounds add up beyond 64 bits:
 * refused, or right, but no silent overflow. */
START_TEST(sums_out_of_range)
{
    const int64_t leap = ((int64_t)1 << 58) - 20;
    for (int trial = 0; trial < 20; trial++) {
        struct random r = random_trial(2000 + (uint64_t)trial);
        struct events e = {.n = 2, .nthreads = THREADS_MAX, .local = {6, 0}};
        struct exact exact;
        csy_error error;
        for (uint32_t t = 0; t + 1 < THREADS_MAX; t++) {
            const uint32_t threads[] = {t, t + 1, t, t + 1};
            const int64_t locals[] = {0, 0, leap, 0};
            memcpy(e.thread + e.n, threads, sizeof threads);
            memcpy(e.local + e.n, locals, sizeof locals);
            e.n += 4;
        }
        events_place(&e);
        struct lasts lasts = lasts_draw(&r, &e);
        csy_status status = find_delta(&exact, &e, &lasts, trial % 2 ? 0 : 100, &error);
        ck_assert(status == CSY_INPUT || same(exact.twice, (csy_fraction){6, 1}));
        exact_fini(&exact);
    }
}
END_TEST

/* Each pair of threads is a negative cycle that only eliminations find: the first is taken, and the
 * next ones do not make walks twice as long each. */
START_TEST(one_cycle_is_enough_for_a_test)
{
    enum { THREADS = 200 };
    struct exact exact;
    csy_error error;
    exact_init(&exact, (csy_fraction){0, 1}, false);
    exact.eager_max = _i == 0 ? THREADS : 0;
    ck_assert_int_eq(exact_begin(&exact, THREADS, &error), CSY_OK);
    for (uint32_t i = 0; i < 2 * THREADS; i++) {
        uint32_t thread = i < THREADS ? i : 2 * THREADS - 1 - i;
        int64_t time = i < THREADS ? 0 : thread;
        struct point point = {i, 10 * i, thread, time, time};
        ck_assert_int_eq(exact_event(&exact, &point, &error), CSY_OK);
    }
    ck_assert(!exact.raised);
    ck_assert_int_eq(exact_finish(&exact, &error), CSY_OK);
    ck_assert(exact.raised);
    ck_assert_uint_eq(exact.nwitness, 2);
    ck_assert(walk_weight(exact.witness, exact.nwitness) < 0);
    exact_fini(&exact);
}
END_TEST

/* Walks: their weights, and the cycle that asks for most. */

/* The k-th record on a walk: of a thread, at this x. */
static struct point point(uint64_t k, uint32_t thread, int64_t x)
{
    return (struct point){.position = k, .place = 100 * k, .thread = thread, .x = x};
}

START_TEST(weights_are_summed)
{
    enum { EDGES = 40 };
    const int64_t far = ((int64_t)1 << 58) - 1;
    struct edge edges[EDGES] = {{.from = point(0, 0, 5), .to = point(1, 1, 9)}};
    for (uint64_t i = 1; i < EDGES; i++)
        edges[i] = (struct edge){.from = point(2 * i, 1, far), .to = point(2 * i + 1, 1, -far)};
    ck_assert(walk_weight(edges, 0) == 0);
    ck_assert(walk_weight(edges, 1) == 4);
    ck_assert(walk_weight(edges, EDGES) == 4 - (EDGES - 1) * 2 * (int128)far);
}
END_TEST

static bool in_walk(const struct edge *edges, size_t n, const struct edge *edge)
{
    for (size_t i = 0; i < n; i++)
        if (edges[i].from.position == edge->from.position)
            return edges[i].to.x == edge->to.x && edges[i].to.thread == edge->to.thread;
    return false;
}

/* The cycle is part of the walk, closes, visits no thread twice, and asks for no less a tick an
 * edge than the whole walk does. */
static void assert_worst(const struct edge *all, size_t n, const struct edge *cycle, size_t length,
                         int trial)
{
    uint64_t seen = 0;
    bool good = length > 0 && length <= n;
    for (size_t i = 0; good && i < length; i++) {
        uint64_t bit = (uint64_t)1 << cycle[i].from.thread;
        good = in_walk(all, n, &cycle[i]) && !(seen & bit) &&
               cycle[i].to.thread == cycle[(i + 1) % length].from.thread;
        seen |= bit;
    }
    if (!good || walk_weight(cycle, length) * (int128)n > walk_weight(all, n) * (int128)length)
        ck_abort_msg("trial %d: %zu edges of %zu", trial, length, n);
}

START_TEST(worst_cycles_are_cut_out)
{
    enum { EDGES_MAX = 60 };
    for (int trial = 0; trial < 3000; trial++) {
        struct random r = random_trial(1000 + (uint64_t)trial);
        struct edge all[EDGES_MAX], cut[EDGES_MAX];
        csy_error error;
        size_t n = (size_t)random_between(&r, 1, EDGES_MAX), length;
        uint32_t threads = (uint32_t)random_between(&r, 1, 20), at = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t to = i == n - 1 ? 0 : (uint32_t)random_between(&r, 0, threads - 1);
            all[i] = (struct edge){.from = point(2 * i, at, random_between(&r, -50, 50)),
                                   .to = point(2 * i + 1, to, random_between(&r, -50, 50))};
            at = to;
        }
        memcpy(cut, all, sizeof all);
        ck_ok(walk_worst_cycle(cut, n, &length, &error), error);
        assert_worst(all, n, cut, length, trial);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("exact");
    tcase_add_loop_test(tests, one_cycle_is_enough_for_a_test, 0, 2);
    tcase_add_test(tests, the_least_delta_is_found);
    tcase_add_test(tests, large_stamps_have_the_same_witness);
    tcase_add_test(tests, given_deltas_are_tested);
    tcase_add_test(tests, a_step_back_is_a_loop);
    tcase_add_test(tests, pairs_are_not_chains);
    tcase_add_test(tests, live_threads_have_a_limit);
    tcase_add_test(tests, sums_out_of_range);
    tcase_add_test(tests, weights_are_summed);
    tcase_add_test(tests, worst_cycles_are_cut_out);
    return unit_run();
}
