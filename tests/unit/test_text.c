/* The phrases and fields that output formats share. */
#include "output/encode/escape.h"
#include "output/encode/text.h"
#include "support.h"

#include <string.h>

START_TEST(ticks_have_words)
{
    char text[TICKS_TEXT_MAX];
    ck_assert_str_eq(text_ticks(0, "low", "high", text), "0");
    ck_assert_str_eq(text_ticks(-17, "low", "high", text), "-17");
    ck_assert_str_eq(text_ticks(INT64_MIN, "low", "high", text), "low");
    ck_assert_str_eq(text_ticks(INT64_MAX, "low", "high", text), "high");
    ck_assert_str_eq(text_ticks(INT64_MIN + 1, "low", "high", text), "-9223372036854775807");
    ck_assert_str_eq(text_ticks(INT64_MAX - 1, "low", "high", text), "9223372036854775806");
}
END_TEST

START_TEST(digits_come_in_groups)
{
    char text[GROUPED_TEXT_MAX];
    ck_assert_str_eq(text_grouped("0", text, sizeof text), "0");
    ck_assert_str_eq(text_grouped("-123", text, sizeof text), "-123");
    ck_assert_str_eq(text_grouped("1234", text, sizeof text), "1\u202f234");
    ck_assert_str_eq(text_grouped("-123456.654321", text, sizeof text), "-123\u202f456.654321");
    ck_assert_str_eq(text_grouped("61000000220", text, sizeof text),
                     "61\u202f000\u202f000\u202f220");
    ck_assert_str_eq(text_grouped("1234 of 56789.1234567, 1000", text, sizeof text),
                     "1\u202f234 of 56\u202f789.1234567, 1\u202f000");
    char room[8];
    ck_assert_str_eq(text_grouped("123456", room, sizeof room), "123\u202f4");
    ck_assert_str_eq(text_grouped("-inf", text, sizeof text), "-inf");
}
END_TEST

static void assert_time(csy_fraction ticks, uint64_t timebase_hz, const char *want)
{
    char text[CSY_TIME_TEXT_MAX];
    ck_assert_str_eq(csy_time_text(ticks, timebase_hz, text), want);
}

START_TEST(times_have_three_digits_and_a_unit)
{
    const uint64_t ghz = 1000000000;
    assert_time((csy_fraction){14799869, 6}, ghz, "2.47 ms");
    assert_time((csy_fraction){0, 1}, ghz, "0 ns");
    assert_time((csy_fraction){35, 1}, ghz, "35 ns");
    assert_time((csy_fraction){1, 1}, ghz, "1 ns");
    assert_time((csy_fraction){7, 2}, ghz, "3.5 ns");
    assert_time((csy_fraction){10049, 100}, ghz, "100 ns");
    assert_time((csy_fraction){201, 2}, ghz, "101 ns");
    assert_time((csy_fraction){996, 10}, ghz, "99.6 ns");
    assert_time((csy_fraction){9994, 1000}, ghz, "9.99 ns");
    assert_time((csy_fraction){9995, 1000}, ghz, "10 ns");
    assert_time((csy_fraction){9994, 10}, ghz, "999 ns");
    assert_time((csy_fraction){9995, 10}, ghz, "1 us");
    assert_time((csy_fraction){999499, 1}, ghz, "999 us");
    assert_time((csy_fraction){999500, 1}, ghz, "1 ms");
    assert_time((csy_fraction){999499999, 1}, ghz, "999 ms");
    assert_time((csy_fraction){-1500, 1}, ghz, "-1.5 us");
    assert_time((csy_fraction){-14799869, 6}, ghz, "-2.47 ms");
    assert_time((csy_fraction){20, 1}, 14318000, "1.4 us");
    assert_time((csy_fraction){40, 1}, 14318000, "2.79 us");
    assert_time((csy_fraction){75, 1}, 1, "75 s");
    assert_time((csy_fraction){2468, 1}, 1, "2468 s");
}
END_TEST

START_TEST(times_as_small_and_as_large_as_64_bits)
{
    assert_time((csy_fraction){1, 1}, 3000000000, "0.333 ns");
    assert_time((csy_fraction){1, 1}, 1000000000000, "0.001 ns");
    assert_time((csy_fraction){1, 1}, UINT64_MAX, "0.000000000054 ns");
    assert_time((csy_fraction){1, INT64_MAX}, UINT64_MAX, "0 ns");
    assert_time((csy_fraction){-1, INT64_MAX}, UINT64_MAX, "0 ns");
    assert_time((csy_fraction){INT64_MAX, INT64_MAX}, UINT64_MAX, "0.000000000054 ns");
    assert_time((csy_fraction){INT64_MAX, INT64_MAX - 1}, 1000000000, "1 ns");
    assert_time((csy_fraction){INT64_MAX, 1}, UINT64_MAX, "500 ms");
    assert_time((csy_fraction){INT64_MAX, 1}, 1, "9223372036854775807 s");
    assert_time((csy_fraction){INT64_MIN, 1}, 1, "-9223372036854775808 s");
}
END_TEST

START_TEST(whole_ticks_have_times)
{
    char text[CSY_TIME_TEXT_MAX];
    ck_assert_str_eq(text_time(4933290, 1000000000, text), "4.93 ms");
    ck_assert_str_eq(text_time(INT64_MIN, 1000000000, text), "-9223372037 s");
}
END_TEST

START_TEST(relaxations_have_words)
{
    ck_assert_str_eq(text_relax_words[CSY_RELAX_EXACT], "exact");
    ck_assert_str_eq(text_relax_words[CSY_RELAX_PAPER], "paper");
    ck_assert_str_eq(text_relax_words[CSY_RELAX_NONE], "none");
    ck_assert_str_eq(text_relax_words[CSY_RELAX_GIVEN], "given");
}
END_TEST

START_TEST(methods_have_words)
{
    ck_assert_str_eq(text_method(CSY_METHOD_BHH), "bhh");
    ck_assert_str_eq(text_method(CSY_METHOD_LAMPORT), "lamport");
    ck_assert_str_eq(text_method(CSY_METHOD_LAMPORT_CLOCK), "lamport-clock");
    ck_assert_str_eq(text_method(CSY_METHOD_LSQ), "lsq");
    ck_assert_str_eq(text_method(CSY_METHOD_NTP), "ntp");
    ck_assert_str_eq(text_method(CSY_METHOD_ENDS), "ends");
}
END_TEST

START_TEST(plurals_have_an_s)
{
    ck_assert_str_eq(text_plural(0), "s");
    ck_assert_str_eq(text_plural(1), "");
    ck_assert_str_eq(text_plural(2), "s");
    ck_assert_str_eq(text_plural(UINT64_MAX), "s");
}
END_TEST

/* Assert that this text is written so. */
static void assert_written(void write(struct outfile *, const char *), const char *text,
                           const char *want)
{
    struct folder folder;
    struct outfile *file;
    csy_error error;
    folder_open(&folder);
    const char *path = folder_file(&folder, "text");
    ck_ok(outfile_open(path, NULL, &file, &error), error);
    write(file, text);
    ck_ok(outfile_complete(file, CSY_OK, &error), error);
    struct buffer got = file_read(path);
    ck_assert_msg(buffer_is(&got, want, strlen(want)), "%s", want);
    buffer_free(&got);
    folder_close(&folder);
}

START_TEST(fields_are_quoted_where_they_must_be)
{
    static const char *const fields[][2] = {
        {"", ""},
        {"plain", "plain"},
        {" a b ", " a b "},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {"\"", "\"\"\"\""},
        {"a\nb", "a\\x0ab"},
        {"a\rb", "a\\x0db"},
        {"\xc3\xa9", "\xc3\xa9"},
        {"=1+1", "'=1+1"},
        {"@a", "'@a"},
        {"-a,\t", "\"'-a,\\x09\""},
        {"\t=1", "\\x09=1"},
        {"+", "+"},
        {"-", "-"},
        {"a=1", "a=1"},
        {"\033[1m\x7f", "\\x1b[1m\\x7f"},
        {"\xc2\x9b\xe2\x82", "\\xc2\\x9b\\xe2\\x82"},
        {"\x1f ~\xc2\x9f\xc2\xa0", "\\x1f ~\\xc2\\x9f\xc2\xa0"}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_written(csv_field_write, fields[i][0], fields[i][1]);
}
END_TEST

static void write_data(void *user, const char *bytes, size_t size)
{
    outfile_write(user, bytes, size);
}

static void write_field_of_data(struct outfile *out, const char *text)
{
    csv_field_put(write_data, out, text, strlen(text));
}

/* In a trace line ends and tabs are what was recorded. */
START_TEST(line_ends_are_data_in_a_trace)
{
    static const char *const fields[][2] = {{"a\nb", "\"a\nb\""},
                                            {"a\rb", "\"a\rb\""},
                                            {"-a,\t", "\"'-a,\t\""},
                                            {"\t=1", "'\t=1"},
                                            {"\033[1m\x7f", "\\x1b[1m\\x7f"}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        assert_written(write_field_of_data, fields[i][0], fields[i][1]);
}
END_TEST

/* What no terminal should see, and what is no UTF-8, does not stand as it is. */
START_TEST(strings_of_json)
{
    static const char *const strings[][2] = {
        {"", "\"\""},
        {"a \"b\" \\ /~", "\"a \\\"b\\\" \\\\ /~\""},
        {"\x01\t\n\x1f\x20\x7e\x7f", "\"\\u0001\\u0009\\u000a\\u001f ~\\u007f\""},
        {"\xc2\x80\xc2\x9f\xc2\xa0", "\"\\u0080\\u009f\xc2\xa0\""},
        {"\xc3\xa9\xf4\x8f\xbf\xbf", "\"\xc3\xa9\xf4\x8f\xbf\xbf\""},
        {"\xff\xe2\x82", "\"\\ufffd\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        assert_written(json_string, strings[i][0], strings[i][1]);
}
END_TEST

START_TEST(steps_are_told)
{
    const csy_order_step steps[] = {{CSY_ORDER_MESSAGE, {"a b", 3}, 5},
                                    {CSY_ORDER_GROUP, {"\xc3\xa9", 2}, 0},
                                    {CSY_ORDER_NAMED, {NULL, 0}, 7},
                                    {CSY_ORDER_SYNC, {"c", 1}, 0},
                                    {CSY_ORDER_BUFFER, {"d", 1}, 0}};
    csy_witness_edge edge = {.steps = steps};
    char text[CSY_STEPS_TEXT_MAX];
    ck_assert_str_eq(csy_steps_text(&edge, text), "");
    edge.nsteps = 4;
    ck_assert_str_eq(csy_steps_text(&edge, text),
                     "message 'a b' (latency 5), group '\\xc3\\xa9', the record named by after "
                     "(latency 7), the awaited receive of message 'c'");
    edge.nsteps = 5;
    ck_assert_str_eq(strstr(csy_steps_text(&edge, text), "'c'"), "'c' and 1 more");
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("text");
    tcase_add_test(tests, ticks_have_words);
    tcase_add_test(tests, digits_come_in_groups);
    tcase_add_test(tests, times_have_three_digits_and_a_unit);
    tcase_add_test(tests, times_as_small_and_as_large_as_64_bits);
    tcase_add_test(tests, whole_ticks_have_times);
    tcase_add_test(tests, relaxations_have_words);
    tcase_add_test(tests, methods_have_words);
    tcase_add_test(tests, steps_are_told);
    tcase_add_test(tests, plurals_have_an_s);
    tcase_add_test(tests, fields_are_quoted_where_they_must_be);
    tcase_add_test(tests, line_ends_are_data_in_a_trace);
    tcase_add_test(tests, strings_of_json);
    return unit_run();
}
