/* What is assumed of rates and timestamps if no option says it: csy_options_set_premises. */
#ifndef SYNC_PREMISES_H
#define SYNC_PREMISES_H

#include "sync/options.h"
#include "trace/trace.h"

/* Where the rate premise comes from. */
enum premise_rates {
    RATES_PASSED = 0, /* an option, or the library's default */
    RATES_OF_MACHINE, /* one rate: one buffer */
    RATES_OF_HOST,    /* one rate: the trace names one host */
    RATES_ASKED,      /* one rate, since an option or an output needs that */
    RATES_CRYSTALS,
    RATES_STEERED /* clocks that show dates */
};

struct premises {
    enum premise_rates rates;
    bool stamps;        /* delta has a floor that no option passed */
    int64_t step_ticks; /* of timestamps, rounded up; the floor is half of it.  0: none */
};

/* Fill in the rate limit of *options, and *out, as its by_source asks; else leave them as they are.
 * May read the first events, and rewinds the trace then. */
csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error);

#endif
