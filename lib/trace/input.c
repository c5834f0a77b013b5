/* The setters of csy_input. */
#include "trace/input.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/source.h"

#include <stdlib.h>
#include <string.h>

csy_status csy_input_new(csy_input **out, csy_error *error)
{
    csy_input *input = calloc(1, sizeof *input);
    if (!input)
        return error_memory(error);
    *out = input;
    return CSY_OK;
}

void csy_input_free(csy_input *input)
{
    if (!input)
        return;
    free(unconst(input->columns));
    free(unconst(input->offsets));
    free(input);
}

csy_status csy_input_set_format(csy_input *input, csy_format format, csy_error *error)
{
    csy_status status = error_check_choice("format", (int)format, CSY_FORMAT_ZIPKIN, error);
    if (status)
        return status;
    if (format != CSY_FORMAT_AUTO && !source_of_format(format))
        return error_set(error, CSY_USAGE, "the format is written only, not read");
    input->format = format;
    return CSY_OK;
}

csy_status csy_input_set_time_unit(csy_input *input, csy_time_unit unit, csy_error *error)
{
    if ((unsigned)unit > CSY_TIME_NS)
        return error_set(error, CSY_USAGE, "there is no such unit of time");
    input->time_unit = unit;
    return CSY_OK;
}

csy_status csy_input_set_counter_bits(csy_input *input, unsigned bits, csy_error *error)
{
    if (bits > 0 && (bits < CSV_COUNTER_BITS_MIN || bits > CSV_COUNTER_BITS_MAX))
        return error_set(error, CSY_USAGE, "counters have from %d to %d bits, not %u",
                         CSV_COUNTER_BITS_MIN, CSV_COUNTER_BITS_MAX, bits);
    input->counter_bits = bits;
    return CSY_OK;
}

/* Replace a text by a copy of `value`, which may be NULL. */
static csy_status set_text(const char **text, const char *value, csy_error *error)
{
    char *copy = value ? strdup(value) : NULL;
    if (value && !copy)
        return error_memory(error);
    free(unconst(*text));
    *text = copy;
    return CSY_OK;
}

csy_status csy_input_set_columns(csy_input *input, const char *columns, csy_error *error)
{
    return set_text(&input->columns, columns, error);
}

csy_status csy_input_set_offsets(csy_input *input, const char *path, csy_error *error)
{
    return set_text(&input->offsets, path, error);
}

csy_status csy_input_set_join(csy_input *input, csy_join join, csy_error *error)
{
    if ((unsigned)join > CSY_JOIN_ALWAYS)
        return error_set(error, CSY_USAGE, "there is no such way to join files");
    input->join = join;
    return CSY_OK;
}

csy_status csy_input_set_clock_per(csy_input *input, csy_clock_per per, csy_error *error)
{
    if ((unsigned)per > CSY_CLOCK_PER_LOCATION)
        return error_set(error, CSY_USAGE, "there is no such unit of clocks");
    input->clock_per = per;
    return CSY_OK;
}

csy_status csy_input_set_spans(csy_input *input, csy_spans spans, csy_error *error)
{
    if ((unsigned)spans > CSY_SPANS_NESTED)
        return error_set(error, CSY_USAGE, "there is no such order of spans");
    input->spans = spans;
    return CSY_OK;
}
