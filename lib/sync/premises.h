/* Assumptions about rates and timestamps that no option states (csy_options_set_premises). */
#ifndef SYNC_PREMISES_H
#define SYNC_PREMISES_H

#include "base/error.h"
#include "sync/options.h"
#include "trace/trace.h"

/* Why the rates of clocks have their limits. */
enum premise_rates {
    RATES_PASSED = 0, /* an option or the library's default set it */
    RATES_OF_MACHINE, /* one buffer: all clocks have one rate */
    RATES_OF_HOST,    /* one host: all clocks have one rate */
    RATES_ASKED,      /* an option or an output requires one rate for all clocks */
    RATES_CRYSTALS,
    RATES_STEERED /* clocks show dates, so something may correct their rates */
};

struct premises {
    enum premise_rates rates;
    /* no option set delta, so its least value follows from the step of timestamps */
    bool stamps;
    int64_t step_ticks; /* step in ticks, rounded up; least delta is half of it; 0: none */
    char step_clock[ERROR_ESCAPED_MAX]; /* the clock with this step if other clocks are finer */
};

/* Choose premises for a trace. Sets *out and the rate limit of *options, unless options were
 * passed. May read the first events, or all of a partial order, and then rewinds the trace. */
csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error);

/* The maximum number of steps of each clock: as passed, or by default 8 for clocks that show dates,
 * since they may be set, and 0 for others. */
uint64_t premises_steps(const struct csy_trace *trace, const struct csy_options *options);

#endif
