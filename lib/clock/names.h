/* Assigns the events of named threads (a CSV) to threads and local times.
 *
 * Threads of the solution are named after clocks. If an event names no clock, its clock has the
 * name of its thread. Events of core ppe, and events without a core whose clock is called ppe,
 * share the clock `ppe`. Each named thread that uses a clock has a track. Timestamps already are
 * local times. */
#ifndef CLOCK_NAMES_H
#define CLOCK_NAMES_H

#include "clock/threads.h"
#include "trace/trace.h"

struct names;
struct clock_steps;

/* Make an object that adds threads and tracks to `threads` as events are pushed. */
csy_status names_new(struct threads *threads, struct names **out, csy_error *error);
void names_free(struct names *names);

/* Tell where clocks were set; `steps` may be NULL, and must outlive names. Each segment becomes a
 * clock: "NAME/2" after the first setting, and "NAME@POSITION" for a record during a setting. */
void names_set_steps(struct names *names, const struct clock_steps *steps);

/* Add the next event. Its timestamp determines its thread, track, and local time. */
csy_status names_push(struct names *names, struct event *event, const struct csy_trace *trace,
                      csy_error *error);

#endif
