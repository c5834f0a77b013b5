/* The options and the verbs of cellstat(1). */
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
    char **operands; /* words after VERB and TRACE */
    size_t noperands;
    /* tables: a format, a file, or a unit of time was requested */
    bool explain, tables;
    /* files of --events; later files take precedence */
    const char *events[STAT_EVENTS_MAX];
    size_t nevents;
    const char *symbols; /* NULL: none */
    const char *output;
    csy_report_format format;
    csy_time_unit time_unit;
    csy_units units;
    csy_ranges ranges;
    const char *sort; /* name of the column to sort by; NULL: the verb's default */
    uint64_t top;
    csy_profile_options profile; /* options of `profile`, except for the members below */
    csy_per per;                 /* group of --per, also for `concurrency` */
    const char *actors;          /* patterns of actors' names; NULL: all actors */
    csy_states states;           /* options of `states` */
    csy_concurrency asked;       /* options of `concurrency`, except for the members below */
    const char *section, *each;  /* section: NAME[#k[-m]]; each: NAME; NULL: not given */
    const char *serial, *sample; /* times with units, of --serial and --sample; NULL: not given */
    uint64_t bins;               /* number of bins; 0: as many as the format needs */
    csy_comm_options comm;
    uint64_t spes_per_cell, cells_per_node; /* 0: the option was not given */
    csy_weight weight;
    uint64_t leaves;
    const char *at; /* the requested moment; NULL: none */
    bool each_message;
};

/* The table of options, which are members of struct stat_options. */
extern const struct option_table cellstat_table;

/* Parse argv. COMMAND_USAGE means that the reason was written to stderr. */
enum command_action stat_options_read(int argc, char **argv, struct stat_options *out);

/* Returns true if the output format has only tables, and no drawings. */
bool stat_options_tables(const struct stat_options *options);

/* Print the text of --help or --help-all to standard output. */
void stat_options_print_help(bool all);

struct progress_line;

/* A trace and its solution. */
struct solved {
    struct stat_options *options;
    struct progress_line *progress;
    csy_trace *trace;
    csy_sync *sync;
};

/* A function that makes the tables of a verb. The caller frees *out. */
typedef csy_status make_analysis(const struct solved *solved, const csy_meaning *meaning,
                                 csy_analysis **out, csy_error *error);

struct verb {
    const char *name;
    const char *operands; /* operands after TRACE, for --help */
    size_t noperands;
    const char *help;
    make_analysis *make; /* NULL for the verb `order`, which also prints sentences */
    const char *sort;    /* column by which rows are sorted by default; NULL: none */
    unsigned takes;      /* accepted options, as bits of enum stat_rule */
};

/* The options that only some verbs accept. */
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

/* Set a usage error, and return the status of this error. */
csy_status fail_usage(csy_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
