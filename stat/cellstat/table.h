/* The options of cellstat(1). */
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
    char **operands; /* after VERB and TRACE */
    size_t noperands;
    bool explain, tables;                /* a format, a file or a unit of time is asked for */
    const char *events[STAT_EVENTS_MAX]; /* the later ones go before the earlier */
    size_t nevents;
    const char *symbols; /* NULL: none */
    const char *output;
    csy_report_format format;
    csy_time_unit time_unit;
    csy_units units;
    csy_ranges ranges;
    const char *sort; /* a column; NULL: as the verb says */
    uint64_t top;
    csy_profile_options profile; /* without members that other options set: */
    csy_per per;                 /* of concurrency, too */
    const char *actors;          /* NULL: all */
    csy_states states;           /* asked of states */
    csy_concurrency asked;       /* for concurrency, without: */
    const char *section, *each;  /* NAME[#k[-m]], NAME; NULL: none */
    const char *serial, *sample; /* times; NULL: none */
    uint64_t bins;               /* 0: as the format needs them */
    csy_comm_options comm;
    uint64_t spes_per_cell, cells_per_node; /* 0: not said */
    csy_weight weight;
    uint64_t leaves;
    const char *at; /* NULL: no moment */
    bool each_message;
};

/* The options in struct stat_options. */
extern const struct option_table cellstat_table;

/* Read argv.  COMMAND_USAGE: the reason has been written to stderr. */
enum command_action stat_options_read(int argc, char **argv, struct stat_options *out);

/* True for the formats that have the tables alone, without a drawing. */
bool stat_options_tables(const struct stat_options *options);

/* Print --help, or --help-all, to standard output. */
void stat_options_print_help(bool all);

#endif
