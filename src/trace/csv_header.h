/*
 * The header line of a CSV: what separates columns, which is which, and the unit of time.
 *
 * Names are compared without blanks around them and without regard to case.  Where a column has no
 * name that is known, the caller says which it is, as --columns does: "thread=NAME,time=NAME".
 */
#ifndef TRACE_CSV_HEADER_H
#define TRACE_CSV_HEADER_H

#include "trace/csv_time.h"

#define CSV_NO_COLUMN SIZE_MAX

/* A field as it stands in its row, without the quotes around it. */
struct csv_field {
    const char *at;
    size_t size;
    bool quoted; /* a quote inside is doubled */
};

/* What the user says of a CSV. */
struct csv_asked {
    const char *columns; /* or NULL */
    bool recorded;       /* it is not the user who says it, but the line of facts */
    enum csv_unit unit;  /* CSV_AUTO: by the name of the column */
};

/* Indexes of columns, or CSV_NO_COLUMN; thread and time are there. */
struct csv_header {
    size_t thread, time, clock, core, event, begin, duration;
    size_t global, seconds; /* global times, as an earlier run has left them */
    bool begins_are_stamps; /* begin_stamp stands beside begin: this was a .pex, where begins may be
                               behind their ends */
    enum csv_unit unit;
};

/* The field without blanks around it, unless it is quoted. */
struct csv_field csv_field_trim(struct csv_field field);

/* What separates the columns of a header line: comma, semicolon or tab. */
char csv_header_separator(const char *line, size_t size);

/* Which column is which.  Messages say what was found instead: file and line are for them. */
csy_status csv_header_read(struct csv_header *header, const struct csv_asked *asked,
                           const struct csv_field *fields, size_t n, char separator,
                           const char *file, uint64_t line, csy_error *error);

/* Refuse a file whose first bytes show that it is no text in UTF-8. */
csy_status csv_header_check_text(const uint8_t *head, size_t size, const char *file,
                                 csy_error *error);

#endif
