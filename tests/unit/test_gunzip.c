/*
 * Gzip streams, inflated in the caller's thread and in one of their own: whatever the shape of
 * the file and which worker inflates it, the same bytes come, and the same error after them; and
 * the reader may stop, start again or go away at any moment.
 */
#include "io/bytes.h"
#include "io/gunzip.h"
#include "support.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef CELLSYNC_IGZIP
#include <isa-l/igzip_lib.h>
#endif

enum { CONTENT_BYTES = 2500 * 1000, SHAPES = 300, TRIALS = 30 };

/* Bytes that pack in part: words that are often seen again. */
static struct buffer draw_content(struct random *r, size_t size)
{
    struct buffer b = {0};
    uint64_t word[4] = {random_bits(r), 0, 0, 0};
    while (b.size < size) {
        for (int i = 1; i < 4; i++)
            word[i] = random_chance(r, 25) ? random_bits(r) : word[i];
        buffer_add(&b, word, size - b.size < sizeof word ? size - b.size : sizeof word);
    }
    return b;
}

/* One member, packed at this level; a small one takes little of zlib's memory and time. */
static void add_member(struct buffer *file, const void *bytes, size_t size, int level)
{
    z_stream z = {0};
    int window = size < 512 ? 9 : 15, memory = size < 512 ? 1 : 8;
    ck_assert_int_eq(deflateInit2(&z, level, Z_DEFLATED, window + 16, memory, Z_DEFAULT_STRATEGY),
                     Z_OK);
    size_t room = deflateBound(&z, size);
    uint8_t *packed = malloc(room);
    ck_assert_ptr_nonnull(packed);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)size;
    z.next_out = packed;
    z.avail_out = (uInt)room;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    buffer_add(file, packed, room - z.avail_out);
    deflateEnd(&z);
    free(packed);
}

/* How many bytes a member has, by the kind of file: few, more, some blocks, or all that is left. */
static size_t draw_member(struct random *r, int kind, size_t left)
{
    static const int64_t most[] = {300, 100 * 1000, 1000 * 1000, 1};
    size_t size = (size_t)random_between(r, random_chance(r, 5) ? 0 : 1, most[kind]);
    return kind == 3 || size > left ? left : size;
}

/* A file of members that hold the content. */
static struct buffer draw_file(struct random *r, const uint8_t *content, size_t size)
{
    struct buffer file = {0};
    int kind = (int)random_between(r, 0, 3);
    int level = random_chance(r, 50) ? 0 : (int)random_between(r, 1, 2);
    size_t done = 0;
    do {
        size_t n = draw_member(r, kind, size - done);
        add_member(&file, content + done, n, level);
        done += n;
    } while (done < size);
    return file;
}

/* What became of reading a stream to its end. */
struct outcome {
    csy_status status;
    csy_error error;
    uint64_t size;
    uint32_t crc;
};

/* Read on, by looks and steps of random sizes, to the end, an error, or `stop`. */
static struct outcome read_on(struct random *r, struct bytes *b, uint64_t stop)
{
    struct outcome outcome = {.status = CSY_OK};
    const uint8_t *at;
    size_t have;
    uint64_t from = bytes_offset(b);
    bytes_crc_start(b);
    while (outcome.size < stop &&
           !(outcome.status = bytes_peek(b, 1, &at, &have, &outcome.error)) && have > 0) {
        size_t n = (size_t)random_between(r, 1, random_chance(r, 20) ? 64 : (int64_t)have);
        n = n < have ? n : have;
        outcome.crc = (uint32_t)crc32(outcome.crc, at, (uInt)n);
        outcome.size += n;
        bytes_skip(b, n);
        if (bytes_offset(b) != from + outcome.size)
            ck_abort_msg("at %zu: the offset is %zu", (size_t)(from + outcome.size),
                         (size_t)bytes_offset(b));
    }
    ck_assert_uint_eq(bytes_crc(b), outcome.crc);
    return outcome;
}

static struct bytes *open_stream(int fd, unsigned nthreads)
{
    struct bytes *b;
    csy_error error;
    ck_ok(bytes_new(fd, "a.gz", 0, true, nthreads, &b, &error), error);
    return b;
}

static struct outcome read_file(struct random *r, int fd, unsigned nthreads)
{
    struct bytes *b = open_stream(fd, nthreads);
    struct outcome outcome = read_on(r, b, UINT64_MAX);
    if (!outcome.status)
        ck_assert_uint_eq(bytes_file_offset(b), (uint64_t)lseek(fd, 0, SEEK_END));
    bytes_free(b);
    return outcome;
}

static void check_same(const struct outcome *one, const struct outcome *two)
{
    ck_assert_int_eq(one->status, two->status);
    ck_assert_uint_eq(one->size, two->size);
    ck_assert_uint_eq(one->crc, two->crc);
    if (one->status)
        ck_assert_str_eq(one->error.text, two->error.text);
}

/* The same from one thread as from two; returns it. */
static struct outcome read_both(struct random *r, const struct buffer *file)
{
    int fd = file_of(file->bytes, file->size);
    struct outcome one = read_file(r, fd, 1), two = read_file(r, fd, 2);
    close(fd);
    check_same(&one, &two);
    return one;
}

START_TEST(shapes_are_inflated)
{
    struct random all = random_trial(1000 * 1000);
    struct buffer content = draw_content(&all, CONTENT_BYTES);
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(SHAPES); trial++) {
        struct random r = random_trial(trial);
        size_t size =
            (size_t)random_between(&r, 0, random_chance(&r, 95) ? 600 * 1000 : CONTENT_BYTES);
        struct buffer file = draw_file(&r, content.bytes, size);
        struct outcome outcome = read_both(&r, &file);
        ck_assert_msg(outcome.status == CSY_OK, "%s", outcome.error.text);
        ck_assert_uint_eq(outcome.size, size);
        ck_assert_uint_eq(outcome.crc, crc32(0, content.bytes, (uInt)size));
        buffer_free(&file);
    }
    buffer_free(&content);
}
END_TEST

/* Cut at random, and near the ends of blocks and members, where zlib stops. */
START_TEST(cut_files_are_refused_alike)
{
    struct random all = random_trial(1000 * 1000);
    struct buffer content = draw_content(&all, CONTENT_BYTES);
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        struct random r = random_trial(2000 + trial);
        struct buffer file =
            draw_file(&r, content.bytes, (size_t)random_between(&r, 1, CONTENT_BYTES));
        size_t tail =
            (size_t)random_between(&r, 1, random_chance(&r, 50) ? 40 : (int64_t)file.size);
        file.size -= tail < file.size ? tail : file.size;
        struct outcome outcome = read_both(&r, &file);
        if (outcome.status) {
            char want[64];
            snprintf(want, sizeof want, "a.gz: offset %zu: gzip: the compressed data are cut off",
                     file.size);
            ck_refused(outcome.status, CSY_INPUT, outcome.error, want);
        }
        ck_assert_uint_eq(outcome.crc, crc32(0, content.bytes, (uInt)outcome.size));
        buffer_free(&file);
    }
    buffer_free(&content);
}
END_TEST

START_TEST(broken_files_are_refused_alike)
{
    struct random all = random_trial(1000 * 1000);
    struct buffer content = draw_content(&all, CONTENT_BYTES);
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        struct random r = random_trial(4000 + trial);
        size_t size = (size_t)random_between(&r, 1, CONTENT_BYTES);
        struct buffer file = draw_file(&r, content.bytes, size);
        size_t at = (size_t)random_between(&r, 0, (int64_t)file.size - 1);
        file.bytes[at] ^= (uint8_t)random_between(&r, 1, 255);
        if (random_chance(&r, 10))
            buffer_text(&file, "no member");
        struct outcome outcome = read_both(&r, &file);
        if (outcome.status) /* else it was a byte of a header that means nothing */
            ck_assert_msg(strstr(outcome.error.text, "gzip: ") != NULL, "%s", outcome.error.text);
        else
            ck_assert_uint_eq(outcome.crc, crc32(0, content.bytes, (uInt)size));
        buffer_free(&file);
    }
    buffer_free(&content);
}
END_TEST

/* What gunzip makes of a file, with igzip where it is built in, or without. */
static struct buffer gunzip_all(const struct buffer *file, bool by_zlib, csy_status *status,
                                csy_error *error)
{
    static uint8_t block[GUNZIP_BLOCK_BYTES];
    struct buffer made = {0};
    struct gunzip *g;
    size_t got;
    int fd = file_of(file->bytes, file->size);
    struct range range = {.fd = fd, .name = "a.gz"};
    ck_ok(gunzip_new(&range, by_zlib, &g, error), *error);
    while (!(*status = gunzip_block(g, block, &got, error)) && got > 0)
        buffer_add(&made, block, got);
    gunzip_free(g);
    close(fd);
    return made;
}

/* One file both ways: the same bytes, or the same words.  igzip may take a stream that zlib
 * refuses, if the bytes are right, and may have given more of them before it gives way to zlib. */
static void check_engines(const struct buffer *file, const uint8_t *content, size_t size)
{
    csy_status fast_status, status;
    csy_error fast_error, error;
    struct buffer fast = gunzip_all(file, false, &fast_status, &fast_error);
    struct buffer made = gunzip_all(file, true, &status, &error);
    if (!fast_status) {
        ck_assert_uint_eq(fast.size, size);
        ck_assert_mem_eq(fast.bytes, content, size);
    } else {
        ck_assert_int_eq(fast_status, status);
        ck_assert_str_eq(fast_error.text, error.text);
        ck_assert_uint_ge(fast.size, made.size);
    }
    buffer_free(&fast);
    buffer_free(&made);
}

START_TEST(igzip_says_what_zlib_says)
{
    struct random all = random_trial(1000 * 1000);
    struct buffer content = draw_content(&all, CONTENT_BYTES);
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(4 * TRIALS); trial++) {
        struct random r = random_trial(5000 + trial);
        size_t size = (size_t)random_between(&r, 1, random_chance(&r, 50) ? 3000 : CONTENT_BYTES);
        struct buffer file = draw_file(&r, content.bytes, size);
        for (int64_t flips = random_between(&r, 0, 2); flips > 0; flips--)
            file.bytes[random_between(&r, 0, (int64_t)file.size - 1)] ^=
                (uint8_t)(1 << random_between(&r, 0, 7));
        check_engines(&file, content.bytes, size);
        buffer_free(&file);
    }
    buffer_free(&content);
}
END_TEST

/* As gunzip does: zeros after the last member are nothing, and anything after them is refused. */
START_TEST(zeros_may_follow)
{
    static const size_t zeros[] = {1, 7, 511, 256 * 1024, 700 * 1000};
    struct random r = random_trial(6000);
    struct buffer content = draw_content(&r, 1000 * 1000);
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        struct buffer file = {0};
        uint8_t *none = calloc(zeros[i], 1);
        ck_assert_ptr_nonnull(none);
        add_member(&file, content.bytes, 1000 * (i + 1), 1);
        add_member(&file, content.bytes + 1000 * (i + 1), 400 * 1000, 1);
        buffer_add(&file, none, zeros[i]);
        struct outcome outcome = read_both(&r, &file);
        ck_ok(outcome.status, outcome.error);
        ck_assert_uint_eq(outcome.size, 1000 * (i + 1) + 400 * 1000);
        ck_assert_uint_eq(outcome.crc, crc32(0, content.bytes, (uInt)outcome.size));
        char want[128];
        snprintf(want, sizeof want,
                 "a.gz: offset %zu: gzip: other bytes follow the zero bytes after a gzip member",
                 file.size);
        add_member(&file, content.bytes, 10, 1);
        outcome = read_both(&r, &file);
        ck_refused(outcome.status, CSY_INPUT, outcome.error, want);
        ck_assert_uint_eq(outcome.size, 1000 * (i + 1) + 400 * 1000);
        check_engines(&file, content.bytes, 0);
        buffer_free(&file);
        free(none);
    }
    buffer_free(&content);
    struct buffer file = {0};
    buffer_add(&file, "\0\0", 2);
    struct outcome outcome = read_both(&r, &file);
    ck_refused(outcome.status, CSY_INPUT, outcome.error,
               "a.gz: offset 0: gzip: incorrect header check");
    buffer_free(&file);
}
END_TEST

/* The second member is of stored blocks, of which one after another is broken: where that is told
 * to be does not depend on where zlib had to begin anew. */
START_TEST(stored_blocks_are_broken)
{
    enum { SECOND_BYTES = 600 * 1000, HEADER_BYTES = 10, TRAILER_BYTES = 8 };
    struct random r = random_trial(7000);
    struct buffer content = draw_content(&r, CONTENT_BYTES);
    for (size_t first = 1000; first < 300 * 1000; first += 100 * 1000) {
        struct buffer file = {0};
        add_member(&file, content.bytes, first, 0);
        size_t at = file.size + HEADER_BYTES;
        add_member(&file, content.bytes + first, SECOND_BYTES, 0);
        while (at + TRAILER_BYTES < file.size) { /* a byte, the length twice, so many bytes */
            file.bytes[at + 3] ^= 1;
            check_engines(&file, content.bytes, first + SECOND_BYTES);
            file.bytes[at + 3] ^= 1;
            at += 5 + ((size_t)file.bytes[at + 2] << 8 | file.bytes[at + 1]);
        }
        buffer_free(&file);
    }
    buffer_free(&content);
}
END_TEST

#ifdef CELLSYNC_IGZIP
static int igzip_calls_left = INT_MAX;

/* In front of the library's own: it refuses when so many calls have gone by. */
int isal_inflate(struct inflate_state *state)
{
    union {
        void *symbol;
        int (*call)(struct inflate_state *);
    } real = {dlsym(RTLD_NEXT, "isal_inflate")};
    return igzip_calls_left-- > 0 ? real.call(state) : ISAL_INVALID_BLOCK;
}

/* Refused without a reason: zlib makes up for it, unless some of the member has been given out. */
START_TEST(igzip_refuses_what_is_good)
{
    struct random all = random_trial(1000 * 1000);
    struct buffer content = draw_content(&all, CONTENT_BYTES);
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        struct random r = random_trial(8000 + trial);
        struct buffer file = {0};
        csy_status status;
        csy_error error;
        size_t first = (size_t)random_between(&r, 0, CONTENT_BYTES);
        add_member(&file, content.bytes, first, 1);
        size_t offset = file.size;
        add_member(&file, content.bytes + first, content.size - first, 1);
        igzip_calls_left = (int)random_between(&r, 0, 12);
        struct buffer made = gunzip_all(&file, false, &status, &error);
        igzip_calls_left = INT_MAX;
        ck_assert_mem_eq(made.bytes, content.bytes, made.size);
        if (status) {
            char want[2][80];
            snprintf(want[0], sizeof want[0],
                     "a.gz: offset 0: gzip: igzip and zlib decompress it differently, so the data "
                     "are damaged");
            snprintf(want[1], sizeof want[1],
                     "a.gz: offset %zu: gzip: igzip and zlib decompress it differently, so the "
                     "data are damaged",
                     offset);
            ck_assert_str_eq(error.text, want[made.size > first]);
            ck_assert_uint_ge(made.size, GUNZIP_BLOCK_BYTES);
        } else {
            ck_assert_uint_eq(made.size, content.size);
        }
        buffer_free(&made);
        buffer_free(&file);
    }
    buffer_free(&content);
}
END_TEST

/* A member that begins and ends in one block has not been given out when it is made again, though
 * it begins where the block does. */
START_TEST(igzip_refuses_a_block_of_its_own)
{
    struct random r = random_trial(9000);
    struct buffer content = draw_content(&r, GUNZIP_BLOCK_BYTES + 1000), file = {0};
    int whole = 0;
    add_member(&file, content.bytes, GUNZIP_BLOCK_BYTES, 1);
    add_member(&file, content.bytes + GUNZIP_BLOCK_BYTES, 1000, 1);
    for (int calls = 0; calls < 12; calls++) {
        csy_status status;
        csy_error error;
        igzip_calls_left = calls;
        struct buffer made = gunzip_all(&file, false, &status, &error);
        igzip_calls_left = INT_MAX;
        if (status)
            ck_assert_str_eq(error.text, "a.gz: offset 0: gzip: igzip and zlib decompress it "
                                         "differently, so the data are damaged");
        else
            ck_assert(buffer_is(&made, content.bytes, content.size));
        whole += !status;
        buffer_free(&made);
    }
    ck_assert_int_ge(whole, 6);
    buffer_free(&file);
    buffer_free(&content);
}
END_TEST
#endif

/* Headers with all that they may have, and with a flag that they may not: a member of five bytes,
 * stored. */
START_TEST(headers_are_read_by_zlib)
{
    static const uint8_t data[] = {1,   5,    0,    0xfa, 0xff, 'h', 'e', 'l', 'l',
                                   'o', 0x86, 0xa6, 0x10, 0x36, 5,   0,   0,   0};
    for (unsigned flags = 0; flags < 64; flags++) {
        uint8_t head[] = {0x1f, 0x8b, 8, (uint8_t)flags, 0, 0, 0, 0, 0, 255};
        struct buffer file = {0};
        csy_status status;
        csy_error error;
        buffer_add(&file, head, sizeof head);
        if (flags & 4)
            buffer_add(&file, "\3\0abc", 5);
        if (flags & 8)
            buffer_add(&file, "name", 5);
        if (flags & 16)
            buffer_add(&file, "comment", 8);
        if (flags & 2) {
            uLong crc = crc32(0, file.bytes, (uInt)file.size);
            uint8_t bytes[] = {(uint8_t)crc, (uint8_t)(crc >> 8)};
            buffer_add(&file, bytes, 2);
        }
        buffer_add(&file, data, sizeof data);
        for (int by_zlib = 0; by_zlib < 2; by_zlib++) {
            struct buffer made = gunzip_all(&file, by_zlib, &status, &error);
            if (flags & 32) {
                ck_refused(status, CSY_INPUT, error,
                           "a.gz: offset 0: gzip: unknown header flags set");
            } else {
                ck_ok(status, error);
                ck_assert_uint_eq(made.size, 5);
                ck_assert_mem_eq(made.bytes, "hello", 5);
            }
            buffer_free(&made);
        }
        buffer_free(&file);
    }
}
END_TEST

/* Ask again after the end, which may have a reason, or after an error. */
static void ask_again(struct bytes *b, const struct outcome *first, const char *cut)
{
    csy_error error;
    const uint8_t *at;
    size_t have = 1;
    ck_assert_int_eq(bytes_peek(b, 1, &at, &have, &error), first->status);
    if (first->status)
        ck_assert_str_eq(error.text, first->error.text);
    else
        ck_assert_uint_eq(have, 0);
    ck_assert(!cut == !bytes_cut(b));
    if (cut)
        ck_assert_str_eq(bytes_cut(b)->text, cut);
    ck_assert_int_eq(bytes_peek(b, 1, &at, &have, NULL), first->status);
}

/* _i: the file is whole, cut off, or its last byte is wrong.  The end, and an error, are there as
 * often as one asks. */
START_TEST(ends_and_errors_stay)
{
    struct random r = random_trial(5);
    struct buffer content = draw_content(&r, CONTENT_BYTES), file = {0};
    char text[64];
    buffer_gzip(&file, content.bytes, content.size);
    file.size -= _i == 1;
    file.bytes[file.size - 1] ^= _i == 2;
    snprintf(text, sizeof text, "a.gz: offset %zu: gzip: the compressed data are cut off",
             file.size);
    for (unsigned nthreads = 1; nthreads < 3; nthreads++) {
        int fd = file_of(file.bytes, file.size);
        struct bytes *b = open_stream(fd, nthreads);
        struct outcome first = read_on(&r, b, UINT64_MAX);
        ck_assert_int_eq(first.status, _i == 2 ? CSY_INPUT : CSY_OK);
        for (int i = 0; i < 3; i++)
            ask_again(b, &first, _i == 1 ? text : NULL);
        ck_assert(first.size == content.size || _i == 2);
        bytes_rewind(b);
        ck_assert_ptr_null(bytes_cut(b));
        bytes_free(b);
        close(fd);
    }
    buffer_free(&file);
    buffer_free(&content);
}
END_TEST

/* Stop anywhere; start again, or go away. */
START_TEST(readers_turn_back)
{
    struct random all = random_trial(1000 * 1000);
    struct buffer content = draw_content(&all, CONTENT_BYTES);
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        struct random r = random_trial(6000 + trial);
        struct buffer file = draw_file(&r, content.bytes, content.size);
        int fd = file_of(file.bytes, file.size);
        struct bytes *b = open_stream(fd, (unsigned)random_between(&r, 1, 3));
        for (int64_t turns = random_between(&r, 0, 3); turns > 0; turns--) {
            uint64_t stop = (uint64_t)random_between(&r, 0, CONTENT_BYTES + 1000);
            struct outcome part = read_on(&r, b, stop);
            ck_assert_uint_eq(part.crc, crc32(0, content.bytes, (uInt)part.size));
            bytes_set_workers(b, (unsigned)random_between(&r, 1, 2));
            bytes_rewind(b);
            ck_assert_uint_eq(bytes_offset(b), 0);
        }
        if (random_chance(&r, 50)) {
            struct outcome whole = read_on(&r, b, UINT64_MAX);
            ck_assert_msg(whole.status == CSY_OK, "%s", whole.error.text);
            ck_assert_uint_eq(whole.size, content.size);
            ck_assert_uint_eq(whole.crc, crc32(0, content.bytes, (uInt)content.size));
        }
        bytes_free(b);
        close(fd);
        buffer_free(&file);
    }
    buffer_free(&content);
}
END_TEST

/* The descriptor becomes unreadable while the stream is read: what comes before the message is
 * right, and a later pass over a readable one goes well. */
START_TEST(reading_fails_on_the_way)
{
    struct random r = random_trial(7);
    struct buffer content = draw_content(&r, CONTENT_BYTES), file = {0};
    add_member(&file, content.bytes, content.size, 0);
    int fd = file_of(file.bytes, file.size), good = dup(fd), bad = open("/dev/null", O_WRONLY);
    for (unsigned nthreads = 1; nthreads < 3; nthreads++) {
        struct bytes *b = open_stream(fd, nthreads);
        read_on(&r, b, 1000);
        ck_assert_int_eq(dup2(bad, fd), fd);
        struct outcome rest = read_on(&r, b, UINT64_MAX);
        ck_refused(rest.status, CSY_IO, rest.error, "a.gz: Bad file descriptor");
        ck_assert_uint_lt(bytes_offset(b), content.size);
        ck_assert_int_eq(dup2(good, fd), fd);
        bytes_rewind(b);
        ck_assert_uint_eq(read_on(&r, b, UINT64_MAX).crc,
                          crc32(0, content.bytes, (uInt)content.size));
        bytes_free(b);
    }
    close(bad);
    close(good);
    close(fd);
    buffer_free(&file);
    buffer_free(&content);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("gunzip");
    tcase_add_test(tests, shapes_are_inflated);
    tcase_add_test(tests, cut_files_are_refused_alike);
    tcase_add_test(tests, broken_files_are_refused_alike);
    tcase_add_test(tests, zeros_may_follow);
    tcase_add_test(tests, stored_blocks_are_broken);
    tcase_add_test(tests, igzip_says_what_zlib_says);
    tcase_add_test(tests, headers_are_read_by_zlib);
#ifdef CELLSYNC_IGZIP
    tcase_add_test(tests, igzip_refuses_what_is_good);
    tcase_add_test(tests, igzip_refuses_a_block_of_its_own);
#endif
    tcase_add_loop_test(tests, ends_and_errors_stay, 0, 3);
    tcase_add_test(tests, readers_turn_back);
    tcase_add_test(tests, reading_fails_on_the_way);
    return unit_run();
}
