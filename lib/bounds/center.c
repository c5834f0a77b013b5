/* Moves each offset to the middle of its possible range, by the method of Gauss and Seidel. */
#include "bounds/center.h"

#include "base/error.h"

#include <stdlib.h>

struct center {
    const struct bounds *b;
    size_t tau;
    const bool *moves;
    int64_t *g;
    /* For each thread t: the limits that follow from the threads i that this pass has already
     * moved. below[t] is the least wbar(i,t) - g[i], so g[t] >= -below[t]. above[t] is the least
     * g[i] + wbar(t,i), so g[t] <= above[t]. */
    int64_t *below, *above;
    int64_t *carrier; /* for each elimination k: the upper limit that the threads in later
                       * eliminations set through the carrier (graph/sweep.h) */
};

/* Return the offset g[t] (walk_of) or -g[t] (walk_back), or WALK_INF if the bounds between t and
 * the reference are not finite. */
static int64_t walk_of(const struct center *c, size_t t)
{
    return c->moves[t] ? c->g[t] : WALK_INF;
}

static int64_t walk_back(const struct center *c, size_t t)
{
    return c->moves[t] ? -c->g[t] : WALK_INF;
}

/* Move thread t to the middle of the interval from -below to above, if the interval is finite. */
static void move(struct center *c, size_t t, int64_t below, int64_t above)
{
    if (t != c->tau && below < WALK_FAR && above < WALK_FAR)
        c->g[t] = (int64_t)floor_div((int128)above - below, 2);
}

/* Move d->thread to the middle of the interval that its neighbours in the elimination leave.
 * Neighbours that were eliminated earlier have already moved in this pass; the others have not.
 * `carried` is the upper limit that follows from the carrier. */
static void eliminate(struct center *c, const struct elimination *d, int64_t carried)
{
    size_t t = d->thread;
    int64_t below = c->below[t], above = c->above[t];
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        walk_lower(&below, walk_add(walk_back(c, d->ids[i]), d->column[i]));
        walk_lower(&above, walk_add(walk_of(c, d->ids[i]), d->row[i]));
    }
    walk_lower(&above, carried);
    if (c->moves[t])
        move(c, t, below, above);
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        walk_lower(&c->below[d->ids[i]], walk_add(walk_back(c, t), d->row[i]));
        walk_lower(&c->above[d->ids[i]], walk_add(walk_of(c, t), d->column[i]));
    }
}

static void sweep_eliminations(struct center *c)
{
    const struct eliminations *graph = &c->b->sweep;
    int64_t pushed = WALK_INF, least = WALK_INF;
    for (size_t t = 0; t < c->b->n; t++)
        c->below[t] = c->above[t] = WALK_INF;
    /* The carrier (graph/sweep.h) stands for earlier events: through it, threads that are
     * eliminated later set upper limits for this thread. */
    for (size_t k = graph->count; graph->has_carrier && k-- > 0;) {
        const struct elimination *d = &graph->items[k];
        c->carrier[k] = least;
        for (uint32_t i = 0; i < d->live; i++)
            walk_lower(&least, walk_add(walk_of(c, d->ids[i]), d->carrier[1 + i]));
    }
    for (size_t k = 0; k < graph->count; k++) {
        const struct elimination *d = &graph->items[k];
        if (!d->carrier) {
            eliminate(c, d, WALK_INF);
            continue;
        }
        /* Threads that are already eliminated set lower limits for the others, also through the
         * carrier. */
        for (uint32_t i = 0; i < d->live; i++)
            walk_lower(&c->below[d->ids[i]], walk_add(pushed, d->carrier[1 + i]));
        eliminate(c, d, walk_add(c->carrier[k], d->carrier[0]));
        walk_lower(&pushed, walk_add(walk_back(c, d->thread), d->carrier[0]));
    }
}

static void sweep_dense(struct center *c, const uint32_t *order)
{
    const struct dense *dense = &c->b->dense;
    for (size_t k = 0; k < c->b->n; k++) {
        size_t t = order[k];
        int64_t below = WALK_INF, above = WALK_INF;
        for (size_t i = 0; c->moves[t] && i < c->b->n; i++) {
            if (i == t)
                continue;
            walk_lower(&below, walk_add(walk_back(c, i), dense_bound(dense, i, t)));
            walk_lower(&above, walk_add(walk_of(c, i), dense_bound(dense, t, i)));
        }
        move(c, t, below, above);
    }
}

csy_status center_locally(const struct bounds *b, size_t tau, const uint32_t *order,
                          /* written to below: NOLINTNEXTLINE(readability-non-const-parameter) */
                          const bool *moves, int64_t *g, csy_error *error)
{
    int64_t *room = calloc(3 * b->n, sizeof *room);
    if (!room)
        return error_memory(error);
    struct center c = {b, tau, moves, g, room, room + b->n, room + 2 * b->n};
    for (int sweep = 0; sweep < CENTER_SWEEPS; sweep++) {
        if (b->dense.closure)
            sweep_dense(&c, order);
        else
            sweep_eliminations(&c);
    }
    free(room);
    return CSY_OK;
}
