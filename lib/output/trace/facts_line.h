/* The line of facts describes how global times were found, in words separated by blanks. A
 * synchronized CSV begins with the line; an OTF2 archive has the line as a property. See
 * cellsync-csv(5). */
#ifndef OUTPUT_TRACE_FACTS_LINE_H
#define OUTPUT_TRACE_FACTS_LINE_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct facts_line {
    const struct csy_trace *trace;
    const struct csy_sync *sync;
    bool part;         /* some events are not written */
    const char *lacks; /* parts of the order that rows lack, or NULL (order_columns_hide) */
    bool provable;     /* --check can restore the original; crc32 is the original's */
    uint32_t crc32;
    const char *end; /* line end */
    size_t end_size;
    bool dated;              /* there are columns of dates */
    int64_t epoch_ticks;     /* ticks from 1970 to global time 0 */
    bool archive;            /* the output is OTF2, which states delta elsewhere */
    csy_clock_per clock_per; /* the archive's, or as requested */
};

enum { CRC32_DIGITS = 8 };

/* Return the words; the caller frees them. NULL if out of memory. */
char *facts_line_text(const struct facts_line *facts);

/* Add the line of facts to a CSV, and a line for each warning. *crc32_at becomes the offset of the
 * CRC-32's digits; crc32_at may be NULL. */
csy_status facts_line_add(struct sheet *sheet, const struct facts_line *facts, uint64_t *crc32_at,
                          csy_error *error);

#endif
