/* The constraints of a loose trace that matter: those that do not follow from others of the same
 * two clocks.
 *
 * A constraint e from a reading of clock s to a reading of clock t has the weight
 * w = x(to) - x(from) - latency. With rates within R it follows from e' of the same two clocks if
 *
 *   w(e') + R (distance of the readings of s + distance of the readings of t) + margin <= w(e)
 *
 * The margin is 0 unless constraints may be joined at an end of e. The timestamp error relaxes a
 * chain of joined constraints p -> q -> r by 2 delta in all, but each constraint alone by 2 delta,
 * so the chain implies up to 2 delta more than its parts. The margin is therefore the window
 * W >= 2 delta for each joint end of e. Then a chain through e implies no more than three chains
 * together: its part before e, e', and its part after e.
 *
 * The first constraints are kept even if they follow from others, so small traces keep all. */
#ifndef SYNC_PARTIAL_TIGHT_H
#define SYNC_PARTIAL_TIGHT_H

#include "order/loose.h"

struct tight;

/* rate_ppb and window_ticks are R and W; all: how many constraints to keep at least. */
csy_status tight_new(int64_t rate_ppb, int64_t window_ticks, size_t all, struct tight **out,
                     csy_error *error);
void tight_free(struct tight *tight);

/* Add a constraint. This is a function for loose_rules.take; its argument is the struct tight.
 * Amortized O(log constraints). Memory: up to 170 bytes for each kept constraint. */
csy_status tight_take(void *user, const struct loose_edge *edge, csy_error *error);

/* Add the kept constraints to the points, as points, edges, and limits, after the last constraint.
 * If constraints are dropped, those are dropped, too, that follow from others because the clock
 * `reference` does not drift. *dropped is set if some constraints were dropped. */
csy_status tight_finish(struct tight *tight, size_t reference, struct points *points, bool *dropped,
                        csy_error *error);

#endif
