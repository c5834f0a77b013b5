/*
 * Messages, when the events of a trace are read once more: which one of its channel each end
 * belongs to.
 *
 * Ends of a channel are counted as they come, which is in the order of posting but for some; of
 * channels with such ends it is kept which message each belongs to.  So both ends find the same two
 * numbers, that of the channel and that of the message, one apart from the other.  Where the
 * pairing is not known (order/match.h) there are none.
 */
#ifndef ORDER_FLOWS_H
#define ORDER_FLOWS_H

#include "order/match.h"

struct flows;

/* match has finished, and stays; thinned: of each channel it has one message only (order/thin.h);
 * all: also messages that are apart, which are counted, but took no time that is known.
 * 64 bytes a channel, and 4 a message of those whose ends come in another order than they were
 * posted. */
csy_status flows_new(struct match *match, bool thinned, bool all, struct flows **out,
                     csy_error *error);
void flows_free(struct flows *flows);

/* The messages of the next event, every one in the order of the trace; NULL: none.  Holds until the
 * next. */
const struct event_flows *flows_take(struct flows *flows, const struct event *event);

#endif
