/* The line of facts of a synchronized CSV: how its global times were found. */
#ifndef OUTPUT_TRACE_FACTS_LINE_H
#define OUTPUT_TRACE_FACTS_LINE_H

#include "output/trace/sheet.h"
#include "sync/solution.h"

struct facts_line {
    const struct csy_trace *trace;
    const struct csy_sync *sync;
    bool part;         /* some of its events are not written */
    const char *lacks; /* what the rows cannot express, or NULL (order_columns_hide) */
    bool provable;     /* --check can undo what is written: with the CRC-32 of the original */
    uint32_t crc32;
    const char *end; /* of lines */
    size_t end_size;
};

enum { CRC32_DIGITS = 8 };

/* The line, and one for each warning; returns where the digits of the CRC-32 are in the file. */
uint64_t facts_line_add(struct sheet *sheet, const struct facts_line *facts);

#endif
