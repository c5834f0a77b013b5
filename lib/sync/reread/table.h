/* The <synchronization> table of a synchronized .pex and the line of facts of a synchronized CSV,
 * read back.  cellsync-csv(5). */
#ifndef SYNC_REREAD_TABLE_H
#define SYNC_REREAD_TABLE_H

#include "trace/trace.h"

struct table {
    csy_method method;
    char *reference; /* only for method bhh, otherwise NULL */
    csy_fraction alpha, delta;
    csy_center center;
    csy_relax relax;
    int64_t added_ticks;
    uint32_t original_crc32;
    uint64_t records, splits, assumed;
    int64_t wraps;
    bool ordered; /* placed="order": offsets keep the order of one buffer, whatever delta is */
    bool strict;  /* unwrap="strict" */
    int64_t max_imprecision_ticks;
    uint64_t *dropped; /* positions of records left out of the constraints, in order */
    size_t ndropped, dropped_capacity;
    struct table_rows rows;
    uint32_t *by_context; /* threads of SPE contexts, sorted by context and first record */
    size_t nby_context;
};

/* CSY_INPUT if the trace was not synchronized by method bhh. */
csy_status table_check_provable(const struct csy_trace *trace, csy_error *error);

/* Read the table of a trace with a global clock; only once, because its rows are moved to the
 * table. CSY_INPUT also for a method without offsets. The caller calls table_fini even after a
 * failure. */
csy_status table_read(struct csy_trace *trace, struct table *out, csy_error *error);
void table_fini(struct table *table);

/* Read the least latency of messages that was given, or 0, and the longest latency, or
 * INT64_MAX. */
csy_status table_read_latencies(const struct csy_trace *trace, int64_t *least, int64_t *most,
                                csy_error *error);

/* The line of facts of a CSV or an archive. */
struct table_facts {
    struct csv_facts facts;
    const char *where; /* the noun for messages, such as "the line # cellsync" */
};

#define TABLE_FACTS_LINE "the line # cellsync"

/* Read a line of facts written by method bhh; text must have room for it. */
csy_status table_read_facts(const struct csy_trace *trace, const struct table_facts *said,
                            struct table *table, char *text, csy_error *error);

/* Read the global time of a row, or of its begin, exactly as cellsync writes it: as ticks
 * without blanks, zeros in front, or a sign but -, or as a date. One of these columns exists. */
bool table_read_global(const struct csy_trace *trace, const struct csv_row *row, bool of_begin,
                       int64_t *out);

/* Write a global time of a CSV that states its epoch as a date, of at most DATE_TEXT_MAX bytes.
 * Returns its end, or NULL if dates cannot show it. */
char *table_put_date(const struct csy_trace *trace, int64_t global_ticks, char *at);

/* The thread in the table that the record at this position belongs to, or NULL. O(log threads). */
const struct table_thread *table_find(const struct table *table, const struct record *record);

/* Restores the records of a synchronized .pex as they were before synchronization. */
struct restore {
    const struct table *table;
    uint8_t original[RECORD_BYTES_MAX + 8];
    struct record global;            /* the current record as it is in the file */
    const struct table_thread *said; /* the thread of this record in the table */
};

/* Restore the local time of the record. Its bytes are valid until the next call. Returns NULL, or a
 * description of the fault if the record cannot be restored. */
const char *restore_record(struct restore *restore, struct record *record);

#endif
