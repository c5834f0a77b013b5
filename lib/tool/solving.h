/* Reads and solves traces for cellsync(1) and cellstat(1). Options, in rows of the programs'
 * tables, are converted to objects of the library. */
#ifndef TOOL_SOLVING_H
#define TOOL_SOLVING_H

#include "tool/command.h"
#include "tool/progress.h"

#include <cellsync/cellsync.h>

struct solving_input {
    csy_format format;
    csy_time_unit time_unit;
    const char *columns;
    uint64_t counter_bits; /* width of the counters in a CSV, or 0 if counters do not wrap */
    csy_clock_per clock_per;
    csy_spans spans;
    bool join;
    const char *offsets; /* path of a file with measured offsets, or NULL */
};

struct solving_choices {
    const char *reference;
    csy_fraction alpha, delta, fail_above; /* fail_above is in ticks, with den 0 for no limit */
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
    /* True if an option states what to assume: about rates (--drift), timestamps (--delta or
     * --relax), clocks that were set (--steps or an option that excludes it), or latencies. */
    bool rates_passed, stamps_passed, steps_passed, latencies_passed;
    int64_t latency_ticks;
    int64_t latency_max_ticks;     /* longest latency in ticks, or INT64_MAX for no limit */
    int64_t drift_ppb, wander_ppb; /* greatest rate, and greatest change of a rate, in ppb; or
                                    * CSY_NO_DRIFT */
};

/* Options that cellsync and cellstat share: the first member of each program's options. */
struct solving {
    const char *program;
    char **traces;
    size_t ntraces;
    const char *trace; /* path of the current trace, initially the first path */
    csy_trace *joined; /* one trace joined from all files, until solving_open returns it; or NULL */
    char joined_name[256];
    struct solving_input input;
    struct solving_choices choices;
    /* Values of options, such as "5us", until the timebase is known; otherwise NULL. */
    const char *delta, *max_imprecision, *max_adjust, *latency, *latency_max, *fail_above;
    bool quiet, verbose, salvage, no_sandbox, strict;
    unsigned workers;    /* number of worker threads, or 0 for the library's default */
    uint64_t max_memory; /* memory limit in bytes, or 0 for half of the machine's memory */
    enum progress_mode progress;
};

struct solving solving_default(const char *program);

/* Parse and store the value of an option. take_number is for whole numbers. take_whole_ticks is for
 * --max-imprecision, --max-adjust, --latency, and --max-latency. */
option_take take_number, take_alpha, take_delta, take_fail_above, take_whole_ticks, take_drift,
    take_bytes;

/* After the command line was parsed, set rates_passed and similar members of `choices`. */
void solving_note_passed(struct solving *solving, const struct command *command);

/* Make the input settings, which the caller frees. Returns CSY_USAGE for invalid values. */
csy_status solving_input(const struct solving *solving, csy_input **out, csy_error *error);

/* Make the options of the library, with times in ticks of the timebase, or return CSY_USAGE. */
csy_status solving_options(const struct solving *solving, uint64_t timebase_hz, csy_options **out,
                           csy_error *error);

/* Convert the value of --fail-above, if given, to ticks of this timebase, or return CSY_USAGE. */
csy_status solving_fail_above(const struct solving *solving, uint64_t timebase_hz,
                              csy_fraction *ticks, csy_error *error);

/* Returns true if the files may form one trace: several files, --join, or NAME=FILE was given. */
bool solving_may_join(const struct solving *solving);

/* If the files belong to one trace, open it as solving->joined. Otherwise, set joined to NULL. */
csy_status solving_join(struct solving *solving, csy_error *error);

/* Open the current trace with its settings, or return the joined trace. The caller frees *out. */
csy_status solving_open(struct solving *solving, csy_trace **out, csy_error *error);

#endif
