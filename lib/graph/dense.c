/* Computes the bounds between all threads as a dense matrix. */
#include "graph/dense.h"

#include "base/error.h"
#include "graph/closure.h"

#include <stdlib.h>

csy_status dense_check_range(const struct constraints *c, int64_t added_ticks, csy_error *error)
{
    int128 edge = (int128)constraints_largest(c) + added_ticks;
    return edge * ((int128)c->count + 1) < WALK_FAR ? CSY_OK : walk_range_error(error);
}

csy_status dense_close(const struct constraints *c, int64_t added_ticks, unsigned nworkers,
                       struct dense *out, csy_error *error)
{
    bool roomy = dense_check_range(c, added_ticks, NULL) == CSY_OK;
    struct dense d = {.n = c->count};
    d.closure = malloc(d.n * d.n * sizeof *d.closure);
    if (!d.closure)
        return error_memory(error);
    for (size_t s = 0; s < d.n; s++)
        for (size_t t = 0; t < d.n; t++) {
            int64_t w = s == t ? 0 : constraints_weight(c, s, t);
            d.closure[s * d.n + t] = w >= WALK_FAR ? WALK_INF : s == t ? 0 : w + added_ticks;
        }
    csy_status status = roomy ? closure_make(d.closure, d.n, nworkers, c->progress, error)
                        : closure_make_checked(d.closure, d.n) ? CSY_OK
                                                               : walk_range_error(error);
    if (status) {
        dense_fini(&d);
        return status;
    }
    *out = d;
    return CSY_OK;
}

void dense_fini(struct dense *d)
{
    free(d->closure);
    *d = (struct dense){0};
}
