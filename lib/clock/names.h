/* Assigns the events of named threads (a CSV) to threads and local times.
 *
 * A thread of the solution has the name of a clock. If the timestamp of an event names no clock,
 * the clock has the name of the event's thread. All events of core ppe share the clock `ppe`, and
 * so do events without a core whose clock is called ppe. Each named thread that uses a clock has a
 * track. Timestamps already are local times. */
#ifndef CLOCK_NAMES_H
#define CLOCK_NAMES_H

#include "clock/threads.h"
#include "trace/trace.h"

struct names;
struct clock_steps;

/* Make an object that adds threads and tracks to `threads` as events are pushed. */
csy_status names_new(struct threads *threads, struct names **out, csy_error *error);
void names_free(struct names *names);

/* Set the steps at which clocks were set. Each segment of such a clock becomes a clock of its own:
 * "NAME/2" from the first step on, and "NAME@POSITION" for a record by itself. steps must outlive
 * names; NULL: no clock was set. */
void names_set_steps(struct names *names, const struct clock_steps *steps);

/* Add the next event, and set its thread, track, and local time from its timestamp. */
csy_status names_push(struct names *names, struct event *event, const struct csy_trace *trace,
                      csy_error *error);

#endif
