/* What the command line says of the input, the solution and the output, as the library takes it. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "cli/options.h"

/* The caller frees *out.  What is no value by itself is CSY_USAGE. */
csy_status settings_input(const struct cli_options *options, csy_input **out, csy_error *error);
csy_status settings_output(const struct cli_options *options, csy_output **out, csy_error *error);

/* Times with a unit are ticks of this timebase; CSY_USAGE where one does not fit. */
csy_status settings_solving(const struct cli_options *options, uint64_t timebase_hz,
                            csy_options **out, csy_error *error);

#endif
