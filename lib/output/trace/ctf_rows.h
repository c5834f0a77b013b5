/* Events of named threads, such as the rows of a CSV, as events of CTF. See cellsync-output(5),
 * CTF.
 *
 * All events have the same fields: the columns of a CSV as strings, except those in the context of
 * an event. Classes differ only by name: up to CTF_NAMES_MAX names of events get a class each;
 * other names become a field. */
#ifndef OUTPUT_TRACE_CTF_ROWS_H
#define OUTPUT_TRACE_CTF_ROWS_H

#include "output/file/outfile.h"
#include "trace/csv/csv.h"

/* CTF_ROW: the id of events without a name or beyond CTF_NAMES_MAX; other ids count from 1. */
enum { CTF_ROW = 0, CTF_NAMES_MAX = 4096, CTF_NAME_BYTES_MAX = 256 };

/* A character of a name as part of a TSDL identifier. */
char ctf_word(char c);

/* A name without leading bytes that become underscores. Readers may remove several of these, so
 * names must differ in the rest. */
const char *ctf_bare(const char *name);

/* True if a bare name is empty, or looks like a generated name: valueN. */
bool ctf_is_made(const char *bare);

struct ctf_name;

struct ctf_rows {
    struct csv_reader *reader;
    bool values;   /* events may have values, as a field, */
    bool routines; /* or a routine */
    void *tree;    /* of struct ctf_name */
    struct ctf_name *names[CTF_NAMES_MAX], *last;
    size_t nnames;
    uint64_t unnamed; /* rows without a class for their name */
    char *text;       /* the fields of the last row, each followed by a NUL */
    size_t size, capacity;
};

/* The reader of the trace's lines; its columns, values, and routines become fields. */
csy_status ctf_rows_new(struct csv_reader *reader, bool values, bool routines,
                        struct ctf_rows **out, csy_error *error);
void ctf_rows_free(struct ctf_rows *rows);

/* Convert an event: its fields into text, and the id of its class. */
csy_status ctf_rows_take(struct ctf_rows *rows, const struct event *event, uint32_t *id,
                         csy_error *error);

/* Declare the fields as a struct called row. */
csy_status ctf_rows_write_fields(const struct ctf_rows *rows, struct outfile *out,
                                 csy_error *error);

/* The name of a class, from 1 on. */
const char *ctf_rows_name(const struct ctf_rows *rows, size_t id);

#endif
