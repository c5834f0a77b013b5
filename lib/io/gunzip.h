/* Gunzips a range of a file: a sequence of gzip members, returned in blocks. Zero bytes may follow
 * the last member.
 *
 * The limits of blocks and the texts of errors depend only on the file, not on the calls, so
 * reading ahead gives the same result. An error follows the bytes before it, as far as they were
 * inflated in successful calls. Its text and its offset, the begin of the failed call, are those of
 * zlib even if igzip inflates. */
#ifndef IO_GUNZIP_H
#define IO_GUNZIP_H

#include "io/range.h"

enum { GUNZIP_BLOCK_BYTES = 256 * 1024 };

struct gunzip;

/* Make a reader of gzip data; *file is copied. by_zlib: do not use igzip, even if it is built
 * in. */
csy_status gunzip_new(const struct range *file, bool by_zlib, struct gunzip **out,
                      csy_error *error);
void gunzip_free(struct gunzip *g);

/* Start again from the first byte. */
void gunzip_rewind(struct gunzip *g);

/* Inflate the next block into to[0..GUNZIP_BLOCK_BYTES). *got is smaller only before an error or
 * the end, and 0 after the last member. After a failure, each later call fails in the same way. */
csy_status gunzip_block(struct gunzip *g, uint8_t *to, size_t *got, csy_error *error);

/* True if the failure is that the file ends within a member, or is empty. */
bool gunzip_is_cut(const struct gunzip *g);

/* The offset in the file, to report progress. */
uint64_t gunzip_file_offset(const struct gunzip *g);

#endif
