/* Bounds -> one offset a thread. */
#include "sync/offsets.h"

#include "base/error.h"

#include <stdlib.h>

enum place { IN_COMPONENT, AFTER, BEFORE };

struct placing {
    const struct dense *d;
    size_t tau;
    int64_t *g;
    unsigned char *place;
};

/* Which side of tau each thread is bounded on; false if one is bounded on neither. */
static bool sort_threads(struct placing *p, size_t *unbounded)
{
    *unbounded = 0;
    for (size_t t = 0; t < p->d->n; t++) {
        bool from = dense_bound(p->d, p->tau, t) != TICKS_INF;
        bool to = dense_bound(p->d, t, p->tau) != TICKS_INF;
        if (!from && !to)
            return false;
        p->place[t] = from && to ? IN_COMPONENT : from ? AFTER : BEFORE;
        *unbounded += p->place[t] != IN_COMPONENT;
    }
    return true;
}

/* floor(alpha wbar(t,tau) - (1 - alpha) wbar(tau,t)) */
static int64_t inside_bound(const struct placing *p, size_t t, csy_fraction alpha)
{
    int128 latest = dense_bound(p->d, t, p->tau);
    int128 earliest = -(int128)dense_bound(p->d, p->tau, t);
    return (int64_t)floor_div(alpha.num * latest + (alpha.den - alpha.num) * earliest, alpha.den);
}

/* As early as the component lets it: max_i(g[i] - wbar(i,t)). */
static int64_t after_component(const struct placing *p, size_t t)
{
    int64_t g = INT64_MIN;
    for (size_t i = 0; i < p->d->n; i++) {
        if (p->place[i] == IN_COMPONENT && p->g[i] - dense_bound(p->d, i, t) > g)
            g = p->g[i] - dense_bound(p->d, i, t);
    }
    return g;
}

/* As late as the component and the threads after it let it: min_i(g[i] + wbar(t,i)). */
static int64_t before_all(const struct placing *p, size_t t)
{
    int64_t g = INT64_MAX;
    for (size_t i = 0; i < p->d->n; i++) {
        int64_t bound = dense_bound(p->d, t, i);
        if (p->place[i] != BEFORE && bound != TICKS_INF && p->g[i] + bound < g)
            g = p->g[i] + bound;
    }
    return g;
}

csy_status offsets_place(const struct dense *d, size_t tau, csy_fraction alpha, int64_t *g,
                         size_t *unbounded, csy_error *error)
{
    struct placing p = {d, tau, g, malloc(d->n)};
    if (!p.place)
        return error_memory(error);
    csy_status status = CSY_OK;
    if (!sort_threads(&p, unbounded))
        status = error_set(error, CSY_INPUT, "a thread is unbounded both ways");
    for (size_t t = 0; !status && t < d->n; t++)
        if (p.place[t] == IN_COMPONENT)
            g[t] = inside_bound(&p, t, alpha);
    for (size_t t = 0; !status && t < d->n; t++)
        if (p.place[t] == AFTER)
            g[t] = after_component(&p, t);
    for (size_t t = 0; !status && t < d->n; t++)
        if (p.place[t] == BEFORE)
            g[t] = before_all(&p, t);
    free(p.place);
    return status;
}
