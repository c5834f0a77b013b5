/* The options of cellsync(1). */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "tool/command.h"

#include <cellsync/cellsync.h>

#define CLI_PROGRAM "cellsync"

enum progress_mode { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

/* What becomes a csy_input, a csy_output and a csy_options (cli/settings.h). */
struct cli_input {
    csy_format format;
    csy_time_unit time_unit;
    const char *columns;
    csy_clock_per clock_per;
};

struct cli_written {
    csy_format format;
    bool embed, linked;
    int compress_level;
    csy_csv_header csv_header;
    csy_csv_time csv_time;
    csy_json_args json_args;
    const char *window, *only;
};

struct cli_solving {
    const char *reference;
    csy_fraction alpha, delta;
    csy_relax relax;
    csy_engine engine;
    csy_unwrap unwrap;
    int64_t max_imprecision_ticks, max_adjust_ticks;
    csy_method method;
    csy_center center;
    csy_statistics statistics;
    bool monotonic, measure;
    uint64_t drop, advise;
    int64_t latency_ticks;
    int64_t drift_ppb, wander_ppb; /* CSY_NO_DRIFT: none */
};

struct cli_options {
    char **traces;
    size_t ntraces;
    const char *trace;  /* the one of them that is being looked at; at first the first */
    const char *output; /* NULL: none */
    const char *report; /* NULL: none */
    const char *graph;  /* NULL: none */
    csy_graph graph_of;
    const char *figures; /* NULL: none */
    const char *clocks;  /* NULL: none */
    const char *explain; /* "A,B"; NULL: nothing */
    struct cli_input input;
    struct cli_written written;
    csy_report_format report_format;
    csy_pairs pairs;
    bool table; /* the report is a row a trace */
    csy_table_unit unit;
    bool check, quiet, verbose, salvage, no_sandbox;
    unsigned workers;    /* 0: the library's default */
    uint64_t max_memory; /* bytes; 0: half of the machine's */
    enum progress_mode progress;
    struct cli_solving solve;
    /* Times with a unit, which are ticks once the timebase is known; NULL: ticks, in solve. */
    const char *delta, *max_imprecision, *max_adjust, *latency;
};

/* What rules say of an option. */
enum cli_rule {
    BOUNDS = 1,     /* only bounds have a use for it, which --method=bhh makes alone */
    ONE_TRACE = 2,  /* what it writes or shows is of one trace */
    NOT_CHECKED = 4 /* goes with no --check, which solves nothing and writes nothing */
};

/* Of struct cli_options. */
extern const struct option_table cli_table;

/* What --help says, to standard output. */
void options_print_help(void);

#endif
