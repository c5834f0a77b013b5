/* Gunzips a range of a file, a sequence of gzip members, in blocks. Zero bytes may follow the last
 * member.
 *
 * The limits of blocks and the texts of errors depend only on the file, not on the calls, so
 * reading ahead gives the same result. An error follows the bytes of all successful calls before
 * it. Even if igzip inflates, zlib determines its text and its offset, the begin of the failed
 * call. */
#ifndef IO_GUNZIP_H
#define IO_GUNZIP_H

#include "io/range.h"

enum { GUNZIP_BLOCK_BYTES = 256 * 1024 };

struct gunzip;

/* Make a reader of gzip data. *file is copied. If by_zlib is true, igzip is not used. */
csy_status gunzip_new(const struct range *file, bool by_zlib, struct gunzip **out,
                      csy_error *error);
void gunzip_free(struct gunzip *g);

/* Rewind the reader to the first byte. */
void gunzip_rewind(struct gunzip *g);

/* Inflate the next block. *got is below GUNZIP_BLOCK_BYTES only before an error or the end; after
 * the last member it is 0. After a failure, later calls fail in the same way. */
csy_status gunzip_block(struct gunzip *g, uint8_t *to, size_t *got, csy_error *error);

/* Returns true if the failure was caused by a file that is empty or ends within a member. */
bool gunzip_is_cut(const struct gunzip *g);

/* Returns the offset in the packed file, for progress. */
uint64_t gunzip_file_offset(const struct gunzip *g);

#endif
