/* Assumptions about rates and timestamps that no option states: csy_options_set_premises. */
#ifndef SYNC_PREMISES_H
#define SYNC_PREMISES_H

#include "base/error.h"
#include "sync/options.h"
#include "trace/trace.h"

/* The reason for the assumption about the rates of clocks. */
enum premise_rates {
    RATES_PASSED = 0, /* set by an option, or the default of the library */
    RATES_OF_MACHINE, /* one rate, because there is one buffer */
    RATES_OF_HOST,    /* one rate, because the trace names one host */
    RATES_ASKED,      /* one rate, because an option or an output requires it */
    RATES_CRYSTALS,
    RATES_STEERED /* clocks show dates, so their rates may be corrected */
};

struct premises {
    enum premise_rates rates;
    /* the least delta follows from the step of timestamps, because no option set it */
    bool stamps;
    int64_t step_ticks; /* step of timestamps, rounded up; half of it is the least delta; 0: none */
    char step_clock[ERROR_ESCAPED_MAX]; /* the clock with this step, if others are finer */
};

/* Choose premises for a trace. Sets the rate limit of *options and *out unless options were passed.
 * May read the first events, in a partial order all events; then it rewinds the trace. */
csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error);

/* The maximum number of steps of each clock: as passed, or by default 8 for clocks that show dates,
 * which may be set, and otherwise 0. */
uint64_t premises_steps(const struct csy_trace *trace, const struct csy_options *options);

#endif
