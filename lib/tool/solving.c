/* See solving.h. */
#include "tool/solving.h"

#include "tool/usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct solving *solving_of(const struct command *command)
{
    return command->options;
}

/* If the text is a time with a unit, such as "1us", store it in *out and return true. The text is
 * converted when the timebase is known. */
static bool take_time(const char *text, const char **out)
{
    csy_fraction ticks;
    bool number = csy_fraction_parse(text, &ticks);
    *out = !number && csy_time_parse(text, 1, &ticks) ? text : NULL;
    return *out != NULL;
}

/* Parse a fraction. The error message ends with `or_else`, which lists other possible values. */
static bool take_fraction(const struct command *command, const struct option_row *row,
                          const char *text, const char *or_else, csy_fraction *out)
{
    return csy_fraction_parse(text, out) ||
           usage_complain(command->table->program,
                          "--%s: '%s' is not a fraction such as 0.5, 7/2, or 3, with a denominator "
                          "of at most 1000000%s",
                          row->name, usage_visible(text), or_else);
}

bool take_alpha(const struct command *command, const struct option_row *row, const char *text)
{
    csy_fraction *alpha = &solving_of(command)->choices.alpha;
    if (!take_fraction(command, row, text, "", alpha))
        return false;
    return alpha->num <= alpha->den ||
           usage_complain(command->table->program, "--%s: '%s' is above 1", row->name, text);
}

bool take_delta(const struct command *command, const struct option_row *row, const char *text)
{
    struct solving *solving = solving_of(command);
    solving->choices.relax = strcmp(text, "least") == 0 ? CSY_RELAX_EXACT : CSY_RELAX_GIVEN;
    return solving->choices.relax == CSY_RELAX_EXACT || take_time(text, &solving->delta) ||
           take_fraction(command, row, text, ", a time such as 1us, or the word least",
                         &solving->choices.delta);
}

bool take_fail_above(const struct command *command, const struct option_row *row, const char *text)
{
    struct solving *solving = solving_of(command);
    csy_fraction *ticks = &solving->choices.fail_above;
    *ticks = (csy_fraction){0, 1};
    return take_time(text, &solving->fail_above) ||
           take_fraction(command, row, text, ", or a time such as 1us", ticks);
}

/* Options with a value of whole ticks, or a time with a unit, which becomes whole ticks. */
static const struct time_option {
    const char *name;
    /* offsets of the text in struct solving, and of the ticks in struct solving_choices */
    size_t text, ticks;
    bool up; /* true to round up to whole ticks, false to round down */
} time_options[] = {
    {"max-imprecision", offsetof(struct solving, max_imprecision),
     offsetof(struct solving_choices, max_imprecision_ticks), false},
    {"max-adjust", offsetof(struct solving, max_adjust),
     offsetof(struct solving_choices, max_adjust_ticks), false},
    {"latency", offsetof(struct solving, latency), offsetof(struct solving_choices, latency_ticks),
     false},
    {"max-latency", offsetof(struct solving, latency_max),
     offsetof(struct solving_choices, latency_max_ticks), true},
};

bool take_whole_ticks(const struct command *command, const struct option_row *row, const char *text)
{
    csy_fraction ticks;
    size_t i = 0;
    while (strcmp(time_options[i].name, row->name) != 0)
        i++;
    if (take_time(text, (const char **)(void *)((char *)command->options + time_options[i].text)))
        return true;
    if (!csy_fraction_parse(text, &ticks) || ticks.den != 1 || (uint64_t)ticks.num > row->most)
        return usage_complain(command->table->program,
                              "--%s: '%s' is not a whole number of ticks up to %" PRIu64
                              ", or a time such as 1us",
                              row->name, usage_visible(text), row->most);
    option_store(command, row, (uint64_t)ticks.num);
    return true;
}

/* Parse ppm below 10^6 with up to three decimals into ppb. *text moves behind the number. */
static bool take_ppm(const char **text, int64_t *out)
{
    enum { DECIMALS = 3, DIGITS_MAX = 6 };
    int64_t value = 0;
    const char *at = *text;
    size_t whole = strspn(at, "0123456789"), part = 0;
    if (whole == 0 || whole > DIGITS_MAX)
        return false;
    for (size_t i = 0; i < whole; i++)
        value = value * 10 + (*at++ - '0');
    if (*at == '.') {
        part = strspn(++at, "0123456789");
        if (part == 0 || part > DECIMALS)
            return false;
    }
    for (size_t i = 0; i < DECIMALS; i++)
        value = value * 10 + (i < part ? *at++ - '0' : 0);
    *out = value;
    *text = at;
    return true;
}

/* Parse --drift. The value 0 means equal rates, as without the option. */
bool take_drift(const struct command *command, const struct option_row *row, const char *text)
{
    struct solving_choices *choices = &solving_of(command)->choices;
    const char *at = text;
    choices->wander_ppb = CSY_NO_DRIFT;
    bool good = take_ppm(&at, &choices->drift_ppb);
    if (good && *at == ',') {
        at++;
        good = take_ppm(&at, &choices->wander_ppb);
    }
    if (choices->drift_ppb == 0)
        choices->drift_ppb = choices->wander_ppb = CSY_NO_DRIFT;
    return (good && !*at) ||
           usage_complain(command->table->program,
                          "--%s: '%s' is not PPM or PPM,WANDER, such as 101 or 101,1: numbers from "
                          "0 to below 1000000, with up to three decimals",
                          row->name, usage_visible(text));
}

bool take_number(const struct command *command, const struct option_row *row, const char *text)
{
    csy_fraction number;
    if (!csy_fraction_parse(text, &number) || number.den != 1 ||
        (uint64_t)number.num < row->least || (uint64_t)number.num > row->most)
        return usage_complain(command->table->program,
                              "--%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64,
                              row->name, usage_visible(text), row->least, row->most);
    option_store(command, row, (uint64_t)number.num);
    return true;
}

/* Parse a number of bytes, or of KiB, MiB, or GiB with a letter. */
bool take_bytes(const struct command *command, const struct option_row *row, const char *text)
{
    static const char letters[] = "KMG";
    char *end;
    const char *letter = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool good = *text >= '0' && *text <= '9' && errno == 0 && number > 0;
    if (good && *end)
        letter = strchr(letters, *end);
    int shift = letter ? (int)(letter - letters + 1) * 10 : 0;
    good = good && (*end == '\0' || (letter && end[1] == '\0')) && number <= UINT64_MAX >> shift;
    if (good)
        option_store(command, row, (uint64_t)number << shift);
    return good || usage_complain(command->table->program,
                                  "--%s: '%s' is not a number of bytes above 0, such as 512M, with "
                                  "an optional suffix K, M, or G",
                                  row->name, usage_visible(text));
}

struct solving solving_default(const char *program)
{
    return (struct solving){
        .program = program,
        .choices = {.alpha = {1, 2},
                    .delta = {0, 1},
                    .max_imprecision_ticks = CSY_IMPRECISION_DEFAULT,
                    .max_adjust_ticks = CSY_ADJUST_ANY,
                    .premises = CSY_PREMISES_BY_SOURCE,
                    .latency_max_ticks = INT64_MAX,
                    .drift_ppb = CSY_NO_DRIFT,
                    .wander_ppb = CSY_NO_DRIFT},
    };
}

void solving_note_passed(struct solving *solving, const struct command *command)
{
    solving->choices.rates_passed = command_has(command, "drift");
    solving->choices.stamps_passed = command_has(command, "delta") || command_has(command, "relax");
    solving->choices.steps_passed = command_has(command, "steps");
    solving->choices.latencies_passed =
        command_has(command, "latency") || command_has(command, "max-latency");
}

csy_status solving_input(const struct solving *solving, csy_input **out, csy_error *error)
{
    const struct solving_input *said = &solving->input;
    csy_input *input;
    csy_status status = csy_input_new(&input, error);
    if (status)
        return status;
    status = csy_input_set_format(input, said->format, error);
    status = status ? status : csy_input_set_time_unit(input, said->time_unit, error);
    status = status ? status : csy_input_set_columns(input, said->columns, error);
    if (!status)
        status = csy_input_set_counter_bits(input, (unsigned)said->counter_bits, error);
    status = status ? status : csy_input_set_clock_per(input, said->clock_per, error);
    status = status ? status : csy_input_set_spans(input, said->spans, error);
    if (!status && said->join)
        status = csy_input_set_join(input, CSY_JOIN_ALWAYS, error);
    status = status ? status : csy_input_set_offsets(input, said->offsets, error);
    if (status)
        csy_input_free(input);
    else
        *out = input;
    return status;
}

static csy_status set_time(const char *option, const char *text, uint64_t timebase_hz,
                           csy_fraction *ticks, csy_error *error)
{
    if (csy_time_parse(text, timebase_hz, ticks))
        return CSY_OK;
    *error = (csy_error){.status = CSY_USAGE};
    snprintf(error->text, sizeof error->text,
             "--%s: '%s' does not fit 64 bits in ticks of %" PRIu64 " Hz", option,
             usage_visible(text), timebase_hz);
    return CSY_USAGE;
}

csy_status solving_fail_above(const struct solving *solving, uint64_t timebase_hz,
                              csy_fraction *ticks, csy_error *error)
{
    *ticks = solving->choices.fail_above;
    return solving->fail_above
               ? set_time("fail-above", solving->fail_above, timebase_hz, ticks, error)
               : CSY_OK;
}

csy_status solving_options(const struct solving *solving, uint64_t timebase_hz, csy_options **out,
                           csy_error *error)
{
    struct solving_choices said = solving->choices;
    csy_options *options;
    csy_status status = CSY_OK;
    if (solving->delta)
        status = set_time("delta", solving->delta, timebase_hz, &said.delta, error);
    status = status ? status : solving_fail_above(solving, timebase_hz, &said.fail_above, error);
    for (size_t i = 0; i < sizeof time_options / sizeof *time_options && !status; i++) {
        const struct time_option *option = &time_options[i];
        const char *text;
        csy_fraction exact;
        memcpy(&text, (const char *)solving + option->text, sizeof text);
        if (!text)
            continue;
        status = set_time(option->name, text, timebase_hz, &exact, error);
        int64_t ticks = status ? 0 : (exact.num + (option->up ? exact.den - 1 : 0)) / exact.den;
        memcpy((char *)&said + option->ticks, &ticks, sizeof ticks);
    }
    status = status ? status : csy_options_new(&options, error);
    if (status)
        return status;
    status = csy_options_set_premises(options, said.premises, error);
    if (!status && said.stamps_passed)
        status = csy_options_set_relax(options, said.relax, error);
    if (!status && said.stamps_passed)
        status = csy_options_set_delta(options, said.delta, error);
    status = status ? status : csy_options_set_engine(options, said.engine, error);
    status = status ? status : csy_options_set_unwrap(options, said.unwrap, error);
    status = status ? status : csy_options_set_method(options, said.method, error);
    status = status ? status : csy_options_set_center(options, said.center, error);
    status = status ? status : csy_options_set_monotonic(options, said.monotonic, error);
    status = status ? status : csy_options_set_statistics(options, said.statistics, error);
    status = status ? status : csy_options_set_measure(options, said.measure, error);
    status = status ? status : csy_options_set_reference(options, said.reference, error);
    status = status ? status : csy_options_set_alpha(options, said.alpha, error);
    if (!status)
        status = csy_options_set_max_imprecision(options, said.max_imprecision_ticks, error);
    status = status ? status : csy_options_set_max_adjust(options, said.max_adjust_ticks, error);
    status = status ? status : csy_options_set_drop(options, said.drop, error);
    if (!status && said.steps_passed)
        status = csy_options_set_steps(options, said.steps, error);
    status = status ? status : csy_options_set_advise(options, said.advise, error);
    if (!status && said.latencies_passed)
        status = csy_options_set_latency(options, said.latency_ticks, error);
    if (!status && said.latencies_passed)
        status = csy_options_set_max_latency(options, said.latency_max_ticks, error);
    if (!status && said.rates_passed)
        status = csy_options_set_drift(options, said.drift_ppb, said.wander_ppb, error);
    if (status)
        csy_options_free(options);
    else
        *out = options;
    return status;
}

bool solving_may_join(const struct solving *solving)
{
    const char *only = solving->traces[0];
    return solving->ntraces > 1 || solving->input.join ||
           (strchr(only, '=') && strcmp(only, "-") != 0 && access(only, F_OK) != 0);
}

/* Open the current trace or, if `several`, all joined. *out is NULL if they are separate traces. */
static csy_status open_traces(const struct solving *solving, bool several, csy_trace **out,
                              csy_error *error)
{
    csy_input *input;
    csy_status status = solving_input(solving, &input, error);
    if (status)
        return status;
    status = several ? csy_trace_open_files((const char *const *)solving->traces, solving->ntraces,
                                            input, out, error)
                     : csy_trace_open(solving->trace, input, out, error);
    csy_input_free(input);
    return status;
}

csy_status solving_join(struct solving *solving, csy_error *error)
{
    csy_status status = open_traces(solving, true, &solving->joined, error);
    if (status || !solving->joined)
        return status;
    snprintf(solving->joined_name, sizeof solving->joined_name, "%s",
             csy_trace_name(solving->joined));
    solving->trace = solving->joined_name;
    return CSY_OK;
}

csy_status solving_open(struct solving *solving, csy_trace **out, csy_error *error)
{
    if (!solving->joined)
        return open_traces(solving, false, out, error);
    *out = solving->joined;
    solving->joined = NULL;
    return CSY_OK;
}
