/* The line of facts describes how global times were found, in words. A synchronized CSV begins with
 * this line, and an OTF2 archive has it as a property. See cellsync-csv(5). */
#ifndef OUTPUT_TRACE_FACTS_LINE_H
#define OUTPUT_TRACE_FACTS_LINE_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct facts_line {
    const struct csy_trace *trace;
    const struct csy_sync *sync;
    bool part;         /* true if some events of the trace are not written */
    const char *lacks; /* name of the part of the order that rows lack, or NULL */
    bool provable;     /* true if --check can restore the original with the CRC-32 crc32 */
    uint32_t crc32;
    const char *end; /* line end of the CSV */
    size_t end_size;
    bool dated;              /* true if columns of dates exist */
    int64_t epoch_ticks;     /* number of ticks from 1970 to global time 0 */
    bool archive;            /* true for OTF2, which states delta in another place */
    csy_clock_per clock_per; /* unit of the archive that has its own clock */
};

enum { CRC32_DIGITS = 8 };

/* Returns the line as text, which the caller frees, or NULL if out of memory. */
char *facts_line_text(const struct facts_line *facts);

/* Add the line of facts to a CSV, and a line for each warning. *crc32_at becomes the offset of the
 * digits of the CRC-32; crc32_at may be NULL. */
csy_status facts_line_add(struct sheet *sheet, const struct facts_line *facts, uint64_t *crc32_at,
                          csy_error *error);

#endif
