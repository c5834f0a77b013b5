/*
 * Records of one size in an unlinked temporary file.  They are appended one by one, and may be read
 * from any number on, by several readers at once.  If there is no room for the file, the spool is
 * given up, and the owner reads the captures again.
 */
#ifndef TRACE_PCAP_SPOOL_H
#define TRACE_PCAP_SPOOL_H

#include <cellsync/cellsync.h>

enum { SPOOL_BUFFER_BYTES = 1 << 17 };

struct spool {
    int fd;         /* -1: no file, or given up */
    uint64_t count; /* of records */
    size_t record_bytes;
    size_t nbuffered; /* the last records, which are not written yet */
    uint8_t *buffer;
};

struct spool_reader {
    const struct spool *spool;
    uint64_t next, end; /* numbers of the next record to load, and of the one after the last */
    size_t taken, nloaded, room;
    uint8_t *buffer;
};

/* Start an empty spool; without a temporary file it is given up at once. */
csy_status spool_init(struct spool *spool, size_t record_bytes, csy_error *error);
void spool_fini(struct spool *spool);

/* Write the last records, so that they can be read. */
void spool_flush(struct spool *spool);

/* Append a record, which the caller sets before the next call; without a file it is dropped. */
static inline void *spool_add(struct spool *spool)
{
    if ((spool->nbuffered + 1) * spool->record_bytes > SPOOL_BUFFER_BYTES)
        spool_flush(spool);
    spool->count++;
    return spool->buffer + spool->nbuffered++ * spool->record_bytes;
}

/* Read from record `first` to before `end`.  buffer_bytes: the memory for it, which a later call
 * keeps. */
csy_status spool_read(const struct spool *spool, uint64_t first, uint64_t end, size_t buffer_bytes,
                      struct spool_reader *reader, csy_error *error);
void spool_reader_fini(struct spool_reader *reader);

/* Load the next records, if there are more. */
csy_status spool_load(struct spool_reader *reader, csy_error *error);

/* The next record, valid until the next call; NULL at the end. */
static inline csy_status spool_next(struct spool_reader *reader, const void **out, csy_error *error)
{
    csy_status status = CSY_OK;
    *out = NULL;
    if (reader->taken == reader->nloaded)
        status = spool_load(reader, error);
    if (!status && reader->taken < reader->nloaded)
        *out = reader->buffer + reader->taken++ * reader->spool->record_bytes;
    return status;
}

/* The record that so many further calls of spool_next return, or NULL if it is not loaded yet. */
static inline const void *spool_later(const struct spool_reader *reader, size_t calls)
{
    size_t at = reader->taken + calls - 1;
    return at < reader->nloaded ? reader->buffer + at * reader->spool->record_bytes : NULL;
}

#endif
