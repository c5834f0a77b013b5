/*
 * How a program reads its traces and solves them: what cellsync(1) and cellstat(1) have in common,
 * from rows of their tables to the objects of the library.
 */
#ifndef TOOL_SOLVING_H
#define TOOL_SOLVING_H

#include "tool/command.h"
#include "tool/progress.h"

#include <cellsync/cellsync.h>

struct solving_input {
    csy_format format;
    csy_time_unit time_unit;
    const char *columns;
    uint64_t counter_bits; /* 0: counters do not wrap */
    csy_clock_per clock_per;
};

struct solving_choices {
    const char *reference;
    csy_fraction alpha, delta, fail_above; /* fail_above in ticks; denominator 0: not given */
    csy_relax relax;
    csy_engine engine;
    csy_unwrap unwrap;
    int64_t max_imprecision_ticks, max_adjust_ticks;
    csy_method method;
    csy_center center;
    csy_statistics statistics;
    bool monotonic, measure;
    uint64_t drop, advise, steps;
    csy_premises premises;
    bool rates_passed, stamps_passed; /* by an option: --drift; --delta or --relax */
    int64_t latency_ticks;
    int64_t latency_max_ticks;     /* INT64_MAX: no limit */
    int64_t drift_ppb, wander_ppb; /* CSY_NO_DRIFT: none */
};

/* The first member of the options of a program whose table has rows of tool/solving_rows.h. */
struct solving {
    const char *program;
    char **traces;
    size_t ntraces;
    const char *trace; /* the one of them that is being looked at; at first the first */
    struct solving_input input;
    struct solving_choices choices;
    /* Times with a unit, which are ticks once the timebase is known; NULL: ticks, in choices. */
    const char *delta, *max_imprecision, *max_adjust, *latency, *latency_max, *fail_above;
    bool quiet, verbose, salvage, no_sandbox, strict;
    unsigned workers;    /* 0: the library's default */
    uint64_t max_memory; /* bytes; 0: half of the machine's */
    enum progress_mode progress;
};

/* What holds where no option is given. */
struct solving solving_default(const char *program);

/* What rows do with values: option_take, of which the first is for whole numbers of any program. */
option_take take_number, take_alpha, take_delta, take_fail_above, take_max_imprecision, take_drift,
    take_max_adjust, take_latency, take_latency_max, take_bytes;

/* Note which premises were passed, once the command line is read. */
void solving_note_passed(struct solving *solving, const struct command *command);

/* The caller frees *out.  What is no value by itself is CSY_USAGE. */
csy_status solving_input(const struct solving *solving, csy_input **out, csy_error *error);

/* Times with a unit are ticks of this timebase; CSY_USAGE where one does not fit. */
csy_status solving_options(const struct solving *solving, uint64_t timebase_hz, csy_options **out,
                           csy_error *error);

/* The time of --fail-above in ticks of this timebase, if it was given; CSY_USAGE where it does not
 * fit. */
csy_status solving_fail_above(const struct solving *solving, uint64_t timebase_hz,
                              csy_fraction *ticks, csy_error *error);

/* Open the trace that is being looked at; how it is read is set. */
csy_status solving_open(const struct solving *solving, csy_trace **out, csy_error *error);

#endif
