/* The options of cellsync(1). */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "tool/solving.h"

#define CLI_PROGRAM "cellsync"

/* Settings of the output file, which cli/main.c converts to a csy_output. */
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
    const char *output; /* file name of -o, or NULL */
    const char *report; /* file name of -r, or NULL */
    const char *graph;  /* file name of --graph, or NULL */
    csy_graph graph_of;
    const char *figures; /* folder name of --figures, or NULL */
    const char *clocks;  /* file name of --clocks, or NULL */
    const char *explain; /* the two threads of --explain as "A,B", or NULL */
    struct cli_written written;
    csy_report_format report_format;
    csy_pairs pairs;
    bool table; /* true to write a table with a row for each trace as the report */
    /* true until it is known whether the files are one trace or several */
    bool undecided;
    /* the command line, which is checked again when the number of traces is known */
    struct command command;
    csy_table_unit unit;
    bool check;
    const char *original; /* path of the original CSV for --check, or NULL */
};

/* Bits of an option that restrict its use. */
enum cli_rule {
    BOUNDS = 1,    /* the option needs bounds, which only --method=bhh computes */
    ONE_TRACE = 2, /* the option accepts only one trace */
    /* the option cannot be combined with --check */
    NOT_CHECKED = 4
};

/* All options of cellsync(1). Their values are stored in struct cli_options. */
extern const struct option_table cli_table;

/* Print the text of --help to standard output, or if `all`, the text of --help-all. */
void options_print_help(bool all);

#endif
