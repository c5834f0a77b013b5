/*
 * Streams: plain and gzip give the bytes that were put in, however they are looked at, again after
 * a rewind, and say where the data end too early.
 */
#include "io/bytes.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STREAM_BYTES = 1500 * 1000, PEEK_BYTES_MAX = 700 * 1000 };

static const char junk[] = "what comes before"; /* the stream begins after it */

/* Bytes that compress a little, so that gzip crosses the buffers of both its sides. */
static struct buffer random_content(struct random *r, size_t size)
{
    struct buffer b = {0};
    while (b.size < size) {
        uint64_t word = random_bits(r);
        size_t n = size - b.size < sizeof word ? size - b.size : sizeof word;
        memset(&word, 'z', (size_t)random_between(r, 0, 3));
        buffer_add(&b, &word, n);
    }
    return b;
}

/* Junk, then the content, plain or as three gzip members of which the middle one may be empty. */
static int file_with(struct random *r, const struct buffer *content, bool gzip)
{
    struct buffer file = {0};
    buffer_text(&file, junk);
    if (gzip) {
        size_t from = (size_t)random_between(r, 0, (int64_t)content->size);
        size_t to = random_chance(r, 50) ? from : content->size;
        buffer_gzip(&file, content->bytes, from);
        buffer_gzip(&file, content->bytes + from, to - from);
        buffer_gzip(&file, content->bytes + to, content->size - to);
    } else {
        buffer_add(&file, content->bytes, content->size);
    }
    int fd = file_of(file.bytes, file.size);
    buffer_free(&file);
    return fd;
}

/* How many bytes to ask for: often few, sometimes more than any buffer has had so far. */
static size_t draw_need(struct random *r)
{
    int64_t most = random_chance(r, 70) ? 100 : random_chance(r, 90) ? 70000 : PEEK_BYTES_MAX;
    return (size_t)random_between(r, 0, most);
}

/* Walk over the whole stream, or until `stop`, by random peeks and skips. */
static void walk(struct random *r, struct bytes *b, const struct buffer *content, uint64_t base,
                 size_t stop)
{
    const uint8_t *at;
    csy_error error;
    size_t have, done = 0;
    while (done < stop) {
        size_t need = draw_need(r);
        ck_ok(bytes_peek(b, need, &at, &have, &error), error);
        if (have > content->size - done || (have < need && have != content->size - done))
            ck_abort_msg("at %zu: asked for %zu bytes, have %zu", done, need, have);
        if (memcmp(at, content->bytes + done, have) != 0)
            ck_abort_msg("at %zu: other bytes", done);
        if (bytes_offset(b) != base + done)
            ck_abort_msg("at %zu: the offset is %zu", done, (size_t)bytes_offset(b));
        size_t skip = (size_t)random_between(r, 0, (int64_t)(need < have ? need : have));
        bytes_skip(b, skip);
        done += skip;
    }
}

static void walk_twice(bool gzip, uint64_t trial)
{
    struct random r = random_trial(trial);
    struct bytes *b;
    csy_error error;
    struct buffer content = random_content(&r, STREAM_BYTES);
    int fd = file_with(&r, &content, gzip);
    ck_ok(bytes_new(fd, "a.trace", strlen(junk), gzip, 1, &b, &error), error);
    uint64_t base = gzip ? 0 : strlen(junk);
    walk(&r, b, &content, base, (size_t)random_between(&r, 0, STREAM_BYTES));
    bytes_rewind(b);
    walk(&r, b, &content, base, STREAM_BYTES);
    const uint8_t *at;
    size_t have;
    ck_ok(bytes_peek(b, 1, &at, &have, &error), error);
    ck_assert_uint_eq(have, 0);
    ck_assert_uint_eq(bytes_file_offset(b), (uint64_t)lseek(fd, 0, SEEK_END));
    bytes_free(b);
    close(fd);
    buffer_free(&content);
}

START_TEST(plain_streams_are_walked)
{
    for (uint64_t trial = 0; trial < 4; trial++)
        walk_twice(false, trial);
}
END_TEST

START_TEST(gzip_streams_are_walked)
{
    for (uint64_t trial = 0; trial < 4; trial++)
        walk_twice(true, 100 + trial);
}
END_TEST

START_TEST(two_streams_share_a_descriptor)
{
    struct bytes *one, *two;
    const uint8_t *at;
    size_t have;
    csy_error error;
    int fd = file_of("abcdef", 6);
    ck_ok(bytes_new(fd, "one", 0, false, 1, &one, &error), error);
    ck_ok(bytes_new(fd, "two", 3, false, 1, &two, &error), error);
    ck_ok(bytes_peek(two, 1, &at, &have, &error), error);
    ck_assert_mem_eq(at, "def", have);
    ck_ok(bytes_peek(one, 1, &at, &have, &error), error);
    ck_assert_uint_eq(have, 6);
    ck_assert_mem_eq(at, "abcdef", have);
    bytes_free(one);
    bytes_free(two);
    close(fd);
}
END_TEST

START_TEST(plain_streams_may_be_empty)
{
    struct bytes *b;
    const uint8_t *at;
    size_t have = 1;
    csy_error error;
    int fd = file_of("abc", 3);
    for (uint64_t start = 3; start < 100; start += 48) {
        ck_ok(bytes_new(fd, "empty", start, false, 1, &b, &error), error);
        ck_ok(bytes_peek(b, 16, &at, &have, &error), error);
        ck_assert_uint_eq(have, 0);
        ck_assert_uint_eq(bytes_offset(b), start);
        bytes_free(b);
    }
    bytes_free(NULL);
    close(fd);
}
END_TEST

/* Read a file to its end; *size is how many bytes came before that or before an error. */
static csy_status read_all(const struct buffer *file, bool gzip, size_t *size, csy_error *error)
{
    struct bytes *b;
    const uint8_t *at;
    size_t have;
    *size = 0;
    int fd = file_of(file->bytes, file->size);
    ck_ok(bytes_new(fd, "a.gz", 0, gzip, 1, &b, error), *error);
    csy_status status;
    while (!(status = bytes_peek(b, 1, &at, &have, error)) && have > 0) {
        *size += have;
        bytes_skip(b, have);
    }
    if (!status && bytes_cut(b)) {
        *error = *bytes_cut(b);
        status = error->status;
    }
    bytes_free(b);
    close(fd);
    return status;
}

/* Cut after every byte: only the ends of members are ends of data; elsewhere the stream says why
 * it ends. */
START_TEST(cut_gzip_is_told)
{
    static const char text[] = "some text, some text, some more text";
    struct buffer file = {0};
    csy_error error;
    size_t size;
    buffer_gzip(&file, text, sizeof text);
    size_t member = file.size;
    buffer_gzip(&file, text, 9);
    size_t whole = file.size;
    for (file.size = 0; file.size <= whole; file.size++) {
        char want[64];
        snprintf(want, sizeof want, "a.gz: offset %zu: gzip: the compressed data are cut off",
                 file.size);
        csy_status status = read_all(&file, true, &size, &error);
        if (file.size == member || file.size == whole) {
            ck_assert_int_eq(status, CSY_OK);
            ck_assert_uint_eq(size, file.size == member ? sizeof text : sizeof text + 9);
        } else {
            ck_refused(status, CSY_INPUT, error, want);
        }
    }
    buffer_free(&file);
}
END_TEST

/* Any changed byte of data, CRC or length is noticed; in a header, the magic and the method are. */
START_TEST(broken_gzip_is_refused)
{
    struct random r = random_trial(1);
    struct buffer content = random_content(&r, 600), file = {0};
    csy_error error;
    size_t size;
    char want[64];
    buffer_gzip(&file, content.bytes, content.size);
    for (size_t at = 0; at < file.size; at++) {
        if (at > 2 && at < 10)
            continue;
        file.bytes[at] ^= 0x41;
        csy_status status = read_all(&file, true, &size, &error);
        if (status != CSY_INPUT || !strstr(error.text, "gzip: "))
            ck_abort_msg("byte %zu changed: status %u", at, status);
        file.bytes[at] ^= 0x41;
    }
    ck_assert_int_eq(read_all(&file, true, &size, &error), CSY_OK);
    for (size_t back = 8; back > 0; back -= 4) { /* the CRC, the length */
        uint8_t *changed = &file.bytes[file.size - back];
        snprintf(want, sizeof want, "a.gz: offset %zu: gzip: incorrect %s check",
                 file.size - back + 4, back == 8 ? "data" : "length");
        *changed ^= 0x41;
        ck_refused(read_all(&file, true, &size, &error), CSY_INPUT, error, want);
        *changed ^= 0x41;
    }
    snprintf(want, sizeof want, "a.gz: offset %zu: gzip: incorrect header check", file.size);
    buffer_text(&file, "no member");
    ck_refused(read_all(&file, true, &size, &error), CSY_INPUT, error, want);
    buffer_free(&file);
    buffer_free(&content);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
    struct bytes *b;
    const uint8_t *at;
    size_t have;
    csy_error error;
    for (int gzip = 0; gzip < 2; gzip++) {
        ck_ok(bytes_new(-1, "closed", 0, gzip, 1, &b, &error), error);
        ck_refused(bytes_peek(b, 1, &at, &have, &error), CSY_IO, error,
                   "closed: Bad file descriptor");
        bytes_free(b);
    }
}
END_TEST

/* The whole of a pipe that holds less than the system buffers for us. */
static int pipe_with(const void *bytes, size_t size)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], bytes, size), (ssize_t)size);
    close(ends[1]);
    return ends[0];
}

static csy_status look_well(void *user, int fd, csy_error *error)
{
    (void)user;
    (void)fd;
    (void)error;
    return CSY_OK;
}

START_TEST(pipes_are_spooled)
{
    struct random r = random_trial(2);
    struct buffer content = random_content(&r, 50000);
    csy_error error;
    char *back = malloc(content.size + 1);
    ck_assert_ptr_nonnull(back);
    int in = pipe_with(content.bytes, content.size), out;
    setenv("TMPDIR", "", 1); /* says no more than none does */
    ck_ok(bytes_spool(in, "-", look_well, NULL, &out, &error), error);
    unsetenv("TMPDIR");
    char link[64], where[300] = "", *temporary = realpath("/tmp", NULL);
    snprintf(link, sizeof link, "/proc/self/fd/%d", out);
    ck_assert_int_gt(readlink(link, where, sizeof where - 1), 0);
    ck_assert_mem_eq(where, temporary, strlen(temporary));
    free(temporary);
    ck_assert_int_eq(pread(out, back, content.size + 1, 0), (ssize_t)content.size);
    ck_assert_mem_eq(back, content.bytes, content.size);
    close(out);
    close(in);
    free(back);
    buffer_free(&content);
}
END_TEST

START_TEST(spools_that_fail)
{
    csy_error error;
    struct folder folder;
    folder_open(&folder);
    int out = -7, in = pipe_with("x", 1);
    const char *nowhere = folder_file(&folder, "nowhere");
    char want[1024], path[5000];
    setenv("TMPDIR", nowhere, 1);
    ck_assert_int_eq(bytes_spool(in, "-", look_well, NULL, &out, &error), CSY_IO);
    snprintf(want, sizeof want, "%s/cellsync.", nowhere);
    ck_assert_mem_eq(error.text, want, strlen(want));
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = 0;
    setenv("TMPDIR", path, 1);
    ck_refused(bytes_spool(in, "-", look_well, NULL, &out, &error), CSY_IO, error,
               "TMPDIR: the path is too long");
    setenv("TMPDIR", folder.path, 1);
    ck_refused(bytes_spool(-1, "-", look_well, NULL, &out, &error), CSY_IO, error,
               "-: Bad file descriptor");
    ck_assert_int_eq(out, -7);
    ck_assert_uint_eq(folder_count(&folder), 0);
    unsetenv("TMPDIR");
    close(in);
    folder_close(&folder);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("bytes");
    tcase_add_test(tests, plain_streams_are_walked);
    tcase_add_test(tests, gzip_streams_are_walked);
    tcase_add_test(tests, two_streams_share_a_descriptor);
    tcase_add_test(tests, plain_streams_may_be_empty);
    tcase_add_test(tests, cut_gzip_is_told);
    tcase_add_test(tests, broken_gzip_is_refused);
    tcase_add_test(tests, files_that_cannot_be_read);
    tcase_add_test(tests, pipes_are_spooled);
    tcase_add_test(tests, spools_that_fail);
    return unit_run();
}
