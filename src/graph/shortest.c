/* One row and one column of the bounds graph by Bellman and Ford. */
#include "graph/shortest.h"

/* One pass over the edges, forwards or backwards; true if a distance fell. */
static bool relax_edges(const struct constraints *c, int64_t added_ticks, bool backwards,
                        int64_t *distance)
{
    bool fell = false;
    for (size_t s = 0; s < c->count; s++) {
        for (size_t t = 0; t < c->count; t++) {
            int64_t w = constraints_weight(c, s, t);
            size_t here = backwards ? t : s, there = backwards ? s : t;
            if (s == t || w >= WALK_FAR || distance[here] >= WALK_FAR)
                continue;
            if (distance[here] + w + added_ticks < distance[there]) {
                distance[there] = distance[here] + w + added_ticks;
                fell = true;
            }
        }
    }
    return fell;
}

static bool search(const struct constraints *c, int64_t added_ticks, bool backwards, size_t tau,
                   int64_t *distance)
{
    for (size_t t = 0; t < c->count; t++)
        distance[t] = t == tau ? 0 : WALK_INF;
    for (size_t pass = 0; pass <= c->count; pass++)
        if (!relax_edges(c, added_ticks, backwards, distance))
            return true;
    return false;
}

void shortest_from_and_to(const struct constraints *c, int64_t added_ticks, size_t tau,
                          int64_t *from, int64_t *to, bool *feasible)
{
    *feasible = search(c, added_ticks, false, tau, from) && search(c, added_ticks, true, tau, to);
}
