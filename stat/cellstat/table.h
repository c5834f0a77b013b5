/* The options of cellstat(1), and its verbs, which are the kinds of analyses. */
#ifndef STAT_TABLE_H
#define STAT_TABLE_H

#include "tool/solving.h"

#include <cellsync/analysis.h>

#define STAT_PROGRAM "cellstat"

struct verb;

enum { STAT_EVENTS_MAX = 16 };

struct stat_options {
    struct solving solving;
    const struct verb *verb;
    char **operands; /* operands after VERB and TRACE */
    size_t noperands;
    bool explain, tables; /* true if --explain was given; true if tables are written */
    const char *events[STAT_EVENTS_MAX]; /* file names of --events; later files take precedence */
    size_t nevents;
    const char *symbols; /* file name of --symbols, or NULL */
    const char *output;
    csy_report_format format;
    csy_time_unit time_unit;
    csy_units units;
    csy_ranges ranges;
    const char *sort; /* name of the column to sort by, or NULL for the verb's default */
    uint64_t top;
    csy_per per;        /* value of --per, for `profile` and `concurrency` */
    const char *actors; /* patterns of the names of requested actors, or NULL for all actors */
    const char *window; /* value of --window, or the section to analyse, or NULL */
    /* options of single verbs; `per`, `actors`, `window`, and `units` are copied into them */
    csy_profile_options profile;
    csy_states states;
    csy_concurrency asked;
    csy_comm_options comm;
    csy_calls_options calls;
    const char *section, *each;  /* values of --section and --each, or NULL */
    const char *serial, *sample; /* values of --serial and --sample, with units, or NULL */
    uint64_t bins; /* number of parts of time, or 0 for a default that depends on the format */
    uint64_t spes_per_cell, cells_per_node; /* values of --topology, or 0 if not given */
    uint64_t leaves;
    const char *at; /* value of --at, or NULL if not given */
    bool each_message;
};

/* All options of cellstat(1). Their values are stored in struct stat_options. */
extern const struct option_table cellstat_table;

/* Parse the command line. If the result is COMMAND_USAGE, the reason was already printed. */
enum command_action stat_options_read(int argc, char **argv, struct stat_options *out);

/* Returns true if the output format shows tables only, without drawings. */
bool stat_options_tables(const struct stat_options *options);

/* Print the text of --help to standard output, or the text of --help-all if `all` is true. */
void stat_options_print_help(bool all);

struct progress_line;

struct solved {
    struct stat_options *options;
    struct progress_line *progress;
    csy_trace *trace;
    csy_sync *sync;
};

/* Type of the functions that make the tables of a verb. The caller frees *out. */
typedef csy_status make_analysis(const struct solved *solved, const csy_meaning *meaning,
                                 csy_analysis **out, csy_error *error);

struct verb {
    const char *name;
    const char *operands; /* the operands after TRACE, as --help shows them */
    size_t noperands;
    const char *help;
    make_analysis *make; /* makes the tables to print; NULL if the verb is `order` */
    const char *sort;    /* name of the default column to sort rows by, or NULL */
    unsigned takes;      /* the options that the verb accepts, as bits of enum stat_rule */
};

enum stat_rule {
    TAKES_EXPLAIN = 1,
    TAKES_MEANING = 2,
    TAKES_FILE = 4,
    TAKES_UNITS = 8,
    TAKES_RANGES = 16,
    TAKES_ROWS = 32,
    TAKES_PER = 64,
    TAKES_CONCURRENCY = 128,
    TAKES_STATES = 256,
    TAKES_ACTORS = 512,
    TAKES_COMM = 2048,
    TAKES_PLACES = 4096,
    TAKES_GRAPH = 8192,
    TAKES_BINS = 1024,
    TAKES_SAMPLE = 16384,
    TAKES_FOLLOW = 32768,
    TAKES_WINDOW = 65536,
    TAKES_SECTIONS = 131072,
    TAKES_EACH = 262144
};

enum { STAT_VERBS_MAX = 32 };
extern const struct verb stat_verbs[];
extern const size_t stat_nverbs;

csy_status verb_tables(const struct solved *solved, csy_error *error);
csy_status verb_order(const struct solved *solved, csy_error *error);

#endif
