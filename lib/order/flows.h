/* Finds the message of each send and receive while the events of a trace are read again.
 *
 * The ends of a channel are counted in the order of the events. If they were posted in another
 * order, a table gives the message of each end. So both ends of a message get the same channel
 * number and message number, although neither refers to the other. An end has no message if the
 * pairing is not known (order/match.h). */
#ifndef ORDER_FLOWS_H
#define ORDER_FLOWS_H

#include "order/match.h"

struct flows;

/* Prepare the search. `match` must have finished with all messages, and must outlive the result. If
 * `all` is true, messages of channels where receives are missing (`apart`) are included. Memory: 64
 * bytes for each channel, and 4 for each end in a channel that needs a table. */
csy_status flows_new(struct match *match, bool all, struct flows **out, csy_error *error);
void flows_free(struct flows *flows);

/* Find the messages of the next event. Returns NULL if the event has no message. Call this for
 * every event in the order of the trace. The result is valid until the next call. */
const struct event_flows *flows_take(struct flows *flows, const struct event *event);

#endif
