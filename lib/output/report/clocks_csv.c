/* csy_sync_write_clocks writes a CSV that maps local times of each clock to global time. A clock
 * that drifts has one row for each point where its rate changes; other clocks have one row. */
#include "base/array.h"
#include "base/error.h"
#include "clock/knots.h"
#include "output/encode/escape.h"
#include "output/file/outfile.h"
#include "output/trace/facts_line.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"

#include <inttypes.h>

enum { DECIMALS = 9 };

/* Write a comma and, if `known`, the global time of `units` / AGE_UNIT ticks. */
static void write_time(struct outfile *out, bool known, int128 units)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ",%s", known ? decimal_text(units, DECIMALS, text) : "");
}

/* Write the row of a local time. `all` has one-sided bounds of clocks that drift, or is NULL. */
static void write_row(const struct csy_sync *sync, const struct ageing *all, size_t t,
                      int64_t local_ticks, struct outfile *out)
{
    int128 local = (int128)local_ticks * AGE_UNIT, global = local, least = 0, greatest = 0;
    const csy_thread *view = &sync->views[t];
    /* A timestamp is wrong by up to delta, in ticks of its clock. In global time, a tick of the
     * clock may be longer, by up to rate_ppb. */
    const csy_fraction delta = sync->imprecision.delta;
    bool longer = sync->drift && t != sync->reference;
    int128 tick = (int128)AGE_UNIT + (longer ? sync->drift->view.rate_ppb : 0);
    int128 off = delta.num > 0 ? ceil_div(delta.num * tick, delta.den) : 0;
    bool after = view->earliest_ticks != INT64_MIN, before = view->latest_ticks != INT64_MAX;
    if (sync->drift) {
        global += knots_age(&sync->drift->clocks[t], local_ticks);
        after = before = drift_bounds(sync, t, local_ticks, &least, &greatest);
        if (!after && all)
            drift_sides(sync, all, t, local_ticks, &after, &before, &least, &greatest);
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
    write_time(out, after, local + least - off);
    write_time(out, before, local + greatest + off);
    outfile_print(out, "\n");
}

csy_status csy_sync_write_clocks(const csy_sync *sync, const char *path, csy_error *error)
{
    const struct facts_line facts = {.trace = sync->trace,
                                     .sync = sync,
                                     .end = "\n",
                                     .end_size = 1,
                                     .clock_per = sync->trace->clock_per};
    struct outfile *out;
    struct sheet sheet;
    struct ageing all = {0}; /* bounds of clocks that are bounded on one side only */
    csy_status status = solution_check_feasible(sync, error);
    if (!status && (sync->method != CSY_METHOD_BHH || sync->monotonic))
        status = error_set(
            error, CSY_USAGE, "%s: %s", sync->trace->name,
            sync->monotonic
                ? "--monotonic moves records individually, so clocks do not determine their times"
                : "only --method=bhh gives bounds");
    if (!status)
        status = outfile_open(path, sync->trace, &out, error);
    if (status)
        return status;
    sheet_begin(&sheet, out, false);
    /* write the same first line as a synchronized CSV has */
    status = facts_line_add(&sheet, &facts, NULL, error);
    outfile_print(out,
                  "# timebase_hz=%" PRIu64 "\nthread,local,global,earliest,latest"
                  ",earliest_event,latest_event\n",
                  sync->trace->timebase_hz);
    if (!status && sync->drift && sync->summary.unbounded_threads > 0)
        status = ageing_bound_from(&sync->drift->ageing, (uint32_t)sync->reference, &all, error);
    for (size_t t = 0; t < sync->survey.threads.count && !status && !outfile_failed(out); t++) {
        if (!sync->drift) {
            write_row(sync, NULL, t, sync->survey.threads.items[t].first_ticks, out);
            continue;
        }
        const struct knots *knots = &sync->drift->clocks[t];
        for (size_t i = 0; i < knots->count && !outfile_failed(out); i++)
            write_row(sync, all.least ? &all : NULL, t, knots->items[i].local_ticks, out);
    }
    FREE_ALL(all.least, all.negated);
    return outfile_complete(out, status, error);
}
