/* Letters as ASCII has them: the C library's answers in the locale C, for every byte. */
#include "base/ascii.h"
#include "support.h"

#include <ctype.h>
#include <limits.h>
#include <strings.h>

START_TEST(bytes_are_as_in_the_locale_c)
{
    for (int byte = 0; byte <= UCHAR_MAX; byte++) {
        char c = (char)byte;
        ck_assert_int_eq(ascii_lower(c), tolower(byte));
        ck_assert_int_eq(ascii_is_alnum(c), isalnum(byte) != 0);
        ck_assert_int_eq(ascii_is_print(c), isprint(byte) != 0);
    }
}
END_TEST

START_TEST(the_same_but_for_case)
{
    static const char *const texts[] = {"",     "i",    "I",      "time",
                                        "TIME", "tIme", "time_s", "t\xc4\xb1me"};
    for (size_t a = 0; a < sizeof texts / sizeof *texts; a++)
        for (size_t b = 0; b < sizeof texts / sizeof *texts; b++)
            for (size_t n = 0; n < 9; n++)
                ck_assert_int_eq(ascii_same(texts[a], texts[b], n),
                                 strncasecmp(texts[a], texts[b], n) == 0);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("ascii");
    tcase_add_test(tests, bytes_are_as_in_the_locale_c);
    tcase_add_test(tests, the_same_but_for_case);
    return unit_run();
}
