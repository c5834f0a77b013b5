/* Finds the message of each end while the events of a trace are read again.
 *
 * Ends of a channel are counted as they come. If they were posted in another order, a table gives
 * the message of each end. So both ends of a message get the same channel number and message number
 * without knowing each other. An end has no message if the pairing is not known (order/match.h). */
#ifndef ORDER_FLOWS_H
#define ORDER_FLOWS_H

#include "order/match.h"

struct flows;

/* `match` knows all messages, has finished, and must outlive the flows. all: include messages of
 * channels that lack receives (`apart`). Their latencies are not known. Needs 64 bytes for each
 * channel, and 4 bytes for each end in channels that need a table. */
csy_status flows_new(struct match *match, bool all, struct flows **out, csy_error *error);
void flows_free(struct flows *flows);

/* The messages of the next event, or NULL if there are none. Call it for every event in the order
 * of the trace. The result is valid until the next call. */
const struct event_flows *flows_take(struct flows *flows, const struct event *event);

#endif
