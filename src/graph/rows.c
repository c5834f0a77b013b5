/* Rows of the bounds graph out of the records of a sweep. */
#include "graph/rows.h"

/* Compiled for each number of lanes, so that the loops over them unroll. */
#define FOR_EACH_WIDTH static inline __attribute__((always_inline))

/* Finite values stay within this: with an edge they do not reach WALK_FAR. */
#define VALUE_MAX (2 * WALK_MAX)

/* to = min(to, through + edge), lane by lane; false where a finite one leaves the range. */
FOR_EACH_WIDTH bool relax(int64_t *restrict to, const int64_t *restrict through, int64_t edge,
                          size_t lanes)
{
    if (edge >= WALK_FAR)
        return true;
    int64_t least = 0, most = 0;
    for (size_t i = 0; i < lanes; i++) {
        int64_t walk = through[i] + edge;
        int64_t finite = walk >= WALK_FAR ? 0 : walk;
        walk = walk >= WALK_FAR ? WALK_INF : walk;
        to[i] = walk < to[i] ? walk : to[i];
        least = finite < least ? finite : least;
        most = finite > most ? finite : most;
    }
    return least >= -VALUE_MAX && most <= VALUE_MAX;
}

/* Along the deaths, whoever dies hands on to those who live, and the carrier to whoever speaks later;
 * backwards, those who live on to whoever has died. */
FOR_EACH_WIDTH bool spread_from(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    int64_t carrier[ROWS_LANES];
    bool fits = true;
    for (size_t i = 0; i < lanes; i++)
        carrier[i] = WALK_INF;
    for (size_t k = 0; k < graph->count; k++) {
        const struct death *d = &graph->deaths[k];
        const int64_t *dying = values + d->thread * lanes;
        for (uint32_t i = 0; d->carrier && i < d->live; i++)
            fits &= relax(values + d->ids[i] * lanes, carrier, d->carrier[1 + i], lanes);
        for (uint32_t i = 0; i + 1 < d->live; i++)
            fits &= relax(values + d->ids[i] * lanes, dying, d->row[i], lanes);
        if (d->carrier)
            fits &= relax(carrier, dying, d->carrier[0], lanes);
    }
    for (size_t k = graph->count; k-- > 0;) {
        const struct death *d = &graph->deaths[k];
        for (uint32_t i = 0; i + 1 < d->live; i++)
            fits &=
                relax(values + d->thread * lanes, values + d->ids[i] * lanes, d->column[i], lanes);
    }
    return fits;
}

/* The same the other way round. */
FOR_EACH_WIDTH bool spread_to(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    int64_t carrier[ROWS_LANES];
    bool fits = true;
    for (size_t i = 0; i < lanes; i++)
        carrier[i] = WALK_INF;
    for (size_t k = 0; k < graph->count; k++) {
        const struct death *d = &graph->deaths[k];
        for (uint32_t i = 0; i + 1 < d->live; i++)
            fits &=
                relax(values + d->ids[i] * lanes, values + d->thread * lanes, d->column[i], lanes);
    }
    for (size_t k = graph->count; k-- > 0;) {
        const struct death *d = &graph->deaths[k];
        int64_t *dying = values + d->thread * lanes;
        for (uint32_t i = 0; i + 1 < d->live; i++)
            fits &= relax(dying, values + d->ids[i] * lanes, d->row[i], lanes);
        if (!d->carrier)
            continue;
        fits &= relax(dying, carrier, d->carrier[0], lanes);
        for (uint32_t i = 0; i < d->live; i++)
            fits &= relax(carrier, values + d->ids[i] * lanes, d->carrier[1 + i], lanes);
    }
    return fits;
}

bool rows_from(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    return lanes == ROWS_LANES ? spread_from(graph, values, ROWS_LANES)
                               : spread_from(graph, values, 1);
}

bool rows_to(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    return lanes == ROWS_LANES ? spread_to(graph, values, ROWS_LANES) : spread_to(graph, values, 1);
}
