/* Chooses assumptions about clocks from the source of a trace. */
#include "sync/premises.h"

#include "base/array.h"
#include "base/texts.h"

#include <stdlib.h>

enum {
    CRYSTALS_PPB = 101000, /* two crystals with errors of 50 ppm each, and a margin */
    STEERED_PPB = 1001000, /* two clocks that ntpd corrects by up to 500 ppm each, and a margin */
    SAMPLE_EVENTS = 65536,
    EVENTS_A_CHANGE = 64, /* after the first events, read on until one event in this many has
                           * another clock than the one before */
    EVENTS_LEAST = 4,     /* least number of events to find that a clock is coarser than others */
    CHANCE_DIGITS = 6     /* a coincidence is excluded if its probability is below 10^-6 */
};

static enum premise_rates rates_of(const struct csy_trace *trace)
{
    return !trace->partial                                       ? RATES_OF_MACHINE
           : trace->hosts == 1 && !trace->skewed                 ? RATES_OF_HOST
           : trace->source->dates && trace->source->dates(trace) ? RATES_STEERED
                                                                 : RATES_CRYSTALS;
}

/* Resolution of a clock, in steps per second, from its timestamp with the most decimals. */
struct written_steps {
    uint64_t steps, events;
};

/* Set *out to the steps per second of the coarsest clock, or to 0 if times are ticks. Only the
 * first events of one buffer are read, but a partial order is read to its end or an error. */
static csy_status find_steps(struct csy_trace *trace, uint64_t *out, struct premises *premises,
                             csy_error *error)
{
    const struct source *source = trace->source;
    struct event event = {.position = 0};
    struct texts names = {0}; /* names of clocks */
    struct written_steps *clocks = NULL;
    size_t capacity = 0;
    uint32_t last = NO_TEXT; /* number of the last event's clock */
    uint64_t changes = 0;
    bool more = true;
    *out = 0;
    if (!source->time_steps)
        return CSY_OK;
    csy_status status = trace_rewind(trace, error);
    while (!status &&
           !(event.position >= SAMPLE_EVENTS &&
             (!trace->partial || changes >= event.position / EVENTS_A_CHANGE)) &&
           !source->next(trace, &event, &more, NULL) && more) {
        uint64_t steps = source->time_steps(trace);
        if (steps == 0)
            break; /* times in whole ticks have no decimals */
        const struct named_stamp *stamp = &event.stamp;
        bool own = stamp->clock_size == 0, added = false;
        uint32_t clock;
        if (!texts_find(&names, own ? stamp->thread : stamp->clock,
                        own ? stamp->thread_size : stamp->clock_size, &clock, &added) ||
            !ARRAY_RESERVE(clocks, capacity, (size_t)clock + 1))
            status = error_memory(error);
        if (!status) {
            if (added)
                clocks[clock] = (struct written_steps){0, 0};
            changes += clock != last;
            last = clock;
            clocks[clock].events += stamp->time_ticks != 0; /* a time of 0 has no digits to omit */
            if (steps > clocks[clock].steps)
                clocks[clock].steps = steps;
        }
        event.position++;
    }
    uint64_t finest = 0;
    size_t coarsest = SIZE_MAX;
    for (size_t c = 0; c < names.count; c++)
        finest = clocks[c].steps > finest ? clocks[c].steps : finest;
    *out = finest;
    for (size_t c = 0; c < names.count; c++) {
        /* A clock is coarser if it always has fewer decimals than the finest clock, and this is no
         * coincidence: some programs omit zeros at the end; a digit is 0 with probability 1/10. */
        const struct written_steps *clock = &clocks[c];
        uint64_t digits = 0;
        for (uint64_t steps = clock->steps; steps > 0 && steps < finest; steps *= 10)
            digits++;
        if (clock->steps < *out && clock->events >= EVENTS_LEAST &&
            digits * clock->events >= CHANCE_DIGITS) {
            *out = clock->steps;
            coarsest = c;
        }
    }
    if (coarsest != SIZE_MAX)
        error_escape(premises->step_clock, texts_text(&names, coarsest).bytes,
                     names.items[coarsest].size);
    texts_fini(&names);
    free(clocks);
    return status ? status : trace_rewind(trace, error);
}

csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error)
{
    *out = (struct premises){.rates = RATES_PASSED};
    if (options->premises == CSY_PREMISES_EQUAL || trace->nrecord_files == 1)
        return CSY_OK; /* the clocks of a Cell machine have one rate, and count ticks */
    if (!options->rates_passed) {
        out->rates = rates_of(trace);
        bool drift = out->rates == RATES_CRYSTALS || out->rates == RATES_STEERED;
        if (drift && (options->premises == CSY_PREMISES_ONE_RATE || options_need_one_rate(options)))
            out->rates = RATES_ASKED;
        else if (drift)
            options->drift_ppb = out->rates == RATES_STEERED ? STEERED_PPB : CRYSTALS_PPB;
    }
    csy_status status = CSY_OK;
    if (!options->stamps_passed && options->method == CSY_METHOD_BHH) {
        uint64_t steps, hz = trace->timebase_hz;
        status = find_steps(trace, &steps, out, error);
        if (steps > 0 && steps < hz)
            out->step_ticks = (int64_t)((hz + steps - 1) / steps);
        else
            out->step_ticks = steps > 0 || trace->partial;
        out->stamps = out->step_ticks > 0;
    }
    if (out->rates == RATES_OF_MACHINE && !out->stamps)
        out->rates = RATES_PASSED; /* the library's default limits rates */
    return status;
}

uint64_t premises_steps(const struct csy_trace *trace, const struct csy_options *options)
{
    enum { DATES = 8 };
    bool drift = options->rates_passed ? options->drift_ppb != CSY_NO_DRIFT
                                       : !options_need_one_rate(options);
    bool delta = options->relax == CSY_RELAX_EXACT || options->relax == CSY_RELAX_GIVEN;
    bool usual = options->premises == CSY_PREMISES_BY_SOURCE && !options->steps_passed &&
                 options->method == CSY_METHOD_BHH && drift && delta && options->advise == 0 &&
                 rates_of(trace) == RATES_STEERED;
    return usual ? DATES : options->steps;
}
