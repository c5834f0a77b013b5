/* The difference between the readings of a clock and of the reference's clock. */
#ifndef OUTPUT_ENCODE_DIFFERENCE_H
#define OUTPUT_ENCODE_DIFFERENCE_H

#include "base/number.h"
#include "sync/solution.h"

/* The reading of a clock minus the reading of the reference's clock at the same moment, in 10^-9
 * ticks. The range allows for the timestamp error delta. A clock that is not connected to the
 * reference has no estimate, and methods other than bhh have none. */
struct difference {
    int128 estimate, least, greatest;
    bool has_estimate, has_least, has_greatest;
};

/* The difference at the first record of clock t; if clocks drift and `last` is true, at its
 * last. */
struct difference difference_of(const struct csy_sync *sync, size_t t, bool last);

/* List a sentence for each clock except the reference's, up to 16, and then the number of remaining
 * clocks: "clock B reads 51.006 ms ahead of A (51.004 to 51.008)". The ends of the range are
 * rounded outward, and the last digit is at most half of the range's width. If clocks drift, a
 * second line describes the last record. The next sentences, again up to 16, describe directions of
 * messages with a limit: "the fastest of 505 messages from A to B took 1.4 ms (0.0 to 2.8)";
 * csy_sync_violations finds these delays. Nothing is listed for a Cell, because decrementers cannot
 * be compared, and for methods without bounds. raw: do not escape names. Set *next to 0 before the
 * first call; false after the last sentence. */
enum { DIFFERENCE_TEXT_MAX = 2048 };
bool difference_next(const struct csy_sync *sync, bool raw, size_t *next,
                     char text[DIFFERENCE_TEXT_MAX]);

/* Write the members "difference_ns", "difference_least_ns", and "difference_greatest_ns" of a JSON
 * object, each after a comma. A value is null if it is unknown or if the length of a tick is
 * unknown. Values have three decimals; the ends of the range are rounded outward. */
struct outfile;
void difference_json(const struct csy_sync *sync, const struct difference *difference,
                     struct outfile *out);

/* Write the member "delays" of a JSON object, and a comma: the least delay of each direction.
 * Values are null, rounded, and converted as above. */
void delays_json(const struct csy_sync *sync, struct outfile *out);

#endif
