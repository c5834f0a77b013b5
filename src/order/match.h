/*
 * What events say of order -> points and edges.
 *
 *   send, recv     the k-th send of a channel comes before the end of its k-th receive, in the
 *   order of posting: from begin to end
 *   enter, leave   every enter of a group comes before every leave: by a hub
 *   id, after      the rows named come before this one: from time to time
 *   buffer         places in one buffer
 *
 * One call an event, in the order of the file; then everything is matched at once.  What finds no
 * partner is counted, and never an error.
 */
#ifndef ORDER_MATCH_H
#define ORDER_MATCH_H

#include "clock/points.h"
#include "trace/event.h"

struct match;

/* points must stay, and are filled.  latency_ticks: of messages that do not say their own. */
csy_status match_new(struct points *points, int64_t latency_ticks, struct match **out,
                     csy_error *error);
void match_free(struct match *match);

/* The next event, which has a thread; shift: what makes an x of its clock's local times. 
 * CSY_INPUT, without the place, which the caller adds, where what it says cannot be. */
csy_status match_event(struct match *match, const struct event *event, int64_t shift,
                       csy_error *error);

/* All events have come: the edges go to points, which are finished.  CSY_INPUT where a row is named
 * that is not there. */
csy_status match_finish(struct match *match, csy_error *error);

#endif
