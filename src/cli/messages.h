/* What cellsync says on standard error of a trace, its clocks and its solution. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include "cli/options.h"

enum { MESSAGE_NAME_BYTES = 128 }; /* of a name as csy_escape writes it */

/* "cellsync: warning: TRACE: ...", unless --quiet. */
void messages_warn(const struct cli_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Say what has failed; whoever reads from a pipe no longer, as head(1), knows. */
void messages_failure(const csy_error *error);

/* "" of one, "s" of others. */
const char *messages_plural(uint64_t n);

/* Whoever types at a terminal may not know that it is read. */
void messages_of_waiting(const struct cli_options *options);

/* What the trace's file says of itself, after the first `told` warnings; returns how many have been
 * told then. */
size_t messages_of_file(const struct cli_options *options, const csy_trace *trace, size_t told);

/* What was cut off, and the state of the clocks: of a failed solution, too. */
void messages_of_clocks(const struct cli_options *options, const csy_sync *sync);

/* What a solution should not be used without, and what its outputs leave out. */
void messages_of_solution(const struct cli_options *options, const csy_sync *sync);

/* The cycle of constraints that contradict each other, if there is one. */
void messages_witness(const csy_trace *trace, const csy_sync *sync);

/* What is about to be replaced loses what cannot be given to the new file. */
void messages_of_loss(const struct cli_options *options, const char *path);

#endif
