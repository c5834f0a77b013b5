/*
 * Events of named threads, such as the rows of a CSV, as events of CTF.  cellsync-formats(5), CTF.
 *
 * All have the same fields: the columns of a CSV, each a string, but those of which the context of
 * an event tells.  Their classes differ by name alone: CTF_NAMES_MAX names of events have one each,
 * whatever else they are called is a field.
 */
#ifndef OUTPUT_TRACE_CTF_ROWS_H
#define OUTPUT_TRACE_CTF_ROWS_H

#include "output/file/outfile.h"
#include "trace/csv/csv.h"

/* The id of what has no name, or one too many; others count from 1. */
enum { CTF_ROW = 0, CTF_NAMES_MAX = 4096, CTF_NAME_BYTES_MAX = 256 };

/* A character of a name as a word of TSDL has it. */
char ctf_word(char c);

/* A name without the bytes in front that become underscores.  Readers may strip several of these,
 * so names must differ in the rest. */
const char *ctf_bare(const char *name);

/* Whether a bare name says nothing, or is a word that fields without a name get: valueN. */
bool ctf_is_made(const char *bare);

struct ctf_name;

struct ctf_rows {
    struct csv_reader *reader;
    bool values;   /* events may have them, as a field, */
    bool routines; /* or a routine */
    void *tree;    /* of struct ctf_name */
    struct ctf_name *names[CTF_NAMES_MAX], *last;
    size_t nnames;
    uint64_t unnamed; /* rows whose name has no class */
    char *text;       /* of the row that was read last: its fields, a NUL after each */
    size_t size, capacity;
};

/* The reader of the trace's lines; its columns, values, and routines become fields. */
csy_status ctf_rows_new(struct csv_reader *reader, bool values, bool routines,
                        struct ctf_rows **out, csy_error *error);
void ctf_rows_free(struct ctf_rows *rows);

/* The fields of an event, in text, and the id of its class. */
csy_status ctf_rows_take(struct ctf_rows *rows, const struct event *event, uint32_t *id,
                         csy_error *error);

/* Declare the fields as a struct called row. */
csy_status ctf_rows_write_fields(const struct ctf_rows *rows, struct outfile *out,
                                 csy_error *error);

/* The name of class 1 and on. */
const char *ctf_rows_name(const struct ctf_rows *rows, size_t id);

#endif
