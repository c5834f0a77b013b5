/* The options of cellsync(1). */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "tool/solving.h"

#define CLI_PROGRAM "cellsync"

/* The settings for a csy_output (cli/main.c). */
struct cli_written {
    csy_format format;
    bool embed, linked;
    int compress_level;
    csy_csv_header csv_header;
    csy_csv_time csv_time;
    bool sort;
    unsigned ranges;
    csy_json_args json_args;
    const char *window, *only;
};

struct cli_options {
    struct solving solving;
    const char *output; /* NULL: none */
    const char *report; /* NULL: none */
    const char *graph;  /* NULL: none */
    csy_graph graph_of;
    const char *figures; /* NULL: none */
    const char *clocks;  /* NULL: none */
    const char *explain; /* "A,B"; NULL: nothing */
    struct cli_written written;
    csy_report_format report_format;
    csy_pairs pairs;
    bool table;             /* the report has one row for each trace */
    bool undecided;         /* several traces: whether they are one shows when they are opened */
    struct command command; /* for checks then */
    csy_table_unit unit;
    bool check;
    const char *original; /* for checking a CSV; NULL: none */
};

/* The rules of an option. */
enum cli_rule {
    BOUNDS = 1,     /* it concerns bounds, which only --method=bhh makes */
    ONE_TRACE = 2,  /* it writes or shows one trace */
    NOT_CHECKED = 4 /* it conflicts with --check, which solves and writes nothing */
};

/* Sets a struct cli_options. */
extern const struct option_table cli_table;

/* Print --help, or --help-all, to standard output. */
void options_print_help(bool all);

#endif
