/* Chooses one offset for each thread within its bounds. */
#include "sync/line/offsets.h"

#include "base/error.h"
#include "bounds/center.h"

#include <stdlib.h>

/* Returns true if a bound is infinite. */
static bool is_far(int64_t bound)
{
    return bound >= WALK_FAR;
}

/* All three are written to: NOLINTBEGIN(readability-non-const-parameter) */
csy_status offsets_place(const struct bounds *b, const struct offsets_rule *rule, int64_t *g,
                         int64_t *from, int64_t *to, size_t *unbounded, csy_error *error)
/* NOLINTEND(readability-non-const-parameter) */
{
    const csy_fraction alpha = rule->alpha;
    size_t n = b->n;
    int64_t *values = malloc(n * sizeof *values);
    bool *inside = malloc(n * sizeof *inside); /* true if the reference limits the thread on both
                                                * sides */
    csy_status status = values && inside ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < n; t++)
        from[t] = to[t] = t == rule->tau ? 0 : WALK_INF;
    if (!status)
        status = bounds_around(b, from, to, rule->workers, error);
    *unbounded = 0;
    for (size_t t = 0; t < n && !status; t++) {
        inside[t] = !is_far(to[t]) && !is_far(from[t]);
        *unbounded += !inside[t];
        if (is_far(to[t]) && is_far(from[t]))
            status = error_set(error, CSY_INPUT, "a thread is unbounded both ways");
        else if (inside[t])
            g[t] = (int64_t)floor_div(
                alpha.num * (int128)to[t] - (alpha.den - alpha.num) * (int128)from[t], alpha.den);
    }
    if (!status && rule->order)
        status = center_locally(b, rule->tau, rule->order, inside, g, error);
    if (!status && *unbounded) {
        /* Place a thread without an upper limit as early as its constraints with the placed threads
         * permit. */
        for (size_t t = 0; t < n; t++)
            values[t] = is_far(to[t]) || is_far(from[t]) ? WALK_INF : -g[t];
        status = bounds_from(b, values, error);
        for (size_t t = 0; t < n && !status; t++)
            if (is_far(to[t]))
                g[t] = -values[t];
    }
    if (!status && *unbounded) {
        /* Place a thread without a lower limit as late as its constraints with all other threads
         * permit. */
        for (size_t t = 0; t < n; t++)
            values[t] = is_far(from[t]) ? WALK_INF : g[t];
        status = bounds_to(b, values, error);
        for (size_t t = 0; t < n && !status; t++)
            if (is_far(from[t]))
                g[t] = values[t];
    }
    free(values);
    free(inside);
    return status;
}
