/* Reading and solving traces, as cellsync(1) and cellstat(1) both do it: from the options in rows
 * of their tables to the objects of the library. */
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
    csy_spans spans;
    bool join;
    const char *offsets; /* name of a file, or NULL */
};

struct solving_choices {
    const char *reference;
    csy_fraction alpha, delta, fail_above; /* fail_above: in ticks; denominator 0: not given */
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
    /* Whether an option set the premise. rates: --drift. stamps: --delta or --relax. steps:
     * --steps, or an option that excludes steps. */
    bool rates_passed, stamps_passed, steps_passed;
    int64_t latency_ticks;
    int64_t latency_max_ticks;     /* INT64_MAX: no limit */
    int64_t drift_ppb, wander_ppb; /* CSY_NO_DRIFT: none */
};

/* Options that both programs have. A struct solving must be the first member of the options of a
 * program that uses the rows in tool/solving_rows.h. */
struct solving {
    const char *program;
    char **traces;
    size_t ntraces;
    const char *trace; /* the trace in progress; at the beginning the first one */
    csy_trace *joined; /* all traces as one trace, which solving_open returns; or NULL */
    char joined_name[256];
    struct solving_input input;
    struct solving_choices choices;
    /* Times with a unit, as texts. They become ticks as soon as the timebase is known. NULL: the
     * time is in `choices`, in ticks. */
    const char *delta, *max_imprecision, *max_adjust, *latency, *latency_max, *fail_above;
    bool quiet, verbose, salvage, no_sandbox, strict;
    unsigned workers;    /* 0: the default of the library */
    uint64_t max_memory; /* in bytes; 0: half of the machine's memory */
    enum progress_mode progress;
};

/* The default values of all options. */
struct solving solving_default(const char *program);

/* Functions for rows of the table. take_number parses whole numbers, also for other options of a
 * program. */
option_take take_number, take_alpha, take_delta, take_fail_above, take_max_imprecision, take_drift,
    take_max_adjust, take_latency, take_latency_max, take_bytes;

/* Note which premises the user set by options. Call this after the command line was parsed. */
void solving_note_passed(struct solving *solving, const struct command *command);

/* Make the input settings; the caller frees *out. CSY_USAGE for invalid values. */
csy_status solving_input(const struct solving *solving, csy_input **out, csy_error *error);

/* Make the options for the library. Times with a unit are converted to ticks of this timebase.
 * CSY_USAGE if a time does not fit. */
csy_status solving_options(const struct solving *solving, uint64_t timebase_hz, csy_options **out,
                           csy_error *error);

/* Convert the value of --fail-above to ticks of this timebase, if it was given. CSY_USAGE if it
 * does not fit. */
csy_status solving_fail_above(const struct solving *solving, uint64_t timebase_hz,
                              csy_fraction *ticks, csy_error *error);

/* True if the traces may be files of one trace: there are several, or the user gave --join or
 * NAME=FILE. */
bool solving_may_join(const struct solving *solving);

/* If the traces are files of one trace, open them as one, which solving_open then returns.
 * Otherwise solving->joined stays NULL. */
csy_status solving_join(struct solving *solving, csy_error *error);

/* Open the trace in progress with the input settings. The caller frees *out. */
csy_status solving_open(struct solving *solving, csy_trace **out, csy_error *error);

#endif
