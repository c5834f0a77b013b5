/* Finds the errors of the time between two drifting clocks, at several global times. */
#include "base/array.h"
#include "base/error.h"
#include "graph/frontier.h"
#include "sync/drift/drift.h"

#include <stdlib.h>
#include <string.h>

enum { MOMENTS = CSY_DRIFT_MOMENTS };

/* Bounds between all pairs of clocks are computed only if that takes at most STEPS_MAX steps,
 * unless the user requests them. */
#define STEPS_MAX ((uint128)1 << 25)

int64_t drift_reading_at(const struct csy_sync *sync, size_t thread, int64_t global_ticks)
{
    const struct thread *clock = &sync->survey.threads.items[thread];
    int64_t low = clock->min_ticks, high = clock->max_ticks;
    while (low < high) {
        int64_t middle = (int64_t)(low + ((int128)high - low + 1) / 2);
        if (knots_global(&sync->drift->clocks[thread], middle) <= global_ticks)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static int by_size(const void *left, const void *right)
{
    const int128 *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static bool is_bounded(const struct csy_sync *sync, size_t s, size_t t)
{
    const uint32_t *component = sync->drift->ageing.component;
    return component[s] == component[t];
}

/* Fill *out for the clocks s and t. errors[k] is the error of the time between them at each of
 * MOMENTS global times. */
static csy_status describe_pair(const struct csy_sync *sync, size_t s, size_t t, bool by_walks,
                                const int128 *errors, csy_drift_pair *out, csy_error *error)
{
    int128 sorted[MOMENTS];
    size_t worst = 0;
    for (size_t k = 0; k < MOMENTS; k++)
        worst = errors[k] > errors[worst] ? k : worst;
    memcpy(sorted, errors, sizeof sorted);
    qsort(sorted, MOMENTS, sizeof *sorted, by_size);
    /* Add the timestamp error for each of the two clocks. It is in ticks of the clock, which may be
     * longer than ticks of global time by the drift. */
    int128 rate = sync->drift->view.rate_ppb;
    int128 rates = (s == sync->reference ? 0 : rate) + (t == sync->reference ? 0 : rate);
    int128 event = errors[worst] + sync->imprecision.added_ticks * ((int128)2 * AGE_UNIT + rates);
    if (!fits_int64(floor_div(event, AGE_UNIT) + 1))
        return error_set(error, CSY_INPUT, "%s: errors of the time between clocks leave 64 bits",
                         sync->trace->name);
    *out = (csy_drift_pair){.bounded = true,
                            .by_walks = by_walks,
                            .best = drift_fine(sorted[0]),
                            .median = drift_fine(sorted[MOMENTS / 2 - 1]),
                            .worst = drift_fine(errors[worst]),
                            .worst_event = drift_fine(event),
                            .worst_moment_ticks = sync->drift->peers->global[worst]};
    return CSY_OK;
}

/* For each of MOMENTS global times, find how wide the range of each clock is. Also find the pair of
 * clocks with the greatest sum of both widths, among clocks that limit each other. */
static csy_status find_widest(struct csy_sync *sync, const int64_t *locals, csy_error *error)
{
    size_t n = sync->survey.threads.count, ncomponents = sync->drift->ageing.ncomponents;
    struct drift_peers *peers = sync->drift->peers;
    size_t *widest = malloc((ncomponents + 1) * sizeof *widest);
    int128 most = -1;
    peers->widths = malloc((MOMENTS * n + 1) * sizeof *peers->widths);
    if (!widest || !peers->widths) {
        free(widest);
        return error_memory(error);
    }
    for (size_t k = 0; k < MOMENTS; k++) {
        int128 *widths = peers->widths + k * n;
        for (size_t t = 0; t < n; t++) {
            int128 least, greatest;
            ageing_at(&sync->drift->ageing, (uint32_t)t,
                      rebase_x(&sync->survey.rough, (uint32_t)t, locals[k * n + t]), &least,
                      &greatest);
            widths[t] = greatest - least;
        }
        for (size_t c = 0; c < ncomponents; c++)
            widest[c] = SIZE_MAX;
        for (size_t t = 0; t < n; t++) {
            size_t *other = &widest[sync->drift->ageing.component[t]];
            if (*other != SIZE_MAX && widths[*other] + widths[t] > most) {
                most = widths[*other] + widths[t];
                peers->worst_s = *other;
                peers->worst_t = t;
            }
            if (*other == SIZE_MAX || widths[t] > widths[*other])
                *other = t;
        }
    }
    free(widest);
    peers->any = most >= 0;
    return CSY_OK;
}

static csy_status find_walks(struct csy_sync *sync, const int64_t *locals, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    struct drift_peers *peers = sync->drift->peers;
    int128 times[MOMENTS];
    int64_t *readings = malloc((MOMENTS * n + 1) * sizeof *readings);
    int128 *places = malloc((sync->drift->ageing.nnodes + 1) * sizeof *places);
    int128 *limits = malloc((MOMENTS * n * n + 1) * sizeof *limits);
    peers->pairs = malloc((n * n + 1) * sizeof *peers->pairs);
    csy_status status = readings && places && limits && peers->pairs ? CSY_OK : error_memory(error);
    for (size_t k = 0; k < MOMENTS && !status; k++) {
        times[k] = (int128)peers->global[k] * AGE_UNIT;
        for (size_t t = 0; t < n; t++)
            readings[k * n + t] = rebase_x(&sync->survey.rough, (uint32_t)t, locals[k * n + t]);
    }
    if (!status) {
        const struct ageing *ageing = &sync->drift->ageing;
        for (size_t t = 0; t < sync->survey.threads.count; t++)
            for (size_t i = ageing->first_of[t]; i < ageing->first_of[t + 1]; i++) {
                uint32_t node = ageing->sorted[i];
                int64_t local =
                    rebase_local(&sync->survey.rough, (uint32_t)t, ageing->reading[node]);
                places[node] = (int128)local * AGE_UNIT + knots_age(&sync->drift->clocks[t], local);
            }
    }
    const struct frontier_moments moments = {MOMENTS, times, readings, places};
    if (!status)
        status = frontier_limits(&sync->drift->ageing, &moments, limits, error);
    int128 most = -1;
    for (size_t s = 0; s < n && !status; s++)
        for (size_t t = s + 1; t < n && !status; t++) {
            int128 errors[MOMENTS];
            csy_drift_pair *pair = &peers->pairs[s * n + t];
            *pair = (csy_drift_pair){.by_walks = true};
            if (!is_bounded(sync, s, t))
                continue;
            for (size_t k = 0; k < MOMENTS; k++)
                errors[k] = limits[(k * n + s) * n + t] + limits[(k * n + t) * n + s];
            status = describe_pair(sync, s, t, true, errors, pair, error);
            int128 worst = (int128)pair->worst.ticks * AGE_UNIT + pair->worst.billionths;
            if (worst > most) {
                most = worst;
                peers->worst_s = s;
                peers->worst_t = t;
            }
        }
    peers->any = most >= 0;
    FREE_ALL(readings, places, limits);
    return status;
}

static csy_status drift_find_pairs(struct csy_sync *sync, bool walks, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    struct drift *drift = sync->drift;
    bool few = n <= CSY_DRIFT_PAIRS_THREADS_MAX;
    walks =
        few && (walks || drift->all_pairs || frontier_steps(&drift->ageing, MOMENTS) <= STEPS_MAX);
    if (drift->peers && (!walks || drift->peers->pairs))
        return CSY_OK;
    drift_free_peers(drift);
    drift->peers = calloc(1, sizeof *drift->peers);
    if (!drift->peers)
        return error_memory(error);
    /* Choose moments at equal distances from the first to the last record of all clocks. */
    int128 first = 0, last = 0;
    int64_t *locals = malloc((MOMENTS * n + 1) * sizeof *locals), *global = drift->peers->global;
    csy_status status = locals ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < n && !status; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        int128 begin = knots_global(&drift->clocks[t], thread->min_ticks);
        int128 end = knots_global(&drift->clocks[t], thread->max_ticks);
        first = t == 0 || begin < first ? begin : first;
        last = t == 0 || end > last ? end : last;
    }
    for (size_t k = 0; k < MOMENTS && !status; k++) {
        global[k] = (int64_t)(first + (last - first) * (int128)k / (MOMENTS - 1));
        for (size_t t = 0; t < n; t++)
            locals[k * n + t] = drift_reading_at(sync, t, global[k]);
    }
    if (!status && walks)
        status = find_walks(sync, locals, error);
    else if (!status)
        status = find_widest(sync, locals, error);
    free(locals);
    if (status)
        drift_free_peers(drift);
    return status;
}

static csy_status check_pair(const struct csy_sync *sync, size_t s, size_t t, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    if (!csy_sync_drift(sync))
        return error_set(error, CSY_USAGE, "%s: there are no clocks that drift", sync->trace->name);
    return s < n && t < n
               ? CSY_OK
               : error_set(error, CSY_USAGE, "%s: there are %zu threads", sync->trace->name, n);
}

csy_status csy_sync_drift_pair(csy_sync *sync, size_t s, size_t t, bool walks, csy_drift_pair *out,
                               csy_error *error)
{
    csy_status status = check_pair(sync, s, t, error);
    if (!status)
        status = drift_find_pairs(sync, walks, error);
    if (status)
        return status;
    size_t first = s < t ? s : t, second = s < t ? t : s;
    if (s == t)
        return error_set(error, CSY_USAGE, "%s: a pair is of two threads", sync->trace->name);
    if (sync->drift->peers->pairs) {
        *out = sync->drift->peers->pairs[first * sync->survey.threads.count + second];
    } else if (is_bounded(sync, first, second)) {
        size_t n = sync->survey.threads.count;
        int128 errors[MOMENTS];
        for (size_t k = 0; k < MOMENTS; k++)
            errors[k] = sync->drift->peers->widths[k * n + first] +
                        sync->drift->peers->widths[k * n + second];
        return describe_pair(sync, first, second, false, errors, out, error);
    } else {
        *out = (csy_drift_pair){.bounded = false};
    }
    return CSY_OK;
}

csy_status csy_sync_drift_worst(csy_sync *sync, size_t *s, size_t *t, bool *any, csy_error *error)
{
    csy_status status = check_pair(sync, 0, 0, error);
    if (!status)
        status = drift_find_pairs(sync, false, error);
    if (status)
        return status;
    *any = sync->drift->peers->any;
    size_t a = sync->drift->peers->worst_s, b = sync->drift->peers->worst_t;
    *s = a < b ? a : b;
    *t = a < b ? b : a;
    return CSY_OK;
}
