/* The constraints of a loose trace that matter: those that do not follow from others of the same
 * two clocks.
 *
 * A constraint e from a reading of clock s to a reading of clock t has the weight
 * w = x(to) - x(from) - latency. With rates within R it follows from e' of the same two clocks if
 *
 *   w(e') + R (distance of the readings of s + distance of the readings of t) + margin <= w(e)
 *
 * The margin is 0 unless constraints may be joined at an end of e. Joined constraints p -> q -> r
 * need 2 delta once, and each of them by itself needs it, too: they imply more than their pairs
 * by 2 delta. So for each joint end of e the margin is the window W >= 2 delta. Then any chain of
 * constraints through e implies no more than its parts before e, e', and its parts after e.
 *
 * The first constraints are kept even if they follow from others, so that a small trace has all. */
#ifndef SYNC_PARTIAL_TIGHT_H
#define SYNC_PARTIAL_TIGHT_H

#include "order/loose.h"

struct tight;

/* rate_ppb and window_ticks are R and W; all: how many constraints to keep at least. */
csy_status tight_new(int64_t rate_ppb, int64_t window_ticks, size_t all, struct tight **out,
                     csy_error *error);
void tight_free(struct tight *tight);

/* Add a constraint; a function for loose_rules.take, with the struct tight. Amortized
 * O(log constraints); about 100 bytes for each constraint that is kept. */
csy_status tight_take(void *user, const struct loose_edge *edge, csy_error *error);

/* After the last constraint: add those that are kept to the points, as points, edges, and limits.
 * *dropped: some are not kept. */
csy_status tight_finish(struct tight *tight, struct points *points, bool *dropped,
                        csy_error *error);

#endif
