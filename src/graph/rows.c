/* Rows of the bounds graph out of the records of a sweep. */
#include "graph/rows.h"

/* Compiled for each number of lanes, so that the loops over them unroll. */
#define FOR_EACH_WIDTH static inline __attribute__((always_inline))

/* to = min(to, through + edge), lane by lane. */
FOR_EACH_WIDTH void relax(int64_t *restrict to, const int64_t *restrict through, int64_t edge,
                          size_t lanes)
{
    if (edge >= WALK_FAR)
        return;
    for (size_t i = 0; i < lanes; i++) {
        int64_t walk = through[i] + edge;
        walk = walk >= WALK_FAR ? WALK_INF : walk;
        to[i] = walk < to[i] ? walk : to[i];
    }
}

/* Along the deaths, whoever dies hands on to those who live, and the carrier to whoever speaks later;
 * backwards, those who live on to whoever has died. */
FOR_EACH_WIDTH void spread_from(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    int64_t carrier[ROWS_LANES];
    for (size_t i = 0; i < lanes; i++)
        carrier[i] = WALK_INF;
    for (size_t k = 0; k < graph->count; k++) {
        const struct death *d = &graph->deaths[k];
        const int64_t *dying = values + d->thread * lanes;
        for (uint32_t i = 0; d->carrier && i < d->live; i++)
            relax(values + d->ids[i] * lanes, carrier, d->carrier[1 + i], lanes);
        for (uint32_t i = 0; i + 1 < d->live; i++)
            relax(values + d->ids[i] * lanes, dying, d->row[i], lanes);
        if (d->carrier)
            relax(carrier, dying, d->carrier[0], lanes);
    }
    for (size_t k = graph->count; k-- > 0;) {
        const struct death *d = &graph->deaths[k];
        for (uint32_t i = 0; i + 1 < d->live; i++)
            relax(values + d->thread * lanes, values + d->ids[i] * lanes, d->column[i], lanes);
    }
}

/* The same the other way round. */
FOR_EACH_WIDTH void spread_to(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    int64_t carrier[ROWS_LANES];
    for (size_t i = 0; i < lanes; i++)
        carrier[i] = WALK_INF;
    for (size_t k = 0; k < graph->count; k++) {
        const struct death *d = &graph->deaths[k];
        for (uint32_t i = 0; i + 1 < d->live; i++)
            relax(values + d->ids[i] * lanes, values + d->thread * lanes, d->column[i], lanes);
    }
    for (size_t k = graph->count; k-- > 0;) {
        const struct death *d = &graph->deaths[k];
        int64_t *dying = values + d->thread * lanes;
        for (uint32_t i = 0; i + 1 < d->live; i++)
            relax(dying, values + d->ids[i] * lanes, d->row[i], lanes);
        if (!d->carrier)
            continue;
        relax(dying, carrier, d->carrier[0], lanes);
        for (uint32_t i = 0; i < d->live; i++)
            relax(carrier, values + d->ids[i] * lanes, d->carrier[1 + i], lanes);
    }
}

void rows_from(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    if (lanes == ROWS_LANES)
        spread_from(graph, values, ROWS_LANES);
    else
        spread_from(graph, values, 1);
}

void rows_to(const struct sweep_graph *graph, int64_t *values, size_t lanes)
{
    if (lanes == ROWS_LANES)
        spread_to(graph, values, ROWS_LANES);
    else
        spread_to(graph, values, 1);
}
