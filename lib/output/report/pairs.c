/* The pairs of threads that a report lists. */
#include "output/report/pairs.h"

#include "base/error.h"
#include "bounds/concurrent.h"
#include "bounds/met.h"
#include "sync/drift_clocks.h"
#include "sync/partial_order.h"

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

/* Round up to whole ticks. */
static int64_t ticks_of(csy_fine value)
{
    return value.ticks + (value.billionths > 0);
}

int64_t pair_event_error(const struct csy_sync *sync, const struct pair *pair)
{
    return !sync->drift          ? csy_sync_event_error(sync, pair->error_ticks)
           : pair->drift.bounded ? ticks_of(pair->drift.worst_event)
                                 : -1;
}

static csy_status find_pair(struct csy_sync *sync, const struct pair_list *list, size_t s, size_t t,
                            struct pair *pair, csy_error *error)
{
    *pair = (struct pair){.s = s, .t = t};
    if (!sync->drift)
        return csy_sync_bounds(sync, s, t, &pair->lower_ticks, &pair->upper_ticks,
                               &pair->error_ticks, error);
    csy_status status = csy_sync_drift_pair(sync, s, t, list->walks, &pair->drift, error);
    pair->error_ticks = !status && pair->drift.bounded ? ticks_of(pair->drift.worst) : -1;
    return status;
}

static csy_status list_all(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    csy_status status = CSY_OK;
    for (size_t s = 0; s < n; s++) {
        for (size_t t = s + 1; t < n && !status && !outfile_failed(list->out); t++) {
            struct pair pair;
            status = find_pair(sync, list, s, t, &pair, error);
            if (!status)
                add(list, sync, &pair);
        }
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
        status = find_pair(sync, list, tau, t, &pair, error);
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

/* List pairs that are live together; threads are sorted by first record. */
static csy_status list_live_drifting(struct csy_sync *sync, struct pair_list *list,
                                     csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    csy_status status = CSY_OK;
    for (size_t s = 0; s < threads->count && !status; s++) {
        uint64_t last = threads->items[s].last_record;
        for (size_t t = s + 1; t < threads->count && !status && !outfile_failed(list->out) &&
                               threads->items[t].first_record <= last;
             t++) {
            struct pair pair;
            status = find_pair(sync, list, s, t, &pair, error);
            if (!status)
                add(list, sync, &pair);
        }
        report_progress(sync, s);
    }
    return status;
}

static csy_status list_live(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    struct concurrent together;
    if (sync->partial)
        return error_set(
            error, CSY_USAGE,
            "%s: --pairs=live requires a trace in one buffer, but this trace is in partial order",
            sync->trace->name);
    if (sync->drift)
        return list_live_drifting(sync, list, error);
    struct pair_tally_thread *threads = solution_tally_threads(sync);
    if (!threads)
        return error_memory(error);
    csy_status status = concurrent_gather(&sync->bounds, threads, &together, error);
    free(threads);
    if (status)
        return status;
    for (size_t s = 0; s < n && !status; s++) {
        size_t end = s + concurrent_count(&together, s);
        for (size_t t = s + 1; t <= end && !status && !outfile_failed(list->out); t++) {
            struct walks_between walks = concurrent_walks(&together, s, t);
            struct pair pair = {.s = s, .t = t, .error_ticks = walk_width(walks.there, walks.back)};
            status = solution_ends(sync, s, t, walks.there, walks.back, &pair.lower_ticks,
                                   &pair.upper_ticks, error);
            if (!status)
                add(list, sync, &pair);
        }
        report_progress(sync, s);
    }
    concurrent_fini(&together);
    return status;
}

static csy_status list_met_drifting(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    struct met met;
    csy_status status = met_list(&sync->drift->pairs, &met, error);
    for (size_t i = 0; i < met.count && !status && !outfile_failed(list->out); i++) {
        struct pair pair;
        status = find_pair(sync, list, met.items[i].s, met.items[i].t, &pair, error);
        if (!status)
            add(list, sync, &pair);
    }
    met_fini(&met);
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
    if (sync->drift)
        return list_met_drifting(sync, list, error);
    csy_status status = met_gather(&sync->bounds, &sync->partial->pairs, &met, error);
    for (size_t i = 0; i < met.count && !status && !outfile_failed(list->out); i++) {
        const struct met_pair *of = &met.items[i];
        struct pair pair = {.s = of->s, .t = of->t, .error_ticks = walk_width(of->there, of->back)};
        status = solution_ends(sync, of->s, of->t, of->there, of->back, &pair.lower_ticks,
                               &pair.upper_ticks, error);
        if (!status)
            add(list, sync, &pair);
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
        return list_all(sync, list, error);
    }
}
