/* Converts times in ticks since 1970-01-01 UTC to dates in the format of RFC 3339. */
#ifndef BASE_DATES_H
#define BASE_DATES_H

#include "base/number.h"

enum {
    DATE_TEXT_MAX = 30, /* length of 2024-05-01T12:00:00.250000000Z */
    DATE_DECIMALS = 9,
    DATE_DAY_SECONDS = 86400
};

/* Returns the number of days from 1970-01-01 to a date in the Gregorian calendar. */
int64_t date_days(int64_t year, int64_t month, int64_t day);

/* Returns true if a tick is a whole number of nanoseconds, as date_put requires. */
bool date_fits(uint64_t timebase_hz);

/* Write a time since 1970 as a date with nine decimals: DATE_TEXT_MAX characters without a NUL.
 * Returns the end, or NULL if the year is not in 0000 to 9999. date_fits(timebase_hz) must hold. */
char *date_put(char *at, uint64_t timebase_hz, int64_t ticks);

#endif
