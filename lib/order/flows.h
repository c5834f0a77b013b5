/* Finds the message of each send and each receive while the events of a trace are read again.
 *
 * The ends of a channel are counted in the order of the events. If they were posted in another
 * order, a table gives the message of each end. So the two ends of a message get the same channel
 * number and message number, although neither end refers to the other. An end has no message if the
 * pairing is not known (order/match.h). */
#ifndef ORDER_FLOWS_H
#define ORDER_FLOWS_H

#include "order/match.h"

struct flows;

/* `match` must have finished, must have all messages, and must outlive the flows. If `all` is true,
 * messages of channels that lack receives (`apart`) are included; their latencies are not known.
 * Needs 64 bytes for each channel, and 4 bytes for each end in channels that need a table. */
csy_status flows_new(struct match *match, bool all, struct flows **out, csy_error *error);
void flows_free(struct flows *flows);

/* The messages of the next event, or NULL if there are none. Call it for every event in the order
 * of the trace. The result is valid until the next call. */
const struct event_flows *flows_take(struct flows *flows, const struct event *event);

#endif
