/* Feasibility, by the Bellman-Ford algorithm. */
#include "graph/cycle.h"

#include "base/error.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Least distances to each thread, from any thread, scaled by the denominator of `added`. */
struct search {
    const struct constraints *c;
    csy_fraction added;
    bool with_itself;
    int128 *distance;
    uint32_t *from; /* from[t] -> t is the edge that set the distance of t */
    uint32_t *mark;
};

static bool edge_weight(const struct search *search, size_t s, size_t t, int128 *out)
{
    if (s == t && !search->with_itself)
        return false;
    int64_t w = constraints_weight(search->c, s, t);
    *out = (int128)w * search->added.den + search->added.num;
    return w < WALK_FAR;
}

/* Make one pass over all edges. Returns true if a distance fell. */
static bool relax_edges(struct search *search)
{
    bool fell = false;
    size_t n = search->c->count;
    for (size_t s = 0; s < n; s++) {
        for (size_t t = 0; t < n; t++) {
            int128 weight;
            if (!edge_weight(search, s, t, &weight))
                continue;
            if (search->distance[s] + weight < search->distance[t]) {
                search->distance[t] = search->distance[s] + weight;
                search->from[t] = (uint32_t)s;
                fell = true;
            }
        }
    }
    return fell;
}

/* Find a thread on a cycle of edges from[t] -> t, or NONE. Every such cycle is negative. */
static uint32_t find_loop(struct search *search)
{
    size_t n = search->c->count;
    for (size_t t = 0; t < n; t++)
        search->mark[t] = NONE;
    for (uint32_t start = 0; start < n; start++) {
        uint32_t t = start;
        while (t != NONE && search->mark[t] == NONE) {
            search->mark[t] = start;
            t = search->from[t];
        }
        if (t != NONE && search->mark[t] == start)
            return t;
    }
    return NONE;
}

static csy_status set_cycle(const struct search *search, uint32_t on, struct cycle *out,
                            csy_error *error)
{
    size_t length = 0;
    uint32_t t = on;
    do {
        length++;
        t = search->from[t];
    } while (t != on);
    out->threads = malloc(length * sizeof *out->threads);
    if (!out->threads)
        return error_memory(error);
    out->length = length;
    for (size_t i = length; i-- > 0;) {
        out->threads[i] = t;
        t = search->from[t];
    }
    return CSY_OK;
}

csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error)
{
    size_t n = c->count;
    struct search search = {c,
                            added,
                            with_itself,
                            calloc(n, sizeof *search.distance),
                            malloc(n * sizeof *search.from),
                            malloc(n * sizeof *search.mark)};
    csy_status status = CSY_OK;
    uint32_t on = NONE;
    *out = (struct cycle){0};
    if (!search.distance || !search.from || !search.mark) {
        status = error_memory(error);
    } else {
        for (size_t t = 0; t < n; t++)
            search.from[t] = NONE;
        while (on == NONE && relax_edges(&search))
            on = find_loop(&search);
        if (on != NONE)
            status = set_cycle(&search, on, out, error);
    }
    free(search.distance);
    free(search.from);
    free(search.mark);
    return status;
}

void cycle_fini(struct cycle *cycle)
{
    free(cycle->threads);
    *cycle = (struct cycle){0};
}
