/* What a program that solves traces says of them on standard error. */
#ifndef TOOL_MESSAGES_H
#define TOOL_MESSAGES_H

#include "tool/solving.h"

enum { MESSAGE_NAME_BYTES = 128 }; /* of a name as csy_escape writes it */

/* "PROGRAM: warning: TRACE: ...", unless --quiet. */
void messages_warn(const struct solving *solving, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Say what has failed; a program that reads from a pipe no longer, as head(1), knows. */
void messages_failure(const struct solving *solving, const csy_error *error);

/* "" of one, "s" of others. */
const char *messages_plural(uint64_t n);

/* What has an offset: a clock where threads share some, else the thread whose own it is. */
const char *messages_clock_word(const csy_sync *sync);

/* Who types at a terminal may not know that it is read. */
void messages_of_waiting(const struct solving *solving);

/* What the trace's file says of itself, after the first `told` warnings; returns how many have been
 * told then. */
size_t messages_of_file(const struct solving *solving, const csy_trace *trace, size_t told);

/* What was cut off, and the state of the clocks: of a failed solution, too. */
void messages_of_clocks(const struct solving *solving, const csy_sync *sync);

/* That times are of no known unit, unless the user said that they are ticks. */
void messages_of_unit(const struct solving *solving, const csy_trace *trace);

/* The premises that no option passed, as one line unless -q is given. */
void messages_of_premises(const struct solving *solving, const csy_sync *sync);

/* What a solution should not be used without.  why: where it is said why delta is above 0. */
void messages_of_solution(const struct solving *solving, const csy_sync *sync, const char *why);

/* Apply --strict and --fail-above to a solution whose outputs are written: print a line, also with
 * --quiet, for each of them that the solution fails.  CSY_INFEASIBLE if it fails one. */
csy_status messages_of_limits(const struct solving *solving, const csy_trace *trace,
                              const csy_sync *sync);

/* Of what is infeasible the cycle of constraints that contradict each other, if there is one, and
 * whether clocks that are read in steps explain it. */
void messages_witness(const struct solving *solving, const csy_trace *trace, const csy_sync *sync);

#endif
