/* Dates of RFC 3339, against the C library and against what reads them. */
#include "base/dates.h"
#include "support.h"
#include "trace/csv/csv_time.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static void expect(uint64_t timebase_hz, int64_t ticks, const char *text)
{
    char found[DATE_TEXT_MAX + 1] = "";
    char *end = date_put(found, timebase_hz, ticks);
    ck_assert_ptr_nonnull(end);
    *end = 0;
    ck_assert_str_eq(found, text);
}

START_TEST(dates_by_hand)
{
    expect(1000000000, 0, "1970-01-01T00:00:00.000000000Z");
    expect(1000000000, -1, "1969-12-31T23:59:59.999999999Z");
    expect(1000000000, INT64_MAX, "2262-04-11T23:47:16.854775807Z");
    expect(1000000000, INT64_MIN, "1677-09-21T00:12:43.145224192Z");
    expect(1000, 1709164800250, "2024-02-29T00:00:00.250000000Z");
    expect(1, 951782400, "2000-02-29T00:00:00.000000000Z");
    expect(1, -2203977600, "1900-02-28T00:00:00.000000000Z");
    expect(1, 253402300799, "9999-12-31T23:59:59.000000000Z");
    expect(1, -62167219200, "0000-01-01T00:00:00.000000000Z");
}
END_TEST

START_TEST(years_have_four_digits)
{
    char text[DATE_TEXT_MAX];
    ck_assert_ptr_null(date_put(text, 1, 253402300800));
    ck_assert_ptr_null(date_put(text, 1, -62167219201));
    ck_assert_ptr_null(date_put(text, 1, INT64_MAX));
    ck_assert_ptr_null(date_put(text, 1, INT64_MIN));
    ck_assert(date_fits(1) && date_fits(1000000000) && date_fits(512));
    ck_assert(!date_fits(0) && !date_fits(14318000) && !date_fits(2000000000));
}
END_TEST

/* Any time is what gmtime_r says it is, and is read back. */
START_TEST(dates_are_those_of_gmtime)
{
    static const uint64_t rates[] = {1, 8, 1000, 1000000, 1000000000};
    for (unsigned i = 0; i < 20000; i++) {
        struct random r = random_trial(i);
        uint64_t hz = rates[random_between(&r, 0, 4)];
        int64_t limit = hz < 1000000000 ? INT64_C(120000000000) : INT64_C(9000000000);
        int64_t seconds = random_between(&r, -limit / 2, limit / 2);
        int64_t rest = random_between(&r, 0, (int64_t)hz - 1), ticks, read;
        char text[DATE_TEXT_MAX + 1], want[80];
        time_t time = (time_t)seconds;
        struct tm tm;
        struct csv_scale scale;
        uint64_t least_hz;
        ticks = seconds * (int64_t)hz + rest;
        gmtime_r(&time, &tm);
        snprintf(want, sizeof want, "%04d-%02d-%02dT%02d:%02d:%02d.%09" PRIu64 "Z",
                 tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
                 (uint64_t)rest * (1000000000 / hz));
        *date_put(text, hz, ticks) = 0;
        ck_assert_str_eq(text, want);
        csv_scale_init(&scale, CSV_STAMPS, hz, '.');
        ck_assert_int_eq(csv_time_parse(&scale, text, strlen(text), &read, &least_hz), CSV_GOOD);
        ck_assert_int_eq(read, ticks);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("dates");
    tcase_add_test(tests, dates_by_hand);
    tcase_add_test(tests, years_have_four_digits);
    tcase_add_test(tests, dates_are_those_of_gmtime);
    return unit_run();
}
