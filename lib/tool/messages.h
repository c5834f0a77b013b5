/* Messages on standard error of programs that solve traces. */
#ifndef TOOL_MESSAGES_H
#define TOOL_MESSAGES_H

#include "tool/solving.h"

enum { MESSAGE_NAME_BYTES = 128 }; /* of a name escaped by csy_escape */

/* Print "PROGRAM: warning: TRACE: ..." unless --quiet is given. */
void messages_warn(const struct solving *solving, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print an error, unless the cause is a reader that closed its pipe, such as head(1). */
void messages_failure(const struct solving *solving, const csy_error *error);

/* "" for 1, otherwise "s". */
const char *messages_plural(uint64_t n);

/* The word for the things that have offsets: "clock" if threads share some, otherwise "thread". */
const char *messages_clock_word(const csy_sync *sync);

/* Tell users at a terminal that the program reads from it. */
void messages_of_waiting(const struct solving *solving);

/* Print the warnings about the file, without the first `told`; returns their number, including
 * these. */
size_t messages_of_file(const struct solving *solving, const csy_trace *trace, size_t told);

/* Print where input was cut off, and the state of clocks; also for a failed solution. */
void messages_of_clocks(const struct solving *solving, const csy_sync *sync);

/* Warn that times have an unknown unit, unless the user stated that they are ticks. */
void messages_of_unit(const struct solving *solving, const csy_trace *trace);

/* Print the premises that no option set, in one line, unless --quiet is given. */
void messages_of_premises(const struct solving *solving, const csy_sync *sync);

/* Print the warnings of a solution. why: where the user can read why delta is above 0. */
void messages_of_solution(const struct solving *solving, const csy_sync *sync, const char *why);

/* Apply --strict and --fail-above to a solution after its outputs are written. Print a line, even
 * with --quiet, for each test that fails; CSY_INFEASIBLE if one fails. */
csy_status messages_of_limits(const struct solving *solving, const csy_trace *trace,
                              const csy_sync *sync);

/* If a trace is infeasible, print the cycle of constraints that contradict each other, if there is
 * one, and whether the steps of clocks explain it. */
void messages_witness(const struct solving *solving, const csy_trace *trace, const csy_sync *sync);

#endif
