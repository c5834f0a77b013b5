/* Unwrapping by the closed bounds of the records so far. */
#include "sync/vicinity.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

csy_status vicinity_init(struct vicinity *v, const struct rough *rough, int64_t imprecision_ticks,
                         size_t live_max, csy_error *error)
{
    *v = (struct vicinity){.rough = rough,
                           .ppe = NO_THREAD,
                           .greatest_x = -X_MAX,
                           .imprecision_ticks = imprecision_ticks};
    return sweep_new(0, imprecision_ticks, live_max, &v->sweep, error);
}

void vicinity_fini(struct vicinity *v)
{
    sweep_free(v->sweep);
    free(v->last_x);
    *v = (struct vicinity){0};
}

csy_status vicinity_event(struct vicinity *v, uint32_t thread, bool ppe, int64_t x,
                          csy_error *error)
{
    bool feasible = true;
    if (v->lost)
        return CSY_OK;
    if (!ARRAY_RESERVE(v->last_x, v->capacity, (size_t)thread + 1))
        return error_memory(error);
    v->last_x[thread] = x;
    v->greatest_x = x > v->greatest_x ? x : v->greatest_x;
    v->ppe = ppe ? thread : v->ppe;
    csy_status status = sweep_event(v->sweep, thread, x, &feasible, error);
    v->lost = status == CSY_MEMORY || status == CSY_INPUT || !feasible;
    return v->lost ? CSY_OK : status;
}

csy_status vicinity_death(struct vicinity *v, uint32_t thread, csy_error *error)
{
    bool feasible = true;
    if (v->lost)
        return CSY_OK;
    csy_status status = sweep_death(v->sweep, thread, &feasible, error);
    v->lost = status == CSY_INPUT || !feasible;
    return v->lost ? CSY_OK : status;
}

struct search {
    const struct vicinity *v;
    int128 latest_x;  /* max over k of x_k - wbar(j,k) */
    int64_t from_ppe; /* wbar(ppe,j) */
};

static void take_walk(void *user, uint32_t other, int64_t from, int64_t to)
{
    struct search *search = user;
    if (from < WALK_FAR && (int128)search->v->last_x[other] - from > search->latest_x)
        search->latest_x = (int128)search->v->last_x[other] - from;
    if (other == search->v->ppe)
        search->from_ppe = to;
}

bool vicinity_limits(void *user, uint32_t thread, int128 elapsed_ticks, const int64_t *end_ticks,
                     struct elapsed_limits *out)
{
    struct vicinity *v = user;
    struct search search = {v, INT64_MIN, WALK_INF};
    if (v->lost || thread >= v->capacity)
        return false;
    int128 x = (int128)v->last_x[thread];
    bool behind = vicinity_is_behind(v->greatest_x - (x + elapsed_ticks), v->imprecision_ticks);
    if (!end_ticks && !behind && v->consulted >= VICINITY_FREELY)
        return false;
    v->consulted++;
    if (!sweep_measure(v->sweep, thread, take_walk, &search))
        return false;
    out->least_ticks = search.latest_x - x;
    out->most_ticks = UNWRAP_NO_LIMIT;
    if (end_ticks && search.from_ppe < WALK_FAR)
        out->most_ticks = *end_ticks + v->rough->offset[v->ppe] + search.from_ppe - x;
    return true;
}
