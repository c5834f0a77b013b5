/*
 * What gunzip makes of a file range: one gzip member after the other, given out in blocks.  Bytes
 * of zero may follow the last one.
 *
 * Where blocks begin, and what an error says, follow from the file alone, not from what asks and
 * when; so reading ahead reads the same.  An error comes after the bytes before it, as far
 * as they were inflated in calls that went well; its words and its offset, where that call began,
 * are zlib's even where igzip inflates.
 */
#ifndef IO_GUNZIP_H
#define IO_GUNZIP_H

#include "io/range.h"

enum { GUNZIP_BLOCK_BYTES = 256 * 1024 };

struct gunzip;

/* file is copied.  by_zlib: without igzip, where that is built in. */
csy_status gunzip_new(const struct range *file, bool by_zlib, struct gunzip **out,
                      csy_error *error);
void gunzip_free(struct gunzip *g);

/* Start again from the first byte. */
void gunzip_rewind(struct gunzip *g);

/* Inflate the next block into to[0..GUNZIP_BLOCK_BYTES); *got is less only in front of an error
 * or the end, and 0 after the last member.  A failure comes again at every later call. */
csy_status gunzip_block(struct gunzip *g, uint8_t *to, size_t *got, csy_error *error);

/* Whether the failure is that the file ends within a member, or is empty. */
bool gunzip_is_cut(const struct gunzip *g);

/* How far in the file, for progress. */
uint64_t gunzip_file_offset(const struct gunzip *g);

#endif
