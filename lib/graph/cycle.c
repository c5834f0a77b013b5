/* Finds contradictory constraints by the Bellman-Ford algorithm. */
#include "graph/cycle.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NONE UINT32_MAX

size_t cycle_of_parents(const uint32_t *parents, size_t n, uint32_t *seen, uint32_t *cycle)
{
    for (size_t v = 0; v < n; v++)
        seen[v] = NONE;
    for (uint32_t start = 0; start < n; start++) {
        uint32_t at = start;
        for (; at != NONE && seen[at] == NONE; at = parents[at])
            seen[at] = start;
        if (at == NONE || seen[at] != start)
            continue;
        size_t length = 0;
        uint32_t end = at;
        do
            length++;
        while ((at = parents[at]) != end);
        for (size_t i = length; i-- > 0; at = parents[at])
            cycle[i] = at;
        return length;
    }
    return 0;
}

csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error)
{
    size_t n = c->count;
    /* distance[t] is the length of the shortest path to thread t from any thread, times the
     * denominator of `added`. The last edge of this path comes from thread from[t]. */
    int128 *distance = calloc(n, sizeof *distance);
    uint32_t *from = malloc(n * sizeof *from), *mark = malloc(n * sizeof *mark);
    *out = (struct cycle){.threads = malloc(n * sizeof *out->threads)};
    bool good = distance && from && mark && out->threads, fell = good;
    for (size_t t = 0; t < n && good; t++)
        from[t] = NONE;
    while (out->length == 0 && fell) {
        fell = false;
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n; t++) {
                int64_t w = s == t && !with_itself ? WALK_INF : constraints_weight(c, s, t);
                int128 far = distance[s] + (int128)w * added.den + added.num;
                if (w >= WALK_FAR || far >= distance[t])
                    continue;
                distance[t] = far;
                from[t] = (uint32_t)s;
                fell = true;
            }
        if (fell)
            out->length = cycle_of_parents(from, n, mark, out->threads);
    }
    FREE_ALL(distance, from, mark);
    return good ? CSY_OK : error_memory(error);
}

void cycle_fini(struct cycle *cycle)
{
    free(cycle->threads);
    *cycle = (struct cycle){0};
}
