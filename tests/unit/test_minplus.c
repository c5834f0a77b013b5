/* Min-plus rows: sums and minima as 128-bit arithmetic gives them, infinity kept apart from
 * walks. */
#include "graph/minplus.h"
#include "support.h"

enum { ROW = 24 };

/* A walk, one that is not there, or one at the end of the range. */
static int64_t draw_walk(struct random *r)
{
    int64_t kind = random_between(r, 0, 9);
    if (kind < 2)
        return WALK_INF;
    if (kind == 2)
        return random_chance(r, 50) ? WALK_MAX : -WALK_MAX;
    return (int64_t)random_bits(r) >> random_between(r, 5, 60);
}

static int64_t wide_sum(int64_t a, int64_t b)
{
    return a == WALK_INF || b == WALK_INF ? WALK_INF : (int64_t)((int128)a + b);
}

START_TEST(rows_are_lowered)
{
    for (int trial = 0; trial < trials_of(20000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        int64_t to[ROW], through[ROW], want[ROW], first = draw_walk(&r);
        size_t n = (size_t)random_between(&r, 0, ROW);
        bool fits = true;
        first = first == WALK_INF ? 0 : first;
        for (size_t i = 0; i < n; i++) {
            to[i] = draw_walk(&r);
            through[i] = draw_walk(&r);
            int64_t sum = wide_sum(first, through[i]);
            want[i] = sum < to[i] ? sum : to[i];
            fits &= want[i] == WALK_INF || (want[i] <= WALK_MAX && want[i] >= -WALK_MAX);
        }
        if (minplus_row(to, through, first, n) != fits)
            ck_abort_msg("trial %d: fits is not %d", trial, fits);
        for (size_t i = 0; i < n; i++)
            if (to[i] != want[i])
                ck_abort_msg("trial %d: [%zu]", trial, i);
    }
}
END_TEST

START_TEST(matrices_are_passed_through)
{
    int closed = 0;
    for (int trial = 0; trial < trials_of(5000); trial++) {
        struct random r = random_trial(60000 + (uint64_t)trial);
        static int64_t d[ROW * ROW], want[ROW * ROW];
        size_t n = (size_t)random_between(&r, 1, ROW),
               v = (size_t)random_between(&r, 0, (int64_t)n - 1);
        bool in_range = random_chance(&r, 50), want_fits = true, fits, want_open = true;
        for (size_t i = 0; i < (size_t)ROW * ROW; i++) {
            int64_t walk = draw_walk(&r);
            walk = in_range && walk != WALK_INF ? walk >> 2 : walk;
            d[i] = want[i] = i / ROW < n && i % ROW < n ? walk : WALK_INF;
        }
        d[v * ROW + v] = want[v * ROW + v] = WALK_INF;
        for (size_t a = 0; a < n; a++) {
            int64_t *row = want + a * ROW, first = row[v];
            d[a * ROW + a] = row[a] = a == v ? WALK_INF : 0;
            if (a == v || first == WALK_INF)
                continue;
            want_fits &= minplus_row(row, want + v * ROW, first, n);
            want_open &= row[a] >= 0;
        }
        ck_assert_int_eq(minplus_through(d, ROW, n, v, &fits), want_open);
        ck_assert_int_eq(fits, want_fits);
        ck_assert_int_eq(memcmp(d, want, sizeof d), 0);
        closed += !want_open;
    }
    ck_assert_of_trials(closed > trials_of(1000) && closed < trials_of(4900));
}
END_TEST

START_TEST(walks_are_added)
{
    for (int trial = 0; trial < trials_of(20000); trial++) {
        struct random r = random_trial(30000 + (uint64_t)trial);
        int64_t a = draw_walk(&r), b = draw_walk(&r), least = a;
        if (walk_add(a, b) != wide_sum(a, b))
            ck_abort_msg("trial %d: walk_add", trial);
        walk_lower(&least, b);
        if (least > a || least > b || (least != a && least != b))
            ck_abort_msg("trial %d: walk_lower", trial);
    }
    ck_assert_int_eq(walk_add(WALK_INF, WALK_INF), WALK_INF);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("minplus");
    tcase_add_test(tests, rows_are_lowered);
    tcase_add_test(tests, matrices_are_passed_through);
    tcase_add_test(tests, walks_are_added);
    return unit_run();
}
