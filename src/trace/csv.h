/*
 * CSV traces (RFC 4180): comment lines, a header line, then a line a record in buffer order.
 * pex(5), CSV traces.
 */
#ifndef TRACE_CSV_H
#define TRACE_CSV_H

#include "trace/bytes.h"

enum { CSV_ROW_BYTES_MAX = 1024 * 1024 };

#define CSV_NO_COLUMN SIZE_MAX

/* A field as it stands in its row, without the quotes around it. */
struct csv_field {
    const char *at;
    size_t size;
    bool quoted; /* a quote inside is doubled */
};

enum csv_core { CSV_CORE_NONE = 0, CSV_CORE_PPE, CSV_CORE_SPE };

/* One row.  Pointers hold until the next read. */
struct csv_row {
    uint64_t line; /* of the row's first byte, from 1 */
    const char *bytes;
    size_t size;     /* without the line end */
    size_t end_size; /* of the line end: 0 (end of file), 1 or 2 */
    const struct csv_field *fields;
    size_t nfields;
    const char *thread; /* unquoted */
    size_t thread_size;
    int64_t time_ticks;
    enum csv_core core;
};

struct csv_reader {
    struct bytes *bytes;
    const char *name; /* for messages; belongs to the caller */
    uint64_t line;    /* of the next byte */
    uint64_t timebase_hz;
    char *preamble; /* all that stands before the first row, line ends included */
    size_t preamble_size, preamble_capacity;
    size_t header_size; /* of the header line at its end, without its line end */
    size_t header_end_size;
    size_t facts_at,
        facts_size; /* the line of a synchronized CSV in it, with its line end; 0: none */
    size_t ncolumns, thread_column, time_column, core_column, global_column, seconds_column,
        event_column;
    struct csv_field *fields;
    size_t fields_capacity;
    bool salvage; /* a last row without its line end counts as cut off */
    bool is_cut;  /* the row that was read or refused last has none; salvaged, that is the end */
    csy_cut cut;  /* records is left to the caller, who counts them */
    char *unquoted;
    size_t unquoted_capacity;
};

/* Read the lines before the first row.  The caller calls csv_close even after a failure. */
csy_status csv_open(struct csv_reader *reader, struct bytes *bytes, const char *name,
                    csy_error *error);
void csv_close(struct csv_reader *reader);

/* How many gaps were assumed in the times of a synchronized CSV, by its line of facts; 0 where it
 * says nothing.  Behind the header. */
uint64_t csv_assumed(const struct csv_reader *reader);

/* The header as a row: its fields hold until the next read. */
csy_status csv_header(struct csv_reader *reader, struct csv_row *out, csy_error *error);

/* Read the next row; *more is false at the end. */
csy_status csv_read(struct csv_reader *reader, struct csv_row *out, bool *more, csy_error *error);

#endif
