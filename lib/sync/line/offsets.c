/* Chooses one offset for each thread within its bounds. */
#include "sync/line/offsets.h"

#include "base/error.h"
#include "bounds/center.h"

#include <stdlib.h>

struct placing {
    const struct bounds *b;
    int64_t *g;
    int64_t *from, *to; /* wbar(tau,t) and wbar(t,tau) */
    int64_t *values;
    bool *inside; /* tau bounds it on both sides */
};

static bool is_after(const struct placing *p, size_t t)
{
    return p->to[t] >= WALK_FAR;
}

static bool is_before(const struct placing *p, size_t t)
{
    return p->from[t] >= WALK_FAR;
}

/* Set from[t] = wbar(tau,t) and to[t] = wbar(t,tau). CSY_INPUT if tau bounds a thread on neither
 * side. */
static csy_status measure(const struct placing *p, const struct offsets_rule *rule,
                          size_t *unbounded, csy_error *error)
{
    for (size_t t = 0; t < p->b->n; t++)
        p->from[t] = p->to[t] = t == rule->tau ? 0 : WALK_INF;
    csy_status status = bounds_around(p->b, p->from, p->to, rule->workers, error);
    *unbounded = 0;
    for (size_t t = 0; t < p->b->n && !status; t++) {
        *unbounded += is_after(p, t) || is_before(p, t);
        if (is_after(p, t) && is_before(p, t))
            status = error_set(error, CSY_INPUT, "a thread is unbounded both ways");
    }
    return status;
}

/* Compute floor(alpha wbar(t,tau) - (1 - alpha) wbar(tau,t)). */
static int64_t inside_bound(const struct placing *p, size_t t, csy_fraction alpha)
{
    int128 latest = p->to[t], earliest = -(int128)p->from[t];
    return (int64_t)floor_div(alpha.num * latest + (alpha.den - alpha.num) * earliest, alpha.den);
}

/* Place threads as early as the component permits, at max_i(g[i] - wbar(i,t)) = -min_i(wbar(i,t) -
 * g[i]). */
static csy_status place_after(struct placing *p, csy_error *error)
{
    for (size_t t = 0; t < p->b->n; t++)
        p->values[t] = is_after(p, t) || is_before(p, t) ? WALK_INF : -p->g[t];
    csy_status status = bounds_from(p->b, p->values, error);
    for (size_t t = 0; t < p->b->n && !status; t++)
        if (is_after(p, t))
            p->g[t] = -p->values[t];
    return status;
}

/* Place threads as late as the component, and the threads after it, permit: min_i(g[i] +
 * wbar(t,i)). */
static csy_status place_before(struct placing *p, csy_error *error)
{
    for (size_t t = 0; t < p->b->n; t++)
        p->values[t] = is_before(p, t) ? WALK_INF : p->g[t];
    csy_status status = bounds_to(p->b, p->values, error);
    for (size_t t = 0; t < p->b->n && !status; t++)
        if (is_before(p, t))
            p->g[t] = p->values[t];
    return status;
}

/* Place the threads that tau bounds on both sides. */
static csy_status place_inside(struct placing *p, const struct offsets_rule *rule, csy_error *error)
{
    for (size_t t = 0; t < p->b->n; t++) {
        p->inside[t] = !is_after(p, t) && !is_before(p, t);
        if (p->inside[t])
            p->g[t] = inside_bound(p, t, rule->alpha);
    }
    return rule->order ? center_locally(p->b, rule->tau, rule->order, p->inside, p->g, error)
                       : CSY_OK;
}

/* All three are written to: NOLINTBEGIN(readability-non-const-parameter) */
csy_status offsets_place(const struct bounds *b, const struct offsets_rule *rule, int64_t *g,
                         int64_t *from, int64_t *to, size_t *unbounded, csy_error *error)
/* NOLINTEND(readability-non-const-parameter) */
{
    struct placing p = {
        b, g, from, to, malloc(b->n * sizeof *p.values), malloc(b->n * sizeof *p.inside)};
    csy_status status =
        p.values && p.inside ? measure(&p, rule, unbounded, error) : error_memory(error);
    if (!status)
        status = place_inside(&p, rule, error);
    if (!status && *unbounded)
        status = place_after(&p, error);
    if (!status && *unbounded)
        status = place_before(&p, error);
    free(p.values);
    free(p.inside);
    return status;
}
