/* What the command line says of the output, as the library takes it. */
#include "cli/settings.h"

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
