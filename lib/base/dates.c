/* See dates.h. */
#include "base/dates.h"

enum { DAYS_OF_400_YEARS = 146097, DAYS_TO_1970 = 719468, YEAR_MAX = 9999 };

/* Here, a year begins in March, so that the leap day is the last day of the year. */
int64_t date_days(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * DAYS_OF_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           DAYS_TO_1970;
}

bool date_fits(uint64_t timebase_hz)
{
    return timebase_hz > 0 && UINT64_C(1000000000) % timebase_hz == 0;
}

/* Returns number / by, rounded down, and sets *rest to the remainder, which is at least 0. */
static int64_t divide(int64_t number, int64_t by, int64_t *rest)
{
    int64_t quotient = number / by;
    *rest = number % by;
    if (*rest < 0) {
        *rest += by;
        quotient--;
    }
    return quotient;
}

static char *put_digits(char *at, uint64_t number, unsigned n, char after)
{
    at = number_put_last(at, number, n);
    *at = after;
    return at + 1;
}

char *date_put(char *at, uint64_t timebase_hz, int64_t ticks)
{
    int64_t rest, second, of_era;
    int64_t seconds = divide(ticks, (int64_t)timebase_hz, &rest);
    int64_t days = divide(seconds, DATE_DAY_SECONDS, &second);
    int64_t era = divide(days + DAYS_TO_1970, DAYS_OF_400_YEARS, &of_era);
    /* `of_era` is the day in a period of 400 years; convert it to a year that begins in March */
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t month = (5 * of_year + 2) / 153, day = of_year - (153 * month + 2) / 5 + 1;
    month += month < 10 ? 3 : -9;
    int64_t year = era * 400 + years + (month <= 2);
    if (year < 0 || year > YEAR_MAX)
        return NULL;
    at = put_digits(at, (uint64_t)year, 4, '-');
    at = put_digits(at, (uint64_t)month, 2, '-');
    at = put_digits(at, (uint64_t)day, 2, 'T');
    at = put_digits(at, (uint64_t)second / 3600, 2, ':');
    at = put_digits(at, (uint64_t)second / 60 % 60, 2, ':');
    at = put_digits(at, (uint64_t)second % 60, 2, '.');
    return put_digits(at, (uint64_t)rest * (UINT64_C(1000000000) / timebase_hz), DATE_DECIMALS,
                      'Z');
}
