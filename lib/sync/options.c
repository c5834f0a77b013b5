/* Sets options and checks each value; csy_trace_synchronize checks that they fit together. */
#include "sync/options.h"

#include "base/array.h"
#include "base/error.h"
#include "clock/unwrap.h"

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
    return CSY_OK;
}

csy_status csy_options_set_max_latency(csy_options *options, int64_t ticks, csy_error *error)
{
    if (ticks < 0)
        return error_set(error, CSY_USAGE, "the maximum latency is negative");
    options->latency_max_ticks = ticks;
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
