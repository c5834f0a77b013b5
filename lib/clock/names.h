/*
 * Events of named threads -> threads and local times.  A thread is the name of its clock, which is
 * that of its thread unless the stamp says otherwise; all events of core ppe share one clock,
 * `ppe`, and so do events without a core whose clock is called ppe.  Each thread on a clock has a
 * track.  Times are local already.
 */
#ifndef CLOCK_NAMES_H
#define CLOCK_NAMES_H

#include "clock/threads.h"
#include "trace/trace.h"

struct names;

/* threads is filled. */
csy_status names_new(struct threads *threads, struct names **out, csy_error *error);
void names_free(struct names *names);

/* Give the next event its thread, track and local time, which its stamp says. */
csy_status names_push(struct names *names, struct event *event, const struct csy_trace *trace,
                      csy_error *error);

#endif
