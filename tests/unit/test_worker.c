/*
 * Where the system gives no thread, the caller does the work: the same blocks come and the same
 * bytes go. This program has base/worker.h's functions of its own, which refuse after as many
 * threads as it likes.
 */
#include "base/worker.h"
#include "io/bytes.h"
#include "io/gzip_out.h"
#include "support.h"

#include <string.h>
#include <unistd.h>

enum { CONTENT_BYTES = 1500 * 1000 };

static unsigned given, asked;

unsigned worker_cores(void)
{
    return 4;
}

bool worker_start(pthread_t *out, void *(*run)(void *), void *user)
{
    asked++;
    if (given == 0)
        return false;
    given--;
    return pthread_create(out, NULL, run, user) == 0;
}

static void keep(void *user, const void *bytes, size_t size)
{
    buffer_add(user, bytes, size);
}

static struct buffer pack(const struct buffer *content, unsigned nthreads)
{
    struct buffer packed = {0};
    struct gzip_out *z;
    csy_error error;
    ck_ok(gzip_out_new(1, nthreads, keep, &packed, &z, &error), error);
    gzip_out_write(z, content->bytes, content->size);
    gzip_out_finish(z);
    gzip_out_free(z);
    return packed;
}

static void unpack(const struct buffer *packed, const struct buffer *content)
{
    struct bytes *b;
    csy_error error;
    const uint8_t *at;
    size_t have, done = 0;
    int fd = file_of(packed->bytes, packed->size);
    ck_ok(bytes_new(fd, "a.gz", 0, true, 2, &b, &error), error);
    for (;;) {
        ck_ok(bytes_peek(b, 1, &at, &have, &error), error);
        if (have == 0)
            break;
        ck_assert_uint_le(have, content->size - done);
        ck_assert_mem_eq(at, content->bytes + done, have);
        bytes_skip(b, have);
        done += have;
    }
    ck_assert_uint_eq(done, content->size);
    bytes_free(b);
    close(fd);
}

START_TEST(threads_are_refused)
{
    struct random r = random_trial(1);
    struct buffer content = {0};
    while (content.size < CONTENT_BYTES) {
        uint64_t word = random_bits(&r) & 0xff00ff;
        buffer_add(&content, &word, sizeof word);
    }
    struct buffer first = pack(&content, 1);
    ck_assert_uint_eq(asked, 0);
    for (unsigned most = 0; most < 5; most++) {
        given = most;
        asked = 0;
        struct buffer packed = pack(&content, 4);
        ck_assert_uint_eq(asked, most < 3 ? most + 1 : 3);
        ck_assert_uint_eq(packed.size, first.size);
        ck_assert_mem_eq(packed.bytes, first.bytes, first.size);
        given = most;
        asked = 0;
        unpack(&packed, &content);
        ck_assert_uint_eq(asked, 1);
        buffer_free(&packed);
    }
    buffer_free(&first);
    buffer_free(&content);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("worker");
    tcase_add_test(tests, threads_are_refused);
    return unit_run();
}
