/* Gunzips a range of a file, a sequence of gzip members, in blocks. Zero bytes may follow the last
 * member.
 *
 * Blocks and error texts depend only on the file, so a worker that reads ahead gets the same
 * results. All bytes before an error are returned first. The error text and its offset come from
 * zlib, even if igzip inflates the data. */
#ifndef IO_GUNZIP_H
#define IO_GUNZIP_H

#include "io/range.h"

enum { GUNZIP_BLOCK_BYTES = 256 * 1024 };

struct gunzip;

/* Make a reader of gzip data. *file is copied. If by_zlib is true, igzip is never used. */
csy_status gunzip_new(const struct range *file, bool by_zlib, struct gunzip **out,
                      csy_error *error);
void gunzip_free(struct gunzip *g);

void gunzip_rewind(struct gunzip *g);

/* Inflate the next block. *got is GUNZIP_BLOCK_BYTES, less only before an error or the end, and 0
 * after the last member. After a failure, further calls fail in the same way. */
csy_status gunzip_block(struct gunzip *g, uint8_t *to, size_t *got, csy_error *error);

/* Returns true if the failure was caused by a file that is empty or ends within a member. */
bool gunzip_is_cut(const struct gunzip *g);

/* Returns the offset in the packed file, to show progress. */
uint64_t gunzip_file_offset(const struct gunzip *g);

#endif
