/* csy_analysis_set_time_unit: converts the times of sheets to parts of a second. */
#include "analysis/run/sheets.h"

#include "base/error.h"
#include "base/number.h"
#include "sync/solution.h"

#define NS_PER_S 1000000000
#define MILLION 1000000

/* A unit of num / den nanoseconds. */
struct rate {
    int128 num, den;
};

static bool is_time(csy_column_kind kind)
{
    return kind == CSY_COLUMN_TICKS || kind == CSY_COLUMN_MICROTICKS;
}

static bool fits(int128 ns)
{
    return ns > INT64_MIN && ns < INT64_MAX;
}

/* Convert an end of a range. No limit stays no limit. */
static int64_t end_of(int64_t end, const struct rate *rate, bool upper)
{
    if (end == INT64_MIN || end == INT64_MAX)
        return end;
    int128 ns =
        upper ? ceil_div(end * rate->num, rate->den) : floor_div(end * rate->num, rate->den);
    return fits(ns) ? (int64_t)ns : ns < 0 ? INT64_MIN : INT64_MAX;
}

static bool convert(const struct rate *rate, csy_range *range)
{
    bool one = range->lo == range->hi || range->kind == CSY_RANGE_CLOCK;
    bool limited = range->estimate != INT64_MIN && range->estimate != INT64_MAX;
    int128 ns = floor_div((int128)2 * range->estimate * rate->num + rate->den, 2 * rate->den);
    if (!limited)
        ns = range->estimate;
    else if (!fits(ns))
        return false;
    range->estimate = (int64_t)ns;
    if (range->kind == CSY_RANGE_UNKNOWN)
        return true;
    range->lo = one ? range->estimate : end_of(range->lo, rate, false);
    range->hi = one ? range->estimate : end_of(range->hi, rate, true);
    return true;
}

static csy_status convert_rows(const csy_sheet *part, csy_value *values, const void *user,
                               csy_error *error)
{
    const uint64_t *timebase_hz = user;
    for (size_t column = 0; column < part->ncolumns; column++) {
        csy_column_kind kind = part->columns[column].kind;
        bool micro = kind == CSY_COLUMN_MICROTICKS;
        const struct rate rate = {NS_PER_S, (int128)*timebase_hz * (micro ? MILLION : 1)};
        for (size_t row = 0; is_time(kind) && row < part->nrows; row++) {
            csy_value *value = &values[row * part->ncolumns + column];
            if (!value->none && !convert(&rate, &value->range))
                return error_set(error, CSY_INPUT, "a time leaves 64 bits of nanoseconds");
        }
    }
    return CSY_OK;
}

csy_status csy_analysis_set_time_unit(csy_analysis *analysis, const csy_sync *sync,
                                      csy_time_unit unit, csy_error *error)
{
    static const csy_column_kind kinds[] = {[CSY_TIME_S] = CSY_COLUMN_S,
                                            [CSY_TIME_MS] = CSY_COLUMN_MS,
                                            [CSY_TIME_US] = CSY_COLUMN_US,
                                            [CSY_TIME_NS] = CSY_COLUMN_NS};
    csy_status status = CSY_OK;
    if (unit == CSY_TIME_TICKS)
        return CSY_OK;
    if (unit < CSY_TIME_S || unit > CSY_TIME_NS || analysis->time_unit > CSY_TIME_TICKS)
        return error_set(error, CSY_USAGE,
                         "times of tables: expected ticks, s, ms, us or ns, once");
    analysis->time_unit = unit;
    for (size_t i = 0; i < analysis->nsheets && !status; i++) {
        struct sheet *sheet = &analysis->sheets[i];
        status = sheet_change(sheet, convert_rows, &sync->trace->timebase_hz, error);
        for (size_t column = 0; !status && column < sheet->view.ncolumns; column++)
            if (is_time(sheet->columns[column].kind))
                sheet->columns[column].kind = kinds[unit];
    }
    return status;
}
