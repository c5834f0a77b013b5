/* The command line of cellsync(1). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "tool/command.h"

#include <cellsync/cellsync.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct cli_options {
    char **traces;
    size_t ntraces;
    const char *trace;  /* the one of them that is being looked at; at first the first */
    const char *output; /* NULL: none */
    const char *report; /* NULL: none */
    const char *graph;  /* NULL: none */
    csy_graph graph_of;
    const char *figures; /* NULL: none */
    const char *explain; /* "A,B"; NULL: nothing */
    csy_input input;
    csy_output written;
    csy_report_format report_format;
    csy_pairs pairs;
    bool table; /* the report is a row a trace */
    csy_table_unit unit;
    bool check, quiet, verbose, salvage, no_sandbox;
    unsigned threads;    /* 0: the library's default */
    uint64_t max_memory; /* bytes; 0: half of the machine's */
    enum progress_mode progress;
    csy_options solve;
    /* Times with a unit, which are ticks once the timebase is known; NULL: ticks, in solve. */
    const char *delta, *max_imprecision, *max_adjust;
};

/* Read argv.  COMMAND_USAGE: the reason has been written to stderr. */
enum command_action options_read(int argc, char **argv, struct cli_options *out);

/* What times with a unit are on this timebase, in options->solve; csy_trace_synchronize says what
 * is too much.  CSY_USAGE where one does not fit. */
csy_status options_set_timebase(struct cli_options *options, uint64_t timebase_hz,
                                csy_error *error);

/* Whether a report in this format lists pairs of threads one by one. */
bool options_lists_pairs(csy_report_format format);

/* What --help says, to standard output. */
void options_print_help(void);

#endif
