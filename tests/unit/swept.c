/* Events through a sweep. */
#include "swept.h"

struct lasts lasts_draw(struct random *r, const struct events *e)
{
    struct lasts lasts;
    int late = (int)random_between(r, 0, 100);
    lasts.tau = (uint32_t)random_between(r, 0, (int64_t)e->nthreads - 1);
    for (size_t i = 0; i < e->n; i++)
        lasts.before[e->thread[i]] = i + 1;
    for (size_t t = 0; t < e->nthreads; t++)
        if (random_chance(r, late))
            lasts.before[t] = (size_t)random_between(r, (int64_t)lasts.before[t], (int64_t)e->n);
    lasts.before[lasts.tau] = e->n;
    return lasts;
}

static bool is_last(const struct lasts *lasts, const struct events *e, size_t t, size_t i)
{
    return lasts->before[t] == i && i < e->n && t != lasts->tau;
}

static csy_status step(struct sweep *sweep, const struct events *e, const struct lasts *lasts,
                       size_t i, bool *feasible, csy_error *error)
{
    csy_status status = CSY_OK;
    for (uint32_t t = 0; t < e->nthreads && !status && *feasible; t++)
        if (is_last(lasts, e, t, i))
            status = sweep_ended(sweep, t, feasible, error);
    if (!status && *feasible)
        status = sweep_event(sweep, e->thread[i], e->x[i], feasible, error);
    return status;
}

csy_status sweep_some(struct sweep *sweep, const struct events *e, const struct lasts *lasts,
                      size_t from, size_t to, bool *feasible, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = from; i < to && !status && *feasible; i++)
        status = step(sweep, e, lasts, i, feasible, error);
    return status;
}

csy_status sweep_events(const struct events *e, const struct lasts *lasts, int64_t added,
                        struct eliminations *out, bool *feasible, csy_error *error)
{
    struct sweep *sweep;
    *feasible = true;
    ck_ok(sweep_new(added, THREADS_MAX, &sweep, error), *error);
    csy_status status = sweep_some(sweep, e, lasts, 0, e->n, feasible, error);
    if (!status && *feasible)
        status = sweep_finish(sweep, lasts->tau, out, feasible, error);
    sweep_free(sweep);
    return status;
}

csy_status exact_events(struct exact *exact, const struct events *e, const struct lasts *lasts,
                        csy_error *error)
{
    csy_status status = exact_begin(exact, THREADS_MAX, error);
    for (size_t i = 0; i < e->n && !status; i++) {
        struct point point = {i, 10 * i, e->thread[i], e->local[i], e->x[i]};
        for (uint32_t t = 0; t < e->nthreads && !status; t++)
            if (is_last(lasts, e, t, i) && (exact->raises || !exact->raised))
                status = exact_ended(exact, t, error);
        if (!status && (exact->raises || !exact->raised))
            status = exact_event(exact, &point, error);
    }
    if (!status && (exact->raises || !exact->raised))
        status = exact_finish(exact, error);
    return status;
}

bool is_feasible(const struct constraints *c, csy_fraction added)
{
    csy_fraction mean;
    return !least_cycle_mean(c, true, &mean) ||
           (int128)mean.num * added.den + (int128)added.num * mean.den >= 0;
}
