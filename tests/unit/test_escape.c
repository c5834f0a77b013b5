/* Text of others inside HTML: markup is text, and whatever would not show can be seen. */
#include "output/encode/escape.h"
#include "support.h"

#include <string.h>

static struct folder folder;

static void assert_text(const char *text, size_t most, const char *want)
{
    const char *path = folder_file(&folder, "text");
    struct outfile *file;
    csy_error error;
    ck_ok(outfile_open(path, NULL, &file, &error), error);
    html_text(file, text, most);
    ck_ok(outfile_finish(file, &error), error);
    ck_ok(outfile_publish(file, &error), error);
    outfile_close(file);
    struct buffer got = file_read(path);
    if (!buffer_is(&got, want, strlen(want)))
        ck_abort_msg("got '%.*s', want '%s'", (int)got.size, (const char *)got.bytes, want);
    buffer_free(&got);
}

START_TEST(markup_is_text)
{
    assert_text("", SIZE_MAX, "");
    assert_text("spe4.1", SIZE_MAX, "spe4.1");
    assert_text("a<b>&\"c'", SIZE_MAX, "a&lt;b&gt;&amp;&quot;c&#39;");
    assert_text("&lt;", SIZE_MAX, "&amp;lt;");
    assert_text("caf\xc3\xa9 \xf0\x9f\x90\x8c", SIZE_MAX, "caf\xc3\xa9 \xf0\x9f\x90\x8c");
}
END_TEST

START_TEST(what_would_not_show_is_seen)
{
    assert_text("\x1b[31m\n\t\x7f\x01", SIZE_MAX, "\\x1b[31m\\x0a\\x09\\x7f\\x01");
    assert_text("\\x1b", SIZE_MAX, "\\x5cx1b");
    assert_text("\xe9\xff\xc3", SIZE_MAX, "\\xe9\\xff\\xc3");
    assert_text("\xed\xa0\x80", SIZE_MAX, "\\xed\\xa0\\x80");                   /* a surrogate */
    assert_text("\xc0\xaf\xe0\x80\xaf", SIZE_MAX, "\\xc0\\xaf\\xe0\\x80\\xaf"); /* too long */
    assert_text("\xc2\x85", SIZE_MAX, "\\u{85}");
    assert_text("a\xe2\x80\xae"
                "b\xe2\x81\xa6\xef\xbb\xbf",
                SIZE_MAX, "a\\u{202e}b\\u{2066}\\u{feff}");
    assert_text("\xf3\xa0\x81\x81\xf4\x8f\xbf\xbf", SIZE_MAX, "\\u{e0041}\\u{10ffff}");
}
END_TEST

START_TEST(long_text_is_cut)
{
    assert_text("abc", 3, "abc");
    assert_text("abcd", 3, "abc\xe2\x80\xa6");
    assert_text("<<<<", 3, "&lt;&lt;&lt;\xe2\x80\xa6");
    assert_text("ab\n", 5, "ab\xe2\x80\xa6");
    assert_text("a\n", 5, "a\\x0a");
    assert_text("abc", 0, "\xe2\x80\xa6");
    assert_text("\xc3\xa9\xc3\xa9\xc3\xa9", 2, "\xc3\xa9\xc3\xa9\xe2\x80\xa6");
}
END_TEST

/* The code point of a text that is one sequence, or UINT32_MAX. */
static uint32_t point_of(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t n = utf8_length(p, SIZE_MAX);
    return n > 0 && n == strlen(text) ? utf8_point(p, n) : UINT32_MAX;
}

START_TEST(points_are_those_of_utf8)
{
    ck_assert_uint_eq(point_of("A"), 'A');
    ck_assert_uint_eq(point_of("\xc3\xa9"), 0xe9);
    ck_assert_uint_eq(point_of("\xe2\x82\xac"), 0x20ac);
    ck_assert_uint_eq(point_of("\x7f"), 0x7f);
    ck_assert_uint_eq(point_of("\xc2\x80"), 0x80);
    ck_assert_uint_eq(point_of("\xdf\xbf"), 0x7ff);
    ck_assert_uint_eq(point_of("\xe0\xa0\x80"), 0x800);
    ck_assert_uint_eq(point_of("\xed\x9f\xbf"), 0xd7ff);
    ck_assert_uint_eq(point_of("\xee\x80\x80"), 0xe000);
    ck_assert_uint_eq(point_of("\xef\xbf\xbf"), 0xffff);
    ck_assert_uint_eq(point_of("\xf0\x90\x80\x80"), 0x10000);
    ck_assert_uint_eq(point_of("\xf4\x8f\xbf\xbf"), 0x10ffff);
    ck_assert_uint_eq(point_of("\xf4\x90\x80\x80"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\xe2\x82"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\x80"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\xc1\xbf"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\xe0\x9f\xbf"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\xed\xa0\x80"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\xf0\x8f\xbf\xbf"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\xf5\x80\x80\x80"), UINT32_MAX);
    ck_assert_uint_eq(point_of("\xc2\xc0"), UINT32_MAX);
    ck_assert_uint_eq(utf8_length((const unsigned char *)"\xe2\x82\xac", 2), 0);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("escape");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, markup_is_text);
    tcase_add_test(tests, what_would_not_show_is_seen);
    tcase_add_test(tests, long_text_is_cut);
    tcase_add_test(tests, points_are_those_of_utf8);
    return unit_run();
}
