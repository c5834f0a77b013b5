/*
 * What says something of the order in locations that can be read each by itself
 * (trace/streams.h), one after another: ends of messages, and begins, hubs and ends of collective
 * operations; of a location as it has them, and each after all that come before it.  Of messages
 * that have begins these are visited, too, and the ends of their sends.
 *
 * This is a pass over the trace that holds no more than messages and operations that are under way,
 * and of each location what was read ahead.  It is for traces of which all is known to be as
 * order/meet.h and order/meet_members.h want it, but for contradictions, and whose locations are
 * all read at once.
 */
#ifndef ORDER_REPLAY_H
#define ORDER_REPLAY_H

#include "order/replay_event.h"
#include "trace/streams.h"

/* Whether a trace can be read like this. */
bool replay_can(const struct csy_trace *trace);

/* Once over the trace.  *good false, with CSY_OK: it cannot be read, or some could not be visited,
 * as they wait for each other, or for nothing.  O(events log locations). */
csy_status replay_run(struct csy_trace *trace, const struct replay_visitor *visitor, bool *good,
                      csy_error *error);

/* While an event is visited: it is the last one. */
void replay_stop(struct replay *replay);

/* The same: all that something may still come after, but its own send. */
void replay_each_source(struct replay *replay,
                        void (*each)(void *user, struct replay_source *source), void *user);

/* The same: of each location that more may come of, a time that none of it is before; INT64_MIN:
 * nothing has come of it yet. */
void replay_each_location(const struct replay *replay,
                          void (*each)(void *user, uint32_t location, int64_t least_ticks),
                          void *user);

/* What says the key of an event that has one, as the source can make an event of it. */
struct stream_item replay_item(const struct replay_event *event);

#endif
