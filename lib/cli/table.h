/* The options of cellsync(1). */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "tool/solving.h"

#define CLI_PROGRAM "cellsync"

/* Settings from which cli/main.c makes a csy_output. */
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
    const char *output; /* name of a file, or NULL */
    const char *report; /* name of a file, or NULL */
    const char *graph;  /* name of a file, or NULL */
    csy_graph graph_of;
    const char *figures; /* name of a file, or NULL */
    const char *clocks;  /* name of a file, or NULL */
    const char *explain; /* two names, "A,B", or NULL */
    struct cli_written written;
    csy_report_format report_format;
    csy_pairs pairs;
    bool table; /* the report is a table with a row for each trace */
    /* there are several traces, and only opening them will show whether they are one */
    bool undecided;
    struct command command; /* command line, for checks when the number of traces is known */
    csy_table_unit unit;
    bool check;
    const char *original; /* with --check: path of the original CSV, or NULL */
};

/* The restrictions that an option may have, as bits. */
enum cli_rule {
    BOUNDS = 1,    /* the option is about bounds, which only --method=bhh computes */
    ONE_TRACE = 2, /* the option writes or shows a single trace */
    /* the option conflicts with --check, which neither solves nor writes */
    NOT_CHECKED = 4
};

/* The table of options. Their values are members of struct cli_options. */
extern const struct option_table cli_table;

/* Print --help or --help-all to standard output. */
void options_print_help(bool all);

#endif
