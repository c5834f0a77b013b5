/* A CSV being written, with the CRC-32 of its original bytes: all bytes except the line of facts
 * below and columns that cellsync adds. Rows can be sorted by global time, in an external merge
 * sort. Whenever SORTED_BYTES are full, their rows are sorted and written as a run to an unlinked
 * temporary file. At the end, all runs are merged. Rows with equal times keep their order. */
#ifndef OUTPUT_TRACE_SHEET_H
#define OUTPUT_TRACE_SHEET_H

#include "output/file/outfile.h"
#include "sync/solution.h"

enum { SHEET_BYTES = 32 * 1024, SHEET_PIECE = 64, SORTED_BYTES = 16 * 1024 * 1024 };

struct sorted;

struct sheet {
    struct outfile *out;   /* the output, or NULL to compute only the checksum */
    struct sorted *sorted; /* collects all bytes until sheet_sort; NULL if rows are not sorted */
    bool summing;
    uint32_t crc32;
    uint64_t written;
    size_t noriginal; /* number of original bytes that are not in the checksum yet */
    char original[SHEET_BYTES + SHEET_PIECE];
};

void sheet_begin(struct sheet *sheet, struct outfile *out, bool summing);

/* sheet_put writes original bytes, which the checksum includes. sheet_add writes new bytes. */
void sheet_put(struct sheet *sheet, const char *bytes, size_t size);
void sheet_add(struct sheet *sheet, const char *bytes, size_t size);

/* Write a field of the original, quoted if necessary. */
void sheet_put_field(struct sheet *sheet, const char *bytes, size_t size);

/* sheet_room returns room for original text of at most SHEET_BYTES, to build with base/put.h.
 * sheet_end writes the text. */
char *sheet_room(struct sheet *sheet, size_t size);
void sheet_end(struct sheet *sheet, const char *end);

/* From now on, collect rows for sheet_sort. Call sheet_begin_row before each row, with its time. */
csy_status sheet_collect(struct sheet *sheet, csy_error *error);
void sheet_begin_row(struct sheet *sheet, int64_t ticks);

/* Write the collected rows, if any, in the order of their times. Takes O(n log n) time and, besides
 * SORTED_BYTES, 64 KiB of memory for each run. */
csy_status sheet_sort(struct sheet *sheet, csy_error *error);

/* Free rows that were collected but not written. */
void sheet_fini(struct sheet *sheet);

/* Write the remaining bytes to the output. Returns the checksum. */
uint32_t sheet_finish(struct sheet *sheet);

/* --- The line of facts ------------------------------------------------------------------------
 *
 * It describes how global times were found, in words. A synchronized CSV begins with this line, and
 * an OTF2 archive has it as a property. See cellsync-csv(5). */

struct facts_line {
    const struct csy_trace *trace;
    const struct csy_sync *sync;
    bool part;         /* true if some events of the trace are not written */
    const char *lacks; /* the part of the order of events that the CSV does not show, or NULL */
    bool provable;     /* true if --check can restore the original with the CRC-32 crc32 */
    uint32_t crc32;
    const char *end; /* line end of the CSV */
    size_t end_size;
    bool dated;              /* true if columns of dates exist */
    int64_t epoch_ticks;     /* number of ticks from 1970 to global time 0 */
    bool archive;            /* true for a line that is a property of an OTF2 archive */
    csy_clock_per clock_per; /* for OTF2: value of the option --clock-per */
};

enum { CRC32_DIGITS = 8 };

/* Returns the comment line at the head of a CSV that states facts about the solution. The caller
 * frees it. NULL if out of memory. */
char *facts_line_text(const struct facts_line *facts);

/* Write the line of facts to a CSV, and a line for each warning. Unless crc32_at is NULL, *crc32_at
 * becomes the offset of the first digit of the CRC-32. */
csy_status facts_line_add(struct sheet *sheet, const struct facts_line *facts, uint64_t *crc32_at,
                          csy_error *error);

#endif
