/* Prints messages on standard error, for programs that solve traces. */
#ifndef TOOL_MESSAGES_H
#define TOOL_MESSAGES_H

#include "tool/solving.h"

enum { MESSAGE_NAME_BYTES = 128 }; /* greatest size of an escaped name, in bytes */

/* Print "PROGRAM: warning: TRACE: ..." unless --quiet is given. */
void messages_warn(const struct solving *solving, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Print an error. Print nothing if a pipe's reader, such as head(1), has closed the pipe. */
void messages_failure(const struct solving *solving, const csy_error *error);

/* Returns the ending of a plural: "" if n is 1, otherwise "s". */
const char *messages_plural(uint64_t n);

/* Returns "clock" if several threads share a clock, otherwise "thread". */
const char *messages_clock_word(const csy_sync *sync);

/* If the program reads from a terminal, print that the program waits for input. */
void messages_of_waiting(const struct solving *solving);

/* Print warnings about the input file, except the first `told`. Returns how many exist in total. */
size_t messages_of_file(const struct solving *solving, const csy_trace *trace, size_t told);

/* Warn of a trace that is cut off or lacks context switches, and about decrementers of SPEs. */
void messages_of_clocks(const struct solving *solving, const csy_sync *sync);

/* Warn that the unit of times is unknown, unless the user stated that times are ticks. */
void messages_of_unit(const struct solving *solving, const csy_trace *trace);

/* Unless --quiet is given, print a line with assumptions that no option states. */
void messages_of_premises(const struct solving *solving, const csy_sync *sync);

/* Print warnings about a solution. `why` names the place that explains its timestamp error. */
void messages_of_solution(const struct solving *solving, const csy_sync *sync, const char *why);

/* Test a solution by --strict and --fail-above. If a test fails, print a line even with --quiet,
 * and return CSY_INFEASIBLE. */
csy_status messages_of_limits(const struct solving *solving, const csy_trace *trace,
                              const csy_sync *sync);

/* For an infeasible trace, print a cycle of contradicting constraints, if one is known. Also print
 * whether setting a clock during the trace would explain the contradiction. */
void messages_witness(const struct solving *solving, const csy_trace *trace, const csy_sync *sync);

#endif
