/* The difference of readings between a clock and the reference's clock. */
#ifndef OUTPUT_ENCODE_DIFFERENCE_H
#define OUTPUT_ENCODE_DIFFERENCE_H

#include "base/number.h"
#include "sync/solution.h"

/* Reading of a clock minus reading of the reference's clock at one moment, as timestamps show them:
 * delta widens the range.  In ticks/10^9.  There is no estimate of a clock that nothing ties to the
 * reference's, and none by other methods than bhh. */
struct difference {
    int128 estimate, least, greatest;
    bool has_estimate, has_least, has_greatest;
};

/* At the first record of clock t, or if clocks drift and `last` is true at its last one. */
struct difference difference_of(const struct csy_sync *sync, size_t t, bool last);

/* List a sentence for each clock except the reference's, up to 16, and then the number of the
 * others: "clock B reads 51.006 ms ahead of A (51.004 to 51.008)".  The ends of the range are
 * rounded outward, and the last digit is at most half of its width.  If clocks drift, a second line
 * has the last record. Nothing is listed for a Cell, because decrementers cannot be compared, and
 * for methods without bounds. raw: do not escape names. Set *next to 0 before the first call; false
 * after the last. */
enum { DIFFERENCE_TEXT_MAX = 2048 };
bool difference_next(const struct csy_sync *sync, bool raw, size_t *next,
                     char text[DIFFERENCE_TEXT_MAX]);

/* The members "difference_ns", "difference_least_ns", and "difference_greatest_ns" of a JSON
 * object, after a comma; null where nothing is known or the length of a tick is not.  Three
 * decimals; the ends are rounded outward. */
struct outfile;
void difference_json(const struct csy_sync *sync, const struct difference *difference,
                     struct outfile *out);

#endif
