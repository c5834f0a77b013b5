/* A stream of bytes: a range of a file, plain or gunzipped, read forwards through one buffer, and
 * rewound for another pass.
 *
 * The file is read by pread, so several streams may share a descriptor. Offsets are those that a
 * user would look up: in the file, or in the gunzipped data. Gunzipping may run ahead in a separate
 * worker (io/readahead.h); bytes and errors are the same either way. */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include <cellsync/cellsync.h>

struct bytes;

/* Make a stream of descriptor fd from byte `start` of the file to its end. The caller keeps fd
 * and closes it after bytes_free. name is for messages and is copied. nworkers: see
 * bytes_set_workers. */
csy_status bytes_new(int fd, const char *name, uint64_t start, bool gzip, unsigned nworkers,
                     struct bytes **out, csy_error *error);

/* Free a stream and end its worker. May be called at any time. */
void bytes_free(struct bytes *b);

/* Set the number of workers. With 2 or more, data are gunzipped in a separate worker after the
 * first GUNZIP_BLOCK_BYTES. With 1, they are gunzipped in the caller's thread; if the worker
 * already runs, this takes effect at the next bytes_rewind. */
void bytes_set_workers(struct bytes *b, unsigned nworkers);

/* Read at most `size` bytes from the file at a time, unless bytes_peek needs more. Call it before
 * the first byte. It has no effect for gzip. */
void bytes_narrow(struct bytes *b, size_t size);

/* Start again from the first byte. */
void bytes_rewind(struct bytes *b);

/* Make `need` bytes available, or fewer at the end of the stream. *at points to them, and *have is
 * their number, often more than requested. The pointer is valid until the next bytes_ call except
 * bytes_skip. The buffer at least doubles if need exceeds it. */
csy_status bytes_peek(struct bytes *b, size_t need, const uint8_t **at, size_t *have,
                      csy_error *error);

/* Skip n of the bytes that bytes_peek returned. */
void bytes_skip(struct bytes *b, size_t n);

/* Skip n bytes that were read elsewhere; crc is their CRC-32 if the stream has a checksum. Not for
 * gzip. */
void bytes_pass(struct bytes *b, uint64_t n, uint32_t crc);

/* The reason if the stream ended in bytes_peek because gzip data are cut off; otherwise NULL. */
const csy_error *bytes_cut(const struct bytes *b);

/* True if the stream is gunzipped, or computes a checksum. */
bool bytes_is_packed(const struct bytes *b);
bool bytes_is_summing(const struct bytes *b);

/* Continue at this offset of the file, at or after `start`. Not for gzip, and not while a checksum
 * is computed. */
void bytes_seek(struct bytes *b, uint64_t offset);

/* The CRC-32, as in gzip, of all bytes skipped since bytes_crc_start (or bytes_rewind). It is
 * computed in long runs, so short skips cost nothing. */
void bytes_crc_start(struct bytes *b);
uint32_t bytes_crc(struct bytes *b);

/* *zero is true if all remaining bytes, at least one, are zero. Skips some of them, without adding
 * them to the checksum. */
csy_status bytes_are_zero(struct bytes *b, bool *zero, csy_error *error);

/* The offset of the next byte: in the file, or, for gzip, in the unpacked data. */
uint64_t bytes_offset(const struct bytes *b);

/* The offset in the file, to report progress. */
uint64_t bytes_file_offset(const struct bytes *b);

/* Make an unlinked temporary file for writing and reading; the caller owns its descriptor. */
csy_status bytes_temporary(int *out, csy_error *error);

/* Copy all of `from` (a pipe or terminal) to an unlinked temporary file and return its descriptor,
 * which the caller closes. After the first block, `look` may refuse the data so far. */
typedef csy_status bytes_look(void *user, int fd, csy_error *error);
csy_status bytes_spool(int from, const char *name, bytes_look *look, void *user, int *out,
                       csy_error *error);

#endif
