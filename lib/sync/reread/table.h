/* Reads the <synchronization> table of a synchronized .pex, or the line of facts of a synchronized
 * CSV. See cellsync-csv(5). */
#ifndef SYNC_REREAD_TABLE_H
#define SYNC_REREAD_TABLE_H

#include "trace/trace.h"

struct table {
    csy_method method;
    char *reference; /* name of the reference; NULL unless the method is bhh */
    csy_fraction alpha, delta;
    csy_center center;
    csy_relax relax;
    int64_t added_ticks;
    uint32_t original_crc32;
    uint64_t records, splits, assumed;
    int64_t wraps;
    bool ordered; /* placed="order": offsets keep the order of one buffer despite delta */
    bool strict;  /* unwrap="strict" in the table */
    int64_t max_imprecision_ticks;
    uint64_t *dropped; /* sorted positions of the records that were left out of the constraints */
    size_t ndropped, dropped_capacity;
    struct table_rows rows;
    uint32_t *by_context; /* threads of SPE contexts, sorted by context and first record */
    size_t nby_context;
};

/* Returns CSY_INPUT unless the method bhh synchronized the trace. */
csy_status table_check_provable(const struct csy_trace *trace, csy_error *error);

/* Read the table of a trace with a global clock. Call this once, because the rows are moved to the
 * table. Returns CSY_INPUT also if the method has no offsets. The caller calls table_fini even
 * after a failure. */
csy_status table_read(struct csy_trace *trace, struct table *out, csy_error *error);
void table_fini(struct table *table);

/* Read the given latencies of messages. Without one, *least is 0 or *most is INT64_MAX. */
csy_status table_read_latencies(const struct csy_trace *trace, int64_t *least, int64_t *most,
                                csy_error *error);

/* The line of facts of a CSV or an archive, as read from the file. */
struct table_facts {
    struct csv_facts facts;
    const char *where; /* name of the line in messages, such as "the line # cellsync" */
};

#define TABLE_FACTS_LINE "the line # cellsync"

/* Read a line of facts that method bhh wrote. `text` must have room for a copy of the line. */
csy_status table_read_facts(const struct csy_trace *trace, const struct table_facts *said,
                            struct table *table, char *text, csy_error *error);

/* Read the global time of a row or of its begin, in exactly the form that cellsync writes: a date,
 * or ticks without blanks, leading zeros, or a plus sign. One of these columns must exist. */
bool table_read_global(const struct csy_trace *trace, const struct csv_row *row, bool of_begin,
                       int64_t *out);

/* Write a global time as a date, for a CSV that states its epoch, in at most DATE_TEXT_MAX bytes.
 * Returns the end of the text, or NULL if no date can express the time. */
char *table_put_date(const struct csy_trace *trace, int64_t global_ticks, char *at);

/* Returns the thread of the table to which the record belongs, or NULL. O(log threads). */
const struct table_thread *table_find(const struct table *table, const struct record *record);

/* Restores the original records of a synchronized .pex. */
struct restore {
    const struct table *table;
    uint8_t original[RECORD_BYTES_MAX + 8];
    struct record global; /* the current record as in the file */
    const struct table_thread *said;
};

/* Restore the local time of the record. The bytes of the record are valid until the next call.
 * Returns NULL, or why the record cannot be restored. */
const char *restore_record(struct restore *restore, struct record *record);

#endif
