/* Piecewise linear clocks: at every reading what a straight line between the given ages says,
 * rounded down. */
#include "support.h"

#include "clock/knots.h"

#include <stdlib.h>

enum { READINGS = 12, SPAN = 200 };

static int128 between(const int64_t *local, const int128 *ages, size_t n, int64_t rate, int64_t x)
{
    size_t i = 0;
    if (x < local[0])
        return ages[0] + (int128)rate * (x - local[0]);
    while (i + 1 < n && local[i + 1] <= x)
        i++;
    if (i + 1 == n)
        return ages[i] + (int128)rate * (x - local[i]);
    return ages[i] + floor_div((ages[i + 1] - ages[i]) * (x - local[i]), local[i + 1] - local[i]);
}

static struct knot *items_of(const int64_t *local, const int128 *ages, size_t n)
{
    struct knot *items = malloc(n * sizeof *items);
    ck_assert_ptr_nonnull(items);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct knot){local[i], ages[i]};
    return items;
}

START_TEST(ages_are_on_straight_lines)
{
    size_t fewer = 0, trials = (size_t)trials_of(3000);
    for (size_t trial = 0; trial < trials; trial++) {
        struct random r = random_trial(trial);
        int64_t local[READINGS], rate = random_between(&r, -5, 5), at = random_between(&r, -99, 99);
        int128 ages[READINGS], age = random_between(&r, -1000, 1000);
        size_t n = (size_t)random_between(&r, 1, READINGS);
        int64_t scale = random_chance(&r, 20) ? (int64_t)1 << 40 : 1, slope = 0;
        struct knots knots;
        for (size_t i = 0; i < n; i++) {
            int64_t step = random_between(&r, 1, 20);
            slope = random_chance(&r, 50) ? slope : random_between(&r, -3, 3);
            local[i] = at;
            ages[i] = age * scale;
            at += step;
            age += slope * step + (random_chance(&r, 20) ? 1 : 0);
        }
        knots_make(items_of(local, ages, n), n, rate, &knots);
        ck_assert(knots.count >= 1 && knots.count <= n);
        fewer += knots.count < n;
        for (int64_t x = local[0] - SPAN; x < local[n - 1] + SPAN; x++) {
            int128 want = between(local, ages, n, rate, x);
            ck_assert(knots_age(&knots, x) == want);
            ck_assert(knots_global(&knots, x) == x + floor_div(want, AGE_UNIT));
        }
        knots_fini(&knots);
    }
    ck_assert(fewer > trials / 4 && fewer < trials);
}
END_TEST

/* Ages of 2^93, readings of 2^58: nothing overflows. */
START_TEST(great_numbers_are_exact)
{
    const int64_t local[] = {-((int64_t)1 << 58), (int64_t)1 << 58};
    const int128 ages[] = {-((int128)1 << 93), ((int128)1 << 88) - ((int128)1 << 93) + 1};
    struct knots knots;
    knots_make(items_of(local, ages, 2), 2, 0, &knots);
    ck_assert(knots_age(&knots, 0) == ages[0] + ((int128)1 << 87));
    ck_assert(knots_age(&knots, local[1]) == ages[1]);
    ck_assert(knots_age(&knots, local[1] - 1) == ages[1] - ((int128)1 << 29) - 1);
    knots_fini(&knots);
    ck_assert(knots_part(((int128)1 << 120) + 7, 1, 3) == (((int128)1 << 120) + 7) / 3);
    ck_assert(knots_part(-7, 1, 2) == -4);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("knots");
    tcase_add_test(tests, ages_are_on_straight_lines);
    tcase_add_test(tests, great_numbers_are_exact);
    return unit_run();
}
