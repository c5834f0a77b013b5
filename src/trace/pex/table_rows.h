/*
 * What the table of a synchronized .pex says of its threads, a row each.  pex(5), Synchronized
 * traces.
 */
#ifndef TRACE_PEX_TABLE_ROWS_H
#define TRACE_PEX_TABLE_ROWS_H

#include "trace/pex/element.h"

struct table_thread {
    bool ppe;
    uint32_t context;
    uint32_t decr_first;
    uint64_t spe; /* or CSY_NO_SPE */
    uint64_t first_record, records;
    int64_t offset_ticks, earliest_ticks, latest_ticks;
};

/* In the order of first records, up to the first bad one. */
struct table_rows {
    struct table_thread *threads;
    size_t count, capacity;
    const char *fault; /* what is wrong with that one, or NULL */
    bool fault_ppe;
    long fault_line;
};

/* Whether an element is a row, by its name. */
bool table_rows_has(const struct element *element);

/* Add what a row says, unless it is malformed or none of the next thread, or such a one was before;
 * false without memory. */
bool table_rows_add(struct table_rows *rows, const struct element *row);

void table_rows_fini(struct table_rows *rows);

#endif
