/* A stream of bytes: a range of a file, as it stands or gunzipped. */
#include "trace/bytes.h"

#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
    READ_BYTES = 256 * 1024,
    GZIP_WINDOW_BITS = 15 + 16 /* zlib: gzip members only */
};

struct bytes {
    int fd;
    bool gzip;
    char *name;
    uint64_t start; /* in the file */

    uint64_t file_off; /* next byte to read from the file */
    bool file_end;

    uint8_t *buffer; /* holds [first, last) of `capacity` bytes */
    size_t first, last, capacity;
    uint64_t base; /* stream offset of buffer[0] */

    z_stream zlib; /* gzip only, with its own input buffer */
    bool zlib_ready, in_member;
    uint8_t *packed;
};

csy_status bytes_new(int fd, const char *name, uint64_t start, bool gzip, struct bytes **out,
                     csy_error *error)
{
    struct bytes *b = calloc(1, sizeof *b);
    if (!b)
        return error_memory(error);
    b->fd = fd;
    b->gzip = gzip;
    b->start = b->file_off = start;
    b->capacity = READ_BYTES;
    b->name = strdup(name);
    b->buffer = malloc(b->capacity);
    b->packed = gzip ? malloc(READ_BYTES) : NULL;
    b->zlib_ready = gzip && inflateInit2(&b->zlib, GZIP_WINDOW_BITS) == Z_OK;
    if (!b->name || !b->buffer || (gzip && (!b->packed || !b->zlib_ready))) {
        bytes_free(b);
        return error_memory(error);
    }
    *out = b;
    return CSY_OK;
}

void bytes_free(struct bytes *b)
{
    if (!b)
        return;
    if (b->zlib_ready)
        inflateEnd(&b->zlib);
    free(b->packed);
    free(b->buffer);
    free(b->name);
    free(b);
}

csy_status bytes_rewind(struct bytes *b, csy_error *error)
{
    b->file_off = b->start;
    b->file_end = false;
    b->first = b->last = 0;
    b->base = 0;
    b->zlib.avail_in = 0;
    b->in_member = false;
    if (b->gzip && inflateReset(&b->zlib) != Z_OK)
        return error_set(error, CSY_IO, "%s: zlib cannot start again", b->name);
    return CSY_OK;
}

/* Read up to `size` bytes of the file; *got is 0 at its end. */
static csy_status file_read(struct bytes *b, uint8_t *to, size_t size, size_t *got,
                            csy_error *error)
{
    ssize_t n;
    do
        n = pread(b->fd, to, size, (off_t)b->file_off);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_io(error, b->name, NULL);
    b->file_off += (uint64_t)n;
    b->file_end = n == 0;
    *got = (size_t)n;
    return CSY_OK;
}

/* Offset in the file of the next packed byte. */
static uint64_t packed_offset(const struct bytes *b)
{
    return b->file_off - b->zlib.avail_in;
}

static csy_status gzip_refill(struct bytes *b, csy_error *error)
{
    size_t got = 0;
    csy_status status = file_read(b, b->packed, READ_BYTES, &got, error);
    if (status)
        return status;
    b->zlib.next_in = b->packed;
    b->zlib.avail_in = (unsigned)got;
    return CSY_OK;
}

static csy_status gzip_refuse(struct bytes *b, uint64_t at, csy_error *error)
{
    const char *what = b->zlib.msg ? b->zlib.msg : "broken data";
    if (strcmp(what, "incorrect data check") == 0 || strcmp(what, "incorrect length check") == 0)
        at = packed_offset(b); /* in the trailer, which has been read */
    return error_set(error, CSY_INPUT, "%s: offset %" PRIu64 ": gzip: %s", b->name, at, what);
}

/* Inflate some bytes into to[0..size); *got is 0 only behind the last member. */
static csy_status gzip_read(struct bytes *b, uint8_t *to, size_t size, size_t *got,
                            csy_error *error)
{
    b->zlib.next_out = to;
    b->zlib.avail_out = (unsigned)size;
    while (b->zlib.avail_out == size) {
        if (b->zlib.avail_in == 0 && !b->file_end) {
            csy_status status = gzip_refill(b, error);
            if (status)
                return status;
        }
        if (b->zlib.avail_in == 0) {
            if (!b->in_member && packed_offset(b) > b->start)
                break;
            return error_set(error, CSY_INPUT,
                             "%s: offset %" PRIu64 ": gzip: the data are cut off", b->name,
                             packed_offset(b));
        }
        b->in_member = true;
        uint64_t at = packed_offset(b);
        int code = inflate(&b->zlib, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR)
            return error_memory(error);
        if (code == Z_STREAM_END) {
            b->in_member = false;
            inflateReset(&b->zlib);
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return gzip_refuse(b, at, error);
        }
    }
    *got = size - b->zlib.avail_out;
    return CSY_OK;
}

csy_status bytes_peek(struct bytes *b, size_t need, const uint8_t **at, size_t *have,
                      csy_error *error)
{
    if (b->last - b->first < need && b->first > 0) {
        memmove(b->buffer, b->buffer + b->first, b->last - b->first);
        b->base += b->first;
        b->last -= b->first;
        b->first = 0;
    }
    if (need > b->capacity) {
        size_t capacity = need < 2 * b->capacity ? 2 * b->capacity : need;
        uint8_t *grown = realloc(b->buffer, capacity);
        if (!grown)
            return error_memory(error);
        b->buffer = grown;
        b->capacity = capacity;
    }
    while (b->last - b->first < need) {
        size_t got = 0;
        csy_status status =
            b->gzip ? gzip_read(b, b->buffer + b->last, b->capacity - b->last, &got, error)
                    : file_read(b, b->buffer + b->last, b->capacity - b->last, &got, error);
        if (status)
            return status;
        if (got == 0)
            break;
        b->last += got;
    }
    *at = b->buffer + b->first;
    *have = b->last - b->first;
    return CSY_OK;
}

void bytes_skip(struct bytes *b, size_t n)
{
    b->first += n;
}

uint64_t bytes_offset(const struct bytes *b)
{
    return b->base + b->first + (b->gzip ? 0 : b->start);
}

uint64_t bytes_file_offset(const struct bytes *b)
{
    return b->file_off;
}

static csy_status write_all(int fd, const uint8_t *from, size_t size, csy_error *error)
{
    while (size > 0) {
        ssize_t n = write(fd, from, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_io(error, "temporary file", NULL);
        from += n;
        size -= (size_t)n;
    }
    return CSY_OK;
}

static csy_status spool_open(int *out, csy_error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/cellsync.XXXXXX",
                          folder && *folder ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path)
        return error_set(error, CSY_IO, "TMPDIR: the path is too long");
    int fd = mkstemp(path);
    if (fd < 0)
        return error_io(error, path, "temporary file");
    unlink(path);
    *out = fd;
    return CSY_OK;
}

csy_status bytes_spool(int from, const char *name, int *out, csy_error *error)
{
    int fd = -1;
    csy_status status = CSY_OK;
    uint8_t *buffer = malloc(READ_BYTES);
    if (!buffer)
        status = error_memory(error);
    else
        status = spool_open(&fd, error);
    while (!status) {
        ssize_t n = read(from, buffer, READ_BYTES);
        if (n == 0)
            break;
        if (n > 0)
            status = write_all(fd, buffer, (size_t)n, error);
        else if (errno != EINTR)
            status = error_io(error, name, NULL);
    }
    free(buffer);
    if (status && fd >= 0)
        close(fd);
    if (!status)
        *out = fd;
    return status;
}
