/* Where clocks that drift are known least: between two of the points that bound them. */
#ifndef ADVICE_ADVICE_GAPS_H
#define ADVICE_ADVICE_GAPS_H

#include "sync/drift/drift.h"

enum { ADVICE_GAPS_MAX = 10 };

/* The longest gaps of clocks that are bounded, but the reference, the longest first, with what
 * `events` more exchanges in each would make of the greatest error there.  Returns how many there
 * are.  O(N log N) of N points. */
size_t advice_find_gaps(const struct csy_sync *sync, uint64_t events,
                        csy_advised_gap gaps[ADVICE_GAPS_MAX]);

#endif
