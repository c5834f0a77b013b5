/* A minimum spanning forest. */
#include "bounds/tree.h"

#include "base/error.h"

#include <stdlib.h>

struct growth {
    int64_t
        *near; /* error bound between a thread and the tree; WALK_INF: none yet; -1: in the tree */
    int64_t *room, *errors;
};

/* The thread nearest to the tree, or else the first thread outside it; n if there is none. */
static size_t choose(const struct growth *growth, size_t n)
{
    size_t best = n;
    for (size_t t = 0; t < n; t++)
        if (growth->near[t] >= 0 && (best == n || growth->near[t] < growth->near[best]))
            best = t;
    return best;
}

csy_status tree_find(const struct bounds *b, size_t *parent, csy_error *error)
{
    size_t n = b->n;
    int64_t *all = malloc((3 * n + 1) * sizeof *all);
    if (!all)
        return error_memory(error);
    struct growth growth = {all, all + n, all + 2 * n};
    for (size_t t = 0; t < n; t++) {
        growth.near[t] = WALK_INF;
        parent[t] = TREE_ROOT;
    }
    csy_status status = CSY_OK;
    for (size_t s; !status && (s = choose(&growth, n)) < n;) {
        growth.near[s] = -1;
        status = bounds_errors(b, s, growth.room, growth.errors, error);
        for (size_t t = 0; t < n && !status; t++)
            if (growth.errors[t] >= 0 && growth.errors[t] < growth.near[t]) {
                growth.near[t] = growth.errors[t];
                parent[t] = s;
            }
    }
    free(all);
    return status;
}
