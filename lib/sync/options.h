/* The contents of csy_options. */
#ifndef SYNC_OPTIONS_H
#define SYNC_OPTIONS_H

#include <cellsync/cellsync.h>

struct clock_steps;

struct csy_options {
    const char *reference; /* name of the reference, owned; NULL: the default */
    csy_fraction alpha;
    csy_relax relax;
    csy_engine engine;
    csy_fraction delta; /* delta in ticks, for CSY_RELAX_GIVEN only */
    csy_unwrap unwrap;
    int64_t max_imprecision_ticks; /* limit in ticks, or CSY_IMPRECISION_DEFAULT */
    csy_method method;
    bool monotonic;
    int64_t max_adjust_ticks; /* limit in ticks, or CSY_ADJUST_ANY */
    csy_center center;
    csy_statistics statistics;
    bool measure;
    uint64_t drop;
    int64_t latency_ticks;
    int64_t latency_max_ticks; /* longest latency in ticks; INT64_MAX: no limit */
    uint64_t advise;
    uint64_t steps; /* maximum number of steps of each clock */
    /* steps that cellsync found; NULL: use the steps that the trace states */
    const struct clock_steps *cuts;
    int64_t drift_ppb, wander_ppb; /* limits in ppb, or CSY_NO_DRIFT */
    csy_premises premises;
    bool rates_passed, stamps_passed,
        steps_passed; /* the user passed the option, so premises do not replace its value */
};

extern const struct csy_options options_default;

/* Returns true if an option requires that all clocks have one rate. */
bool options_need_one_rate(const struct csy_options *options);

/* Returns CSY_USAGE if options are valid by themselves, but cannot be combined. */
csy_status options_check_together(const csy_options *options, csy_error *error);

#endif
