/* Messages: what they hold, where they are cut, and how untrusted bytes are escaped in them. */
#include "base/error.h"
#include "support.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

START_TEST(status_and_text_are_set)
{
    csy_error error = {0};
    ck_assert_int_eq(error_set(&error, CSY_USAGE, "%s: %d", "a.pex", 7), CSY_USAGE);
    ck_assert_int_eq(error.status, CSY_USAGE);
    ck_assert_str_eq(error.text, "a.pex: 7");
    ck_assert_int_eq(error_memory(&error), CSY_MEMORY);
    ck_assert_int_eq(error.status, CSY_MEMORY);
    ck_assert_str_eq(error.text, "no memory");
}
END_TEST

START_TEST(no_caller_need_listen)
{
    ck_assert_int_eq(error_set(NULL, CSY_INPUT, "%s", "unheard"), CSY_INPUT);
    ck_assert_int_eq(error_memory(NULL), CSY_MEMORY);
    ck_assert_int_eq(error_io(NULL, "a", "b"), CSY_IO);
}
END_TEST

START_TEST(long_texts_are_cut)
{
    csy_error error;
    char text[3000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    memset(&error, 0x55, sizeof error);
    error_set(&error, CSY_INPUT, "%s", text);
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
    ck_assert_mem_eq(error.text, text, sizeof error.text - 1);
}
END_TEST

START_TEST(io_errors_give_the_reason)
{
    csy_error error;
    errno = ENOENT;
    ck_refused(error_io(&error, "a.pex", NULL), CSY_IO, error, "a.pex: No such file or directory");
    errno = ENOSPC;
    ck_refused(error_io(&error, "/tmp", "temporary file"), CSY_IO, error,
               "/tmp: temporary file: No space left on device");
}
END_TEST

START_TEST(escapes_by_hand)
{
    char text[ERROR_ESCAPED_MAX];
    ck_assert_str_eq(error_escape(text, "", 0), "");
    ck_assert_str_eq(error_escape(text, "plain ~!", 8), "plain ~!");
    ck_assert_str_eq(error_escape(text, "a\nb\033[1m", 7), "a\\x0ab\\x1b[1m");
    ck_assert_str_eq(error_escape(text, "\\x41", 4), "\\x5cx41");
    ck_assert_str_eq(error_escape(text, "\0\x7f\xff\xc3\xa9", 5), "\\x00\\x7f\\xff\\xc3\\xa9");
}
END_TEST

START_TEST(long_escapes_are_cut)
{
    char bytes[300], text[ERROR_ESCAPED_MAX];
    memset(bytes, 'y', sizeof bytes);
    error_escape(text, bytes, 100);
    ck_assert_uint_eq(strlen(text), 100);
    error_escape(text, bytes, sizeof bytes);
    ck_assert_uint_lt(strlen(text), ERROR_ESCAPED_MAX);
    ck_assert_str_eq(text + strlen(text) - 4, "y...");
    memset(bytes, '\n', sizeof bytes);
    error_escape(text, bytes, sizeof bytes);
    ck_assert_str_eq(text + strlen(text) - 7, "\\x0a...");
}
END_TEST

START_TEST(escapes_fit_any_buffer)
{
    char text[16];
    csy_escape(text, sizeof text, "a\tb\xc3");
    ck_assert_str_eq(text, "a\\x09b\\xc3");
    csy_escape(text, 8, "abcdefg");
    ck_assert_str_eq(text, "abcdefg");
    csy_escape(text, 8, "abcdefgh");
    ck_assert_str_eq(text, "abcd...");
    csy_escape(text, 8, "abc\n");
    ck_assert_str_eq(text, "abc\\x0a");
    csy_escape(text, 8, "abcd\n");
    ck_assert_str_eq(text, "abcd...");
    csy_escape(text, 8, "\n\n");
    ck_assert_str_eq(text, "\\x0a...");
    csy_escape(text, 8, "");
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(control_bytes_do_not_get_through)
{
    csy_error error;
    error_set(&error, CSY_IO, "%s: gone", "a\033[2J\n\x7f\xc3\xa9");
    ck_assert_str_eq(error.text, "a\\x1b[2J\\x0a\\x7f\\xc3\\xa9: gone");
}
END_TEST

/* Undo the escapes of text; returns how many bytes there were, without the mark of a cut. */
static size_t unescape(const char *text, bool cut, char *out)
{
    size_t n = 0;
    const char *end = text + strlen(text) - (cut ? 3 : 0);
    while (text < end) {
        char digits[3] = "";
        if (*text != '\\') {
            out[n++] = *text++;
            continue;
        }
        memcpy(digits, text + 2, 2);
        out[n++] = (char)strtoul(digits, NULL, 16);
        text += 4;
    }
    return n;
}

/* Any bytes come out printable, within the buffer, and as they were up to the cut. */
START_TEST(escapes_can_be_undone)
{
    struct random r = random_trial(0);
    char bytes[200], back[ERROR_ESCAPED_MAX], text[ERROR_ESCAPED_MAX + 1];
    for (int trial = 0; trial < 3000; trial++) {
        size_t size = (size_t)random_between(&r, 0, sizeof bytes);
        int plain = (int)random_between(&r, 0, 100);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (char)(random_chance(&r, plain) ? random_between(&r, 'a', 'z')
                                                       : random_between(&r, 0, 255));
        text[ERROR_ESCAPED_MAX] = 'G';
        error_escape(text, bytes, size);
        ck_assert_int_eq(text[ERROR_ESCAPED_MAX], 'G');
        size_t length = strlen(text);
        for (size_t i = 0; i < length; i++)
            if (!isprint((unsigned char)text[i]))
                ck_abort_msg("try %d: an unprintable byte", trial);
        size_t n = unescape(text, false, back);
        bool cut = n != size || memcmp(back, bytes, size) != 0;
        if (cut) {
            n = unescape(text, true, back);
            ck_assert_str_eq(text + length - 3, "...");
            ck_assert_uint_gt(length, ERROR_ESCAPED_MAX - 12);
            ck_assert_uint_lt(n, size);
        }
        if (memcmp(back, bytes, n) != 0)
            ck_abort_msg("try %d: \"%s\"", trial, text);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("error");
    tcase_add_test(tests, status_and_text_are_set);
    tcase_add_test(tests, no_caller_need_listen);
    tcase_add_test(tests, long_texts_are_cut);
    tcase_add_test(tests, io_errors_give_the_reason);
    tcase_add_test(tests, escapes_by_hand);
    tcase_add_test(tests, long_escapes_are_cut);
    tcase_add_test(tests, escapes_fit_any_buffer);
    tcase_add_test(tests, control_bytes_do_not_get_through);
    tcase_add_test(tests, escapes_can_be_undone);
    return unit_run();
}
