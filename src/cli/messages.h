/* What cellsync says on standard error of what it writes. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include "cli/options.h"
#include "tool/messages.h"

/* Whether a report is written that says why delta is above 0. */
bool messages_explained(const struct cli_options *options);

/* What a solution should not be used without, and what its outputs leave out. */
void messages_of_outputs(const struct cli_options *options, const csy_sync *sync);

/* What is about to be replaced loses what cannot be given to the new file. */
void messages_of_loss(const struct cli_options *options, const char *path);

#endif
