/* The command line of cellsync(1). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/table.h"

/* Read argv.  COMMAND_USAGE: the reason has been written to stderr. */
enum command_action options_read(int argc, char **argv, struct cli_options *out);

/* Whether a report in this format lists pairs of threads one by one. */
bool options_lists_pairs(csy_report_format format);

#endif
