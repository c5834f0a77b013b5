/* Real numbers as text, against the C library: what is written reads back, nothing shorter does. */
#include "base/real.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double real_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* How many digits of a number count: those in front that are 0 do not, nor those at its end. */
static int count_digits(const char *text)
{
    int n = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (n + zeros == 0 && *text == '0'))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        n++;
    }
    return n - zeros;
}

static const char *text_of(uint64_t bits, char text[REAL_TEXT_MAX + 1])
{
    *real_put(text, bits) = 0;
    return text;
}

/* By brute force: of the texts that the C library makes of it, the shortest that reads back has as
 * many digits, or, at a power of two, more. */
static void check(uint64_t bits)
{
    char text[REAL_TEXT_MAX + 1], nearest[REAL_TEXT_MAX + 1];
    double value = real_of(bits);
    text_of(bits, text);
    ck_assert(strlen(text) < REAL_TEXT_MAX);
    ck_assert_int_eq(real_is_finite(bits), isfinite(value) != 0);
    if (!isfinite(value)) {
        ck_assert_str_eq(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    ck_assert_msg(bits_of(strtod(text, NULL)) == bits, "%s for %a", text, value);
    if (value == 0)
        return;
    int n = count_digits(text), least = 1;
    for (; least < 17; least++) {
        snprintf(nearest, sizeof nearest, "%.*e", least - 1, value);
        if (bits_of(strtod(nearest, NULL)) == bits)
            break;
    }
    ck_assert_msg(n <= least, "%s, but %.*e", text, least - 1, value);
    if (n == least && n < 17) /* and it is the nearest of these */
        ck_assert_msg(strtold(text, NULL) == strtold(nearest, NULL), "%s, not %s", text, nearest);
}

START_TEST(as_people_write_them)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {1.0, "1"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {100.0, "100"},
                 {123456.75, "123456.75"},
                 {1e15, "1000000000000000"},
                 {9007199254740993.0, "9007199254740992"},
                 {1e16, "1e+16"},
                 {-1.25e22, "-1.25e+22"},
                 {0.0001, "0.0001"},
                 {0.00001, "1e-5"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {2.2250738585072014e-308, "2.2250738585072014e-308"},
                 {5e-324, "5e-324"},
                 {(double)INFINITY, "inf"},
                 {-(double)INFINITY, "-inf"},
                 {(double)NAN, "nan"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[REAL_TEXT_MAX + 1];
        ck_assert_str_eq(text_of(bits_of(cases[i].value), text), cases[i].text);
    }
    char text[REAL_TEXT_MAX + 1];
    ck_assert_str_eq(text_of(UINT64_MAX, text), "nan");
}
END_TEST

/* All that are nearest to a power of two, where distances change, or of ten. */
START_TEST(powers)
{
    int step = (int)every_of_trials();
    for (int power = -1074; power < 1024; power += step)
        for (int i = -2; i <= 2; i++)
            check(bits_of(ldexp(1, power)) + (uint64_t)i);
    for (int power = -323; power <= 308; power += step) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", power);
        for (int i = -2; i <= 2; i++)
            check(bits_of(strtod(text, NULL)) + (uint64_t)i);
    }
}
END_TEST

START_TEST(random_numbers)
{
    struct random r = random_trial(0);
    for (int i = 0; i < trials_of(10000); i++) {
        uint64_t bits = random_bits(&r);
        check(bits);
        check(bits >> 12); /* below all that have 53 bits */
        check(bits_of((double)(bits >> 40) / 1000));
        check(bits_of((double)(int64_t)bits));
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("real");
    tcase_add_test(tests, as_people_write_them);
    tcase_add_test(tests, powers);
    tcase_add_test(tests, random_numbers);
    return unit_run();
}
