/* Finds the least delta for which no constraints contradict each other (graph/mincycle.h). */
#include "graph/mincycle.h"

#include "base/array.h"
#include "base/error.h"
#include "graph/minplus.h"

#include <stdlib.h>

#define NO_PAIR UINT32_MAX

#define LABEL_MAX WALK_FAR

struct labels {
    const struct pairs *pairs;
    csy_fraction twice;
    int128 *label;    /* length of the shortest path found to each vertex, times twice.den; at most
                       * 0 */
    uint32_t *parent; /* pair that last lowered the label of each vertex, or NO_PAIR */
    uint32_t *mark;
    bool *active;
};

void mincycle_fini(struct mincycle *cycle)
{
    free(cycle->witness);
    *cycle = (struct mincycle){0};
}

static csy_status labels_init(struct labels *s, const struct pairs *pairs, csy_error *error)
{
    size_t n = pairs->nvertices + 1;
    *s = (struct labels){.pairs = pairs,
                         .label = malloc(n * sizeof *s->label),
                         .parent = malloc(n * sizeof *s->parent),
                         .mark = malloc(n * sizeof *s->mark),
                         .active = malloc(n * sizeof *s->active)};
    return s->label && s->parent && s->mark && s->active ? CSY_OK : error_memory(error);
}

static void labels_fini(struct labels *s)
{
    FREE_ALL(s->label, s->parent, s->mark, s->active);
}

static void begin_again(struct labels *s, csy_fraction twice)
{
    s->twice = twice;
    for (size_t v = 0; v < s->pairs->nvertices; v++) {
        s->label[v] = 0;
        s->parent[v] = NO_PAIR;
        s->active[v] = true;
    }
}

/* Extend each path by one pair, if it became shorter since its last vertex was visited. Sets
 * *changed to true if a label fell. */
static csy_status pass(struct labels *s, bool *changed, csy_error *error)
{
    const struct pairs *pairs = s->pairs;
    int128 den = s->twice.den, num = s->twice.num, least = 0;
    *changed = false;
    for (size_t v = 0; v < pairs->nvertices; v++) {
        if (!s->active[v])
            continue;
        s->active[v] = false;
        for (size_t i = pairs->first[v]; i < pairs->first[v + 1]; i++) {
            const struct clock_pair *pair = &pairs->items[i];
            int128 walk = s->label[v] + pair->weight * den + (pair_counts(pairs, pair) ? num : 0);
            if (walk >= s->label[pair->t])
                continue;
            s->label[pair->t] = walk;
            s->parent[pair->t] = (uint32_t)i;
            s->active[pair->t] = true;
            *changed = true;
            least = walk < least ? walk : least;
        }
    }
    return least >= -LABEL_MAX * den ? CSY_OK : walk_range_error(error);
}

struct ring {
    uint32_t v;
    size_t length;
    int128 weight, count;
};

/* Find the cycle of parents (struct labels) that requires the greatest timestamp error. The result
 * has the length 0 if there is no cycle. O(vertices) time. */
static struct ring find_ring(const struct labels *s)
{
    struct ring most = {0};
    for (size_t v = 0; v < s->pairs->nvertices; v++)
        s->mark[v] = 0;
    for (uint32_t v = 0; v < s->pairs->nvertices; v++) {
        uint32_t at = v;
        while (s->mark[at] == 0) {
            s->mark[at] = v + 1;
            if (s->parent[at] == NO_PAIR)
                break;
            at = s->pairs->items[s->parent[at]].s;
        }
        if (s->mark[at] != v + 1 || s->parent[at] == NO_PAIR)
            continue;
        struct ring ring = {.v = at};
        uint32_t next = at;
        do {
            const struct clock_pair *pair = &s->pairs->items[s->parent[next]];
            ring.weight += pair->weight;
            ring.count += pair_counts(s->pairs, pair);
            ring.length++;
            next = pair->s;
        } while (next != at);
        if (most.length == 0 || -ring.weight * most.count > -most.weight * ring.count)
            most = ring;
    }
    return most;
}

csy_status mincycle_find(const struct pairs *pairs, csy_fraction least, bool given,
                         struct mincycle *out, csy_error *error)
{
    struct labels s;
    bool changed = true;
    csy_status status = labels_init(&s, pairs, error);
    *out = (struct mincycle){.twice = least};
    if (!status)
        begin_again(&s, least);
    while (!status && changed) {
        status = pass(&s, &changed, error);
        struct ring ring = {0};
        if (!status && changed)
            ring = find_ring(&s);
        if (ring.length == 0)
            continue;
        free(out->witness);
        out->witness = malloc(ring.length * sizeof *out->witness);
        out->nwitness = out->witness ? ring.length : 0;
        out->infeasible = given;
        if (!out->witness)
            status = error_memory(error);
        for (size_t i = out->nwitness, at = ring.v; i-- > 0; at = pairs->items[s.parent[at]].s)
            out->witness[i] = s.parent[at];
        if (status || given)
            break;
        if (!fraction_make(-ring.weight, ring.count, &out->twice))
            status = error_set(error, CSY_INPUT, "delta does not fit 64 bits");
        begin_again(&s, out->twice);
    }
    labels_fini(&s);
    return status;
}

csy_status mincycle_labels(const struct pairs *pairs, int64_t added_ticks, int64_t *label,
                           csy_error *error)
{
    struct labels s;
    bool changed = true;
    csy_status status = labels_init(&s, pairs, error);
    if (!status)
        begin_again(&s, (csy_fraction){added_ticks, 1});
    while (!status && changed)
        status = pass(&s, &changed, error);
    for (size_t v = 0; v < pairs->nvertices && !status; v++)
        label[v] = (int64_t)s.label[v];
    labels_fini(&s);
    return status;
}
