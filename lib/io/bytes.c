/* See bytes.h. */
#include "io/bytes.h"

#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "base/portable.h"
#include "io/gunzip.h"
#include "io/readahead.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    READ_BYTES = 256 * 1024,
    NARROW_BYTES = 32 * 1024,
    REST_BYTES = 64 * 1024 /* room for a record that ends in the next gunzipped block */
};

struct bytes {
    char *name;
    struct range file; /* part of the file to read; the gunzip reader uses a copy */

    uint8_t *buffer; /* the bytes [first, last) were read, but are not skipped yet */
    size_t first, last, capacity;
    uint64_t base; /* offset of buffer[0] in the stream */

    bool summing;
    uint32_t crc; /* CRC-32 of the bytes from bytes_crc_start to buffer[summed] */
    size_t summed;

    struct gunzip *gunzip; /* gzip reader, or NULL; only the worker uses it while it runs */
    struct readahead *ahead;
    const uint8_t *block; /* unread rest of the current gunzipped block, nblock bytes */
    size_t nblock;
    uint64_t mark; /* file offset after the current block */
    bool cut;      /* true if the gzip data end too early, after the current block */
    csy_error cut_error;
};

static void gunzip_ahead(void *user, struct readahead_block *block)
{
    struct gunzip *gunzip = user;
    block->status = gunzip_block(gunzip, block->bytes, &block->size, &block->error);
    block->mark = gunzip_file_offset(gunzip);
    block->cut = gunzip_is_cut(gunzip);
}

csy_status bytes_new(int fd, const char *name, uint64_t start, bool gzip, unsigned nworkers,
                     struct bytes **out, csy_error *error)
{
    struct bytes *b = calloc(1, sizeof *b);
    if (!b)
        return error_memory(error);
    b->capacity = gzip ? GUNZIP_BLOCK_BYTES + REST_BYTES : nworkers > 0 ? READ_BYTES : NARROW_BYTES;
    b->name = strdup(name);
    b->buffer = malloc(b->capacity);
    b->file = (struct range){.fd = fd, .name = b->name, .start = start, .next = start};
    b->mark = start;
    csy_status status = b->name && b->buffer ? CSY_OK : error_memory(error);
    if (!status && gzip)
        status = gunzip_new(&b->file, false, &b->gunzip, error);
    if (!status && gzip)
        status = readahead_new(gunzip_ahead, b->gunzip, GUNZIP_BLOCK_BYTES, &b->ahead, error);
    if (status) {
        bytes_free(b);
        return status;
    }
    bytes_set_workers(b, nworkers);
    *out = b;
    return CSY_OK;
}

void bytes_free(struct bytes *b)
{
    if (!b)
        return;
    readahead_free(b->ahead);
    gunzip_free(b->gunzip);
    FREE_ALL(b->buffer, b->name, b);
}

void bytes_set_workers(struct bytes *b, unsigned nworkers)
{
    if (b->ahead)
        readahead_allow(b->ahead, nworkers > 1);
}

void bytes_rewind(struct bytes *b)
{
    range_rewind(&b->file);
    b->first = b->last = 0;
    b->base = 0;
    b->summing = false;
    if (b->gunzip) {
        readahead_rewind(b->ahead);
        gunzip_rewind(b->gunzip);
        b->nblock = 0;
        b->mark = b->file.start;
        b->cut = false;
    }
}

void bytes_seek(struct bytes *b, uint64_t offset)
{
    uint64_t at = b->file.start + b->base;
    if (offset >= at && offset <= at + b->last) {
        b->first = (size_t)(offset - at);
    } else {
        b->file.next = offset;
        b->base = offset - b->file.start;
        b->first = b->last = 0;
    }
}

/* Copy up to `size` gunzipped bytes. *got is their number: 0 only at the end of the data. */
static csy_status gzip_read(struct bytes *b, uint8_t *to, size_t size, size_t *got,
                            csy_error *error)
{
    if (b->nblock == 0) {
        const struct readahead_block *block;
        csy_status status = readahead_next(b->ahead, &block, error);
        if (!status && block->status) {
            b->cut = block->cut;
            b->cut_error = block->error;
            if (!b->cut && error)
                *error = block->error;
            status = b->cut ? CSY_OK : block->status;
        }
        *got = 0;
        if (status || b->cut)
            return status;
        b->block = block->bytes;
        b->nblock = block->size;
        b->mark = block->mark;
    }
    *got = b->nblock < size ? b->nblock : size;
    memcpy(to, b->block, *got);
    b->block += *got;
    b->nblock -= *got;
    return CSY_OK;
}

/* Update the checksum with the bytes that were skipped since the last update. */
static void sum_up(struct bytes *b)
{
    if (b->summing)
        b->crc = crc_add(b->crc, b->buffer + b->summed, b->first - b->summed);
    b->summed = b->first;
}

/* Read until `need` bytes are in the buffer, or the stream ends. */
static csy_status read_on(struct bytes *b, size_t need, csy_error *error)
{
    sum_up(b);
    memmove(b->buffer, b->buffer + b->first, b->last - b->first);
    b->base += b->first;
    b->last -= b->first;
    b->first = b->summed = 0;
    if (need > b->capacity) {
        size_t capacity = need < 2 * b->capacity ? 2 * b->capacity : need;
        uint8_t *grown = realloc(b->buffer, capacity);
        if (!grown)
            return error_memory(error);
        b->buffer = grown;
        b->capacity = capacity;
    }
    csy_status status = CSY_OK;
    while (!status && b->last < need) {
        uint8_t *to = b->buffer + b->last;
        size_t got = 0, size = b->capacity - b->last;
        status = b->gunzip ? gzip_read(b, to, size, &got, error)
                           : range_read(&b->file, to, size, &got, error);
        if (status || got == 0)
            break;
        b->last += got;
    }
    return status;
}

csy_status bytes_peek(struct bytes *b, size_t need, const uint8_t **at, size_t *have,
                      csy_error *error)
{
    if (b->last - b->first < need) {
        csy_status status = read_on(b, need, error);
        if (status)
            return status;
    }
    *at = b->buffer + b->first;
    *have = b->last - b->first;
    return CSY_OK;
}

void bytes_skip(struct bytes *b, size_t n)
{
    b->first += n;
}

void bytes_pass(struct bytes *b, uint64_t n, uint32_t crc)
{
    sum_up(b);
    if (b->summing)
        b->crc = crc_join(b->crc, crc, n);
    b->base += b->first + n;
    b->file.next = b->file.start + b->base;
    b->first = b->last = b->summed = 0;
}

const csy_error *bytes_cut(const struct bytes *b)
{
    return b->cut ? &b->cut_error : NULL;
}

bool bytes_is_packed(const struct bytes *b)
{
    return b->gunzip != NULL;
}

bool bytes_is_summing(const struct bytes *b)
{
    return b->summing;
}

void bytes_crc_start(struct bytes *b)
{
    b->summing = true;
    b->crc = 0;
    b->summed = b->first;
}

uint32_t bytes_crc(struct bytes *b)
{
    sum_up(b);
    return b->crc;
}

csy_status bytes_are_zero(struct bytes *b, bool *zero, csy_error *error)
{
    const uint8_t *p;
    size_t have;
    sum_up(b);
    b->summing = false;
    for (*zero = false;; bytes_skip(b, have)) {
        if (!b->gunzip && b->first == b->last)
            range_skip_hole(&b->file);
        csy_status status = bytes_peek(b, 1, &p, &have, error);
        if (status || have == 0)
            return status;
        *zero = p[0] == 0 && memcmp(p, p + 1, have - 1) == 0;
        if (!*zero)
            return CSY_OK;
    }
}

uint64_t bytes_offset(const struct bytes *b)
{
    return b->base + b->first + (b->gunzip ? 0 : b->file.start);
}

uint64_t bytes_file_offset(const struct bytes *b)
{
    return b->gunzip ? b->mark : b->file.next;
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

csy_status bytes_temporary(int *out, csy_error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    folder = folder && *folder ? folder : "/tmp";
    int fd = portable_nameless(folder, O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        *out = fd;
        return CSY_OK;
    }
    int length = snprintf(path, sizeof path, "%s/cellsync.XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return error_set(error, CSY_IO, "TMPDIR: the path is too long");
    fd = mkstemp(path); /* some file systems cannot make files without a name */
    if (fd < 0)
        return error_io(error, path, "temporary file");
    unlink(path);
    *out = fd;
    return CSY_OK;
}

/* Returns true if a failed read may be repeated. If the read would block, waits for data first. */
static bool may_retry(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return errno == EINTR || (errno == EAGAIN && (poll(&wanted, 1, -1) > 0 || errno == EINTR));
}

csy_status bytes_spool(int from, const char *name, bytes_look *look, void *user, int *out,
                       csy_error *error)
{
    int fd = -1;
    size_t spooled = 0;
    uint8_t *buffer = malloc(READ_BYTES);
    csy_status status = buffer ? bytes_temporary(&fd, error) : error_memory(error);
    while (!status) {
        ssize_t n = read(from, buffer, READ_BYTES);
        if (n == 0)
            break;
        if (n > 0)
            status = write_all(fd, buffer, (size_t)n, error);
        else if (!may_retry(from))
            status = error_io(error, name, NULL);
        if (!status && n > 0 && spooled < READ_BYTES && spooled + (size_t)n >= READ_BYTES)
            status = look(user, fd, error);
        spooled += n > 0 ? (size_t)n : 0;
    }
    free(buffer);
    if (status && fd >= 0)
        close(fd);
    if (!status)
        *out = fd;
    return status;
}
