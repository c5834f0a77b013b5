/* Computes the statistics of error bounds in [BHH08] Table 1. */
#include "bounds/statistics.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* For pair_effort.bytes_max. This is enough for CSY_LIVE_THREADS_MAX threads live at once. */
#define PAIR_STATS_BYTES_MAX ((size_t)1 << 29)

/* If most vertices of the graph are not threads, and statistics_by_rows takes at most this many
 * steps, it is faster than pair_stats_gather. */
#define FEW_STEPS ((uint64_t)1 << 26)

csy_status statistics_by_rows(const struct bounds *b, const struct pair_tally_thread *threads,
                              struct tallies *out, csy_error *error)
{
    struct bound_rows rows;
    struct tallies tallies = tallies_none();
    csy_status status = bound_rows_init(&rows, b, error);
    for (size_t s = 0; s < b->n && !status; s++) {
        struct bound_row row;
        status = bound_rows_get(&rows, s, &row, error);
        for (size_t t = s + 1; t < b->n && !status; t++) {
            bool spe = threads[s].spe && threads[t].spe;
            int64_t error_ticks = bound_error(&row, t);
            pair_tally_take(spe ? &tallies.spe : &tallies.other, error_ticks);
            if (pair_tally_live_together(&threads[s], &threads[t]))
                pair_tally_take(&tallies.live, error_ticks);
        }
        if (!status && threads[s].next != NO_THREAD)
            pair_tally_take(&tallies.successive, bound_error(&row, threads[s].next));
        progress_tell(b->progress, "statistics", CSY_UNIT_THREADS, s + 1, b->n);
    }
    bound_rows_fini(&rows);
    if (!status)
        *out = tallies;
    return status;
}

static csy_mean mean_of(const struct pair_tally *tally)
{
    return mean_make(tally->sum_ticks, tally->bounded);
}

static csy_group group_of(const struct pair_tally *tally)
{
    return (csy_group){
        .pairs = tally->pairs, .max_error_ticks = tally->most_ticks, .mean = mean_of(tally)};
}

/* Compute *out, unless this takes more than steps_max steps. *steps then becomes the number of
 * steps. */
static csy_status gather_by_rows(const struct bounds *b, const struct pair_tally_thread *threads,
                                 uint64_t steps_max, uint64_t *steps, struct tallies *out,
                                 csy_error *error)
{
    uint128 all = (uint128)b->n * bounds_row_steps(b);
    if (all > steps_max) {
        *steps = all < UINT64_MAX ? (uint64_t)all : UINT64_MAX;
        *out = tallies_none();
        return CSY_OK;
    }
    return statistics_by_rows(b, threads, out, error);
}

/* Compute the tallies with pair_stats_gather, which does not visit each pair of threads. If row by
 * row is cheaper, or if pair_stats_gather exceeds its limits, compute them row by row. */
static csy_status gather_from_sweep(const struct bounds *b, const struct pair_tally_thread *threads,
                                    const struct statistics_effort *effort, uint64_t *steps,
                                    struct tallies *out, csy_error *error)
{
    const struct pair_effort pairs = {.bytes_max = PAIR_STATS_BYTES_MAX,
                                      .workers = effort->workers,
                                      .known = effort->known,
                                      .progress = b->progress,
                                      .steps_max = effort->steps_max};
    uint64_t few = effort->steps_max < FEW_STEPS ? effort->steps_max : FEW_STEPS;
    if (b->sweep.nthreads > 2 * b->n && (uint128)b->n * bounds_row_steps(b) <= few)
        return statistics_by_rows(b, threads, out, error);
    size_t n = b->sweep.nthreads > b->n ? b->sweep.nthreads : b->n;
    struct pair_tally_thread *all = malloc((n + 1) * sizeof *all);
    if (!all)
        return error_memory(error);
    memcpy(all, threads, b->n * sizeof *all);
    for (size_t v = b->n; v < n; v++)
        all[v] =
            (struct pair_tally_thread){.first_record = UINT64_MAX, .next = NO_THREAD, .hub = true};
    csy_status status = pair_stats_gather(&b->sweep, all, &pairs, out, error);
    free(all);
    if (status != CSY_MEMORY)
        return status;
    status = gather_by_rows(b, threads, effort->steps_max, steps, out, error);
    if (!status)
        out->quadratic = *steps == 0;
    return status;
}

csy_status statistics_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             const struct statistics_effort *effort, csy_summary *out,
                             csy_error *error)
{
    struct tallies tallies;
    uint64_t steps = 0;
    csy_status status = b->dense.closure ? statistics_by_rows(b, threads, &tallies, error)
                        : b->search.pairs
                            ? gather_by_rows(b, threads, effort->steps_max, &steps, &tallies, error)
                            : gather_from_sweep(b, threads, effort, &steps, &tallies, error);
    if (status)
        return status;
    const struct pair_tally *spe = &tallies.spe, *other = &tallies.other;
    int64_t most = spe->most_ticks > other->most_ticks ? spe->most_ticks : other->most_ticks;
    *out = (csy_summary){
        .pairs = (uint64_t)b->n * (b->n - 1) / 2,
        .bounded = spe->bounded + other->bounded,
        .max_error_ticks = most,
        .max_error_spe_ticks = spe->most_ticks,
        .error_ppe = mean_of(other),
        .error_spe = mean_of(spe),
        .live = group_of(&tallies.live),
        .successive = group_of(&tallies.successive),
        .quadratic = tallies.quadratic,
        .uncomputed_steps = steps,
    };
    return CSY_OK;
}
