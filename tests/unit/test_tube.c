/* Tubes: against every place of each instant. */
#include "analysis/ranges/tube.h"
#include "support.h"

enum { INSTANTS = 12, FAR = 12, PLACES = 2 * FAR + 1, NEVER = -1000000 };

struct case_of {
    size_t n;
    struct tube_instant items[INSTANTS];
};

/* Limits around a path, so that something fits. */
static struct case_of draw(uint64_t trial)
{
    struct random r = random_trial(trial);
    struct case_of w = {.n = (size_t)random_between(&r, 1, INSTANTS)};
    int64_t path = random_between(&r, -3, 3);
    for (size_t i = 0; i < w.n; i++) {
        int64_t step = random_between(&r, -2, 2);
        step = path + step > 8 || path + step < -8 ? 0 : step;
        int64_t slow = step - random_between(&r, 0, 2), fast = step + random_between(&r, 0, 2);
        path += i > 0 ? step : 0;
        bool same = random_chance(&r, 15); /* as the last reading */
        if (same && i > 0) {
            path -= step;
            slow = fast = 0;
        }
        w.items[i] =
            (struct tube_instant){path - random_between(&r, 0, 4), path + random_between(&r, 0, 4),
                                  slow, fast, random_between(&r, -3, 3)};
    }
    return w;
}

/* The greatest sum, place by place. */
static int64_t look_at_all(const struct case_of *w)
{
    int64_t best[PLACES], greatest = NEVER;
    for (size_t i = 0; i < w->n; i++) {
        const struct tube_instant *item = &w->items[i];
        int64_t next[PLACES];
        for (int64_t z = -FAR; z <= FAR; z++) {
            int64_t most = i == 0 ? 0 : NEVER;
            for (int64_t y = -FAR; i > 0 && y <= FAR; y++)
                if (z - y >= item->slow && z - y <= item->fast && best[y + FAR] > most)
                    most = best[y + FAR];
            bool fits = z >= item->least && z <= item->greatest && most > NEVER;
            next[z + FAR] = fits ? most + item->c * z : NEVER;
        }
        for (size_t k = 0; k < PLACES; k++)
            best[k] = next[k];
    }
    for (size_t k = 0; k < PLACES; k++)
        greatest = best[k] > greatest ? best[k] : greatest;
    return greatest;
}

START_TEST(as_all_places)
{
    for (int trial = 0; trial < trials_of(20000); trial++) {
        struct case_of w = draw((uint64_t)trial);
        struct tube tube = {.begun = false};
        int128 greatest;
        for (size_t i = 0; i < w.n; i++)
            ck_assert(tube_add(&tube, &w.items[i]));
        ck_assert(tube_greatest(&tube, &greatest));
        ck_assert_int_eq((int64_t)greatest, look_at_all(&w));
        tube_fini(&tube);
    }
}
END_TEST

/* Many small steps: breakpoints become more than are kept, and the sum is not below the greatest
 * sum, which a tube without a limit on breakpoints has. */
START_TEST(keeps_few_breakpoints)
{
    enum { MANY = 400 };
    struct random r = random_trial((uint64_t)_i);
    struct tube tube = {.begun = false};
    const int128 wide = (int128)1 << 60;
    int128 greatest, at_zero = 0, drawn = 0, h = 0;
    for (int i = 0; i < MANY; i++) {
        int64_t c = i % 2 ? -3 : 3, fast = random_between(&r, 1, 1000000);
        struct tube_instant instant = {-wide, wide, -1, fast, c};
        ck_assert(tube_add(&tube, &instant));
        ck_assert_uint_le(tube.count, TUBE_BREAKS_MAX);
        h += i > 0 ? random_between(&r, -1, fast) : 0; /* a path that fits */
        drawn += c * h;
    }
    ck_assert(tube_greatest(&tube, &greatest));
    ck_assert(greatest >= at_zero);
    ck_assert(greatest >= drawn);
    tube_fini(&tube);
}
END_TEST

START_TEST(without_instants)
{
    const struct tube tube = {.begun = false};
    int128 greatest = 1;
    ck_assert(tube_greatest(&tube, &greatest));
    ck_assert_int_eq((int64_t)greatest, 0);
}
END_TEST

START_TEST(says_what_leaves_127_bits)
{
    const int128 huge = (int128)1 << 100;
    const struct tube_instant first = {-huge, huge, 0, 0, INT64_MAX};
    const struct tube_instant second = {0, 1, 0, huge, INT64_MAX};
    struct tube tube = {.begun = false};
    int128 greatest;
    ck_assert(tube_add(&tube, &first));
    ck_assert(!tube_greatest(&tube, &greatest));
    ck_assert(tube_add(&tube, &second));
    ck_assert(!tube_greatest(&tube, &greatest));
    tube_fini(&tube);
}
END_TEST

START_TEST(says_what_does_not_fit)
{
    const struct tube_instant first = {0, 5, 0, 0, 1};
    const struct tube_instant second = {20, 30, 0, 10, 1};
    struct tube tube = {.begun = false};
    int128 greatest;
    ck_assert(tube_add(&tube, &first));
    ck_assert(tube_add(&tube, &second));
    ck_assert(!tube_greatest(&tube, &greatest));
    tube_fini(&tube);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("tube");
    tcase_add_test(tests, as_all_places);
    tcase_add_loop_test(tests, keeps_few_breakpoints, 0, trials_of(50));
    tcase_add_test(tests, without_instants);
    tcase_add_test(tests, says_what_leaves_127_bits);
    tcase_add_test(tests, says_what_does_not_fit);
    return unit_run();
}
