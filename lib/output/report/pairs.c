/* The pairs of threads that a report lists. */
#include "output/report/pairs.h"

#include "base/error.h"
#include "bounds/concurrent.h"
#include "bounds/met.h"
#include "sync/partial_order.h"

#include <stdlib.h>

static void add(struct pair_list *list, const struct csy_sync *sync, const struct pair *pair)
{
    list->write(list, sync, pair);
    list->begun = true;
}

/* Report progress after the s-th thread. */
static void report_progress(const struct csy_sync *sync, size_t s)
{
    progress_tell(&sync->trace->progress, "listing pairs", CSY_UNIT_THREADS, s + 1,
                  sync->survey.threads.count);
}

static csy_status list_all(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    csy_status status = CSY_OK;
    for (size_t s = 0; s < n; s++) {
        for (size_t t = s + 1; t < n && !status && !outfile_failed(list->out); t++) {
            struct pair pair = {.s = s, .t = t};
            status = csy_sync_bounds(sync, s, t, &pair.lower_ticks, &pair.upper_ticks,
                                     &pair.error_ticks, error);
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

/* List the pairs of a single row, the reference's. */
static csy_status list_reference(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    size_t n = sync->survey.threads.count, tau = sync->reference;
    csy_status status = CSY_OK;
    for (size_t t = 0; t < n && !status && !outfile_failed(list->out); t++) {
        struct pair pair = {.s = tau, .t = t};
        if (t == tau)
            continue;
        status = csy_sync_bounds(sync, tau, t, &pair.lower_ticks, &pair.upper_ticks,
                                 &pair.error_ticks, error);
        if (t < tau)
            pair = (struct pair){t, tau, negated(pair.upper_ticks), negated(pair.lower_ticks),
                                 pair.error_ticks};
        if (!status)
            add(list, sync, &pair);
    }
    return status;
}

static csy_status list_live(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    struct concurrent together;
    if (sync->partial)
        return error_set(error, CSY_USAGE,
                         "%s: pairs live together are those of one buffer, and this order is "
                         "partial",
                         sync->trace->name);
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

static csy_status list_met(struct csy_sync *sync, struct pair_list *list, csy_error *error)
{
    struct met met;
    if (!sync->partial)
        return error_set(error, CSY_USAGE,
                         "%s: pairs that met are those of a partial order, and this one is a line",
                         sync->trace->name);
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
    bool few = sync->survey.threads.count <= CSY_PAIRS_ALL_THREADS_MAX;
    return pairs != CSY_PAIRS_AUTO ? pairs
           : few                   ? CSY_PAIRS_ALL
           : sync->partial         ? CSY_PAIRS_MET
                                   : CSY_PAIRS_LIVE;
}

csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error)
{
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
