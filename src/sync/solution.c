/* A solution, as the caller sees it. */
#include "sync/solution.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 32 }; /* "spe4294967295.4294967295" */

csy_status solution_name_threads(struct csy_sync *sync, csy_error *error)
{
    size_t n = sync->threads.count;
    sync->views = calloc(n, sizeof *sync->views);
    sync->names = malloc(n * NAME_MAX_BYTES);
    if (!sync->views || !sync->names)
        return error_memory(error);
    for (size_t t = 0; t < n; t++) {
        const struct thread *thread = &sync->threads.items[t];
        char *name = sync->names + t * NAME_MAX_BYTES;
        if (thread->kind == CSY_KIND_PPE)
            strcpy(name, "ppe");
        else
            snprintf(name, NAME_MAX_BYTES, "spe%" PRId64 ".%" PRIu32, thread->context,
                     thread->ordinal);
        sync->views[t] = (csy_thread){
            .name = thread->name ? thread->name : name,
            .kind = thread->kind,
            .context = thread->context,
            .spe = thread->spe,
            .first_record = thread->first_record,
            .records = thread->records,
            .decr_first = thread->decr_first,
        };
    }
    return CSY_OK;
}

void csy_sync_free(csy_sync *sync)
{
    if (!sync)
        return;
    threads_fini(&sync->threads);
    dense_fini(&sync->bounds);
    free(sync->windows.items);
    free(sync->views);
    free(sync->names);
    free(sync->rough);
    free(sync->witness_edges);
    free(sync);
}

uint64_t csy_records(const csy_sync *sync)
{
    return sync->records;
}

size_t csy_nthreads(const csy_sync *sync)
{
    return sync->threads.count;
}

const csy_thread *csy_get_thread(const csy_sync *sync, size_t index)
{
    return &sync->views[index];
}

size_t csy_reference(const csy_sync *sync)
{
    return sync->reference;
}

csy_fraction csy_alpha(const csy_sync *sync)
{
    return sync->alpha;
}

const csy_imprecision *csy_get_imprecision(const csy_sync *sync)
{
    return &sync->imprecision;
}

const csy_clock_report *csy_get_clock_report(const csy_sync *sync)
{
    return &sync->clock_report;
}

const csy_summary *csy_get_summary(const csy_sync *sync)
{
    return &sync->summary;
}

const csy_witness *csy_get_witness(const csy_sync *sync)
{
    return sync->witness.length ? &sync->witness : NULL;
}

/* wbar(s,t) between the clocks as they are. */
static int64_t bound(const csy_sync *sync, size_t s, size_t t)
{
    int64_t between_rough = dense_bound(&sync->bounds, s, t);
    if (between_rough == TICKS_INF)
        return TICKS_INF;
    return (int64_t)(between_rough + sync->rough[s] - sync->rough[t]);
}

void csy_bounds(const csy_sync *sync, size_t s, size_t t, int64_t *lower_ticks,
                int64_t *upper_ticks)
{
    int64_t back = bound(sync, t, s);
    *upper_ticks = bound(sync, s, t);
    *lower_ticks = back == TICKS_INF ? INT64_MIN : -back;
}

int64_t csy_error_bound(const csy_sync *sync, size_t s, size_t t)
{
    int64_t there = dense_bound(&sync->bounds, s, t);
    int64_t back = dense_bound(&sync->bounds, t, s);
    return there == TICKS_INF || back == TICKS_INF ? -1 : there + back;
}
