/* csy_sync_order_table: which of two moments came first, as a sheet. */
#include "analysis/ranges/moves.h"
#include "analysis/run/sheets.h"

#include "base/error.h"
#include "sync/placement.h"

#include <stdlib.h>

/* Of each moment, after what is of both. */
enum { BEFORE_MOMENTS = 4, OF_MOMENT = 3 };

static bool add_columns(csy_analysis *out)
{
    return sheets_add(out, "order") && sheets_add_column(out, "a", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "b", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "order", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "by", CSY_COLUMN_TICKS, true) &&
           sheets_add_column(out, "a_clock", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "a_local", CSY_COLUMN_TICKS, false) &&
           sheets_add_column(out, "a_global", CSY_COLUMN_TICKS, false) &&
           sheets_add_column(out, "b_clock", CSY_COLUMN_TEXT, false) &&
           sheets_add_column(out, "b_local", CSY_COLUMN_TICKS, false) &&
           sheets_add_column(out, "b_global", CSY_COLUMN_TICKS, false);
}

/* The time of b less that of a, from that of a less that of b. */
static csy_range turned(const csy_range *range)
{
    return (csy_range){.estimate = range->estimate == INT64_MIN ? INT64_MAX : -range->estimate,
                       .lo = range->hi == INT64_MAX ? INT64_MIN : -range->hi,
                       .hi = range->lo == INT64_MIN ? INT64_MAX : -range->lo,
                       .kind = range->kind};
}

static bool set_moment(csy_analysis *out, const csy_sync *sync, const csy_instant *moment,
                       csy_value *values)
{
    sheets_set_number(&values[1], moment->local_ticks);
    sheets_set_sum(&values[2], placement_of(sync, moment->thread, moment->local_ticks));
    return sheets_set_text(out, &values[0], csy_sync_thread(sync, moment->thread)->name);
}

csy_status csy_sync_order_table(csy_sync *sync, const char *const names[2],
                                const csy_instant moments[2], csy_analysis **out, csy_error *error)
{
    csy_verdict verdict;
    csy_range range;
    csy_status status = csy_sync_before(sync, &moments[0], &moments[1], &verdict, &range, error);
    csy_analysis *analysis = status ? NULL : calloc(1, sizeof *analysis);
    if (status)
        return status;
    csy_value *values = analysis && add_columns(analysis) ? sheets_add_row(analysis) : NULL;
    bool good = values && sheets_set_text(analysis, &values[0], names[0]) &&
                sheets_set_text(analysis, &values[1], names[1]) &&
                sheets_set_text(analysis, &values[2],
                                verdict == CSY_BEFORE_YES       ? "before"
                                : verdict == CSY_BEFORE_UNKNOWN ? "unknown"
                                : range.hi <= 0                 ? "same"
                                                                : "after");
    for (size_t i = 0; good && i < 2; i++)
        good = set_moment(analysis, sync, &moments[i], values + BEFORE_MOMENTS + i * OF_MOMENT);
    if (!good) {
        csy_analysis_free(analysis);
        return error_memory(error);
    }
    values[3] = (csy_value){.range = turned(&range)};
    range_include_estimate(&values[3].range);
    *out = analysis;
    return CSY_OK;
}
