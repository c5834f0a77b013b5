/* --check: what was proved of a synchronized trace, as text. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/options.h"
#include "tool/progress.h"

/* Prove it and print the proof to standard output; what fails is said on standard error. */
csy_status cli_check(const struct cli_options *options, struct progress_line *progress,
                     csy_error *error);

#endif
