/* The difference between the readings of a clock and of the reference's clock. */
#ifndef OUTPUT_ENCODE_DIFFERENCE_H
#define OUTPUT_ENCODE_DIFFERENCE_H

#include "base/number.h"
#include "sync/solution.h"

/* What a clock reads minus what the reference's clock reads at the same moment, in 10^-9 ticks. The
 * range allows for the timestamp error delta. There is no estimate for a clock that is not
 * connected to the reference, or for methods other than bhh. */
struct difference {
    int128 estimate, least, greatest;
    bool has_estimate, has_least, has_greatest;
};

/* The difference at the first record of clock t; if clocks drift and `last` is true, at its
 * last. */
struct difference difference_of(const struct csy_sync *sync, size_t t, bool last);

/* List a sentence for each clock except the reference's, up to 16, and then the number of other
 * clocks: "clock B reads 51.006 ms ahead of A (51.004 to 51.008)". The ends of the range are
 * rounded outward, and the last digit is at most half of the width. If clocks drift, a second line
 * gives the difference at the last record. Nothing is listed for a Cell, whose decrementers cannot
 * be compared, or for methods without bounds. raw: do not escape names. Set *next to 0 before the
 * first call. Returns false after the last sentence. */
enum { DIFFERENCE_TEXT_MAX = 2048 };
bool difference_next(const struct csy_sync *sync, bool raw, size_t *next,
                     char text[DIFFERENCE_TEXT_MAX]);

/* Write the members "difference_ns", "difference_least_ns", and "difference_greatest_ns" of a JSON
 * object, each after a comma. A value is null if it is unknown or if the length of a tick is
 * unknown. Values have three decimals; the ends of the range are rounded outward. */
struct outfile;
void difference_json(const struct csy_sync *sync, const struct difference *difference,
                     struct outfile *out);

#endif
