/*
 * Gzip, in and out.
 *
 * A thread that runs ahead reads the same bytes and the same error; where zlib alone reads the
 * stream to its end, so does whatever inflates here, and to the same bytes; what is refused, is in
 * zlib's words.  Any bytes that go out come back.
 */
#include "io/bytes.h"
#include "io/gunzip.h"
#include "io/gzip_out.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { BYTES_MAX = 8 * 1024 * 1024 }; /* a bomb is not read to its end */

/* How much there is, its sum, and how it ended. */
struct outcome {
    uint64_t size;
    uint32_t crc;
    csy_error error;
};

static bool same(const struct outcome *a, const struct outcome *b)
{
    return a->size == b->size && a->crc == b->crc && a->error.status == b->error.status &&
           (!a->error.status || strcmp(a->error.text, b->error.text) == 0);
}

static struct outcome read_stream(int fd, unsigned nthreads)
{
    struct outcome outcome = {0};
    struct bytes *bytes;
    const uint8_t *at;
    size_t have = 1;
    csy_error *error = &outcome.error;
    must_be_ok(bytes_new(fd, "fuzz", 0, true, nthreads, &bytes, error), *error);
    bytes_crc_start(bytes);
    csy_status status = CSY_OK;
    while (!status && have > 0 && bytes_offset(bytes) < BYTES_MAX) {
        status = bytes_peek(bytes, 1, &at, &have, error);
        if (!status)
            bytes_skip(bytes, have);
    }
    must_be_told(status, error);
    outcome.size = bytes_offset(bytes);
    outcome.crc = bytes_crc(bytes);
    outcome.error.status = status;
    bytes_free(bytes);
    return outcome;
}

static struct outcome read_blocks(int fd, bool by_zlib)
{
    struct outcome outcome = {0};
    struct gunzip *gunzip;
    const struct range file = {.fd = fd, .name = "fuzz"};
    csy_error *error = &outcome.error;
    static uint8_t block[GUNZIP_BLOCK_BYTES];
    size_t got = 1;
    must_be_ok(gunzip_new(&file, by_zlib, &gunzip, error), *error);
    csy_status status = CSY_OK;
    while (!status && got > 0 && outcome.size < BYTES_MAX) {
        got = 0;
        status = gunzip_block(gunzip, block, &got, error);
        outcome.size += got;
        outcome.crc = (uint32_t)crc32(outcome.crc, block, (unsigned)got);
    }
    outcome.error.status = status;
    gunzip_free(gunzip);
    return outcome;
}

struct packed {
    uint8_t *bytes;
    size_t size;
};

static void append(void *user, const void *bytes, size_t size)
{
    struct packed *packed = user;
    packed->bytes = realloc(packed->bytes, packed->size + size);
    must(packed->bytes, "no memory");
    memcpy(packed->bytes + packed->size, bytes, size);
    packed->size += size;
}

static void out_and_in(const uint8_t *data, size_t size)
{
    struct packed packed = {0};
    struct gzip_out *z;
    csy_error error;
    int level = size ? data[0] % 10 : 1;
    must_be_ok(gzip_out_new(level, 1, append, &packed, &z, &error), error);
    gzip_out_write(z, data, size);
    gzip_out_finish(z);
    gzip_out_free(z);
    const struct outcome back = read_stream(memory_file(packed.bytes, packed.size), 1);
    must(!back.error.status, back.error.text);
    must(back.size == size && back.crc == (uint32_t)crc32(0, data, (unsigned)size), "other bytes");
    free(packed.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memory_file(data, size);
    const struct outcome one = read_stream(fd, 1), two = read_stream(fd, 2);
    must(same(&one, &two), "a thread that runs ahead reads something else");
    const struct outcome ours = read_blocks(fd, false), zlib = read_blocks(fd, true);
    must(zlib.error.status || same(&ours, &zlib), "zlib reads something else");
    must(!ours.error.status || strcmp(ours.error.text, zlib.error.text) == 0, ours.error.text);
    out_and_in(data, size);
    return 0;
}
