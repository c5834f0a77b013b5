/* A stream of bytes: a range of a file, plain or gunzipped. It is read forwards through one buffer,
 * and can be rewound.
 *
 * The file is read by pread, so several streams may share a descriptor. Offsets are offsets in the
 * file or, for gzip, in the gunzipped data. A worker may gunzip ahead of the reader
 * (io/readahead.h); bytes and errors are the same with and without it. */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include <cellsync/cellsync.h>

struct bytes;

/* Make a stream from byte `start` of the file to the end. The caller closes fd after bytes_free.
 * `name` is copied for messages. nworkers is explained at bytes_set_workers. If it is 0, a plain
 * file gets only a small buffer and no worker, because many streams are read at the same time. */
csy_status bytes_new(int fd, const char *name, uint64_t start, bool gzip, unsigned nworkers,
                     struct bytes **out, csy_error *error);

/* Free a stream, and end its worker. b may be NULL. */
void bytes_free(struct bytes *b);

/* Set the number of threads, including the caller. With 2 or more, a worker gunzips all data after
 * the first GUNZIP_BLOCK_BYTES. A worker that is already running continues until bytes_rewind. */
void bytes_set_workers(struct bytes *b, unsigned nworkers);

void bytes_rewind(struct bytes *b);

/* Make `need` bytes available at *at, or fewer at the end of the stream. *have is their number,
 * often more than `need`. They are valid until the next bytes_ call except bytes_skip. If `need`
 * exceeds the size of the buffer, the buffer grows. */
csy_status bytes_peek(struct bytes *b, size_t need, const uint8_t **at, size_t *have,
                      csy_error *error);

void bytes_skip(struct bytes *b, size_t n);

/* Skip n bytes that were read from the file itself. `crc` is their CRC-32. Not for gzip. */
void bytes_pass(struct bytes *b, uint64_t n, uint32_t crc);

/* Returns the reason if the stream ended early because gzip data are cut off, otherwise NULL. */
const csy_error *bytes_cut(const struct bytes *b);

bool bytes_is_packed(const struct bytes *b);

bool bytes_is_summing(const struct bytes *b);

/* Continue at an offset >= `start` of bytes_new. Not for gzip, and not during a checksum. */
void bytes_seek(struct bytes *b, uint64_t offset);

/* Start a checksum (CRC-32, as in gzip) of the bytes that are skipped from now on. */
void bytes_crc_start(struct bytes *b);

uint32_t bytes_crc(struct bytes *b);

/* Set *zero to true if bytes remain and all are zero. Skips bytes, and ends the checksum. */
csy_status bytes_are_zero(struct bytes *b, bool *zero, csy_error *error);

/* Returns the offset of the next byte in the file or, for gzip, in the unpacked data. */
uint64_t bytes_offset(const struct bytes *b);

/* Returns the offset in the file itself (packed or plain), to show progress. */
uint64_t bytes_file_offset(const struct bytes *b);

/* Make a temporary file without a name. The caller owns the descriptor. */
csy_status bytes_temporary(int *out, csy_error *error);

/* Copy all data of the pipe or terminal `from` to a nameless temporary file *out, which the caller
 * owns. After the first block, calls `look` with this file; if `look` fails, copying ends. */
typedef csy_status bytes_look(void *user, int fd, csy_error *error);
csy_status bytes_spool(int from, const char *name, bytes_look *look, void *user, int *out,
                       csy_error *error);

/* Decode an unsigned integer of `size` bytes (at most 8). `little` is true for little-endian. */
static inline uint64_t bytes_number(const uint8_t *p, size_t size, bool little)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | p[little ? size - 1 - i : i];
    return value;
}

#endif
