/* Messages on standard error of programs that solve traces. */
#ifndef TOOL_MESSAGES_H
#define TOOL_MESSAGES_H

#include "tool/solving.h"

enum { MESSAGE_NAME_BYTES = 128 }; /* maximum size of an escaped name */

/* Print "PROGRAM: warning: TRACE: ..." unless --quiet is given. */
void messages_warn(const struct solving *solving, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print an error, unless its cause is a reader that closed its pipe, such as head(1). */
void messages_failure(const struct solving *solving, const csy_error *error);

/* Returns "" for 1, otherwise "s". */
const char *messages_plural(uint64_t n);

/* Returns "clock" if threads share clocks, otherwise "thread": the noun for what has an offset. */
const char *messages_clock_word(const csy_sync *sync);

/* If the program reads from a terminal, print that it waits for input. */
void messages_of_waiting(const struct solving *solving);

/* Print warnings about the input file, except the first `told` ones, which were printed before.
 * Returns the number of all warnings. */
size_t messages_of_file(const struct solving *solving, const csy_trace *trace, size_t told);

/* Print where the input was cut off, and the state of the clocks, even without a solution. */
void messages_of_clocks(const struct solving *solving, const csy_sync *sync);

/* Warn about an unknown unit of times, unless the user stated that they are ticks. */
void messages_of_unit(const struct solving *solving, const csy_trace *trace);

/* Print the premises that no option set, in one line, unless --quiet is given. */
void messages_of_premises(const struct solving *solving, const csy_sync *sync);

/* Print warnings about a solution. `why` is where users can read why delta is above 0. */
void messages_of_solution(const struct solving *solving, const csy_sync *sync, const char *why);

/* Test a solution by --strict and --fail-above, after writing its outputs. Prints a line for each
 * failed test, even with --quiet. Returns CSY_INFEASIBLE if a test fails. */
csy_status messages_of_limits(const struct solving *solving, const csy_trace *trace,
                              const csy_sync *sync);

/* Print a cycle of contradicting constraints of an infeasible trace, if one is known, and whether
 * steps of clocks would explain it. */
void messages_witness(const struct solving *solving, const csy_trace *trace, const csy_sync *sync);

#endif
