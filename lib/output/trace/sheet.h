/* A CSV being written, and the CRC-32 of its original bytes: those without the line of facts and
 * the columns of global time. */
#ifndef OUTPUT_TRACE_SHEET_H
#define OUTPUT_TRACE_SHEET_H

#include "output/file/outfile.h"

enum { SHEET_BYTES = 32 * 1024, SHEET_PIECE = 64 };

struct sorted;

struct sheet {
    struct outfile *out;   /* the file; NULL: only the checksum is computed */
    struct sorted *sorted; /* if not NULL, it receives all bytes until sheet_sort is called */
    bool summing;
    uint32_t crc32;
    uint64_t written; /* number of bytes written to `out` */
    size_t noriginal; /* number of original bytes that are not in the checksum yet */
    char original[SHEET_BYTES + SHEET_PIECE];
};

void sheet_begin(struct sheet *sheet, struct outfile *out, bool summing);

/* Write bytes: sheet_put for original bytes, which count for the checksum, and sheet_add for new
 * ones. */
void sheet_put(struct sheet *sheet, const char *bytes, size_t size);
void sheet_add(struct sheet *sheet, const char *bytes, size_t size);

/* Write an original field, quoted if necessary. */
void sheet_put_field(struct sheet *sheet, const char *bytes, size_t size);

/* Get room for a text of at most `size` bytes, at most SHEET_BYTES, to be made with base/put.h.
 * Afterwards state the end of the text: sheet_end_put for original text, sheet_end_add for new
 * text. */
char *sheet_room(struct sheet *sheet, size_t size);
void sheet_end_put(struct sheet *sheet, const char *end);
void sheet_end_add(struct sheet *sheet, const char *end);

/* From now on all output goes to `sorted`, and the caller calls sorted_begin for each row. */
void sheet_collect(struct sheet *sheet, struct sorted *sorted);

/* Write all rows that were collected, in the order of their times. */
csy_status sheet_sort(struct sheet *sheet, csy_error *error);

/* The number of bytes written. */
uint64_t sheet_size(const struct sheet *sheet);

/* Write the remaining bytes; returns the checksum. */
uint32_t sheet_finish(struct sheet *sheet);

/* Write the columns of a record in partial order: location, stream, and its buffer, which can be
 * left out. */
void sheet_put_roles(struct sheet *sheet, const struct event_roles *roles, bool no_buffer);

#endif
