/* Lists pairs of threads, writes the CSV report, and a CSV of clocks. See cellsync-json(5), CSV
 * REPORT. */
#include "base/array.h"
#include "base/error.h"
#include "bounds/concurrent.h"
#include "bounds/met.h"
#include "output/encode/caveats.h"
#include "output/encode/difference.h"
#include "output/encode/escape.h"
#include "output/encode/fine.h"
#include "output/report/report.h"
#include "output/trace/sheet.h"
#include "sync/drift/drift.h"
#include "sync/partial_order.h"
#include "sync/placement.h"

#include <inttypes.h>
#include <stdlib.h>

static void add(struct pair_list *list, const struct csy_sync *sync, const struct pair *pair)
{
    list->write(list, sync, pair);
    list->begun = true;
}

static void report_progress(const struct csy_sync *sync, size_t s)
{
    progress_tell(&sync->trace->progress, "listing pairs", CSY_UNIT_THREADS, s + 1,
                  sync->survey.threads.count);
}

int64_t pair_event_error(const struct csy_sync *sync, const struct pair *pair)
{
    return !sync->drift          ? csy_sync_event_error(sync, pair->error_ticks)
           : pair->drift.bounded ? fine_up(pair->drift.worst_event)
                                 : -1;
}

csy_status pair_find(struct csy_sync *sync, size_t s, size_t t, bool walks, struct pair *pair,
                     csy_error *error)
{
    *pair = (struct pair){.s = s, .t = t};
    if (!sync->drift)
        return csy_sync_bounds(sync, s, t, &pair->lower_ticks, &pair->upper_ticks,
                               &pair->error_ticks, error);
    csy_status status = csy_sync_drift_pair(sync, s, t, walks, &pair->drift, error);
    pair->error_ticks = !status && pair->drift.bounded ? fine_up(pair->drift.worst) : -1;
    return status;
}

static csy_status list_pair(struct csy_sync *sync, struct pair_list *list, size_t s, size_t t,
                            csy_error *error)
{
    struct pair pair;
    csy_status status = pair_find(sync, s, t, list->walks, &pair, error);
    if (!status)
        add(list, sync, &pair);
    return status;
}

/* List the bounds of s and t. `there` limits the offset of s minus t, and `back` of t minus s. */
static csy_status list_walks(struct csy_sync *sync, struct pair_list *list, size_t s, size_t t,
                             int64_t there, int64_t back, csy_error *error)
{
    struct pair pair = {.s = s, .t = t, .error_ticks = walk_width(there, back)};
    csy_status status =
        solution_ends(sync, s, t, there, back, &pair.lower_ticks, &pair.upper_ticks, error);
    if (!status)
        add(list, sync, &pair);
    return status;
}

/* If `live`, list only pairs with overlapping records. Threads are sorted by their first record. */
static csy_status list_all(struct csy_sync *sync, struct pair_list *list, bool live,
                           csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    csy_status status = CSY_OK;
    for (size_t s = 0; s < threads->count && !status; s++) {
        uint64_t last = live ? threads->items[s].last_record : UINT64_MAX;
        for (size_t t = s + 1; t < threads->count && !status && !outfile_failed(list->out) &&
                               threads->items[t].first_record <= last;
             t++)
            status = list_pair(sync, list, s, t, error);
        report_progress(sync, s);
    }
    return status;
}

static int64_t negated(int64_t ticks)
{
    return ticks == INT64_MIN ? INT64_MAX : ticks == INT64_MAX ? INT64_MIN : -ticks;
}

static csy_status list_reference(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    size_t n = sync->survey.threads.count, tau = sync->reference;
    csy_status status = CSY_OK;
    for (size_t t = 0; t < n && !status && !outfile_failed(list->out); t++) {
        struct pair pair;
        if (t == tau)
            continue;
        status = pair_find(sync, tau, t, list->walks, &pair, error);
        if (t < tau) {
            int64_t lower_ticks = pair.lower_ticks;
            pair.s = t;
            pair.t = tau;
            pair.lower_ticks = negated(pair.upper_ticks);
            pair.upper_ticks = negated(lower_ticks);
        }
        if (!status)
            add(list, sync, &pair);
    }
    return status;
}

static csy_status list_live(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    struct concurrent together;
    if (sync->partial)
        return error_set(
            error, CSY_USAGE,
            "%s: --pairs=live requires a trace in one buffer, but this trace is in partial order",
            sync->trace->name);
    if (sync->drift)
        return list_all(sync, list, true, error);
    struct pair_tally_thread *threads = solution_tally_threads(sync);
    if (!threads)
        return error_memory(error);
    csy_status status = concurrent_gather(&sync->bounds, threads, &together, error);
    free(threads);
    if (status)
        return status;
    for (size_t s = 0; s < sync->survey.threads.count && !status; s++) {
        size_t end = s + concurrent_count(&together, s);
        for (size_t t = s + 1; t <= end && !status && !outfile_failed(list->out); t++) {
            struct walks_between walks = concurrent_walks(&together, s, t);
            status = list_walks(sync, list, s, t, walks.there, walks.back, error);
        }
        report_progress(sync, s);
    }
    concurrent_fini(&together);
    return status;
}

static csy_status list_met(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    struct met met;
    if (!sync->partial)
        return error_set(
            error, CSY_USAGE,
            "%s: --pairs=met requires a trace in partial order, but this trace is one buffer",
            sync->trace->name);
    csy_status status = sync->drift ? met_list(&sync->drift->pairs, &met, error)
                                    : met_gather(&sync->bounds, &sync->partial->pairs, &met, error);
    for (size_t i = 0; i < met.count && !status && !outfile_failed(list->out); i++) {
        const struct met_pair *of = &met.items[i];
        status = sync->drift ? list_pair(sync, list, of->s, of->t, error)
                             : list_walks(sync, list, of->s, of->t, of->there, of->back, error);
    }
    met_fini(&met);
    return status;
}

csy_pairs pairs_chosen(const struct csy_sync *sync, csy_pairs pairs)
{
    size_t most = sync->drift ? CSY_DRIFT_PAIRS_THREADS_MAX : CSY_PAIRS_ALL_THREADS_MAX;
    bool few = sync->survey.threads.count <= most;
    return pairs != CSY_PAIRS_AUTO ? pairs
           : few                   ? CSY_PAIRS_ALL
           : sync->partial         ? CSY_PAIRS_MET
                                   : CSY_PAIRS_LIVE;
}

csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error)
{
    list->walks = pairs != CSY_PAIRS_AUTO;
    switch (pairs_chosen(sync, pairs)) {
    case CSY_PAIRS_LIVE:
        return list_live(sync, list, error);
    case CSY_PAIRS_MET:
        return list_met(sync, list, error);
    case CSY_PAIRS_REFERENCE:
        return list_reference(sync, list, error);
    case CSY_PAIRS_NONE:
        return CSY_OK;
    default:
        return list_all(sync, list, false, error);
    }
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void write_pair(const struct pair_list *list, const struct csy_sync *sync,
                       const struct pair *pair)
{
    char text[TICKS_TEXT_MAX];
    char best[QUOTIENT_TEXT_MAX], median[QUOTIENT_TEXT_MAX], worst[QUOTIENT_TEXT_MAX];
    struct outfile *out = list->out;
    csv_field_write(out, sync->views[pair->s].name);
    outfile_add(out, ",");
    csv_field_write(out, sync->views[pair->t].name);
    if (sync->drift) {
        outfile_add(out, ",,");
    } else {
        outfile_print(out, ",%s", text_ticks(pair->lower_ticks, "-inf", "inf", text));
        outfile_print(out, ",%s", text_ticks(pair->upper_ticks, "-inf", "inf", text));
    }
    outfile_print(out, ",%s", text_bound(pair->error_ticks, text));
    outfile_print(out, ",%s", text_bound(pair_event_error(sync, pair), text));
    outfile_print(out, ",%s,%s", list->rest->first, list->rest->last);
    if (sync->drift && pair->drift.bounded)
        outfile_print(out, ",%s,%s,%s,%" PRId64 ",%s", fine_text(pair->drift.best, 9, best),
                      fine_text(pair->drift.median, 9, median),
                      fine_text(pair->drift.worst, 9, worst), pair->drift.worst_moment_ticks,
                      pair->drift.by_walks ? "walks" : "reference");
    else if (sync->drift)
        outfile_add(out, ",inf,inf,inf,,");
    if (sync->drift) {
        const csy_drift *drift = csy_sync_drift(sync);
        outfile_print(out, ",%" PRId64 ",", drift->rate_ppb);
        if (drift->wander_ppb != CSY_NO_DRIFT)
            outfile_print(out, "%" PRId64, drift->wander_ppb);
    }
    outfile_add(out, "\n");
}

/* New columns are added at the end of the row, so that the numbers of old columns stay the same. */
csy_status report_csv(struct csy_sync *sync, csy_pairs pairs, struct outfile *out, csy_error *error)
{
    /* facts that are the same in all rows */
    const struct caveat_columns rest = caveats_columns(sync);
    outfile_print(
        out,
        "thread_s,thread_t,lower_ticks,upper_ticks,error_ticks,event_error_ticks," CAVEAT_COLUMNS
        "," CAVEAT_MORE_COLUMNS "%s\n",
        sync->drift ? ",best_error_ticks,median_error_ticks,worst_error_ticks,worst_moment_ticks,by"
                      ",drift_ppb,wander_ppb"
                    : "");
    struct pair_list list = {.out = out, .write = write_pair, .rest = &rest};
    return pairs_list(sync, pairs, &list, error);
}

/* --- A CSV of clocks ----------------------------------------------------------------------------
 *
 * It maps local times of each clock to global time. A clock that drifts has one row for each point
 * where its rate changes; other clocks have one row. */

enum { DECIMALS = 9 };

/* Write a comma and, if `known`, a global time in units of 1/AGE_UNIT ticks. */
static void write_time(struct outfile *out, bool known, int128 units)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ",%s", known ? decimal_text(units, DECIMALS, text) : "");
}

/* `all` is NULL unless some clock lacks a lower or an upper limit. */
static void write_row(const struct csy_sync *sync, const struct ageing *all, size_t t,
                      int64_t local_ticks, struct outfile *out)
{
    int128 local = (int128)local_ticks * AGE_UNIT, global = local, least = 0, greatest = 0;
    const csy_thread *view = &sync->views[t];
    int128 off = difference_delta(sync, t);
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
    struct ageing all = {0};
    csy_status status = solution_check_feasible(sync, error);
    if (!status && (sync->method != CSY_METHOD_BHH || sync->monotonic))
        status = error_set(
            error, CSY_USAGE, "%s: %s", sync->trace->name,
            sync->monotonic
                ? "--monotonic moves records individually, so clocks do not determine their times"
                : "only --method=bhh gives bounds");
    status = status ? status : outfile_open(path, sync->trace, &out, error);
    if (status)
        return status;
    sheet_begin(&sheet, out, false);
    /* begin with the same comment line as a synchronized CSV */
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
