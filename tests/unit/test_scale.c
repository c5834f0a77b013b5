/* Numbers to places on paper: in order, within their room, and the same on every machine. */
#include "output/encode/scale.h"
#include "support.h"

/* Any ticks up to `most`, small ones as often as large ones. */
static int64_t draw_ticks(struct random *r, int64_t most)
{
    int64_t ticks = (int64_t)(random_bits(r) >> random_between(r, 1, 63));
    return ticks > most ? most : ticks;
}

START_TEST(places_are_in_order)
{
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(2000); trial++) {
        struct random r = random_trial(trial);
        int64_t most = draw_ticks(&r, INT64_MAX - 1);
        struct scale scale = {most, random_chance(&r, 50)};
        int room = (int)random_between(&r, 1, 10000);
        int64_t a = draw_ticks(&r, most), b = draw_ticks(&r, most);
        int at_a = scale_place(&scale, a, room), at_b = scale_place(&scale, b, room);
        ck_assert(at_a >= 0 && at_a <= room);
        ck_assert((a <= b && at_a <= at_b) || (a >= b && at_a >= at_b));
        ck_assert_int_eq(scale_place(&scale, 0, room), 0);
        ck_assert_int_eq(scale_place(&scale, most, room), most ? room : 0);
    }
}
END_TEST

START_TEST(shades_begin_where_they_begin)
{
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(2000); trial++) {
        struct random r = random_trial(trial);
        struct scale scale = {draw_ticks(&r, INT64_MAX - 1), random_chance(&r, 50)};
        for (int shade = 0; shade < SHADES; shade++) {
            int64_t begin = scale_step_begin(&scale, shade, SHADES);
            ck_assert_int_le(begin, scale.most + 1);
            if (begin <= scale.most)
                ck_assert_int_ge(scale_step(&scale, begin, SHADES), shade);
            if (begin > 0)
                ck_assert_int_lt(scale_step(&scale, begin - 1, SHADES), shade);
        }
    }
}
END_TEST

START_TEST(logarithms_are_right)
{
    struct scale scale = {(1 << 20) - 1, true};
    ck_assert_int_eq(scale_place(&scale, 1, 2000), 100);
    ck_assert_int_eq(scale_place(&scale, 1023, 2000), 1000);
    ck_assert_int_eq(scale_place(&scale, 2, 2000), 158); /* 100 log2(3) = 158.496 */
    ck_assert_int_eq(scale_place(&scale, 999999, 2000), 1993);
}
END_TEST

START_TEST(outliers_make_it_logarithmic)
{
    ck_assert(!scale_make(0, 0).logarithmic);
    ck_assert(!scale_make(24, 1).logarithmic);
    ck_assert(!scale_make(249, 10).logarithmic);
    ck_assert(scale_make(264, 10).logarithmic);
    ck_assert(scale_make(INT64_MAX, 10).logarithmic);
}
END_TEST

START_TEST(nice_numbers)
{
    static const int64_t nice[][2] = {{0, 1},  {1, 1},   {2, 2},   {3, 5},    {5, 5},
                                      {6, 10}, {10, 10}, {11, 20}, {51, 100}, {1000001, 2000000}};
    for (size_t i = 0; i < sizeof nice / sizeof *nice; i++)
        ck_assert(scale_nice(nice[i][0]) == nice[i][1]);
}
END_TEST

START_TEST(moments_have_the_digits_of_their_step)
{
    char text[MOMENT_TEXT_MAX];
    ck_assert_str_eq(moment_text(0, 500000, 4000000, text), "0");
    ck_assert_str_eq(moment_text(500000, 500000, 4000000, text), "0.5 ms");
    ck_assert_str_eq(moment_text(2000000, 500000, 4000000, text), "2.0 ms");
    ck_assert_str_eq(moment_text(2000, 1000, 8000, text), "2 \u00b5s");
    ck_assert_str_eq(moment_text(7, 1, 9, text), "7 ns");
    ck_assert_str_eq(moment_text(1050000000, 50000000, 1200000000, text), "1.05 s");
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("scale");
    tcase_add_test(tests, places_are_in_order);
    tcase_add_test(tests, shades_begin_where_they_begin);
    tcase_add_test(tests, logarithms_are_right);
    tcase_add_test(tests, outliers_make_it_logarithmic);
    tcase_add_test(tests, nice_numbers);
    tcase_add_test(tests, moments_have_the_digits_of_their_step);
    return unit_run();
}
