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
    const char *output; /* name of a file; NULL: none */
    const char *report; /* name of a file; NULL: none */
    const char *graph;  /* name of a file; NULL: none */
    csy_graph graph_of;
    const char *figures; /* name of a file; NULL: none */
    const char *clocks;  /* name of a file; NULL: none */
    const char *explain; /* two names, "A,B"; NULL: explain nothing */
    struct cli_written written;
    csy_report_format report_format;
    csy_pairs pairs;
    bool table; /* the report has one row for each trace */
    /* there are several traces, and only opening them shows whether they are one trace */
    bool undecided;
    struct command command; /* the command line, for checks as soon as that is known */
    csy_table_unit unit;
    bool check;
    const char *original; /* name of the original of a CSV to check; NULL: none */
};

/* Restrictions of options. */
enum cli_rule {
    BOUNDS = 1,    /* the option concerns bounds, which only --method=bhh computes */
    ONE_TRACE = 2, /* the option writes or shows one trace */
    /* the option conflicts with --check, which neither solves nor writes anything */
    NOT_CHECKED = 4
};

/* The options, as members of struct cli_options. */
extern const struct option_table cli_table;

/* Print --help, or --help-all, to standard output. */
void options_print_help(bool all);

#endif
