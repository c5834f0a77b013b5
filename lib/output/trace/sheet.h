/* A CSV being written, with the CRC-32 of its original bytes, which are all except the line of
 * facts and the columns of global time. */
#ifndef OUTPUT_TRACE_SHEET_H
#define OUTPUT_TRACE_SHEET_H

#include "output/file/outfile.h"

enum { SHEET_BYTES = 32 * 1024, SHEET_PIECE = 64 };

struct sorted;

struct sheet {
    struct outfile *out;   /* NULL: only compute the checksum */
    struct sorted *sorted; /* receives all bytes until sheet_sort; or NULL */
    bool summing;
    uint32_t crc32;
    uint64_t written; /* number of bytes written to `out` */
    size_t noriginal; /* original bytes that are not in the checksum yet */
    char original[SHEET_BYTES + SHEET_PIECE];
};

void sheet_begin(struct sheet *sheet, struct outfile *out, bool summing);

/* sheet_put writes original bytes, which count for the checksum; sheet_add writes new bytes. */
void sheet_put(struct sheet *sheet, const char *bytes, size_t size);
void sheet_add(struct sheet *sheet, const char *bytes, size_t size);

/* Write an original field, quoted if necessary. */
void sheet_put_field(struct sheet *sheet, const char *bytes, size_t size);

/* Get room for at most `size` bytes of text, at most SHEET_BYTES, to be built with base/put.h. Then
 * call sheet_end_put if the text is original, or sheet_end_add if it is new, with its end. */
char *sheet_room(struct sheet *sheet, size_t size);
void sheet_end_put(struct sheet *sheet, const char *end);
void sheet_end_add(struct sheet *sheet, const char *end);

/* From now on, pass all bytes to `sorted`. The caller calls sorted_begin for each row. */
void sheet_collect(struct sheet *sheet, struct sorted *sorted);

/* Write the collected rows in the order of their times. */
csy_status sheet_sort(struct sheet *sheet, csy_error *error);

/* The number of bytes written. */
uint64_t sheet_size(const struct sheet *sheet);

/* Write the remaining bytes. Returns the checksum. */
uint32_t sheet_finish(struct sheet *sheet);

/* Write the columns of a record in partial order: its location, its stream, and its buffer unless
 * no_buffer is set. */
void sheet_put_roles(struct sheet *sheet, const struct event_roles *roles, bool no_buffer);

#endif
