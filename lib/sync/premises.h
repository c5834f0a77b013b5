/* Assumptions about rates and timestamps that no option states (csy_options_set_premises). */
#ifndef SYNC_PREMISES_H
#define SYNC_PREMISES_H

#include "base/error.h"
#include "sync/options.h"
#include "trace/trace.h"

/* The reasons why the rates of clocks have their limits. */
enum premise_rates {
    RATES_PASSED = 0, /* an option or the library's default set the limit */
    RATES_OF_MACHINE, /* one buffer: all clocks have one rate */
    RATES_OF_HOST,    /* one host: all clocks have one rate */
    RATES_ASKED,      /* an option or an output requires one rate for all clocks */
    RATES_CRYSTALS,
    RATES_STEERED /* clocks show dates, so a program may correct their rates */
};

struct premises {
    enum premise_rates rates;
    /* true if no option set delta, so that the least delta follows from the step of timestamps */
    bool stamps;
    int64_t step_ticks; /* step in ticks, rounded up, twice the least delta; 0: none */
    char step_clock[ERROR_ESCAPED_MAX]; /* the clock with this step if other clocks are finer */
};

/* Choose premises for a trace. Sets *out and, unless options were passed, the rate limit of
 * *options. The function may read events, in a partial order all of them, and then rewinds the
 * trace. */
csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error);

/* Returns the maximum number of steps of each clock. If no option states the number, clocks that
 * show dates have 8 steps, because dates may be set. Other clocks have none. */
uint64_t premises_steps(const struct csy_trace *trace, const struct csy_options *options);

#endif
