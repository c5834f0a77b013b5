/* A stretch that was counted apart comes to what it does when its events are noted one by one. */
#include "support.h"

#include "order/inversions.h"

#include <stdlib.h>

/* Times that go up by and large, and fall behind now and then. */
static int64_t draw_time(struct random *r, int64_t now, int64_t scatter)
{
    return now + random_between(r, -scatter, scatter);
}

START_TEST(stretches_apart)
{
    static struct inversions_apart apart;
    int added = 0, refused = 0;
    for (int trial = 0; trial < trials_of(2000); trial++) {
        struct random r = random_trial((uint64_t)trial);
        struct inversions one = {.greatest_ticks = INT64_MIN}, joined = one;
        int64_t now = 0, scatter = random_between(&r, 0, 3) * random_between(&r, 0, 400);
        for (int stretch = 0; stretch < 4; stretch++) {
            struct inversions before = joined;
            int n = (int)random_between(&r, 0, INVERSIONS_KEPT + 200);
            now -= random_chance(&r, 20) ? random_between(&r, 0, INVERSIONS_KEPT + 100) : 0;
            inversions_apart_begin(&apart);
            for (int i = 0; i < n; i++) {
                int64_t time = draw_time(&r, now++, scatter);
                inversions_note(&one, time);
                inversions_apart_note(&apart, time);
            }
            if (inversions_add(&joined, &apart)) {
                added++;
            } else { /* nothing is done */
                ck_assert_mem_eq(&joined, &before, sizeof joined);
                ck_assert_int_gt(joined.greatest_ticks, apart.greatest_kept_ticks);
                joined = one;
                refused++;
            }
            ck_assert_int_eq(joined.greatest_ticks, one.greatest_ticks);
            ck_assert_uint_eq(joined.count, one.count);
            ck_assert_int_eq(joined.largest_ticks, one.largest_ticks);
        }
    }
    ck_assert_int_gt(added, trials_of(6000));
    ck_assert_int_gt(refused, 0);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("inversions");
    tcase_add_test(tests, stretches_apart);
    return unit_run();
}
