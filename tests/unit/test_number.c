/* Exact numbers: floors, fractions and what is printed of them, against their definitions. */
#include "base/number.h"
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

START_TEST(floor_and_ceil_by_hand)
{
    static const struct {
        int num, den, floor, ceil;
    } cases[] = {{7, 2, 3, 4},   {-7, 2, -4, -3}, {6, 2, 3, 3},   {-6, 2, -3, -3},
                 {0, 5, 0, 0},   {1, 5, 0, 1},    {-1, 5, -1, 0}, {4, 5, 0, 1},
                 {-4, 5, -1, 0}, {9, 1, 9, 9},    {-9, 1, -9, -9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq((int)floor_div(cases[i].num, cases[i].den), cases[i].floor);
        ck_assert_int_eq((int)ceil_div(cases[i].num, cases[i].den), cases[i].ceil);
    }
}
END_TEST

/* q = floor(a/b) is the one integer with q b <= a < (q + 1) b, also beyond 64 bits. */
START_TEST(floor_and_ceil_by_definition)
{
    struct random r = random_trial(0);
    for (int i = 0; i < 20000; i++) {
        int64_t high = (int64_t)random_bits(&r) >> random_between(&r, 0, 63);
        int128 num =
            (int128)high * (random_chance(&r, 50) ? 1 : INT64_MAX) + random_between(&r, -9, 9);
        int128 den = 1 + (int128)(random_bits(&r) >> random_between(&r, 1, 63));
        int128 floor = floor_div(num, den), ceil = ceil_div(num, den);
        if (floor * den > num || num - floor * den >= den)
            ck_abort_msg("floor_div, try %d", i);
        if (ceil != floor + (floor * den != num))
            ck_abort_msg("ceil_div, try %d", i);
    }
}
END_TEST

/* Of any length, and of either sign. */
static int128 random_wide(struct random *r)
{
    uint128 bits = (uint128)random_bits(r) << 64 | random_bits(r);
    return (int128)(bits >> random_between(r, 1, 127)) * (random_chance(r, 50) ? 1 : -1);
}

/* Where processors have 32 bits, division is base/wide.c's: a = q b + r, r smaller than b and with
 * a's sign. */
START_TEST(quotients_and_rests_of_any_length)
{
    struct random r = random_trial(1);
    for (int i = 0; i < 20000; i++) {
        int128 a = random_wide(&r), b = random_wide(&r);
        if (b == 0)
            continue;
        int128 quotient = a / b, rest = a % b, size = rest < 0 ? -rest : rest;
        if (quotient * b + rest != a || size >= (b < 0 ? -b : b) ||
            (rest != 0 && (rest < 0) != (a < 0)))
            ck_abort_msg("signed, try %d", i);
        uint128 ua = (uint128)a, ub = (uint128)b;
        if (ua / ub * ub + ua % ub != ua || ua % ub >= ub)
            ck_abort_msg("unsigned, try %d", i);
    }
}
END_TEST

/* What a double can hold next to a size: 53 bits of it, rounded, halves to an even one. */
static uint128 rounded_to_double(uint128 size)
{
    unsigned below = 0;
    while (size >> below >> 53 != 0)
        below++;
    uint128 top = size >> below, rest = size - (top << below);
    uint128 half = below > 0 ? (uint128)1 << (below - 1) : 1;
    return (top + (rest > half || (rest == half && top % 2 == 1))) << below;
}

START_TEST(doubles_are_the_nearest)
{
    struct random r = random_trial(2);
    for (int i = 0; i < 20000; i++) {
        int128 wide = random_wide(&r) / 2;
        if (random_chance(&r, 50)) /* at, and about, where it is halfway */
            wide = (int128)(random_bits(&r) >> 10) * ((int128)1 << random_between(&r, 0, 70)) +
                   random_between(&r, -1, 1);
        uint128 want = rounded_to_double(wide < 0 ? -(uint128)wide : (uint128)wide);
        double got = (double)wide;
        if ((got < 0) != (wide < 0) || (int128)got != (wide < 0 ? -(int128)want : (int128)want))
            ck_abort_msg("to a double, try %d", i);
        if ((int128)(got / 1024) != (wide < 0 ? -(int128)(want >> 10) : (int128)(want >> 10)))
            ck_abort_msg("from a double, try %d", i);
    }
    ck_assert((int128)-0.99 == 0 && (int128)0x1p126 == (int128)1 << 126);
}
END_TEST

START_TEST(sixty_four_bits_have_ends)
{
    ck_assert(fits_int64(INT64_MAX) && fits_int64(INT64_MIN));
    ck_assert(!fits_int64((int128)INT64_MAX + 1) && !fits_int64((int128)INT64_MIN - 1));
}
END_TEST

START_TEST(fractions_are_reduced)
{
    csy_fraction f;
    ck_assert(fraction_make(6, 4, &f) && f.num == 3 && f.den == 2);
    ck_assert(fraction_make(-6, 4, &f) && f.num == -3 && f.den == 2);
    ck_assert(fraction_make(0, 7, &f) && f.num == 0 && f.den == 1);
    ck_assert(fraction_make(INT64_MIN, 1, &f) && f.num == INT64_MIN && f.den == 1);
    ck_assert(fraction_make((int128)INT64_MAX * 12, 6, &f) == false);
    ck_assert(fraction_make((int128)INT64_MAX * 6, 12, &f) && f.num == INT64_MAX && f.den == 2);
    f = (csy_fraction){5, 6};
    ck_assert(!fraction_make((int128)INT64_MAX + 1, 1, &f));
    ck_assert(!fraction_make(1, (int128)INT64_MAX + 1, &f));
    ck_assert(f.num == 5 && f.den == 6);
}
END_TEST

START_TEST(fraction_texts)
{
    static const struct {
        const char *text;
        int64_t num, den;
    } good[] = {{"0", 0, 1},
                {"3", 3, 1},
                {"7/2", 7, 2},
                {"14/4", 7, 2},
                {"0/9", 0, 1},
                {"0.5", 1, 2},
                {".5", 1, 2},
                {"0.25", 1, 4},
                {"3.000000", 3, 1},
                {"0.333333", 333333, 1000000},
                {"1/1000000", 1, 1000000},
                {"007", 7, 1},
                {"9223372036854775807", INT64_MAX, 1},
                {"18446744073709551615/3", 6148914691236517205, 1}};
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "-1",
                                      "+1",
                                      "1/",
                                      "/2",
                                      "1/0",
                                      "1/-2",
                                      "1/2/3",
                                      "1/1000001",
                                      "1.",
                                      ".",
                                      "0.1234567",
                                      "1.5/2",
                                      "1/2.5",
                                      "0x10",
                                      "1e3",
                                      "inf",
                                      "1,5",
                                      "9223372036854775808",
                                      "18446744073709551616",
                                      "9223372036854775807.5"};
    csy_fraction f;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(csy_fraction_parse(good[i].text, &f), "%s", good[i].text);
        ck_assert_msg(f.num == good[i].num && f.den == good[i].den, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        f = (csy_fraction){-5, 7};
        ck_assert_msg(!csy_fraction_parse(bad[i], &f), "\"%s\"", bad[i]);
        ck_assert(f.num == -5 && f.den == 7);
    }
}
END_TEST

/* Whatever fraction_text writes, fraction_parse reads; decimals say what they say. */
START_TEST(fractions_survive_their_text)
{
    struct random r = random_trial(1);
    char text[FRACTION_TEXT_MAX];
    for (int i = 0; i < 5000; i++) {
        csy_fraction f, again;
        int64_t num = (int64_t)(random_bits(&r) >> random_between(&r, 1, 63));
        ck_assert(fraction_make(num, random_between(&r, 1, 1 << 30), &f));
        fraction_text(f, text);
        if (!fraction_parse(text, INT64_MAX, &again) || f.num != again.num || f.den != again.den)
            ck_abort_msg("try %d: %s", i, text);
        int64_t millionths = random_between(&r, 0, 99999999);
        snprintf(text, sizeof text, "%" PRId64 ".%06" PRId64, millionths / 1000000,
                 millionths % 1000000);
        if (!csy_fraction_parse(text, &f) || (int128)f.num * 1000000 != (int128)f.den * millionths)
            ck_abort_msg("try %d: %s", i, text);
    }
    ck_assert_str_eq(fraction_text((csy_fraction){INT64_MIN, INT64_MAX}, text),
                     "-9223372036854775808/9223372036854775807");
}
END_TEST

START_TEST(denominators_have_the_limit_that_is_given)
{
    csy_fraction f;
    ck_assert(fraction_parse("1/64", 64, &f));
    ck_assert(!fraction_parse("1/65", 64, &f));
    ck_assert(fraction_parse("1/9223372036854775807", INT64_MAX, &f));
    ck_assert(f.num == 1 && f.den == INT64_MAX);
}
END_TEST

START_TEST(twice_a_fraction_is_rounded_up)
{
    static const struct {
        csy_fraction value;
        int64_t want;
    } cases[] = {{{0, 1}, 0}, {{1, 2}, 1},  {{1, 3}, 1},   {{7, 2}, 7},
                 {{5, 3}, 4}, {{-1, 3}, 0}, {{-7, 4}, -3}, {{INT64_MAX, 2}, INT64_MAX}};
    int64_t out;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert(fraction_twice_ceil(cases[i].value, &out));
        ck_assert_int_eq(out, cases[i].want);
    }
    ck_assert(!fraction_twice_ceil((csy_fraction){INT64_MAX, 1}, &out));
}
END_TEST

START_TEST(quotients_round_halves_up)
{
    static const struct {
        int64_t num, den;
        const char *want;
    } cases[] = {{0, 3, "0.000000"},
                 {1, 2, "0.500000"},
                 {1, 3, "0.333333"},
                 {2, 3, "0.666667"},
                 {-1, 3, "-0.333333"},
                 {-2, 3, "-0.666667"},
                 {1, 2000000, "0.000001"},
                 {-1, 2000000, "0.000000"},
                 {3, 2000000, "0.000002"},
                 {-3, 2000000, "-0.000001"},
                 {-1, 1999999, "-0.000001"},
                 {1, 2000001, "0.000000"},
                 {1999999, 2000000, "1.000000"},
                 {-1999999, 2000000, "-0.999999"},
                 {15, 2, "7.500000"},
                 {INT64_MIN, 1, "-9223372036854775808.000000"}};
    char text[QUOTIENT_TEXT_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(quotient_text(cases[i].num, cases[i].den, text), cases[i].want);
    ck_assert_str_eq(quotient_text((int128)1 << 99, 1, text),
                     "633825300114114700748351602688.000000");
}
END_TEST

START_TEST(quotients_of_many_digits)
{
    char text[QUOTIENT_TEXT_MAX];
    const int128 many = (int128)1 << 122;
    ck_assert_str_eq(quotient_text(many / 4, many - 1, text), "0.250000");
    ck_assert_str_eq(quotient_text(-(many - 1), many, text), "-1.000000");
    ck_assert_str_eq(microseconds_text(1, 14318000, text), "0.069842");
    ck_assert_str_eq(microseconds_text(-1, 3, text), "-333333.333333");
    ck_assert_str_eq(microseconds_text(many - 1, many / 8, text), "8000000.000000");
    ck_assert_str_eq(microseconds_text(INT64_MAX, 1, text), "9223372036854775807000000.000000");
}
END_TEST

START_TEST(means_keep_their_sums)
{
    for (uint64_t trial = 0; trial < 2000; trial++) {
        struct random r = random_trial(trial);
        uint64_t pairs = (uint64_t)random_between(&r, 1, INT64_C(1) << random_between(&r, 0, 62));
        int128 sum = (int128)random_between(&r, INT64_MIN / 2, INT64_MAX / 2) * (int128)pairs +
                     random_between(&r, 0, (int64_t)pairs);
        csy_mean mean = mean_make(sum, pairs);
        ck_assert(mean.rest < mean.pairs && mean.pairs == pairs && mean_sum(mean) == sum);
    }
    ck_assert(mean_sum(mean_make(0, 0)) == 0);
}
END_TEST

/* The text, read as millionths m, satisfies m <= 10^6 num/den + 1/2 < m + 1. */
START_TEST(quotients_by_definition)
{
    struct random r = random_trial(2);
    char text[QUOTIENT_TEXT_MAX];
    for (int i = 0; i < 20000; i++) {
        int64_t num = random_between(&r, -5000000, 5000000) * random_between(&r, 1, 100);
        int64_t den = random_between(&r, 1, random_chance(&r, 50) ? 16 : 8000000);
        quotient_text(num, den, text);
        char *dot = strchr(text, '.');
        ck_assert(dot && strlen(dot) == 7);
        memmove(dot, dot + 1, 7);
        int128 m = strtoll(text, NULL, 10);
        int128 twice = (int128)2000000 * num + den;
        if (2 * m * den > twice || twice >= 2 * (m + 1) * den)
            ck_abort_msg("try %d: %" PRId64 "/%" PRId64 " is not %s millionths", i, num, den, text);
    }
}
END_TEST

START_TEST(whole_numbers)
{
    static const struct {
        const char *text;
        uint64_t want;
    } good[] = {{"0", 0},   {"0009", 9},  {"18446744073709551615", UINT64_MAX},
                {"0x0", 0}, {"0X1f", 31}, {"0xFfFfFfFfFfFfFfFf", UINT64_MAX}};
    static const char *const bad[] = {"",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "0x",
                                      "0xg",
                                      "x1",
                                      "1x",
                                      "0x1 ",
                                      "0x10000000000000000",
                                      "1_0",
                                      "ten",
                                      "18446744073709551616",
                                      "99999999999999999999"};
    uint64_t out;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(number_parse(good[i].text, &out), "%s", good[i].text);
        ck_assert_msg(out == good[i].want, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        out = 77;
        ck_assert_msg(!number_parse(bad[i], &out), "\"%s\"", bad[i]);
        ck_assert_uint_eq(out, 77);
    }
}
END_TEST

START_TEST(decimals_by_hand)
{
    static const struct {
        int64_t num, den;
        unsigned decimals;
        const char *want;
    } cases[] = {
        {0, 1, 3, "0.000"},
        {1, 3, 1, "0.3"},
        {2, 3, 4, "0.6667"},
        {-2, 3, 4, "-0.6667"},
        {1, 2000, 3, "0.001"},
        {-1, 2000, 3, "0.000"},
        {-3, 2000, 3, "-0.001"},
        {1999, 2000, 3, "1.000"},
        {INT64_MAX, 1, 18, "9223372036854775807.000000000000000000"},
        {INT64_MIN, 1, 3, "-9223372036854775808.000"},
    };
    char text[QUOTIENT_TEXT_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int128 units = decimal_round(cases[i].num, cases[i].den, cases[i].decimals);
        ck_assert_str_eq(decimal_text(units, cases[i].decimals, text), cases[i].want);
    }
}
END_TEST

/* units is what num/den is nearest to, halves up: units - 1/2 <= num/den * 10^d < units + 1/2. */
START_TEST(decimals_by_definition)
{
    for (uint64_t trial = 0; trial < 2000; trial++) {
        struct random r = random_trial(trial);
        int64_t num = random_between(&r, -(INT64_C(1) << 50), INT64_C(1) << 50);
        int64_t den = random_between(&r, 1, INT64_C(1) << random_between(&r, 0, 50));
        unsigned decimals = (unsigned)random_between(&r, 1, 12);
        int128 unit = 1;
        for (unsigned i = 0; i < decimals; i++)
            unit *= 10;
        int128 units = decimal_round(num, den, decimals);
        int128 twice = 2 * (int128)num * unit;
        ck_assert((2 * units - 1) * den <= twice && twice < (2 * units + 1) * den);
    }
}
END_TEST

/* Numbers as snprintf writes them; what comes after the room that they may take stays. */
static void compare_put(uint64_t value)
{
    char ours[NUMBER_DIGITS_MAX + 2], theirs[NUMBER_DIGITS_MAX + 2];
    memset(ours, '#', sizeof ours);
    *number_put_unsigned(ours, value) = 0;
    snprintf(theirs, sizeof theirs, "%" PRIu64, value);
    ck_assert_str_eq(ours, theirs);
    *number_put(ours, (int64_t)value) = 0;
    snprintf(theirs, sizeof theirs, "%" PRId64, (int64_t)value);
    ck_assert_str_eq(ours, theirs);
    ck_assert_int_eq(ours[NUMBER_DIGITS_MAX + 1], '#');
    *number_put_hex(ours, (uint32_t)value, 8) = 0;
    snprintf(theirs, sizeof theirs, "%08" PRIx32, (uint32_t)value);
    ck_assert_str_eq(ours, theirs);
    *number_put_address(ours, value) = 0;
    snprintf(theirs, sizeof theirs, "0x%08" PRIx64, value);
    ck_assert_str_eq(ours, theirs);
}

START_TEST(numbers_are_those_of_snprintf)
{
    struct random r = random_trial(3);
    for (uint64_t power = 1, i = 0; i < 20; i++, power *= 10)
        for (uint64_t by = 0; by < 3; by++) {
            compare_put(power - by);
            compare_put(power + by);
            compare_put(-(power + by));
        }
    for (uint64_t value = 0; value < 20000; value++)
        compare_put(value);
    for (int i = 0; i < 100000; i++)
        compare_put(random_bits(&r) >> random_between(&r, 0, 63));
    compare_put((uint64_t)INT64_MIN);
}
END_TEST

/* Any number of units, its digits by snprintf in three parts. */
START_TEST(decimals_are_those_of_snprintf)
{
    const uint64_t part = UINT64_C(1000000000000000);
    struct random r = random_trial(4);
    for (int i = 0; i < 50000; i++) {
        int128 units = random_wide(&r);
        uint128 size = units < 0 ? -(uint128)units : (uint128)units;
        unsigned decimals = random_chance(&r, 50) ? 3 : (unsigned)random_between(&r, 1, 18);
        char text[QUOTIENT_TEXT_MAX], digits[QUOTIENT_TEXT_MAX], want[QUOTIENT_TEXT_MAX];
        snprintf(digits, sizeof digits, "%015" PRIu64 "%015" PRIu64 "%015" PRIu64,
                 (uint64_t)(size / part / part), (uint64_t)(size / part % part),
                 (uint64_t)(size % part));
        size_t whole = strlen(digits) - decimals, zeros = strspn(digits, "0");
        zeros = zeros < whole ? zeros : whole - 1;
        snprintf(want, sizeof want, "%s%.*s.%s", units < 0 ? "-" : "", (int)(whole - zeros),
                 digits + zeros, digits + whole);
        ck_assert_str_eq(decimal_text(units, decimals, text), want);
    }
}
END_TEST

START_TEST(times_with_units)
{
    static const struct {
        const char *text;
        uint64_t hz;
        int64_t num, den;
    } good[] = {{"1us", 14318000, 7159, 500},
                {"2.5 ms", 1000, 5, 2},
                {"7/2ns", 1000000000, 7, 2},
                {"1 s", 3, 3, 1},
                {"3 ticks", 5, 3, 1},
                {"1 tick", 5, 1, 1},
                {"4/6", 5, 2, 3},
                {"0ns", 7, 0, 1},
                {"1\xc2\xb5s", 2000000, 2, 1},
                {"1\xce\xbcs", 2000000, 2, 1},
                {"9223372036854775807s", 1, INT64_MAX, 1},
                {"1ns", UINT64_MAX / 10 * 10, 1844674407370955161, 100000000}};
    static const char *const bad[] = {"",     "s",     "1m",   "1us2", "-1us",
                                      "1e3s", "1 u s", "1/0s", "us1",  "9223372036854775808s"};
    csy_fraction f;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(csy_time_parse(good[i].text, good[i].hz, &f), "%s", good[i].text);
        ck_assert_msg(f.num == good[i].num && f.den == good[i].den, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!csy_time_parse(bad[i], 1, &f), "\"%s\"", bad[i]);
    ck_assert(!csy_time_parse("9223372036854775807s", 2, &f));
    ck_assert(!csy_time_parse("1s", UINT64_MAX, &f));
}
END_TEST

/* An upper bound as text is never below the time: the text is read again and compared. */
START_TEST(times_round_up)
{
    char text[CSY_TIME_TEXT_MAX], nearest[CSY_TIME_TEXT_MAX];
    csy_fraction read;
    ck_assert_str_eq(time_text_up(35, 1, 14318000, text), "2.45 us");
    ck_assert_str_eq(time_text_up(9991, 10, 1000000, text), "1 ms");
    ck_assert_str_eq(time_text_up(0, 1, 3, text), "0 ns");
    struct random r = random_trial(77);
    for (int i = 0; i < 20000; i++) {
        uint64_t hz = 1 + random_bits(&r) % 1000000000;
        int64_t num = (int64_t)(random_bits(&r) >> (random_bits(&r) % 40 + 24)), den = 1 + i % 1000;
        time_text_up(num, den, hz, text);
        ck_assert(csy_time_parse(text, hz, &read));
        ck_assert_msg((int128)read.num * den >= (int128)num * read.den, "%s", text);
        if (strcmp(text, time_text(num, den, hz, nearest)) != 0) {
            ck_assert(csy_time_parse(nearest, hz, &read));
            ck_assert_msg((int128)read.num * den < (int128)num * read.den, "%s", nearest);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("number");
    tcase_add_test(tests, times_round_up);
    tcase_add_test(tests, floor_and_ceil_by_hand);
    tcase_add_test(tests, floor_and_ceil_by_definition);
    tcase_add_test(tests, quotients_and_rests_of_any_length);
    tcase_add_test(tests, doubles_are_the_nearest);
    tcase_add_test(tests, sixty_four_bits_have_ends);
    tcase_add_test(tests, fractions_are_reduced);
    tcase_add_test(tests, fraction_texts);
    tcase_add_test(tests, fractions_survive_their_text);
    tcase_add_test(tests, denominators_have_the_limit_that_is_given);
    tcase_add_test(tests, twice_a_fraction_is_rounded_up);
    tcase_add_test(tests, quotients_round_halves_up);
    tcase_add_test(tests, quotients_by_definition);
    tcase_add_test(tests, quotients_of_many_digits);
    tcase_add_test(tests, means_keep_their_sums);
    tcase_add_test(tests, whole_numbers);
    tcase_add_test(tests, decimals_by_hand);
    tcase_add_test(tests, decimals_by_definition);
    tcase_add_test(tests, numbers_are_those_of_snprintf);
    tcase_add_test(tests, decimals_are_those_of_snprintf);
    tcase_add_test(tests, times_with_units);
    return unit_run();
}
