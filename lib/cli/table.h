/* The options of cellsync(1). */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "tool/solving.h"

#define CLI_PROGRAM "cellsync"

/* Settings for a csy_output, which cli/main.c makes. */
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
    const char *output; /* file name, or NULL */
    const char *report; /* file name, or NULL */
    const char *graph;  /* file name, or NULL */
    csy_graph graph_of;
    const char *figures; /* file name, or NULL */
    const char *clocks;  /* file name, or NULL */
    const char *explain; /* two names, "A,B", or NULL */
    struct cli_written written;
    csy_report_format report_format;
    csy_pairs pairs;
    bool table; /* the report has a row for each trace */
    /* there are several traces, and opening them will show whether they are one */
    bool undecided;
    struct command command; /* the command line, for checks when the number of traces is known */
    csy_table_unit unit;
    bool check;
    const char *original; /* the original of a CSV to check, or NULL */
};

/* Restrictions of options. */
enum cli_rule {
    BOUNDS = 1,    /* the option is about bounds, which only --method=bhh computes */
    ONE_TRACE = 2, /* the option writes or shows one trace */
    /* the option conflicts with --check, which neither solves nor writes */
    NOT_CHECKED = 4
};

/* The options as members of struct cli_options. */
extern const struct option_table cli_table;

/* Print --help or --help-all to standard output. */
void options_print_help(bool all);

#endif
