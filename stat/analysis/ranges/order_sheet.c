/* csy_sync_order_table makes a sheet that shows which of two moments came first. */
#include "analysis/ranges/moves.h"
#include "analysis/run/sheets.h"

#include "sync/placement.h"

#include <stdlib.h>

csy_status csy_sync_order_table(csy_sync *sync, const char *const names[2],
                                const csy_instant moments[2], csy_analysis **out, csy_error *error)
{
    static const csy_column columns[] = {TEXT_COLUMN("a"),
                                         TEXT_COLUMN("b"),
                                         TEXT_COLUMN("order"),
                                         TICKS_COLUMN("by", true),
                                         TEXT_COLUMN("a_clock"),
                                         TICKS_COLUMN("a_local", false),
                                         TICKS_COLUMN("a_global", false),
                                         TEXT_COLUMN("b_clock"),
                                         TICKS_COLUMN("b_local", false),
                                         TICKS_COLUMN("b_global", false)};
    csy_verdict verdict;
    csy_range a_b; /* time of a minus time of b, in ticks */
    csy_status status = csy_sync_before(sync, &moments[0], &moments[1], &verdict, &a_b, error);
    csy_analysis *analysis = status ? NULL : calloc(1, sizeof *analysis);
    if (!analysis)
        return sheets_finish(status, NULL, out, error);
    SHEETS_ADD(analysis, "order", columns);
    csy_value *values = sheets_add_row(analysis);
    for (size_t i = 0; values && i < 2; i++) {
        const csy_instant *moment = &moments[i];
        csy_value *own = values + 4 + 3 * i;
        values[i] = sheets_text(analysis, names[i]);
        own[0] = sheets_text(analysis, csy_sync_thread(sync, moment->thread)->name);
        own[1] = sheets_number(moment->local_ticks);
        own[2] = sheets_sum(placement_of(sync, moment->thread, moment->local_ticks));
    }
    if (values) {
        const csy_range b_a = {.estimate = a_b.estimate == INT64_MIN ? INT64_MAX : -a_b.estimate,
                               .lo = a_b.hi == INT64_MAX ? INT64_MIN : -a_b.hi,
                               .hi = a_b.lo == INT64_MIN ? INT64_MAX : -a_b.lo,
                               .kind = a_b.kind};
        values[2] = sheets_constant(verdict == CSY_BEFORE_YES       ? "before"
                                    : verdict == CSY_BEFORE_UNKNOWN ? "unknown"
                                    : a_b.hi <= 0                   ? "same"
                                                                    : "after");
        values[3] = sheets_range(b_a);
        range_include_estimate(&values[3].range);
    }
    return sheets_finish(CSY_OK, analysis, out, error);
}
