/*
 * The paper's relaxation: by hand, against a plain transcription of its text, and between the
 * bounds that the model gives for it.
 */
#include "graph/constraints.h"
#include "graphs.h"

static csy_fraction relax(const struct constraints *c)
{
    csy_fraction added;
    csy_error error;
    ck_ok(paper_relax(c, &added, &error), error);
    return added;
}

START_TEST(feasible_graphs_are_left_alone)
{
    struct constraints c = graph_new(3);
    graph_set(&c, 0, 1, -5);
    graph_set(&c, 1, 0, 5);
    graph_set(&c, 1, 2, -100);
    graph_set(&c, 2, 2, -7); /* a step back is no edge of the paper's graph */
    csy_fraction added = relax(&c);
    ck_assert(added.num == 0 && added.den == 1);
    constraints_fini(&c);
}
END_TEST

/* A step of the procedure, in units of 2^-UNIT_BITS ticks: the lowest negative diagonal entry after
 * the first phase that has one, or 0. */
enum { UNIT_BITS = 40 };

static int128 first_negative(const struct constraints *c, int128 added)
{
    const int128 far = (int128)1 << 110;
    int128 w[THREADS_MAX][THREADS_MAX];
    size_t n = c->count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int64_t weight = constraints_weight(c, i, j);
            w[i][j] = weight == WALK_INF ? far : weight * ((int128)1 << UNIT_BITS) + added;
            w[i][j] = i == j ? 0 : w[i][j];
        }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (w[i][k] < far / 2 && w[k][j] < far / 2 && w[i][k] + w[k][j] < w[i][j])
                    w[i][j] = w[i][k] + w[k][j];
        for (size_t i = 0; i < n; i++)
            if (w[i][i] < 0)
                return w[i][i];
    }
    return 0;
}

/*
 * Threads 0, 1, 2 with
 *
 *   w(0,1) = -1, w(1,0) = -2, w(1,2) = 1, w(2,1) = -1, w(2,0) = -6
 *
 * k = 0: w(1,1) = w(1,0) + w(0,1) = -3: the lowest negative diagonal entry.  Add 3/2 to every edge:
 *
 *   w(0,1) = 1/2, w(1,0) = -1/2, w(1,2) = 5/2, w(2,1) = 1/2, w(2,0) = -9/2
 *
 * k = 0: w(1,1) = 0; w(2,1) = w(2,0) + w(0,1) = -4.
 * k = 1: w(0,2) = 1/2 + 5/2 = 3; w(2,0) = min(-9/2, -4 - 1/2) = -9/2; w(2,2) = -4 + 5/2 = -3/2.
 *        w(0,0) = 1/2 - 1/2 = 0.  The lowest is i = 2 with d = 3/2: add 3/4, 9/4 in all.
 *
 *   w(0,1) = 5/4, w(1,0) = 1/4, w(1,2) = 13/4, w(2,1) = 5/4, w(2,0) = -15/4
 *
 * k = 0: w(2,1) = min(5/4, -15/4 + 5/4) = -10/4.
 * k = 1: w(2,2) = -10/4 + 13/4 = 3/4 is not below 0; w(0,2) = 5/4 + 13/4 = 18/4.
 * k = 2: w(0,0) = min(0, 18/4 - 15/4) = 0.  No diagonal entry is negative: done, 9/4 was added.
 *
 * The cycle 0 -> 1 -> 2 -> 0, of weight -6 and length 3, needs only 2.
 */
START_TEST(an_example_by_hand)
{
    struct constraints c = graph_new(3);
    csy_fraction mean;
    graph_set(&c, 0, 1, -1);
    graph_set(&c, 1, 0, -2);
    graph_set(&c, 1, 2, 1);
    graph_set(&c, 2, 1, -1);
    graph_set(&c, 2, 0, -6);
    const int128 quarter = (int128)1 << (UNIT_BITS - 2);
    ck_assert(first_negative(&c, 0) == -12 * quarter);
    ck_assert(first_negative(&c, 6 * quarter) == -6 * quarter);
    ck_assert(first_negative(&c, 9 * quarter) == 0);
    csy_fraction added = relax(&c);
    ck_assert_int_eq(added.num, 9);
    ck_assert_int_eq(added.den, 4);
    ck_assert(least_cycle_mean(&c, false, &mean));
    ck_assert(fraction_make(mean.num, mean.den, &mean));
    ck_assert(mean.num == -2 && mean.den == 1);
    constraints_fini(&c);
}
END_TEST

/* The procedure again; false where the units are too coarse. */
static bool transcribe(const struct constraints *c, csy_fraction *added)
{
    int128 sum = 0, negative;
    while ((negative = first_negative(c, sum)) < 0) {
        if (negative % 2 != 0)
            return false;
        sum += -negative / 2;
    }
    return fraction_make(sum, (int128)1 << UNIT_BITS, added);
}

/* Feasible with what was added; with no more than T/2 times what is needed ([BHH08] adds half of a
 * whole cycle's contradiction to each of its edges, of which there are at least two). */
static void assert_bounds(const struct constraints *c, csy_fraction added, int trial)
{
    struct cycle cycle;
    csy_error error;
    csy_fraction mean = {0, 1};
    if (!least_cycle_mean(c, false, &mean) || mean.num > 0)
        mean = (csy_fraction){0, 1};
    int128 needed = -(int128)mean.num * added.den, got = (int128)added.num * mean.den;
    if (got < needed || 2 * got > (int128)c->count * needed)
        ck_abort_msg("trial %d: added %lld/%lld, needed %lld/%lld", trial, (long long)added.num,
                     (long long)added.den, (long long)-mean.num, (long long)mean.den);
    ck_ok(cycle_find(c, added, false, &cycle, &error), error);
    ck_assert_uint_eq(cycle.length, 0);
    cycle_fini(&cycle);
}

START_TEST(random_graphs)
{
    int relaxed = 0, compared = 0;
    for (int trial = 0; trial < 3000; trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct constraints c = graph_draw(&r, 9, (int)random_between(&r, 10, 90), -8, 12);
        csy_fraction want, added = relax(&c);
        assert_bounds(&c, added, trial);
        relaxed += added.num > 0;
        if (transcribe(&c, &want)) {
            compared++;
            if (added.num != want.num || added.den != want.den)
                ck_abort_msg("trial %d: added %lld/%lld, want %lld/%lld", trial,
                             (long long)added.num, (long long)added.den, (long long)want.num,
                             (long long)want.den);
        }
        constraints_fini(&c);
    }
    printf("%d graphs relaxed between the needed and T/2 times that, %d of 3000 equal a plain "
           "transcription\n",
           relaxed, compared);
    fflush(stdout);
    ck_assert_int_gt(relaxed, 1000);
    ck_assert_int_gt(compared, 2900);
}
END_TEST

/* What it adds is known to be enough: the stamps of random traces with jitter. */
START_TEST(random_traces)
{
    for (int trial = 0; trial < 150; trial++) {
        struct random r = random_trial(5000 + (uint64_t)trial);
        struct events e;
        events_draw(&r, &e, random_between(&r, 1, 40));
        struct constraints c = graph_of(&e, LINE_NEIGHBOURS);
        assert_bounds(&c, relax(&c), trial);
        constraints_fini(&c);
    }
}
END_TEST

/* Cycles 0 -> 1 -> i -> 0 for i = 2, 3, ..., met in this order.  With a added so far, the i-th
 * misses d = -w(i,0) - 3 a, at most one tick, and d/2 has one bit more than a.  Returns what is
 * added in all, in units of 2^-64 ticks. */
static int128 fan(struct constraints *c, size_t ncycles)
{
    const int128 tick = (int128)1 << 64;
    int128 added = 0;
    graph_set(c, 0, 1, 0);
    for (size_t i = 2; i < ncycles + 2; i++) {
        int64_t weight = -(int64_t)(floor_div(3 * added, tick) + 1);
        graph_set(c, 1, i, 0);
        graph_set(c, i, 0, weight);
        added += (-weight * tick - 3 * added) / 2;
    }
    return added;
}

START_TEST(fractions_may_grow_too_fine)
{
    csy_fraction added;
    csy_error error;
    struct constraints c = graph_new(42);
    int128 want = fan(&c, 40);
    ck_ok(paper_relax(&c, &added, &error), error);
    ck_assert_int_eq(added.den, (int64_t)1 << 40);
    ck_assert(added.num * ((int128)1 << 24) == want);
    constraints_fini(&c);
    c = graph_new(64);
    fan(&c, 62);
    ck_refused(paper_relax(&c, &added, &error), CSY_INPUT, error,
               "the paper's relaxation needs a finer fraction than 64 bits hold");
    constraints_fini(&c);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("paper");
    tcase_add_test(tests, feasible_graphs_are_left_alone);
    tcase_add_test(tests, an_example_by_hand);
    tcase_add_test(tests, random_graphs);
    tcase_add_test(tests, random_traces);
    tcase_add_test(tests, fractions_may_grow_too_fine);
    return unit_run();
}
