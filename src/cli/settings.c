/* What the command line says of the input, the solution and the output, as the library takes it. */
#include "cli/settings.h"

#include "tool/usage.h"

#include <inttypes.h>

csy_status settings_input(const struct cli_options *options, csy_input **out, csy_error *error)
{
    const struct cli_input *said = &options->input;
    csy_input *input;
    csy_status status = csy_input_new(&input, error);
    if (status)
        return status;
    status = csy_input_set_format(input, said->format, error);
    if (!status)
        status = csy_input_set_time_unit(input, said->time_unit, error);
    if (!status)
        status = csy_input_set_columns(input, said->columns, error);
    if (!status)
        status = csy_input_set_clock_per(input, said->clock_per, error);
    if (status)
        csy_input_free(input);
    else
        *out = input;
    return status;
}

csy_status settings_output(const struct cli_options *options, csy_output **out, csy_error *error)
{
    const struct cli_written *said = &options->written;
    csy_output *output;
    csy_status status = csy_output_new(&output, error);
    if (status)
        return status;
    status = csy_output_set_format(output, said->format, error);
    if (!status)
        status = csy_output_set_embed(output, said->embed, error);
    if (!status)
        status = csy_output_set_link(output, said->linked, error);
    if (!status)
        status = csy_output_set_compress_level(output, said->compress_level, error);
    if (!status)
        status = csy_output_set_csv_header(output, said->csv_header, error);
    if (!status)
        status = csy_output_set_csv_time(output, said->csv_time, error);
    if (!status)
        status = csy_output_set_json_args(output, said->json_args, error);
    if (!status)
        status = csy_output_set_window(output, said->window, error);
    if (!status)
        status = csy_output_set_only(output, said->only, error);
    if (status)
        csy_output_free(output);
    else
        *out = output;
    return status;
}

/* Options that are times with a unit are ticks once the timebase is known. */
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

static csy_status set_timebase(const struct cli_options *options, uint64_t timebase_hz,
                               struct cli_solving *solve, csy_error *error)
{
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

static csy_status set_choices(csy_options *options, const struct cli_solving *said,
                              csy_error *error)
{
    csy_status status = csy_options_set_relax(options, said->relax, error);
    if (!status)
        status = csy_options_set_engine(options, said->engine, error);
    if (!status)
        status = csy_options_set_unwrap(options, said->unwrap, error);
    if (!status)
        status = csy_options_set_method(options, said->method, error);
    if (!status)
        status = csy_options_set_center(options, said->center, error);
    if (!status)
        status = csy_options_set_monotonic(options, said->monotonic, error);
    if (!status)
        status = csy_options_set_statistics(options, said->statistics, error);
    if (!status)
        status = csy_options_set_measure(options, said->measure, error);
    return status;
}

static csy_status set_values(csy_options *options, const struct cli_solving *said, csy_error *error)
{
    csy_status status = csy_options_set_reference(options, said->reference, error);
    if (!status)
        status = csy_options_set_alpha(options, said->alpha, error);
    if (!status)
        status = csy_options_set_delta(options, said->delta, error);
    if (!status)
        status = csy_options_set_max_imprecision(options, said->max_imprecision_ticks, error);
    if (!status)
        status = csy_options_set_max_adjust(options, said->max_adjust_ticks, error);
    if (!status)
        status = csy_options_set_drop(options, said->drop, error);
    if (!status)
        status = csy_options_set_advise(options, said->advise, error);
    if (!status)
        status = csy_options_set_latency(options, said->latency_ticks, error);
    if (!status)
        status = csy_options_set_drift(options, said->drift_ppb, said->wander_ppb, error);
    return status;
}

csy_status settings_solving(const struct cli_options *options, uint64_t timebase_hz,
                            csy_options **out, csy_error *error)
{
    struct cli_solving said = options->solve;
    csy_options *solve;
    csy_status status = set_timebase(options, timebase_hz, &said, error);
    if (!status)
        status = csy_options_new(&solve, error);
    if (status)
        return status;
    status = set_choices(solve, &said, error);
    if (!status)
        status = set_values(solve, &said, error);
    if (status)
        csy_options_free(solve);
    else
        *out = solve;
    return status;
}
