/* Pairs of changes that may be in either order: where so many are near one another that to look at
 * them takes long, that is given up soon, also if nothing comes after them. */
#include "support.h"

#include "analysis/ranges/swaps.h"

#include <stdlib.h>

enum { CLOCKS = 600, REACH = 1 << 20 };

/* Each actor begins, all about the same time; and then one much later, or none. */
static void crowd(struct swaps *v, bool later)
{
    for (uint32_t i = 0; i < CLOCKS; i++) {
        const struct change change = {.global_ticks = i, .clock = i, .actor = i, .sign = 1};
        ck_assert(swaps_take(v, &change));
    }
    const struct change last = {.global_ticks = INT64_C(16) * REACH, .actor = 0, .sign = -1};
    ck_assert(!later || swaps_take(v, &last));
    ck_assert(swaps_end(v));
}

START_TEST(soon)
{
    const uint64_t all = (uint64_t)CLOCKS * CLOCKS / 2 * 2 * CLOCKS; /* partners of all pairs */
    int64_t *matrix = calloc((size_t)CLOCKS * CLOCKS, sizeof *matrix);
    csy_error error;
    ck_assert_ptr_nonnull(matrix);
    for (size_t i = 0; i < (size_t)CLOCKS * CLOCKS; i++)
        matrix[i] = i % (CLOCKS + 1) ? REACH : 0;
    const struct reach reach = {.n = CLOCKS, .matrix = matrix, .greatest = REACH};
    for (int later = 0; later < 2; later++) {
        struct swaps v;
        ck_ok(swaps_init(&v, &reach, CLOCKS, 1, &error), error);
        v.may_give_up = true;
        crowd(&v, later);
        ck_assert(v.given_up);
        ck_assert_uint_gt(v.work, 0);
        ck_assert_uint_lt(v.work, all / 8);
        swaps_fini(&v);
    }
    free(matrix);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("swaps");
    tcase_add_test(tests, soon);
    return unit_run();
}
