/* The method of NTP servers, applied to the messages of a trace in partial order. See
 * doc/algorithms.md, Other methods.
 *
 *    w(s,t) = min (hi(q) - lo(p) - latency) over messages from s to t
 *    g[t] - g[s] = (w(t,s) - w(s,t)) / 2 for neighbours in a tree, w(s,t) + w(t,s) being its width
 *
 * Two clocks are peers if messages go both ways. The tree has the least sums of widths from the
 * reference. [Mills: RFC 5905, the clock filter, and root distance] */
#ifndef SYNC_METHODS_NTP_H
#define SYNC_METHODS_NTP_H

#include "sync/solution.h"

/* Set the offsets of a solution with ordered points. Clocks that peers do not connect to the
 * reference begin at the same time as the others; summary.unbounded_threads counts them. CSY_INPUT
 * if numbers exceed their types. O((messages + peers) log messages), 16 bytes for each message. */
csy_status ntp_place(struct csy_sync *sync, csy_error *error);

#endif
