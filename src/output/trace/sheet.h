/*
 * A CSV on its way out: its bytes, and the CRC-32 of those that were there before it was
 * synchronized, which is what is left when the line of facts and the columns of global time are
 * taken away.
 */
#ifndef OUTPUT_TRACE_SHEET_H
#define OUTPUT_TRACE_SHEET_H

#include "output/file/outfile.h"

enum { SHEET_BYTES = 32 * 1024, SHEET_PIECE = 64 };

struct sheet {
    struct outfile *out; /* NULL: only the sum is wanted */
    bool summing;
    uint32_t crc32;
    uint64_t written; /* of out */
    size_t noriginal; /* that are not summed yet */
    char original[SHEET_BYTES + SHEET_PIECE];
};

void sheet_begin(struct sheet *sheet, struct outfile *out, bool summing);

/* Write what was there before, and what is new. */
void sheet_put(struct sheet *sheet, const char *bytes, size_t size);
void sheet_add(struct sheet *sheet, const char *bytes, size_t size);

/* A field that was there before, quoted where it must be. */
void sheet_put_field(struct sheet *sheet, const char *bytes, size_t size);

/* Room for that many bytes of text that is made by hand (base/put.h), at most SHEET_BYTES; and
 * where it ends, what was there before or what is new. */
char *sheet_room(struct sheet *sheet, size_t size);
void sheet_end_put(struct sheet *sheet, const char *end);
void sheet_end_add(struct sheet *sheet, const char *end);

/* How many bytes were written. */
uint64_t sheet_size(const struct sheet *sheet);

/* Hand on what is still here; returns the sum. */
uint32_t sheet_finish(struct sheet *sheet);

/* Columns of a record in partial order: who ran, in which stream, and the buffer that has its
 * place, unless it is to be left out. */
void sheet_put_roles(struct sheet *sheet, const struct event_roles *roles, bool no_buffer);

#endif
