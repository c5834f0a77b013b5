/*
 * Gzip on its way out: gunzip gives back what was written, in whatever pieces it came; the packed
 * bytes do not depend on the number of threads; a writer may go away at any moment; what a file
 * cannot take is reported.
 */
#include "io/bytes.h"
#include "io/gzip_out.h"
#include "output/file/outfile.h"
#include "support.h"

#include <string.h>
#include <zlib.h>

enum { TRIALS = 14, CONTENT_BYTES = 20 * GZIP_PIECE_BYTES };

static const unsigned thread_counts[] = {1, 2, 7};

/* Runs and noise, so that members have different sizes. */
static struct buffer draw_content(struct random *r, size_t size)
{
    struct buffer b = {0};
    while (b.size < size) {
        uint8_t bytes[4096];
        size_t n = size - b.size < sizeof bytes ? size - b.size : sizeof bytes;
        memset(bytes, (int)random_between(r, 0, 255), n);
        for (int64_t noise = random_between(r, 0, 2000); noise > 0; noise--)
            bytes[random_between(r, 0, sizeof bytes - 1)] = (uint8_t)random_bits(r);
        buffer_add(&b, bytes, n);
    }
    return b;
}

static void keep(void *user, const void *bytes, size_t size)
{
    buffer_add(user, bytes, size);
}

static struct gzip_out *open_out(int level, unsigned nthreads, struct buffer *packed)
{
    struct gzip_out *z;
    csy_error error;
    ck_ok(gzip_out_new(level, nthreads, keep, packed, &z, &error), error);
    return z;
}

/* Write the bytes in parts, mostly like records, sometimes many pieces at once. */
static void write_parts(struct random *r, struct gzip_out *z, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        int64_t most = random_chance(r, 90) ? 100 : random_chance(r, 80) ? 70000 : CONTENT_BYTES;
        size_t n = (size_t)random_between(r, 0, most);
        n = n < size ? n : size;
        gzip_out_write(z, bytes, n);
        bytes += n;
        size -= n;
    }
}

static struct buffer pack(struct random *r, int level, unsigned nthreads, const uint8_t *bytes,
                          size_t size)
{
    struct buffer packed = {0};
    struct gzip_out *z = open_out(level, nthreads, &packed);
    write_parts(r, z, bytes, size);
    gzip_out_finish(z);
    gzip_out_free(z);
    return packed;
}

/* Gunzip one member from bytes[0..size) and compare it with what begins at `content`; how many
 * bytes it packs is in *nplain.  Returns its packed size. */
static size_t check_member(const uint8_t *bytes, size_t size, const uint8_t *content,
                           size_t *nplain)
{
    static uint8_t plain[GZIP_PIECE_BYTES + 1];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
    z.next_out = plain;
    z.avail_out = sizeof plain;
    ck_assert_int_eq(inflateInit2(&z, 15 + 16), Z_OK);
    ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
    *nplain = sizeof plain - z.avail_out;
    ck_assert_mem_eq(plain, content, *nplain);
    inflateEnd(&z);
    return size - z.avail_in;
}

/* Members of GZIP_PIECE_BYTES, but for the last one, hold the content. */
static void check_packed(const struct buffer *packed, const uint8_t *content, size_t size)
{
    size_t at = 0, done = 0, nplain, members = 0;
    while (at < packed->size) {
        at += check_member(packed->bytes + at, packed->size - at, content + done, &nplain);
        done += nplain;
        members++;
        if (at < packed->size)
            ck_assert_uint_eq(nplain, GZIP_PIECE_BYTES);
    }
    ck_assert_uint_eq(done, size);
    ck_assert_uint_eq(members, size ? (size + GZIP_PIECE_BYTES - 1) / GZIP_PIECE_BYTES : 1);
}

static size_t draw_size(struct random *r)
{
    int64_t most = random_chance(r, 80) ? 3 : 19;
    int64_t whole = random_between(r, 0, most) * GZIP_PIECE_BYTES;
    return (size_t)(whole + random_between(r, 0, random_chance(r, 50) ? 2 : GZIP_PIECE_BYTES));
}

START_TEST(gunzip_gives_the_input)
{
    struct random all = random_trial(1000 * 1000);
    struct buffer content = draw_content(&all, CONTENT_BYTES);
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        struct random r = random_trial(trial);
        int level = (int)(trial % 10);
        size_t size = trial < 4 ? CONTENT_BYTES - (size_t)trial : draw_size(&r);
        struct buffer first = pack(&r, level, 1, content.bytes, size);
        check_packed(&first, content.bytes, size);
        for (size_t i = 0; i < sizeof thread_counts / sizeof *thread_counts; i++) {
            struct buffer other = pack(&r, level, thread_counts[i], content.bytes, size);
            ck_assert_uint_eq(other.size, first.size);
            ck_assert_mem_eq(other.bytes, first.bytes, first.size);
            buffer_free(&other);
        }
        buffer_free(&first);
    }
    buffer_free(&content);
}
END_TEST

/* More threads than there is work for, or than are lent. */
START_TEST(threads_are_limited)
{
    struct random r = random_trial(1);
    struct buffer content = draw_content(&r, CONTENT_BYTES);
    struct buffer few = pack(&r, 1, 1, content.bytes, content.size);
    struct buffer many = pack(&r, 1, 100 * 1000, content.bytes, content.size);
    ck_assert_uint_eq(few.size, many.size);
    ck_assert_mem_eq(few.bytes, many.bytes, few.size);
    buffer_free(&many);
    buffer_free(&few);
    buffer_free(&content);
}
END_TEST

/* What has come out by then is the beginning of the whole. */
START_TEST(the_writer_goes_away)
{
    struct random r = random_trial(2);
    struct buffer content = draw_content(&r, CONTENT_BYTES);
    struct buffer whole = pack(&r, 1, 1, content.bytes, content.size);
    for (int trial = 0; trial < 100; trial++) {
        struct buffer part = {0};
        struct gzip_out *z = open_out(1, (unsigned)random_between(&r, 1, 7), &part);
        write_parts(&r, z, content.bytes, (size_t)random_between(&r, 0, CONTENT_BYTES));
        gzip_out_free(z);
        ck_assert_uint_le(part.size, whole.size);
        if (part.size)
            ck_assert_mem_eq(part.bytes, whole.bytes, part.size);
        buffer_free(&part);
    }
    gzip_out_free(NULL);
    buffer_free(&whole);
    buffer_free(&content);
}
END_TEST

/* A file: some bytes as they are, the rest packed. */
START_TEST(files_are_packed_from_some_byte_on)
{
    struct random r = random_trial(3);
    struct buffer content = draw_content(&r, CONTENT_BYTES);
    struct folder folder;
    struct outfile *file;
    csy_error error;
    folder_open(&folder);
    const char *path = folder_file(&folder, "x.pex");
    ck_ok(outfile_open(path, NULL, &file, &error), error);
    outfile_print(file, "plain");
    ck_ok(outfile_compress(file, 6, 2, &error), error);
    outfile_write(file, content.bytes, content.size);
    ck_ok(outfile_finish(file, &error), error);
    ck_ok(outfile_publish(file, &error), error);
    outfile_close(file);
    struct buffer written = file_read(path);
    struct buffer packed = {.bytes = written.bytes + 5, .size = written.size - 5};
    ck_assert_mem_eq(written.bytes, "plain", 5);
    check_packed(&packed, content.bytes, content.size);
    buffer_free(&written);
    buffer_free(&content);
    folder_close(&folder);
}
END_TEST

START_TEST(a_full_disk_is_reported)
{
    struct random r = random_trial(4);
    struct buffer content = draw_content(&r, CONTENT_BYTES);
    csy_error error;
    for (size_t i = 0; i < 2 * sizeof thread_counts / sizeof *thread_counts; i++) {
        struct outfile *file;
        size_t size = i % 2 ? content.size : 10; /* noticed on the way, or at the end only */
        ck_ok(outfile_open("/dev/full", NULL, &file, &error), error);
        ck_ok(outfile_compress(file, 0, thread_counts[i / 2], &error), error);
        outfile_write(file, content.bytes, size);
        ck_assert_int_eq(outfile_failed(file), i % 2);
        ck_refused(outfile_finish(file, &error), CSY_IO, error,
                   "/dev/full: No space left on device");
        outfile_close(file);
    }
    buffer_free(&content);
}
END_TEST

/* Left before it is finished, a file does not appear. */
START_TEST(unfinished_files_leave_nothing)
{
    struct folder folder;
    struct outfile *file;
    csy_error error;
    folder_open(&folder);
    ck_ok(outfile_open(folder_file(&folder, "x"), NULL, &file, &error), error);
    ck_ok(outfile_compress(file, 9, 2, &error), error);
    outfile_write(file, "abc", 3);
    outfile_close(file);
    ck_assert_uint_eq(folder_count(&folder), 0);
    folder_close(&folder);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("gzip_out");
    tcase_add_test(tests, gunzip_gives_the_input);
    tcase_add_test(tests, threads_are_limited);
    tcase_add_test(tests, the_writer_goes_away);
    tcase_add_test(tests, files_are_packed_from_some_byte_on);
    tcase_add_test(tests, a_full_disk_is_reported);
    tcase_add_test(tests, unfinished_files_leave_nothing);
    return unit_run();
}
