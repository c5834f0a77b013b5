/* A spool: records of equal size in a temporary file without a name. Records are appended one by
 * one. Several readers may read at a time, each from any record on. If the file cannot be written,
 * the spool has no file (fd is -1), and its owner reads the captures again. */
#ifndef TRACE_PCAP_SPOOL_H
#define TRACE_PCAP_SPOOL_H

#include <cellsync/cellsync.h>

enum { SPOOL_BUFFER_BYTES = 1 << 17 };

struct spool {
    int fd;         /* the temporary file, or -1 if there is none */
    uint64_t count; /* number of appended records */
    size_t record_bytes;
    size_t nbuffered; /* number of records that are not written yet */
    uint8_t *buffer;
};

struct spool_reader {
    const struct spool *spool;
    uint64_t next, end; /* records `next` to `end` - 1 are still to be loaded into `buffer` */
    size_t taken, nloaded, room;
    uint8_t *buffer;
};

/* Make an empty spool. If no temporary file can be made, the spool drops all records. */
csy_status spool_init(struct spool *spool, size_t record_bytes, csy_error *error);
void spool_fini(struct spool *spool);

/* Write the buffered records, so that they can be read. */
void spool_flush(struct spool *spool);

/* Append a record, and return its memory, which the caller must fill before the next call. Without
 * a temporary file, the record is dropped. */
static inline void *spool_add(struct spool *spool)
{
    if ((spool->nbuffered + 1) * spool->record_bytes > SPOOL_BUFFER_BYTES)
        spool_flush(spool);
    spool->count++;
    return spool->buffer + spool->nbuffered++ * spool->record_bytes;
}

/* Start to read the records `first` to `end` - 1. The first call for a reader allocates a buffer of
 * buffer_bytes. */
csy_status spool_read(const struct spool *spool, uint64_t first, uint64_t end, size_t buffer_bytes,
                      struct spool_reader *reader, csy_error *error);
void spool_reader_fini(struct spool_reader *reader);

/* Load the next records into the buffer of the reader, if any remain. */
csy_status spool_load(struct spool_reader *reader, csy_error *error);

/* Read the next record. *out is valid until the next call, and NULL at the end. */
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

/* Returns the record that a later call of spool_next will return, or NULL if it is not loaded yet.
 * The next call has the number calls = 1. */
static inline const void *spool_later(const struct spool_reader *reader, size_t calls)
{
    size_t at = reader->taken + calls - 1;
    return at < reader->nloaded ? reader->buffer + at * reader->spool->record_bytes : NULL;
}

#endif
