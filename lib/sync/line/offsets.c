/* Chooses one offset for each thread within its bounds. */
#include "sync/line/offsets.h"

#include "base/error.h"

#include <stdlib.h>

/* --- The local estimate ----------------------------------------------------------------------
 *
 * The local estimate moves each offset to the middle of the interval that the offsets of other
 * threads leave. See doc/algorithms.md, Local offsets. The present offsets g of the threads i leave
 * thread t the interval
 *
 *    max over i of (g[i] - wbar(i,t)) <= g[t] <= min over i of (g[i] + wbar(t,i))
 *
 * where wbar(s,t) is the bound of bounds/bounds.h. The interval would be the same with the
 * constraints in place of these bounds. Since one thread is moved at a time (Gauss-Seidel), all
 * constraints remain met. */

enum { CENTER_SWEEPS = 5 };

struct center {
    const struct bounds *b;
    size_t tau;
    const bool *moves;
    int64_t *g;
    /* The offsets of threads that were moved before limit g[t] to -below[t] <= g[t] <= above[t].
     * WALK_INF: no limit. */
    int64_t *below, *above;
    int64_t *carrier;
};

/* Return the offset of thread t (walk_of) or minus this offset (walk_back). WALK_INF: other threads
 * ignore t, because `moves` is false for it. */
static int64_t walk_of(const struct center *c, size_t t)
{
    return c->moves[t] ? c->g[t] : WALK_INF;
}

static int64_t walk_back(const struct center *c, size_t t)
{
    return c->moves[t] ? -c->g[t] : WALK_INF;
}

static void move(struct center *c, size_t t, int64_t below, int64_t above)
{
    if (t != c->tau && below < WALK_FAR && above < WALK_FAR)
        c->g[t] = (int64_t)floor_div((int128)above - below, 2);
}

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
        for (uint32_t i = 0; i < d->live; i++)
            walk_lower(&c->below[d->ids[i]], walk_add(pushed, d->carrier[1 + i]));
        eliminate(c, d, walk_add(c->carrier[k], d->carrier[0]));
        walk_lower(&pushed, walk_add(walk_back(c, d->thread), d->carrier[0]));
    }
}

/* Move each offset g[t] with moves[t] to the middle of the interval that the other offsets permit,
 * several times. g[tau] stays. `order` sorts threads by last event; it may be NULL if the sweep has
 * made the bounds. */
static csy_status
center_locally(const struct bounds *b, size_t tau, const uint32_t *order,
               /* written to below: NOLINTNEXTLINE(readability-non-const-parameter) */
               const bool *moves, int64_t *g, csy_error *error)
{
    int64_t *room = calloc(3 * b->n, sizeof *room);
    if (!room)
        return error_memory(error);
    struct center c = {b, tau, moves, g, room, room + b->n, room + 2 * b->n};
    for (int sweep = 0; sweep < CENTER_SWEEPS; sweep++) {
        if (!b->dense.closure)
            sweep_eliminations(&c);
        for (size_t k = 0; b->dense.closure && k < b->n; k++) {
            size_t t = order[k];
            int64_t below = WALK_INF, above = WALK_INF;
            for (size_t i = 0; moves[t] && i < b->n; i++) {
                if (i == t)
                    continue;
                walk_lower(&below, walk_add(walk_back(&c, i), dense_bound(&b->dense, i, t)));
                walk_lower(&above, walk_add(walk_of(&c, i), dense_bound(&b->dense, t, i)));
            }
            move(&c, t, below, above);
        }
    }
    free(room);
    return CSY_OK;
}

/* --- All offsets ------------------------------------------------------------------------------ */

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
    bool *inside = malloc(n * sizeof *inside);
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
        /* Threads without an upper limit get the least offset that the other threads permit. */
        for (size_t t = 0; t < n; t++)
            values[t] = is_far(to[t]) || is_far(from[t]) ? WALK_INF : -g[t];
        status = bounds_from(b, values, error);
        for (size_t t = 0; t < n && !status; t++)
            if (is_far(to[t]))
                g[t] = -values[t];
    }
    if (!status && *unbounded) {
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
