/* The words and fields that output formats share. */
#include "output/csv_field.h"
#include "output/words.h"
#include "support.h"

#include <string.h>

START_TEST(ticks_have_words)
{
    char text[TICKS_TEXT_MAX];
    ck_assert_str_eq(words_ticks(0, "low", "high", text), "0");
    ck_assert_str_eq(words_ticks(-17, "low", "high", text), "-17");
    ck_assert_str_eq(words_ticks(INT64_MIN, "low", "high", text), "low");
    ck_assert_str_eq(words_ticks(INT64_MAX, "low", "high", text), "high");
    ck_assert_str_eq(words_ticks(INT64_MIN + 1, "low", "high", text), "-9223372036854775807");
    ck_assert_str_eq(words_ticks(INT64_MAX - 1, "low", "high", text), "9223372036854775806");
}
END_TEST

START_TEST(relaxations_have_words)
{
    ck_assert_str_eq(words_relax(CSY_RELAX_EXACT), "exact");
    ck_assert_str_eq(words_relax(CSY_RELAX_PAPER), "paper");
    ck_assert_str_eq(words_relax(CSY_RELAX_NONE), "none");
    ck_assert_str_eq(words_relax(CSY_RELAX_GIVEN), "given");
}
END_TEST

START_TEST(methods_have_words)
{
    ck_assert_str_eq(words_method(CSY_METHOD_BHH), "bhh");
    ck_assert_str_eq(words_method(CSY_METHOD_LAMPORT), "lamport");
    ck_assert_str_eq(words_method(CSY_METHOD_LAMPORT_CLOCK), "lamport-clock");
    ck_assert_str_eq(words_method(CSY_METHOD_LSQ), "lsq");
}
END_TEST

START_TEST(plurals_have_an_s)
{
    ck_assert_str_eq(words_plural(0), "s");
    ck_assert_str_eq(words_plural(1), "");
    ck_assert_str_eq(words_plural(2), "s");
    ck_assert_str_eq(words_plural(UINT64_MAX), "s");
}
END_TEST

START_TEST(fields_are_quoted_where_they_must_be)
{
    static const char *const fields[][2] = {{"", ""},
                                            {"plain", "plain"},
                                            {" a b ", " a b "},
                                            {"a,b", "\"a,b\""},
                                            {"a\"b", "\"a\"\"b\""},
                                            {"\"", "\"\"\"\""},
                                            {"a\nb", "\"a\nb\""},
                                            {"a\rb", "\"a\rb\""},
                                            {"\xc3\xa9", "\xc3\xa9"},
                                            {"=1+1", "'=1+1"},
                                            {"@a", "'@a"},
                                            {"-a,\t", "\"'-a,\t\""},
                                            {"\t=1", "'\t=1"},
                                            {"+", "+"},
                                            {"-", "-"},
                                            {"a=1", "a=1"},
                                            {"\033[1m\x7f", "\\x1b[1m\\x7f"},
                                            {"\xc2\x9b\xe2\x82", "\\xc2\\x9b\\xe2\\x82"}};
    struct folder folder;
    folder_open(&folder);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct outfile *file;
        csy_error error;
        const char *path = folder_file(&folder, "field");
        ck_ok(outfile_open(path, NULL, &file, &error), error);
        csv_field_write(file, fields[i][0]);
        ck_ok(outfile_finish(file, &error), error);
        ck_ok(outfile_publish(file, &error), error);
        outfile_close(file);
        struct buffer got = file_read(path);
        ck_assert(buffer_is(&got, fields[i][1], strlen(fields[i][1])));
        buffer_free(&got);
    }
    folder_close(&folder);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("words");
    tcase_add_test(tests, ticks_have_words);
    tcase_add_test(tests, relaxations_have_words);
    tcase_add_test(tests, methods_have_words);
    tcase_add_test(tests, plurals_have_an_s);
    tcase_add_test(tests, fields_are_quoted_where_they_must_be);
    return unit_run();
}
