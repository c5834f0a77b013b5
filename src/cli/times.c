/* Options that are times with a unit, which are ticks once the timebase is known. */
#include "cli/options.h"

#include "tool/usage.h"

#include <inttypes.h>

static csy_status set_time(const char *option, const char *text, uint64_t timebase_hz,
                           csy_fraction *ticks, csy_error *error)
{
    if (csy_time_parse(text, timebase_hz, ticks))
        return CSY_OK;
    *error = (csy_error){.status = CSY_USAGE};
    snprintf(error->text, sizeof error->text,
             "--%s: '%s' is no number of ticks within 64 bits at %" PRIu64 " Hz", option,
             usage_visible(text), timebase_hz);
    return CSY_USAGE;
}

/* The whole ticks in a time. */
static csy_status set_ticks(const char *option, const char *text, uint64_t timebase_hz,
                            int64_t *ticks, csy_error *error)
{
    csy_fraction exact;
    csy_status status = set_time(option, text, timebase_hz, &exact, error);
    if (!status)
        *ticks = exact.num / exact.den;
    return status;
}

csy_status options_set_timebase(struct cli_options *options, uint64_t timebase_hz, csy_error *error)
{
    csy_options *solve = &options->solve;
    csy_status status = CSY_OK;
    if (options->delta)
        status = set_time("delta", options->delta, timebase_hz, &solve->delta, error);
    if (!status && options->max_imprecision)
        status = set_ticks("max-imprecision", options->max_imprecision, timebase_hz,
                           &solve->max_imprecision_ticks, error);
    if (!status && options->max_adjust)
        status = set_ticks("max-adjust", options->max_adjust, timebase_hz, &solve->max_adjust_ticks,
                           error);
    if (!status && options->latency)
        status = set_ticks("latency", options->latency, timebase_hz, &solve->latency_ticks, error);
    return status;
}
