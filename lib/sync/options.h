/* The options of a solution: what csy_options contains. */
#ifndef SYNC_OPTIONS_H
#define SYNC_OPTIONS_H

#include <cellsync/cellsync.h>

struct clock_steps;

struct csy_options {
    const char *reference; /* a copy owned by the options; NULL: the default */
    csy_fraction alpha;
    csy_relax relax;
    csy_engine engine;
    csy_fraction delta; /* in ticks; used only with CSY_RELAX_GIVEN */
    csy_unwrap unwrap;
    int64_t max_imprecision_ticks; /* or CSY_IMPRECISION_DEFAULT */
    csy_method method;
    bool monotonic;
    int64_t max_adjust_ticks; /* or CSY_ADJUST_ANY */
    csy_center center;
    csy_statistics statistics;
    bool measure;
    uint64_t drop;
    int64_t latency_ticks;
    int64_t latency_max_ticks; /* or INT64_MAX */
    uint64_t advise;
    uint64_t steps; /* the maximum number of steps of each clock */
    /* steps that cellsync found; NULL: the steps that the trace states */
    const struct clock_steps *cuts;
    int64_t drift_ppb, wander_ppb; /* or CSY_NO_DRIFT */
    csy_premises premises;
    bool rates_passed, stamps_passed,
        steps_passed; /* the user set these explicitly, so premises do not replace them */
};

extern const struct csy_options options_default;

/* True if an option requires clocks of one rate. */
bool options_need_one_rate(const struct csy_options *options);

/* CSY_USAGE if options are valid separately, but cannot be combined. */
csy_status options_check_together(const csy_options *options, csy_error *error);

#endif
