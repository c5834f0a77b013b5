/* Events of named threads, such as the rows of a CSV, as CTF events. See cellsync-output(5), CTF.
 *
 * All events have the same fields: the columns of a CSV as strings, except those in the context of
 * an event. Up to CTF_NAMES_MAX event names become a class each. Other names become a field. */
#ifndef OUTPUT_TRACE_CTF_ROWS_H
#define OUTPUT_TRACE_CTF_ROWS_H

#include "output/file/outfile.h"
#include "trace/csv/csv.h"

/* CTF_ROW: class of events without a name or beyond CTF_NAMES_MAX. Other classes count from 1. */
enum { CTF_ROW = 0, CTF_NAMES_MAX = 4096, CTF_NAME_BYTES_MAX = 256 };

/* Convert a character of a name for use in a TSDL identifier. */
char ctf_word(char c);

/* Skip the leading bytes of a name that would become underscores. Readers may remove several
 * underscores, so names must differ in the rest. */
const char *ctf_bare(const char *name);

/* True if the result of ctf_bare is empty, or looks like a generated name, valueN. */
bool ctf_is_made(const char *bare);

struct ctf_name;

struct ctf_rows {
    struct csv_reader *reader;
    bool values;   /* events may have values, */
    bool routines; /* or a routine, which become fields */
    void *tree;    /* tree of struct ctf_name */
    struct ctf_name *names[CTF_NAMES_MAX], *last;
    size_t nnames;
    uint64_t unnamed; /* rows whose name has no class */
    char *text;       /* the fields of the last row, each followed by a NUL */
    size_t size, capacity;
};

/* Prepare. reader reads the trace's lines. Its columns, values, and routines become fields. */
csy_status ctf_rows_new(struct csv_reader *reader, bool values, bool routines,
                        struct ctf_rows **out, csy_error *error);
void ctf_rows_free(struct ctf_rows *rows);

/* Convert an event: rows->text gets its fields, and *id the id of its class. */
csy_status ctf_rows_take(struct ctf_rows *rows, const struct event *event, uint32_t *id,
                         csy_error *error);

/* Declare the fields in TSDL, as a struct called row. */
csy_status ctf_rows_write_fields(const struct ctf_rows *rows, struct outfile *out,
                                 csy_error *error);

/* The name of class `id`, which is at least 1. */
const char *ctf_rows_name(const struct ctf_rows *rows, size_t id);

#endif
