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

struct steps {
    struct texts names; /* names of clocks */
    struct written_steps *clocks;
    size_t capacity;
    uint32_t last; /* number of the last event's clock */
    uint64_t changes;
};

/* Set *out to the steps per second of the coarsest clock, or to 0 if times are ticks. Only the
 * first events of one buffer are read, but a partial order is read to its end or an error. */
static csy_status find_steps(struct csy_trace *trace, uint64_t *out, struct premises *premises,
                             csy_error *error)
{
    const struct source *source = trace->source;
    struct event event = {.position = 0};
    struct steps s = {.last = NO_TEXT};
    bool more = true;
    *out = 0;
    if (!source->time_steps)
        return CSY_OK;
    csy_status status = trace_rewind(trace, error);
    while (!status &&
           !(event.position >= SAMPLE_EVENTS &&
             (!trace->partial || s.changes >= event.position / EVENTS_A_CHANGE)) &&
           !source->next(trace, &event, &more, NULL) && more) {
        uint64_t steps = source->time_steps(trace);
        if (steps == 0)
            break; /* times in whole ticks have no decimals */
        const struct named_stamp *stamp = &event.stamp;
        bool own = stamp->clock_size == 0, added = false;
        uint32_t clock;
        if (!texts_find(&s.names, own ? stamp->thread : stamp->clock,
                        own ? stamp->thread_size : stamp->clock_size, &clock, &added) ||
            !ARRAY_RESERVE(s.clocks, s.capacity, (size_t)clock + 1))
            status = error_memory(error);
        if (!status) {
            if (added)
                s.clocks[clock] = (struct written_steps){0, 0};
            s.changes += clock != s.last;
            s.last = clock;
            s.clocks[clock].events +=
                stamp->time_ticks != 0; /* a time of 0 has no digits to omit */
            if (steps > s.clocks[clock].steps)
                s.clocks[clock].steps = steps;
        }
        event.position++;
    }
    uint64_t finest = 0;
    size_t coarsest = SIZE_MAX;
    for (size_t c = 0; c < s.names.count; c++)
        finest = s.clocks[c].steps > finest ? s.clocks[c].steps : finest;
    *out = finest;
    for (size_t c = 0; c < s.names.count; c++) {
        /* A clock is coarser if it always has fewer decimals than the finest clock, and this is no
         * coincidence: some programs omit zeros at the end; a digit is 0 with probability 1/10. */
        const struct written_steps *clock = &s.clocks[c];
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
        error_escape(premises->step_clock, texts_text(&s.names, coarsest).bytes,
                     s.names.items[coarsest].size);
    texts_fini(&s.names);
    free(s.clocks);
    return status ? status : trace_rewind(trace, error);
}

/* Read a number at or above 0 from the line of facts. Returns false if the line lacks the key, or
 * if its value is malformed. */
static bool find_fact(const struct csy_trace *trace, const char *key, char *text, csy_fraction *out)
{
    return csv_fact_find(csv_reader_facts(&trace->lines), key, text) &&
           fraction_parse(text, 1, out);
}

/* Take from the line of facts of a synchronized CSV what no option sets, so that solving it again
 * depends on the same premises. Sets out->rates if the line determines the limit of rates. */
static csy_status take_facts(const struct csy_trace *trace, struct csy_options *options,
                             struct premises *out, csy_error *error)
{
    enum { PPB_IN_PPM = 1000, PPM_MAX = 1000000 };
    csy_fraction number;
    char *text = trace->partial ? malloc(trace->lines.facts_size + 1) : NULL;
    if (!trace->partial || trace->lines.facts_size == 0 || options->method != CSY_METHOD_BHH ||
        (text && csv_fact_find(csv_reader_facts(&trace->lines), "method", text))) {
        free(text);
        return CSY_OK;
    }
    if (!text)
        return error_memory(error);
    bool drifts = find_fact(trace, "drift", text, &number) && number.num / number.den < PPM_MAX &&
                  PPB_IN_PPM % number.den == 0;
    if (!options->rates_passed && drifts && options->premises != CSY_PREMISES_ONE_RATE &&
        !options_need_one_rate(options)) {
        options->drift_ppb = number.num * (PPB_IN_PPM / number.den);
        if (find_fact(trace, "wander", text, &number) && number.num / number.den < PPM_MAX &&
            PPB_IN_PPM % number.den == 0)
            options->wander_ppb = number.num * (PPB_IN_PPM / number.den);
    }
    if (!options->rates_passed && (!drifts || options->drift_ppb != CSY_NO_DRIFT))
        out->rates = RATES_OF_FACTS;
    bool given =
        csv_fact_find(csv_reader_facts(&trace->lines), "relax", text) && strcmp(text, "given") == 0;
    if (!options->stamps_passed && given && find_fact(trace, "delta", text, &number)) {
        options->relax = CSY_RELAX_GIVEN;
        options->delta = number;
        options->stamps_passed = true;
    }
    if (options->latency_ticks == 0 && options->latency_max_ticks == INT64_MAX) {
        if (find_fact(trace, "latency", text, &number) && number.den == 1)
            options->latency_ticks = number.num;
        if (find_fact(trace, "max_latency", text, &number) && number.den == 1)
            options->latency_max_ticks = number.num;
    }
    free(text);
    return CSY_OK;
}

csy_status premises_choose(struct csy_trace *trace, struct csy_options *options,
                           struct premises *out, csy_error *error)
{
    *out = (struct premises){.rates = RATES_PASSED};
    if (options->premises == CSY_PREMISES_EQUAL || trace->nrecord_files == 1)
        return CSY_OK; /* the clocks of a Cell machine have one rate, and count ticks */
    csy_status status = take_facts(trace, options, out, error);
    if (status)
        return status;
    if (!options->rates_passed && out->rates != RATES_OF_FACTS) {
        out->rates = rates_of(trace);
        bool drift = out->rates == RATES_CRYSTALS || out->rates == RATES_STEERED;
        if (drift && (options->premises == CSY_PREMISES_ONE_RATE || options_need_one_rate(options)))
            out->rates = RATES_ASKED;
        else if (drift)
            options->drift_ppb = out->rates == RATES_STEERED ? STEERED_PPB : CRYSTALS_PPB;
    }
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
