/* Sets and checks options, and chooses assumptions about clocks from the source of a trace. */
#include "sync/options.h"

#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "clock/unwrap.h"
#include "graph/minplus.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

const struct csy_options options_default = {.alpha = {1, 2},
                                            .delta = {0, 1},
                                            .max_imprecision_ticks = CSY_IMPRECISION_DEFAULT,
                                            .max_adjust_ticks = CSY_ADJUST_ANY,
                                            .latency_max_ticks = INT64_MAX,
                                            .drift_ppb = CSY_NO_DRIFT,
                                            .wander_ppb = CSY_NO_DRIFT};

csy_status csy_options_new(csy_options **out, csy_error *error)
{
    csy_options *options = malloc(sizeof *options);
    if (!options)
        return error_memory(error);
    *options = options_default;
    *out = options;
    return CSY_OK;
}

void csy_options_free(csy_options *options)
{
    if (!options)
        return;
    FREE_ALL(unconst(options->reference), options);
}

csy_status csy_options_set_reference(csy_options *options, const char *name, csy_error *error)
{
    char *copy = name ? strdup(name) : NULL;
    if (name && !copy)
        return error_memory(error);
    free(unconst(options->reference));
    options->reference = copy;
    return CSY_OK;
}

csy_status csy_options_set_alpha(csy_options *options, csy_fraction alpha, csy_error *error)
{
    if (alpha.den <= 0 || alpha.num < 0 || alpha.num > alpha.den)
        return error_set(error, CSY_USAGE, "alpha is not between 0 and 1");
    options->alpha = alpha;
    return CSY_OK;
}

csy_status csy_options_set_relax(csy_options *options, csy_relax relax, csy_error *error)
{
    csy_status status = error_check_choice("relax", (int)relax, CSY_RELAX_GIVEN, error);
    if (!status) {
        options->relax = relax;
        options->stamps_passed = true;
    }
    return status;
}

csy_status csy_options_set_engine(csy_options *options, csy_engine engine, csy_error *error)
{
    csy_status status = error_check_choice("engine", (int)engine, CSY_ENGINE_DENSE, error);
    if (!status)
        options->engine = engine;
    return status;
}

csy_status csy_options_set_delta(csy_options *options, csy_fraction delta, csy_error *error)
{
    if (delta.den <= 0 || delta.num < 0)
        return error_set(error, CSY_USAGE, "delta is negative");
    options->delta = delta;
    options->stamps_passed = true;
    return CSY_OK;
}

csy_status csy_options_set_unwrap(csy_options *options, csy_unwrap unwrap, csy_error *error)
{
    csy_status status = error_check_choice("unwrap", (int)unwrap, CSY_UNWRAP_STRICT, error);
    if (!status)
        options->unwrap = unwrap;
    return status;
}

csy_status csy_options_set_max_imprecision(csy_options *options, int64_t ticks, csy_error *error)
{
    if (ticks < CSY_IMPRECISION_DEFAULT || ticks > UNWRAP_IMPRECISION_MAX)
        return error_set(error, CSY_USAGE, "max-imprecision is not from 0 to 2^30 ticks");
    options->max_imprecision_ticks = ticks;
    return CSY_OK;
}

csy_status csy_options_set_method(csy_options *options, csy_method method, csy_error *error)
{
    if (!method_of(method))
        return error_set(error, CSY_USAGE, "method has no value %d", (int)method);
    options->method = method;
    return CSY_OK;
}

csy_status csy_options_set_monotonic(csy_options *options, bool monotonic, csy_error *error)
{
    (void)error;
    options->monotonic = monotonic;
    return CSY_OK;
}

csy_status csy_options_set_max_adjust(csy_options *options, int64_t ticks, csy_error *error)
{
    if (ticks < CSY_ADJUST_ANY)
        return error_set(error, CSY_USAGE, "max-adjust is negative");
    options->max_adjust_ticks = ticks;
    return CSY_OK;
}

csy_status csy_options_set_center(csy_options *options, csy_center center, csy_error *error)
{
    csy_status status = error_check_choice("center", (int)center, CSY_CENTER_LOCAL, error);
    if (!status)
        options->center = center;
    return status;
}

csy_status csy_options_set_statistics(csy_options *options, csy_statistics statistics,
                                      csy_error *error)
{
    csy_status status =
        error_check_choice("statistics", (int)statistics, CSY_STATISTICS_ALL, error);
    if (!status)
        options->statistics = statistics;
    return status;
}

csy_status csy_options_set_measure(csy_options *options, bool measure, csy_error *error)
{
    (void)error;
    options->measure = measure;
    return CSY_OK;
}

csy_status csy_options_set_drop(csy_options *options, uint64_t records, csy_error *error)
{
    if (records > CSY_DROP_MAX)
        return error_set(error, CSY_USAGE, "at most %d records can be dropped", CSY_DROP_MAX);
    options->drop = records;
    return CSY_OK;
}

csy_status csy_options_set_steps(csy_options *options, uint64_t steps, csy_error *error)
{
    if (steps > CSY_STEPS_MAX)
        return error_set(error, CSY_USAGE, "a clock can have at most %d steps", CSY_STEPS_MAX);
    options->steps = steps;
    options->steps_passed = true;
    return CSY_OK;
}

csy_status csy_options_set_latency(csy_options *options, int64_t ticks, csy_error *error)
{
    if (ticks < 0)
        return error_set(error, CSY_USAGE, "latency is negative");
    options->latency_ticks = ticks;
    options->latencies_passed = true;
    return CSY_OK;
}

csy_status csy_options_set_max_latency(csy_options *options, int64_t ticks, csy_error *error)
{
    if (ticks < 0)
        return error_set(error, CSY_USAGE, "the maximum latency is negative");
    options->latency_max_ticks = ticks;
    options->latencies_passed = true;
    return CSY_OK;
}

csy_status csy_options_set_advise(csy_options *options, uint64_t records, csy_error *error)
{
    if (records > CSY_ADVISE_MAX)
        return error_set(error, CSY_USAGE, "advice can be about at most %d records",
                         CSY_ADVISE_MAX);
    options->advise = records;
    return CSY_OK;
}

csy_status csy_options_set_drift(csy_options *options, int64_t rate_ppb, int64_t wander_ppb,
                                 csy_error *error)
{
    const int64_t whole = 1000000000;
    if (rate_ppb < CSY_NO_DRIFT || rate_ppb >= whole || wander_ppb < CSY_NO_DRIFT ||
        wander_ppb >= whole)
        return error_set(error, CSY_USAGE, "drift and wander are not from 0 to below 10^9 ppb");
    if (rate_ppb == CSY_NO_DRIFT && wander_ppb != CSY_NO_DRIFT)
        return error_set(error, CSY_USAGE, "a wander requires a drift");
    options->drift_ppb = rate_ppb;
    options->wander_ppb = wander_ppb;
    options->rates_passed = true;
    return CSY_OK;
}

csy_status csy_options_set_premises(csy_options *options, csy_premises premises, csy_error *error)
{
    csy_status status = error_check_choice("premises", (int)premises, CSY_PREMISES_ONE_RATE, error);
    if (!status)
        options->premises = premises;
    return status;
}

/* Returns a message about an option that conflicts with drifting clocks, or NULL. Such an option
 * requires one offset for each clock, or bounds between any two clocks. */
static const char *refuse_with_drift(const csy_options *options)
{
    return options->method != CSY_METHOD_BHH      ? "--drift requires --method=bhh"
           : options->relax == CSY_RELAX_PAPER    ? "--relax=paper excludes --drift"
           : options->engine != CSY_ENGINE_AUTO   ? "--engine excludes --drift"
           : options->center == CSY_CENTER_LOCAL  ? "--center=local excludes --drift"
           : options->unwrap == CSY_UNWRAP_STRICT ? "--unwrap=strict excludes --drift"
           : options->drop > 0                    ? "--drop excludes --drift"
                                                  : NULL;
}

bool options_need_one_rate(const struct csy_options *options)
{
    return refuse_with_drift(options);
}

csy_status options_check_together(const csy_options *options, csy_error *error)
{
    if (options->latency_max_ticks < options->latency_ticks)
        return error_set(error, CSY_USAGE, "the maximum latency is below the minimum latency");
    bool bhh = options->method == CSY_METHOD_BHH;
    const char *wrong =
        !bhh && options->unwrap == CSY_UNWRAP_STRICT
            ? "--unwrap=strict requires bounds, which only --method=bhh computes"
        : !bhh && options->center == CSY_CENTER_LOCAL ? "--center=local requires --method=bhh"
        : !bhh && options->statistics == CSY_STATISTICS_ALL
            ? "--statistics=all requires bounds, which only --method=bhh computes"
        : !bhh && options->advise    ? "--advise requires bounds, which only --method=bhh computes"
        : !bhh && options->monotonic ? "--monotonic requires --method=bhh"
        : options->drop > 0 && (!bhh || options->relax != CSY_RELAX_EXACT)
            ? "--drop requires --relax=exact and --method=bhh"
        : options->relax == CSY_RELAX_PAPER && options->engine == CSY_ENGINE_SWEEP
            ? "--relax=paper requires --engine=dense"
        : options->drift_ppb != CSY_NO_DRIFT ? refuse_with_drift(options)
                                             : NULL;
    return wrong ? error_set(error, CSY_USAGE, "%s", wrong) : CSY_OK;
}

/* --- The table of synchronization methods ----------------------------------------------------- */

static const struct method methods[] = {
    [CSY_METHOD_BHH] = {"bhh", true},
    [CSY_METHOD_LAMPORT] = {"lamport", false},
    [CSY_METHOD_LAMPORT_CLOCK] = {"lamport-clock", false},
    [CSY_METHOD_LSQ] = {"lsq", true},
    [CSY_METHOD_NTP] = {"ntp", true},
    [CSY_METHOD_ENDS] = {"ends", true},
};

enum { METHODS = sizeof methods / sizeof *methods };

const struct method *method_of(csy_method method)
{
    return (unsigned)method < METHODS ? &methods[method] : NULL;
}

void method_find(const char *word, csy_method *out)
{
    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(word, methods[i].word) == 0)
            *out = (csy_method)i;
}

/* --- Assumptions that no option states -------------------------------------------------------- */

enum {
    CRYSTALS_PPB = 101000, /* two crystals with errors of 50 ppm each, and a margin */
    STEERED_PPB = 1001000, /* two clocks that ntpd corrects by up to 500 ppm each, and a margin */
    SAMPLE_EVENTS = 65536,
    EVENTS_A_CHANGE = 64, /* read on until one event in this many has a new clock */
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

/* Returns the limit of rates for a kind of trace, or CSY_NO_DRIFT for one rate. */
static int64_t usual_ppb(enum premise_rates rates)
{
    return rates == RATES_STEERED    ? STEERED_PPB
           : rates == RATES_CRYSTALS ? CRYSTALS_PPB
                                     : CSY_NO_DRIFT;
}

/* Resolution of a clock in steps per second, from its timestamp with the most decimals. */
struct written_steps {
    uint64_t steps, events;
};

/* Set *out to the number of different times per second that the coarsest clock shows, or to 0 if
 * times are ticks. */
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
    if (!status && source->coarsest_steps) {
        const char *clock;
        *out = source->coarsest_steps(trace, &clock);
        if (clock)
            error_escape(premises->step_clock, clock, strlen(clock));
        return CSY_OK;
    }
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
            clocks[clock].events += stamp->time_ticks != 0; /* 0 does not show a clock's decimals */
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
        /* Programs may omit zeros at the end; a digit is 0 with probability 1/10. A clock is
         * coarser if it always has fewer decimals than the finest clock, unless chance may explain
         * this. */
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

/* Read a number >= 0 from a line "# cellsync". Returns false if the line does not have this key, or
 * if the value is malformed. */
static bool find_fact(struct csv_facts facts, const char *key, char *text, csy_fraction *out)
{
    return csv_fact_find(facts, key, text) && csy_fraction_parse(text, out);
}

/* Read a number of ppm with up to three decimals, such as "drift=101.000", as ppb. */
static bool find_ppb(struct csv_facts facts, const char *key, char *text, int64_t *out)
{
    enum { PPB_IN_PPM = 1000, PPM_MAX = 1000000 };
    csy_fraction ppm;
    bool found = find_fact(facts, key, text, &ppm) && ppm.num / ppm.den < PPM_MAX &&
                 PPB_IN_PPM % ppm.den == 0;
    *out = found ? ppm.num * (PPB_IN_PPM / ppm.den) : CSY_NO_DRIFT;
    return found;
}

/* Read the options that the user did not set from the line "# cellsync" of a synchronized CSV or
 * archive. Solving the file again then makes the same assumptions. Sets out->rates if the line
 * states how clocks may drift.
 *
 * A drift in an archive is ignored if it equals the default. If an archive states none, it may be
 * by version 0.2.0, which assumed equal rates. So the default drift applies. The line of a CSV of
 * one buffer is ignored unless it states a drift. */
static csy_status take_facts(const struct csy_trace *trace, struct csy_options *options,
                             struct premises *out, csy_error *error)
{
    csy_fraction number;
    int64_t ppb, wander_ppb;
    uint64_t origin_ticks;
    bool archive = trace->source->facts != NULL;
    struct csv_facts facts =
        archive ? trace->source->facts(trace, &origin_ticks) : csv_reader_facts(&trace->lines);
    if (facts.size == 0 || options->method != CSY_METHOD_BHH)
        return CSY_OK;
    char *text = malloc(facts.size + 1);
    if (!text)
        return error_memory(error);
    bool drifts = find_ppb(facts, "drift", text, &ppb);
    if (csv_fact_find(facts, "method", text) ||
        (!trace->partial && (!drifts || options_need_one_rate(options)))) {
        free(text);
        return CSY_OK;
    }
    bool wanders = find_ppb(facts, "wander", text, &wander_ppb);
    bool known = !archive || (drifts && (ppb != usual_ppb(rates_of(trace)) || wanders));
    if (!options->rates_passed && known && drifts && options->premises != CSY_PREMISES_ONE_RATE &&
        !options_need_one_rate(options)) {
        options->drift_ppb = ppb;
        options->wander_ppb = wander_ppb;
    }
    if (!options->rates_passed && known && (!drifts || options->drift_ppb != CSY_NO_DRIFT))
        out->rates = RATES_OF_FACTS;
    bool given = csv_fact_find(facts, "relax", text) && strcmp(text, "given") == 0;
    /* Ticks of a CSV that was made from a capture, spans, or a profile do not show the resolution
     * of its clocks. A delta that was not estimated is half of this resolution. */
    int64_t step_ticks;
    if (!options->stamps_passed && !given && !csv_fact_find(facts, "conditional", text) &&
        find_fact(facts, "delta", text, &number) && fraction_twice_ceil(number, &step_ticks) &&
        step_ticks < WALK_MAX)
        out->step_ticks = step_ticks;
    if (!options->stamps_passed && given && find_fact(facts, "delta", text, &number)) {
        options->relax = CSY_RELAX_GIVEN;
        options->delta = number;
        options->stamps_passed = true;
        out->stamps_of_facts = true;
    }
    if (!options->latencies_passed && trace->partial) {
        if (find_fact(facts, "latency", text, &number) && number.den == 1)
            options->latency_ticks = number.num;
        /* If the trace was no CSV, its rows state the maximum latency of each message. Rows show
         * semaphores as messages, but the value does not limit these. Loose traces have none. */
        bool hidden =
            !trace->loose && csv_fact_find(facts, "lacks", text) && strcmp(text, "channels") == 0;
        if (!hidden && find_fact(facts, "max_latency", text, &number) && number.den == 1)
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
        int64_t ppb = usual_ppb(out->rates);
        if (ppb != CSY_NO_DRIFT &&
            (options->premises == CSY_PREMISES_ONE_RATE || options_need_one_rate(options)))
            out->rates = RATES_ASKED;
        else if (ppb != CSY_NO_DRIFT)
            options->drift_ppb = ppb;
    }
    if (!options->stamps_passed && options->method == CSY_METHOD_BHH) {
        uint64_t steps, hz = trace->timebase_hz;
        int64_t stated_ticks = out->step_ticks;
        status = find_steps(trace, &steps, out, error);
        if (steps > 0 && steps < hz)
            out->step_ticks = (int64_t)((hz + steps - 1) / steps);
        else
            out->step_ticks = steps > 0 || trace->partial;
        if (stated_ticks > out->step_ticks) {
            out->step_ticks = stated_ticks;
            *out->step_clock = '\0';
        }
        out->stamps = out->step_ticks > 0;
    }
    if (out->rates == RATES_OF_MACHINE && !out->stamps)
        out->rates = RATES_PASSED; /* the default drift of the library applies */
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
