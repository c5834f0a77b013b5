/* Computes with paths ("walks") that are stored edge by edge. */
#include "graph/walks.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

int128 walk_weight(const struct edge *edges, size_t n)
{
    int128 sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (int128)edges[i].to.x - edges[i].from.x - edges[i].latency_ticks;
    return sum;
}

/* The last place of a thread on the path so far. */
struct place {
    uint32_t thread;
    size_t at; /* index in the path of the edge that leaves the thread, or SIZE_MAX */
};

static struct place *find_place(struct place *places, size_t n, uint32_t thread)
{
    return FIND(&thread, places, n, compare_ids);
}

csy_status walk_worst_cycle(struct edge *edges, size_t n, size_t *length, csy_error *error)
{
    size_t nworst = 0, npath = 0;
    int128 worst_weight = 0;
    struct edge *worst = malloc(n * sizeof *worst), *path = malloc(n * sizeof *path);
    struct place *places = malloc(n * sizeof *places);
    bool good = worst && path && places;
    for (size_t i = 0; i < n && good; i++)
        places[i] = (struct place){edges[i].from.thread, SIZE_MAX};
    if (good)
        SORT(places, n, compare_ids);
    /* Follow the edges. If a thread is visited again, the edges in between are a cycle: remove
     * it. */
    for (size_t i = 0; i < n && good; i++) {
        find_place(places, n, edges[i].from.thread)->at = npath;
        path[npath++] = edges[i];
        size_t start = find_place(places, n, edges[i].to.thread)->at;
        if (start == SIZE_MAX)
            continue;
        size_t ncycle = npath - start;
        int128 weight = walk_weight(path + start, ncycle);
        if (nworst == 0 || weight * (int128)nworst < worst_weight * (int128)ncycle) {
            memcpy(worst, path + start, ncycle * sizeof *worst);
            nworst = ncycle;
            worst_weight = weight;
        }
        for (size_t k = start; k < npath; k++)
            find_place(places, n, path[k].from.thread)->at = SIZE_MAX;
        npath = start;
    }
    if (good) {
        memcpy(edges, worst, nworst * sizeof *edges);
        *length = nworst;
    }
    FREE_ALL(worst, path, places);
    return good ? CSY_OK : error_memory(error);
}
