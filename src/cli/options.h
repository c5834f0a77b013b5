/* The command line of cellsync(1). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/table.h"

/* Read argv.  COMMAND_USAGE: the reason has been written to stderr. */
enum command_action options_read(int argc, char **argv, struct cli_options *out);

/* What times with a unit are on this timebase, in options->solve; csy_trace_synchronize says what
 * is too much.  CSY_USAGE where one does not fit. */
csy_status options_set_timebase(struct cli_options *options, uint64_t timebase_hz,
                                csy_error *error);

/* Whether a report in this format lists pairs of threads one by one. */
bool options_lists_pairs(csy_report_format format);

#endif
