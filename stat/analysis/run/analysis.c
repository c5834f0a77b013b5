/* Runs several analyses in one pass over the trace. */
#include "analysis/run/analysis.h"

#include "base/error.h"

struct analyses {
    struct analysis *items;
    size_t n;
};

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    const struct analyses *all = user;
    bool any = false;
    for (size_t i = 0; i < all->n; i++) {
        struct analysis *item = &all->items[i];
        if (!item->status)
            item->status = item->take(item->user, instant, &item->error);
        any |= !item->status;
    }
    return any ? CSY_OK : error_set(error, CSY_INPUT, "no analysis takes instants any more");
}

csy_status analyses_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analyses, size_t n, csy_error *error)
{
    struct instants in;
    struct analyses all = {analyses, n};
    csy_error why;
    bool any = false;
    csy_status status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, more, error);
    for (size_t i = 0; status && i < n; i++)
        if (analyses[i].free)
            analyses[i].free(analyses[i].user);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        analyses[i].status = analyses[i].begin(analyses[i].user, &in, &analyses[i].error);
        any |= !analyses[i].status;
    }
    csy_status merged = CSY_OK;
    if (any)
        merged = n == 1 ? instants_merge(&in, analyses->take, analyses->calls, analyses->user, &why)
                        : instants_merge(&in, take, NULL, &all, &why);
    for (size_t i = 0; i < n; i++) {
        struct analysis *item = &analyses[i];
        if (!item->status && merged) {
            item->status = merged;
            item->error = why;
        }
        if (!item->status)
            item->status = item->end(item->user, &item->error);
        if (item->free)
            item->free(item->user);
    }
    instants_fini(&in);
    return CSY_OK;
}

csy_status analysis_run(csy_sync *sync, const csy_meaning *meaning, unsigned more,
                        struct analysis *analysis, csy_error *error)
{
    csy_status status = analyses_run(sync, meaning, more, analysis, 1, error);
    if (status || !analysis->status)
        return status;
    if (error)
        *error = analysis->error;
    return analysis->status;
}
