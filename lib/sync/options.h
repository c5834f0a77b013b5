/* The contents of csy_options, and the table of synchronization methods. */
#ifndef SYNC_OPTIONS_H
#define SYNC_OPTIONS_H

#include <cellsync/cellsync.h>

struct clock_steps;

struct csy_options {
    const char *reference; /* name of the reference, owned; NULL: choose one */
    csy_fraction alpha;
    csy_relax relax;
    csy_engine engine;
    csy_fraction delta; /* timestamp error in ticks, used if relax is CSY_RELAX_GIVEN */
    csy_unwrap unwrap;
    int64_t max_imprecision_ticks; /* greatest imprecision in ticks, or CSY_IMPRECISION_DEFAULT */
    csy_method method;
    bool monotonic;
    int64_t max_adjust_ticks; /* greatest permitted adjustment in ticks, or CSY_ADJUST_ANY */
    csy_center center;
    csy_statistics statistics;
    bool measure;
    uint64_t drop;
    int64_t latency_ticks;
    int64_t latency_max_ticks; /* longest latency in ticks; INT64_MAX: no limit */
    uint64_t advise;
    uint64_t steps; /* how many times each clock may have been set */
    /* times at which clocks were set, if cellsync found them; NULL: use the times in the trace */
    const struct clock_steps *cuts;
    int64_t drift_ppb, wander_ppb; /* greatest difference and change of rates, or CSY_NO_DRIFT */
    csy_premises premises;
    /* true if the user set drift, delta, or steps, so premises do not replace the value */
    bool rates_passed, stamps_passed, steps_passed;
};

extern const struct csy_options options_default;

bool options_need_one_rate(const struct csy_options *options);

/* Returns CSY_USAGE if the options cannot be combined. */
csy_status options_check_together(const csy_options *options, csy_error *error);

/* A row of the table of methods. */
struct method {
    const char *word;   /* name of the method in options */
    bool moves_threads; /* true if each thread gets one offset; false if single events are moved */
};

/* Returns the row of a method, or NULL for a number that is no method. */
const struct method *method_of(csy_method method);

/* Set *out to the method with the name `word`. *out is unchanged if no method has this name. */
void method_find(const char *word, csy_method *out);

#endif
