/* csy_sync_write_clocks: what puts clocks in global time, a row a knot. */
#include "base/error.h"
#include "clock/knots.h"
#include "output/encode/csv_field.h"
#include "output/file/outfile.h"
#include "output/trace/facts_line.h"
#include "sync/drift.h"
#include "sync/placement.h"

#include <inttypes.h>

enum { DECIMALS = 9 };

/* A global time in parts of AGE_UNIT, after a comma; empty where there is none. */
static void write_time(struct outfile *out, bool known, int128 units)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ",%s", known ? decimal_text(units, DECIMALS, text) : "");
}

static void write_row(const struct csy_sync *sync, size_t t, int64_t local_ticks,
                      struct outfile *out)
{
    int128 local = (int128)local_ticks * AGE_UNIT, global = local, least = 0, greatest = 0;
    const csy_thread *view = &sync->views[t];
    bool after = view->earliest_ticks != INT64_MIN, before = view->latest_ticks != INT64_MAX;
    if (sync->drift) {
        global += knots_age(&sync->drift->clocks[t], local_ticks);
        after = before = drift_bounds(sync, t, local_ticks, &least, &greatest);
    } else {
        global += (int128)view->offset_ticks * AGE_UNIT;
        least = (int128)view->earliest_ticks * AGE_UNIT;
        greatest = (int128)view->latest_ticks * AGE_UNIT;
    }
    csv_field_write(out, view->name);
    outfile_print(out, ",%" PRId64, local_ticks);
    write_time(out, true, global);
    write_time(out, after, local + least);
    write_time(out, before, local + greatest);
    outfile_print(out, "\n");
}

/* What it rests on, as a synchronized CSV says it. */
static void write_facts(const struct csy_sync *sync, struct outfile *out)
{
    struct sheet sheet;
    sheet_begin(&sheet, out, false);
    facts_line_add(&sheet, &(struct facts_line){.trace = sync->trace, .sync = sync});
    sheet_add(&sheet, "\n", 1);
    sheet_finish(&sheet);
}

csy_status csy_sync_write_clocks(const csy_sync *sync, const char *path, csy_error *error)
{
    struct outfile *out;
    csy_status status = solution_check_feasible(sync, error);
    if (!status && (sync->method != CSY_METHOD_BHH || sync->monotonic))
        status = error_set(error, CSY_USAGE, "%s: %s", sync->trace->name,
                           sync->monotonic ? "monotonic times are not those of clocks alone"
                                           : "only method bhh gives bounds");
    if (!status)
        status = outfile_open(path, sync->trace, &out, error);
    if (status)
        return status;
    write_facts(sync, out);
    outfile_print(out, "# timebase_hz=%" PRIu64 "\nthread,local,global,earliest,latest\n",
                  sync->trace->timebase_hz);
    for (size_t t = 0; t < sync->survey.threads.count && !outfile_failed(out); t++) {
        if (!sync->drift) {
            write_row(sync, t, sync->survey.threads.items[t].first_ticks, out);
            continue;
        }
        const struct knots *knots = &sync->drift->clocks[t];
        for (size_t i = 0; i < knots->count && !outfile_failed(out); i++)
            write_row(sync, t, knots->items[i].local_ticks, out);
    }
    status = outfile_complete(out, CSY_OK, error);
    outfile_close(out);
    return status;
}
