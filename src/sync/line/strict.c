/* Strict unwrapping. */
#include "sync/line/strict.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static csy_status copy_lore(const struct unwrap_lore *lore, struct unwrap_lore *out,
                            csy_error *error)
{
    *out = *lore;
    out->windows_capacity = lore->nwindows;
    out->gaps_capacity = lore->ngaps;
    out->windows = malloc((lore->nwindows + 1) * sizeof *out->windows);
    out->gaps = malloc((lore->ngaps + 1) * sizeof *out->gaps);
    if (!out->windows || !out->gaps) {
        unwrap_lore_fini(out);
        return error_memory(error);
    }
    if (lore->nwindows)
        memcpy(out->windows, lore->windows, lore->nwindows * sizeof *out->windows);
    if (lore->ngaps)
        memcpy(out->gaps, lore->gaps, lore->ngaps * sizeof *out->gaps);
    return CSY_OK;
}

/* The thread whose first record is at this position, or NO_THREAD. */
static uint32_t thread_at(const struct threads *threads, uint64_t position)
{
    size_t low = 0, high = threads->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (threads->items[middle].first_record < position)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < threads->count && threads->items[low].first_record == position;
    return found ? (uint32_t)low : NO_THREAD;
}

/* The only r + m 2^32, m >= -1, from least to most; false if there is none or another one. */
static bool only_candidate(uint32_t r, int128 least, int128 most, int128 *out)
{
    if (most >= UNWRAP_NO_LIMIT)
        return false;
    int128 m = ceil_div(least - r, UNWRAP_WRAP);
    int128 candidate = r + (m > -1 ? m : -1) * UNWRAP_WRAP;
    *out = candidate;
    return fits_int64(candidate) && candidate <= most && candidate + UNWRAP_WRAP > most;
}

/* The parts v, which ends before the gap, and u, which begins after it: elapsed is
 * g[u] - g[v] - (last local time of v), give or take B. */
static csy_status settle(struct csy_sync *sync, struct gap *gap, bool *merged, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    uint32_t u = thread_at(threads, gap->position);
    uint32_t v = u == NO_THREAD ? NO_THREAD : threads->items[u].split_from;
    if (v == NO_THREAD)
        return CSY_OK;
    int64_t lower, upper;
    csy_status status = csy_sync_bounds(sync, u, v, &lower, &upper, NULL, error);
    if (status)
        return status;
    int128 last = threads->items[v].last_ticks, b = sync->survey.rules.imprecision_ticks;
    int128 least = gap->least_ticks, most = gap->most_ticks;
    if (lower != INT64_MIN && lower - last - b > least)
        least = lower - last - b;
    if (upper != INT64_MAX && upper - last + b < most)
        most = upper - last + b;
    if (only_candidate(gap->r, least, most, &gap->elapsed_ticks)) {
        gap->verdict = GAP_TAKEN;
        *merged = true;
    }
    return CSY_OK;
}

csy_status strict_merge(struct csy_sync *sync, struct unwrap_lore *before, bool *merged,
                        csy_error *error)
{
    struct unwrap_lore *lore = &sync->survey.lore;
    *merged = false;
    csy_status status = copy_lore(lore, before, error);
    for (size_t i = 0; i < lore->ngaps && !status; i++)
        if (lore->gaps[i].verdict == GAP_SPLIT)
            status = settle(sync, &lore->gaps[i], merged, error);
    return status;
}
