/*
 * The quick way for traces whose locations can be read each by itself (trace/streams.h): by several
 * workers, with messages met while they come (order/meet.h).
 *
 * What is kept of the trace then goes to order/match.h as if there were nothing else.
 */
#ifndef FAST_STREAMS_H
#define FAST_STREAMS_H

#include "clock/timeline.h"
#include "order/match.h"
#include "order/rebase.h"

struct streams_rules {
    int64_t latency_ticks; /* of messages */
    int64_t window_ticks;  /* > 0: what is kept is enough for 2 delta up to it */
};

/* Read the trace of a timeline that has begun: its threads and records, rough offsets, and what is
 * kept.  *good: false where the trace has to be read the ordinary way, whatever these hold by then.
 * Memory goes with locations, channels, messages that are open, and collective operations. */
csy_status fast_streams_read(struct timeline *timeline, const struct streams_rules *rules,
                             struct rebase *rebase, struct match *match, bool *good,
                             csy_error *error);

#endif
