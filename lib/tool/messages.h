/* Messages that programs for solving traces print to standard error. */
#ifndef TOOL_MESSAGES_H
#define TOOL_MESSAGES_H

#include "tool/solving.h"

enum { MESSAGE_NAME_BYTES = 128 }; /* maximum size of a name that csy_escape escaped */

/* Print "PROGRAM: warning: TRACE: ..." unless --quiet is given. */
void messages_warn(const struct solving *solving, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print an error. Prints nothing if the error was caused by a reader that closed its pipe, such as
 * head(1). */
void messages_failure(const struct solving *solving, const csy_error *error);

/* "" for 1, otherwise "s". */
const char *messages_plural(uint64_t n);

/* The word for the things that have offsets: "clock" if threads share some, otherwise "thread". */
const char *messages_clock_word(const csy_sync *sync);

/* If the program reads from a terminal, print a message that it waits for input. */
void messages_of_waiting(const struct solving *solving);

/* Print the warnings about the input file, except the first `told` ones, which were printed before.
 * Returns the number of all warnings. */
size_t messages_of_file(const struct solving *solving, const csy_trace *trace, size_t told);

/* Print where the input was cut off, and the state of the clocks. This is also used if there is no
 * solution. */
void messages_of_clocks(const struct solving *solving, const csy_sync *sync);

/* Warn that the unit of times is unknown, unless the user stated that they are ticks. */
void messages_of_unit(const struct solving *solving, const csy_trace *trace);

/* Print the premises that are not set by an option, in one line, unless --quiet is given. */
void messages_of_premises(const struct solving *solving, const csy_sync *sync);

/* Print the warnings about a solution. why: the place where the user can read why delta is above
 * 0. */
void messages_of_solution(const struct solving *solving, const csy_sync *sync, const char *why);

/* Test a solution as --strict and --fail-above require, after its outputs were written. For each
 * test that fails, print a line, even with --quiet. Returns CSY_INFEASIBLE if a test fails. */
csy_status messages_of_limits(const struct solving *solving, const csy_trace *trace,
                              const csy_sync *sync);

/* For an infeasible trace, print the cycle of constraints that contradict each other, if one is
 * known. Also print whether steps of clocks would explain the contradiction. */
void messages_witness(const struct solving *solving, const csy_trace *trace, const csy_sync *sync);

#endif
