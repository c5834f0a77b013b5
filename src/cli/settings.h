/* What the command line says of the output, as the library takes it. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "cli/options.h"

/* The caller frees *out.  What is no value by itself is CSY_USAGE. */
csy_status settings_output(const struct cli_options *options, csy_output **out, csy_error *error);

#endif
