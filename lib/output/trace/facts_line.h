/* The line of facts: how global times were found, as words separated by blanks. A synchronized CSV
 * begins with it, and an OTF2 archive has it as a property. See cellsync-csv(5). */
#ifndef OUTPUT_TRACE_FACTS_LINE_H
#define OUTPUT_TRACE_FACTS_LINE_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct facts_line {
    const struct csy_trace *trace;
    const struct csy_sync *sync;
    bool part;         /* some of its events are not written */
    const char *lacks; /* parts of the order not in the rows, or NULL (order_columns_hide) */
    bool provable;     /* --check can undo the output: with the CRC-32 of the original */
    uint32_t crc32;
    const char *end; /* of lines */
    size_t end_size;
    bool dated;              /* it has columns of dates: */
    int64_t epoch_ticks;     /* since 1970, at global time 0 */
    bool archive;            /* OTF2, which states in other places that ticks are apart */
    csy_clock_per clock_per; /* of the archive, or as asked for */
};

enum { CRC32_DIGITS = 8 };

/* The words; the caller frees them.  NULL if there is no memory. */
char *facts_line_text(const struct facts_line *facts);

/* Add the line and one for each warning to a CSV.  *crc32_at is where the digits of the CRC-32 are
 * in the file; it may be NULL. */
csy_status facts_line_add(struct sheet *sheet, const struct facts_line *facts, uint64_t *crc32_at,
                          csy_error *error);

#endif
