/* The contents of csy_options, the table of methods, and assumptions that no option states. */
#ifndef SYNC_OPTIONS_H
#define SYNC_OPTIONS_H

#include "base/error.h"

struct clock_steps;
struct csy_trace;

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
    int64_t max_adjust_ticks; /* greatest accepted csy_correction in ticks, or CSY_ADJUST_ANY */
    csy_center center;
    csy_statistics statistics;
    bool measure;
    uint64_t drop;
    int64_t latency_ticks;
    int64_t latency_max_ticks; /* longest latency in ticks; INT64_MAX: no limit */
    uint64_t advise;
    uint64_t steps; /* how many times each clock may have been set */
    /* times when clocks were set, found by cellsync; NULL: use those in the trace */
    const struct clock_steps *cuts;
    /* greatest difference and greatest change of rates, or CSY_NO_DRIFT */
    int64_t drift_ppb, wander_ppb;
    csy_premises premises;
    /* true if the user set drift, delta, steps, or a latency, so it is not derived from the
     * trace */
    bool rates_passed, stamps_passed, steps_passed, latencies_passed;
};

extern const struct csy_options options_default;

bool options_need_one_rate(const struct csy_options *options);

/* Returns CSY_USAGE if the options cannot be combined. */
csy_status options_check_together(const csy_options *options, csy_error *error);

/* A row of the table of methods. */
struct method {
    const char *word; /* name of the method in options */
    /* true if a thread gets one offset; false if each record is moved by itself */
    bool moves_threads;
};

/* Returns the row of a method, or NULL for a number that is no method. */
const struct method *method_of(csy_method method);

/* Set *out to the method with the name `word`. *out is unchanged if no method has this name. */
void method_find(const char *word, csy_method *out);

/* --- Assumptions about rates and timestamps (csy_options_set_premises) --- */

enum premise_rates {
    RATES_PASSED = 0, /* an option, or the library's default, sets the greatest drift */
    RATES_OF_MACHINE, /* the trace is one buffer, and its clocks have the same rate */
    RATES_OF_FACTS,   /* the trace is synchronized, and its line "# cellsync" has the limit */
    RATES_OF_HOST,    /* the trace comes from one host, and its clocks have the same rate */
    RATES_ASKED,      /* an option or an output requires the same rate for all clocks */
    RATES_CRYSTALS,
    RATES_STEERED /* clocks show dates, so a program may correct their rates */
};

struct premises {
    enum premise_rates rates;
    /* true if no option set delta, so delta is at least half the resolution of the timestamps */
    bool stamps;
    bool stamps_of_facts; /* true if the line "# cellsync" of the trace set delta */
    int64_t step_ticks;   /* resolution of the timestamps in ticks, rounded up; 0 if unknown */
    char step_clock[ERROR_ESCAPED_MAX]; /* name of the clock with this resolution; "" if all
                                         * clocks have it */
};

/* Choose premises (assumptions about rates and timestamps) and, unless set, the limit of rates in
 * *options. Reads the first events (all of a partial order), and then rewinds the trace. */
csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error);

/* Returns how often each clock may have been set. Unless an option states the number, it is 8 for
 * clocks that show dates, and 0 for others. */
uint64_t premises_steps(const struct csy_trace *trace, const struct csy_options *options);

#endif
