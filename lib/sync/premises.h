/* Assumptions about rates and timestamps that no option states (csy_options_set_premises). */
#ifndef SYNC_PREMISES_H
#define SYNC_PREMISES_H

#include "base/error.h"
#include "sync/options.h"
#include "trace/trace.h"

enum premise_rates {
    RATES_PASSED = 0, /* an option or the library's default sets the limit */
    RATES_OF_MACHINE, /* the trace is one buffer, and its clocks have the same rate */
    RATES_OF_FACTS,   /* the trace is synchronized, and its line of facts has the limit */
    RATES_OF_HOST,    /* the trace comes from one host, and its clocks have the same rate */
    RATES_ASKED,      /* an option or an output requires the same rate for all clocks */
    RATES_CRYSTALS,
    RATES_STEERED /* clocks show dates, so a program may correct their rates */
};

struct premises {
    enum premise_rates rates;
    /* true if no option set delta, so delta is at least half the resolution of the timestamps */
    bool stamps;
    int64_t step_ticks; /* resolution of the timestamps in ticks, rounded up; 0 if unknown */
    char step_clock[ERROR_ESCAPED_MAX]; /* name of the coarsest clock; "" if all are equal */
};

/* Choose premises, and the rate limit of *options unless the user passed one. This reads the first
 * events (all events of a partial order), and then rewinds the trace. */
csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error);

/* Returns how often each clock may have been set. Unless an option states the number, it is 8 for
 * clocks that show dates, and 0 for others. */
uint64_t premises_steps(const struct csy_trace *trace, const struct csy_options *options);

#endif
