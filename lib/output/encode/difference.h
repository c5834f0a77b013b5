/* Differences between the readings of a clock and of the reference's clock at the same moment. */
#ifndef OUTPUT_ENCODE_DIFFERENCE_H
#define OUTPUT_ENCODE_DIFFERENCE_H

#include "output/encode/fine.h"
#include "sync/solution.h"

/* The reading of a clock minus the reading of the reference's clock at the same moment, in 10^-9
 * ticks. The range includes the timestamp error delta. A clock without connection to the reference
 * has no estimate. Only the method bhh makes estimates. */
struct difference {
    int128 estimate, least, greatest;
    bool has_estimate, has_least, has_greatest;
};

/* Returns the difference at the first record of clock t. If clocks drift and `last` is true,
 * returns the difference at the last record. */
struct difference difference_of(const struct csy_sync *sync, size_t t, bool last);

/* Write the next sentence of a list into text. Set *next to 0 before the first call. Returns false
 * after the last sentence. `raw` leaves names unescaped. Up to 16 sentences describe clocks, with
 * the range rounded outward: "clock B reads 51.006 ms ahead of A (51.004 to 51.008)". If clocks
 * drift, a second line describes the last record. Up to 16 sentences describe the delays of
 * csy_sync_violations: "the fastest of 505 messages from A to B took 1.4 ms (0.0 to 2.8)". Then the
 * clocks and the delays that are not listed are counted. The list is empty for a Cell machine and
 * for methods without bounds. */
enum { DIFFERENCE_TEXT_MAX = 2048 };
bool difference_next(const struct csy_sync *sync, bool raw, size_t *next,
                     char text[DIFFERENCE_TEXT_MAX]);

/* Returns delta, the greatest error of a timestamp of clock t, in 10^-9 ticks of global time,
 * rounded up. If clocks drift, clock t may have longer ticks than the reference. */
int128 difference_delta(const struct csy_sync *sync, size_t t);

/* Convert from 10^-9 ticks to 10^-12 s, or to 10^-12 ticks if the length of a tick is unknown. */
int128 difference_in_time(const struct csy_sync *sync, int128 value, enum rounding rounding);

#endif
