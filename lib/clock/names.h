/*
 * Events of named threads -> threads and local times.  A thread has the name of its clock: the name
 * of the event's thread unless the timestamp names a clock.  All events of core ppe share one
 * clock, `ppe`, like events without a core whose clock is called ppe.  Each thread on a clock
 * has a track.  Times are local already.
 */
#ifndef CLOCK_NAMES_H
#define CLOCK_NAMES_H

#include "clock/threads.h"
#include "trace/trace.h"

struct names;
struct clock_steps;

/* threads is filled. */
csy_status names_new(struct threads *threads, struct names **out, csy_error *error);
void names_free(struct names *names);

/* Clocks that were set: a segment of one is a clock of its own, "NAME/2" from the first step on,
 * and "NAME@POSITION" for a record by itself. steps outlives names; NULL: there are none. */
void names_set_steps(struct names *names, const struct clock_steps *steps);

/* Set the thread, the track, and the local time of the next event, from its timestamp. */
csy_status names_push(struct names *names, struct event *event, const struct csy_trace *trace,
                      csy_error *error);

#endif
