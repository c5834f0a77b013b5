/* Converts ticks since 1970, UTC, to dates of RFC 3339. */
#ifndef BASE_DATES_H
#define BASE_DATES_H

#include "base/number.h"

enum {
    DATE_TEXT_MAX = 30, /* 2024-05-01T12:00:00.250000000Z */
    DATE_DECIMALS = 9,
    DATE_DAY_SECONDS = 86400
};

/* Returns the number of days from 1970-01-01 to a date in the Gregorian calendar. */
int64_t date_days(int64_t year, int64_t month, int64_t day);

/* Returns true if a tick is a whole number of nanoseconds. Only then, date_put is exact. */
bool date_fits(uint64_t timebase_hz);

/* Write ticks since 1970 as a date with nine decimals, without a NUL: DATE_TEXT_MAX characters.
 * Returns the end, or NULL unless the year is 0000 to 9999. timebase_hz must pass date_fits. */
char *date_put(char *at, uint64_t timebase_hz, int64_t ticks);

#endif
