/*
 * A stream of bytes: a range of a file, as it stands or gunzipped, read forwards through one
 * buffer and rewound for another pass.
 *
 * The file is read with pread, so several streams may share a descriptor.  Offsets are those a
 * person would look up: in the file, or in what gunzip makes of it.  Gunzipping may run ahead in
 * a worker of its own (io/readahead.h); bytes and errors are the same either way.
 */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include <cellsync/cellsync.h>

struct bytes;

/* A stream of descriptor fd from byte `start` of the file to its end.  fd stays the caller's, who
 * closes it later; name is for messages and is copied.  nworkers: see bytes_set_workers. */
csy_status bytes_new(int fd, const char *name, uint64_t start, bool gzip, unsigned nworkers,
                     struct bytes **out, csy_error *error);

/* At any moment: a thread that runs ahead is ended. */
void bytes_free(struct bytes *b);

/* 2 or more: gunzip in a worker of its own, once more than GUNZIP_BLOCK_BYTES are wanted.  1: in
 * the caller's; where the thread runs already, from the next bytes_rewind on. */
void bytes_set_workers(struct bytes *b, unsigned nworkers);

/* Before the first byte: read no more than so many bytes at a time, for as long as no more are
 * needed.  Not under gzip, where it does nothing. */
void bytes_narrow(struct bytes *b, size_t size);

/* Start again from the first byte. */
void bytes_rewind(struct bytes *b);

/* Make `need` bytes available, or fewer at the end of the stream; *at points at them, *have says
 * how many there are (often more than asked for).  The pointer holds until the next bytes_ call
 * but bytes_skip.  The buffer grows to fit need, at least doubling. */
csy_status bytes_peek(struct bytes *b, size_t need, const uint8_t **at, size_t *have,
                      csy_error *error);

/* Step over n bytes of those that bytes_peek has shown. */
void bytes_skip(struct bytes *b, size_t n);

/* Step over the next n bytes, which somebody else has read from the file; crc is their CRC-32,
 * where they are summed.  Not of what gunzip makes. */
void bytes_pass(struct bytes *b, uint64_t n, uint32_t crc);

/* Why the stream ended where bytes_peek said so, if that is because gzip data are cut off; else
 * NULL. */
const csy_error *bytes_cut(const struct bytes *b);

/* Whether the stream is what gunzip makes, and whether it is summed. */
bool bytes_is_packed(const struct bytes *b);
bool bytes_is_summing(const struct bytes *b);

/* Go on at this offset of the file, not before its first byte.  Not under gzip, nor while bytes are
 * summed up. */
void bytes_seek(struct bytes *b, uint64_t offset);

/* The CRC-32, as in gzip, of all bytes stepped over since bytes_crc_start (or bytes_rewind).
 * They are summed in long runs: a short skip costs nothing. */
void bytes_crc_start(struct bytes *b);
uint32_t bytes_crc(struct bytes *b);

/* Whether all that is left, one byte at least, is zero; some of it is skipped, and not summed. */
csy_status bytes_are_zero(struct bytes *b, bool *zero, csy_error *error);

/* Offset of the next byte, in the file or, under gzip, in the unpacked stream. */
uint64_t bytes_offset(const struct bytes *b);

/* How far in the file, for progress. */
uint64_t bytes_file_offset(const struct bytes *b);

/* An unlinked temporary file, to write and to read; its descriptor is the caller's. */
csy_status bytes_temporary(int *out, csy_error *error);

/* Copy the whole of `from` (a pipe, a terminal) to an unlinked temporary file and return its
 * descriptor, which the caller closes.  After the first block of it `look` may refuse what is there
 * so far. */
typedef csy_status bytes_look(void *user, int fd, csy_error *error);
csy_status bytes_spool(int from, const char *name, bytes_look *look, void *user, int *out,
                       csy_error *error);

#endif
