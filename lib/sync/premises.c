/* Chooses premises by the source of a trace. */
#include "sync/premises.h"

enum {
    CRYSTALS_PPB = 101000, /* two crystals of 50 ppm each, and a margin */
    STEERED_PPB = 1001000, /* ntpd slews two clocks in opposite directions by 500 ppm each, and a
                              margin */
    SAMPLE_EVENTS = 1024
};

/* True if one Cell machine wrote all records to one buffer, with timestamps in ticks. */
static bool is_of_cell(const struct csy_trace *trace)
{
    return trace->nrecord_files == 1;
}

static bool shows_dates(const struct csy_trace *trace)
{
    return trace->source->dates && trace->source->dates(trace);
}

static enum premise_rates rates_of(const struct csy_trace *trace)
{
    return !trace->partial                       ? RATES_OF_MACHINE
           : trace->hosts == 1 && !trace->skewed ? RATES_OF_HOST
           : shows_dates(trace)                  ? RATES_STEERED
                                                 : RATES_CRYSTALS;
}

/* The finest resolution of the first timestamps, in steps per second; 0 if times are ticks. An
 * event that cannot be read ends the search: the pass over all events reports it. */
static csy_status find_steps(struct csy_trace *trace, uint64_t *out, csy_error *error)
{
    struct event event = {.position = 0};
    bool more = true;
    *out = 0;
    if (!trace->source->time_steps)
        return CSY_OK;
    csy_status status = trace_rewind(trace, error);
    while (!status && event.position < SAMPLE_EVENTS &&
           !trace->source->next(trace, &event, &more, NULL) && more) {
        uint64_t steps = trace->source->time_steps(trace);
        *out = steps > *out ? steps : *out;
        event.position++;
    }
    return status ? status : trace_rewind(trace, error);
}

static csy_status choose_stamps(struct csy_trace *trace, struct premises *out, csy_error *error)
{
    uint64_t steps, hz = trace->timebase_hz;
    csy_status status = find_steps(trace, &steps, error);
    if (steps > 0 && steps < hz)
        out->step_ticks = (int64_t)((hz + steps - 1) / steps);
    else
        out->step_ticks = steps > 0 || trace->partial;
    out->stamps = out->step_ticks > 0;
    return status;
}

csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error)
{
    *out = (struct premises){.rates = RATES_PASSED};
    if (options->premises == CSY_PREMISES_EQUAL || is_of_cell(trace))
        return CSY_OK;
    if (!options->rates_passed) {
        out->rates = rates_of(trace);
        bool drift = out->rates == RATES_CRYSTALS || out->rates == RATES_STEERED;
        if (drift && (options->premises == CSY_PREMISES_ONE_RATE || options_need_one_rate(options)))
            out->rates = RATES_ASKED;
        else if (drift)
            options->drift_ppb = out->rates == RATES_STEERED ? STEERED_PPB : CRYSTALS_PPB;
    }
    csy_status status = options->stamps_passed || options->method != CSY_METHOD_BHH
                            ? CSY_OK
                            : choose_stamps(trace, out, error);
    if (out->rates == RATES_OF_MACHINE && !out->stamps)
        out->rates = RATES_PASSED; /* one buffer in ticks: the default of the library */
    return status;
}
