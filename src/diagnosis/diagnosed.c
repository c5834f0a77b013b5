/* Which clocks a diagnosis looks at. */
#include "diagnosis/diagnosed.h"

#include "base/error.h"
#include "graph/windows.h"

#include <stdlib.h>

static void take_clock(struct diagnosed *g, size_t thread)
{
    if (g->n == WINDOWS_CLOCKS_MAX || g->clock[thread] != WINDOWS_ABSENT)
        return;
    g->clock[thread] = (uint32_t)g->n;
    g->thread[g->n++] = (uint32_t)thread;
}

struct busy {
    uint64_t records;
    size_t thread;
};

static int by_records(const void *left, const void *right)
{
    const struct busy *a = left, *b = right;
    return a->records != b->records ? (a->records < b->records) - (a->records > b->records)
                                    : (a->thread > b->thread) - (a->thread < b->thread);
}

/* Those of the witness, the reference, and those with most records. */
csy_status diagnosed_choose(struct diagnosed *g, const struct csy_sync *sync, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    struct busy *busy = malloc(n * sizeof *busy);
    g->clock = malloc(n * sizeof *g->clock);
    g->thread = malloc(WINDOWS_CLOCKS_MAX * sizeof *g->thread);
    if (!busy || !g->clock || !g->thread) {
        free(busy);
        return error_memory(error);
    }
    for (size_t t = 0; t < n; t++) {
        g->clock[t] = WINDOWS_ABSENT;
        busy[t] = (struct busy){sync->views[t].records, t};
    }
    qsort(busy, n, sizeof *busy, by_records);
    take_clock(g, sync->reference);
    for (size_t i = 0; i < sync->witness.length; i++)
        take_clock(g, sync->witness.edges[i].s);
    for (size_t i = 0; i < n; i++)
        take_clock(g, busy[i].thread);
    free(busy);
    return CSY_OK;
}
