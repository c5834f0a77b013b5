/* Setters of csy_output check single values. csy_sync_write_trace checks their combinations. */
#include "output/trace/settings.h"

#include "base/array.h"
#include "base/error.h"
#include "base/time_window.h"

#include <stdlib.h>
#include <string.h>

enum { LEVEL_MAX = 9 };

const struct csy_output settings_default = {.compress_level = CSY_COMPRESS_BY_NAME};

csy_status csy_output_new(csy_output **out, csy_error *error)
{
    csy_output *output = malloc(sizeof *output);
    if (!output)
        return error_memory(error);
    *output = settings_default;
    *out = output;
    return CSY_OK;
}

void csy_output_free(csy_output *output)
{
    if (!output)
        return;
    free(unconst(output->window));
    free(unconst(output->only));
    free(output);
}

csy_status csy_output_set_format(csy_output *output, csy_format format, csy_error *error)
{
    if ((unsigned)format > CSY_FORMAT_TAR)
        return error_set(error, CSY_USAGE, "unknown output format");
    output->format = format;
    return CSY_OK;
}

csy_status csy_output_set_embed(csy_output *output, bool embed, csy_error *error)
{
    (void)error;
    output->embed = embed;
    return CSY_OK;
}

csy_status csy_output_set_link(csy_output *output, bool linked, csy_error *error)
{
    (void)error;
    output->linked = linked;
    return CSY_OK;
}

csy_status csy_output_set_compress_level(csy_output *output, int level, csy_error *error)
{
    if (level < CSY_COMPRESS_BY_NAME || level > LEVEL_MAX)
        return error_set(error, CSY_USAGE, "compression level %d is not from 0 to 9", level);
    output->compress_level = level;
    return CSY_OK;
}

csy_status csy_output_set_csv_header(csy_output *output, csy_csv_header header, csy_error *error)
{
    if ((unsigned)header > CSY_CSV_BARE)
        return error_set(error, CSY_USAGE, "unknown kind of CSV header");
    output->csv_header = header;
    return CSY_OK;
}

csy_status csy_output_set_ranges(csy_output *output, bool ranges, csy_error *error)
{
    (void)error;
    output->ranges = ranges;
    return CSY_OK;
}

csy_status csy_output_set_csv_time(csy_output *output, csy_csv_time time, csy_error *error)
{
    if ((unsigned)time > CSY_CSV_DATE)
        return error_set(error, CSY_USAGE, "unknown kind of CSV times");
    output->csv_time = time;
    return CSY_OK;
}

csy_status csy_output_set_sort(csy_output *output, bool sort, csy_error *error)
{
    (void)error;
    output->sort = sort;
    return CSY_OK;
}

csy_status csy_output_set_json_args(csy_output *output, csy_json_args args, csy_error *error)
{
    if ((unsigned)args > CSY_JSON_NONE)
        return error_set(error, CSY_USAGE, "unknown kind of JSON arguments");
    output->json_args = args;
    return CSY_OK;
}

static csy_status set_text(const char **member, const char *text, csy_error *error)
{
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        return error_memory(error);
    free(unconst(*member));
    *member = copy;
    return CSY_OK;
}

csy_status csy_output_set_window(csy_output *output, const char *window, csy_error *error)
{
    struct window_end from, to;
    char shown[ERROR_ESCAPED_MAX];
    csy_status status = window ? window_read(window, &from, &to, error) : CSY_OK;
    if (!status && window && (from.begin || to.begin))
        status = error_set(
            error, CSY_USAGE,
            "window '%s': #RECORD.begin is not allowed here, because a trace is cut at records",
            error_escape(shown, window, strlen(window)));
    return status ? status : set_text(&output->window, window, error);
}

csy_status csy_output_set_only(csy_output *output, const char *pattern, csy_error *error)
{
    return set_text(&output->only, pattern, error);
}
