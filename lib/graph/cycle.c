/* Finds contradictory constraints by the Bellman-Ford algorithm. */
#include "graph/cycle.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NONE UINT32_MAX

csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error)
{
    size_t n = c->count;
    /* distance[t] is the length of the shortest path to thread t from any thread, times the
     * denominator of `added`. The last edge of this path comes from thread from[t]. */
    int128 *distance = calloc(n, sizeof *distance);
    uint32_t *from = malloc(n * sizeof *from), *mark = malloc(n * sizeof *mark);
    bool good = distance && from && mark, fell = good;
    uint32_t on = NONE; /* a thread on a negative cycle of edges from[t] -> t, or NONE */
    *out = (struct cycle){0};
    for (size_t t = 0; t < n && good; t++)
        from[t] = NONE;
    while (on == NONE && fell) {
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
        for (size_t t = 0; t < n; t++)
            mark[t] = NONE;
        for (uint32_t start = 0; start < n && on == NONE && fell; start++) {
            uint32_t t = start;
            for (; t != NONE && mark[t] == NONE; t = from[t])
                mark[t] = start;
            if (t != NONE && mark[t] == start)
                on = t;
        }
    }
    if (on != NONE) {
        uint32_t t = on;
        do {
            out->length++;
            t = from[t];
        } while (t != on);
        out->threads = malloc(out->length * sizeof *out->threads);
        good = out->threads != NULL;
        for (size_t i = good ? out->length : 0; i-- > 0; t = from[t])
            out->threads[i] = t;
        out->length = good ? out->length : 0;
    }
    FREE_ALL(distance, from, mark);
    return good ? CSY_OK : error_memory(error);
}

void cycle_fini(struct cycle *cycle)
{
    free(cycle->threads);
    *cycle = (struct cycle){0};
}
