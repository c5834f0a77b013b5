/* Numbers with nine decimals (csy_fine). */
#ifndef OUTPUT_ENCODE_FINE_H
#define OUTPUT_ENCODE_FINE_H

#include "base/number.h"

#define FINE_UNIT 1000000000

static inline int128 fine_units(csy_fine value)
{
    return (int128)value.ticks * FINE_UNIT + value.billionths;
}

/* Of two that differ by less than 2^63 ticks. */
static inline csy_fine fine_difference(csy_fine a, csy_fine b)
{
    int128 units = fine_units(a) - fine_units(b), ticks = floor_div(units, FINE_UNIT);
    return (csy_fine){(int64_t)ticks, (uint32_t)(units - ticks * FINE_UNIT)};
}

/* What an event of a clock that drifts and one of the reference's can be apart, where the clocks
 * are known to within error: each stamp is off, too, by up to delta of its clock's ticks, twice
 * which is no more than added_ticks, and those of one clock last up to rate_ppb longer. */
static inline csy_fine fine_event_error(csy_fine error, int64_t added_ticks, int64_t rate_ppb)
{
    int128 units = fine_units(error) + (int128)added_ticks * ((int128)2 * FINE_UNIT + rate_ppb);
    int128 ticks = floor_div(units, FINE_UNIT);
    return (csy_fine){(int64_t)ticks, (uint32_t)(units - ticks * FINE_UNIT)};
}

/* With so many decimals, up to nine, halves up.  Returns text. */
static inline const char *fine_text(csy_fine value, unsigned decimals, char text[QUOTIENT_TEXT_MAX])
{
    return decimal_text(decimal_round(fine_units(value), FINE_UNIT, decimals), decimals, text);
}

#endif
