/* Reads how cellsync synchronized a trace: from the table <synchronization> of a .pex, or from the
 * line "# cellsync KEY=VALUE ..." of a CSV (the line of facts). See cellsync-csv(5). */
#ifndef SYNC_REREAD_TABLE_H
#define SYNC_REREAD_TABLE_H

#include "trace/trace.h"

struct table {
    csy_method method;
    char *reference; /* name of the reference thread; NULL unless the method is bhh */
    csy_fraction alpha, delta;
    csy_center center;
    csy_relax relax;
    int64_t added_ticks;
    uint32_t original_crc32;
    uint64_t records, splits, assumed;
    int64_t wraps;
    bool ordered; /* true if global times follow the order of records in spite of a timestamp error
                   * (placed="order") */
    bool strict;  /* true if unwrapping was strict (unwrap="strict") */
    int64_t max_imprecision_ticks;
    uint64_t *dropped; /* sorted positions of the records that were left out of the constraints */
    size_t ndropped, dropped_capacity;
    struct table_rows rows;
    uint32_t *by_context; /* indices of SPE threads, sorted by context and begin */
    size_t nby_context;
};

/* Returns CSY_INPUT unless the method was bhh: only its bounds can be proved. */
csy_status table_check_provable(const struct csy_trace *trace, csy_error *error);

/* Read the table of a synchronized trace. Call this function once, because rows move from the trace
 * to *out. Returns CSY_INPUT also if the method has no offsets. Always call table_fini. */
csy_status table_read(struct csy_trace *trace, struct table *out, csy_error *error);
void table_fini(struct table *table);

/* Read the latencies in the file. If one is missing, *least is 0, or *most is INT64_MAX. */
csy_status table_read_latencies(const struct csy_trace *trace, int64_t *least, int64_t *most,
                                csy_error *error);

/* The line of words KEY=VALUE that states how a CSV or an OTF2 archive was synchronized. */
struct table_facts {
    struct csv_facts facts;
    const char *where; /* name of the line in messages, such as "the line # cellsync" */
};

#define TABLE_FACTS_LINE "the line # cellsync"

/* Read a line of facts into the table. Returns CSY_INPUT unless the method is bhh. `text` must have
 * room for a copy of the line. */
csy_status table_read_facts(const struct csy_trace *trace, const struct table_facts *said,
                            struct table *table, char *text, csy_error *error);

/* Read the global time of a row, or of its begin if of_begin is true. Returns false unless it is as
 * cellsync writes it: a date, or ticks without blanks, leading zeros, or a plus sign. */
bool table_read_global(const struct csy_trace *trace, const struct csv_row *row, bool of_begin,
                       int64_t *out);

/* Write a global time as a date, in a CSV with an epoch. The text takes at most DATE_TEXT_MAX
 * bytes. Returns the end of the text, or NULL if no date can express the time. */
char *table_put_date(const struct csy_trace *trace, int64_t global_ticks, char *at);

/* Returns the record's thread, or NULL, in O(log threads). */
const struct table_thread *table_find(const struct table *table, const struct record *record);

struct restore {
    const struct table *table;
    uint8_t original[RECORD_BYTES_MAX + 8];
    struct record global; /* the current record as it is in the file */
    const struct table_thread *said;
};

/* Replace the global time of the record by the original local time. The record's bytes are valid
 * until the next call. Returns NULL, or a text that tells why the record cannot be restored. */
const char *restore_record(struct restore *restore, struct record *record);

#endif
