/* Writes and reads records in a temporary file. */
#include "trace/pcap/spool.h"

#include "base/error.h"
#include "io/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

csy_status spool_init(struct spool *spool, size_t record_bytes, csy_error *error)
{
    *spool = (struct spool){.fd = -1, .record_bytes = record_bytes};
    spool->buffer = malloc(SPOOL_BUFFER_BYTES);
    if (!spool->buffer)
        return error_memory(error);
    if (bytes_temporary(&spool->fd, NULL))
        spool->fd = -1;
    return CSY_OK;
}

static void give_up(struct spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    spool->fd = -1;
}

void spool_fini(struct spool *spool)
{
    give_up(spool);
    free(spool->buffer);
    spool->buffer = NULL;
}

void spool_flush(struct spool *spool)
{
    const uint8_t *at = spool->buffer;
    size_t left = spool->nbuffered * spool->record_bytes;
    off_t to = (off_t)((spool->count - spool->nbuffered) * spool->record_bytes);
    while (left > 0 && spool->fd >= 0) {
        ssize_t n = pwrite(spool->fd, at, left, to);
        if (n < 0 && errno != EINTR)
            give_up(spool);
        at += n > 0 ? n : 0;
        to += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    spool->nbuffered = 0;
}

csy_status spool_read(const struct spool *spool, uint64_t first, uint64_t end, size_t buffer_bytes,
                      struct spool_reader *reader, csy_error *error)
{
    if (!reader->buffer) {
        reader->room = buffer_bytes / spool->record_bytes;
        reader->buffer = malloc(reader->room * spool->record_bytes);
        if (!reader->buffer)
            return error_memory(error);
    }
    reader->spool = spool;
    reader->next = first;
    reader->end = end;
    reader->taken = reader->nloaded = 0;
    return CSY_OK;
}

void spool_reader_fini(struct spool_reader *reader)
{
    free(reader->buffer);
    *reader = (struct spool_reader){.spool = NULL};
}

csy_status spool_load(struct spool_reader *reader, csy_error *error)
{
    const size_t size = reader->spool->record_bytes;
    uint64_t left = reader->end - reader->next;
    size_t count = left < reader->room ? (size_t)left : reader->room, have = 0;
    while (have < count * size) {
        ssize_t n = pread(reader->spool->fd, reader->buffer + have, count * size - have,
                          (off_t)(reader->next * size + have));
        if (n == 0 || (n < 0 && errno != EINTR))
            return error_io(error, "temporary file", NULL);
        have += n > 0 ? (size_t)n : 0;
    }
    reader->next += count;
    reader->nloaded = count;
    reader->taken = 0;
    return CSY_OK;
}
