/* Chooses an offset for each clock, in components: sets of clocks that limit each other. */
#include "sync/partial/islands.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* so that the difference of two offsets fits in 64 bits */
#define PLACE_MAX ((int64_t)1 << 60)

struct component {
    uint32_t first;
    /* NONE if there are only groups of events, no clocks */
    uint32_t reference;
    uint64_t first_record;
    /* valid if `placed` is true */
    int128 shift;
    bool placed, listed;
};

/* The offsets that a group of events may have, as far as the clocks with known offsets tell. A
 * group gets no fixed offset, because that would limit other clocks without need. */
struct span {
    bool after, before; /* true if `earliest` (or `latest`) is valid */
    int128 earliest, latest;
};

struct placer {
    const struct search_graph *graph;
    const struct islands_rule *rule;
    size_t n;
    /* `count` components, and one more with the number of vertices as its `first` */
    struct component *items;
    size_t count;
    uint32_t *component;
    uint32_t *members; /* vertices, grouped by component */
    /* for each vertex: its offset minus the offset of its component's reference */
    int64_t *inside;
    uint32_t *list;
    size_t nlist;
    struct span *spans;
    uint32_t *changed;
    size_t nchanged, changed_capacity;
};

/* List each component's vertices. Its reference is rule->tau or the clock with the most records. */
static csy_status list_members(struct placer *p, csy_error *error)
{
    const struct island_clock *clocks = p->rule->clocks;
    p->items = calloc(p->count + 2, sizeof *p->items);
    if (!p->items)
        return error_memory(error);
    for (size_t v = 0; v < p->n; v++)
        p->items[p->component[v] + 1].first++;
    for (size_t c = 0; c < p->count; c++) {
        p->items[c + 1].first += p->items[c].first;
        p->items[c].reference = NONE;
    }
    for (uint32_t v = 0; v < p->n; v++) {
        struct component *c = &p->items[p->component[v]];
        p->members[c->first++] = v;
        if (v >= p->graph->pairs->nclocks)
            continue;
        const struct island_clock *clock = &clocks[v];
        if (c->reference == NONE || clock->first_record < c->first_record)
            c->first_record = clock->first_record;
        const struct island_clock *most = c->reference == NONE ? NULL : &clocks[c->reference];
        if (!most || v == p->rule->tau ||
            (c->reference != p->rule->tau &&
             (clock->records > most->records ||
              (clock->records == most->records && clock->first_record < most->first_record))))
            c->reference = v;
    }
    for (size_t c = p->count; c > 0; c--)
        p->items[c].first = p->items[c - 1].first;
    p->items[0].first = 0;
    return CSY_OK;
}

/* A constraint between a given vertex and the vertex `other`. */
struct arm {
    uint32_t other;
    int128 weight;
};

static size_t arms_of(const struct placer *p, uint32_t v, bool out)
{
    const struct search_graph *graph = p->graph;
    return out ? graph->pairs->first[v + 1] - graph->pairs->first[v]
               : graph->first_into[v + 1] - graph->first_into[v];
}

static struct arm arm_of(const struct placer *p, uint32_t v, size_t k, bool out)
{
    const struct search_graph *graph = p->graph;
    size_t i = out ? graph->pairs->first[v] + k : graph->into[graph->first_into[v] + k];
    const struct clock_pair *pair = &graph->pairs->items[i];
    return (struct arm){out ? pair->t : pair->s,
                        p->rule->wide ? p->rule->wide(p->rule->user, i) : graph->weight[i]};
}

static bool is_hub(const struct placer *p, uint32_t v)
{
    return v >= p->graph->pairs->nclocks;
}

/* Get the offset of a clock, or the earliest (`after` is true) or latest offset of a group. Returns
 * false if it is not known yet. */
static bool place_of(const struct placer *p, uint32_t v, bool after, int128 *out)
{
    const struct component *c = &p->items[p->component[v]];
    const struct span *span = is_hub(p, v) ? &p->spans[v - p->graph->pairs->nclocks] : NULL;
    *out = span ? (after ? span->earliest : span->latest) : c->shift + p->inside[v];
    return span ? (after ? span->after : span->before) : c->placed;
}

static int128 limit_of(const struct placer *p, size_t c, bool after)
{
    bool any = false;
    int128 limit = 0, place;
    for (size_t m = p->items[c].first; m < p->items[c + 1].first; m++) {
        uint32_t v = p->members[m];
        for (size_t k = 0; k < arms_of(p, v, !after) && !is_hub(p, v); k++) {
            struct arm arm = arm_of(p, v, k, !after);
            if (p->component[arm.other] == c && !is_hub(p, arm.other))
                continue;
            if (!place_of(p, arm.other, after, &place))
                continue;
            place += (after ? -arm.weight : arm.weight) - p->inside[v];
            if (!any || (after ? place > limit : place < limit))
                limit = place;
            any = true;
        }
    }
    return limit;
}

static csy_status tell_hubs(struct placer *p, uint32_t v, bool after, csy_error *error)
{
    int128 place;
    for (size_t k = 0; k < arms_of(p, v, after); k++) {
        struct arm arm = arm_of(p, v, k, after);
        if (!is_hub(p, arm.other) || !place_of(p, v, after, &place))
            continue;
        struct span *span = &p->spans[arm.other - p->graph->pairs->nclocks];
        place += after ? -arm.weight : arm.weight;
        if (after ? span->after && span->earliest >= place : span->before && span->latest <= place)
            continue;
        if (after)
            span->earliest = place;
        else
            span->latest = place;
        span->after |= after;
        span->before |= !after;
        if (!ARRAY_PUSH(p->changed, p->nchanged, p->changed_capacity, arm.other))
            return error_memory(error);
    }
    return CSY_OK;
}

static csy_status place(struct placer *p, uint32_t c, int128 shift, csy_error *error)
{
    csy_status status = CSY_OK;
    p->items[c].shift = shift;
    p->items[c].placed = true;
    for (int after = 0; after < 2; after++) {
        for (size_t m = p->items[c].first; m < p->items[c + 1].first && !status; m++)
            if (!is_hub(p, p->members[m]))
                status = tell_hubs(p, p->members[m], after, error);
        while (p->nchanged > 0 && !status)
            status = tell_hubs(p, p->changed[--p->nchanged], after, error);
    }
    return status;
}

static csy_status place_reached(struct placer *p, size_t old, bool after, size_t *n,
                                csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < p->nlist; i++) {
        size_t c = p->list[i];
        for (size_t m = p->items[c].first; m < p->items[c + 1].first; m++)
            for (size_t k = 0; k < arms_of(p, p->members[m], after); k++) {
                uint32_t next = p->component[arm_of(p, p->members[m], k, after).other];
                if (p->items[next].placed || p->items[next].listed)
                    continue;
                p->items[next].listed = true;
                p->list[p->nlist++] = next;
            }
    }
    *n = p->nlist - old;
    uint32_t *fresh = p->list + old;
    /* Constraints lead only to components with lower numbers. So in this order, each component
     * comes after all components that limit it. */
    SORT(fresh, *n, compare_ids);
    for (size_t i = 0; i < *n && !status; i++) {
        uint32_t c = fresh[after ? *n - 1 - i : i];
        status = place(p, c, limit_of(p, c, after), error);
    }
    return status;
}

static csy_status place_island(struct placer *p, uint32_t c, int128 shift, csy_error *error)
{
    size_t old = 1, n = 0;
    csy_status status = place(p, c, shift, error);
    p->items[c].listed = true;
    p->list[0] = c;
    p->nlist = 1;
    if (!status)
        status = place_reached(p, old, true, &n, error);
    for (bool after = false;; after = !after) {
        old = p->nlist;
        if (!status)
            status = place_reached(p, old, after, &n, error);
        if (status || n == 0)
            return status;
        for (size_t i = 0; i < n; i++)
            p->list[i] = p->list[old + i];
        p->nlist = n;
    }
}

/* Returns the least global time of a component before it is shifted. */
static int128 least_of(const struct placer *p, uint32_t c)
{
    bool any = false;
    int128 least = 0;
    for (size_t m = p->items[c].first; m < p->items[c + 1].first; m++) {
        uint32_t v = p->members[m];
        if (v >= p->graph->pairs->nclocks)
            continue;
        int128 time = (int128)p->inside[v] + p->rule->clocks[v].least_x;
        least = any && least < time ? least : time;
        any = true;
    }
    return least;
}

struct beginning {
    uint64_t first_record;
    uint32_t component;
};

static csy_status place_islands(struct placer *p, size_t *count, csy_error *error)
{
    uint32_t tau = p->component[p->rule->tau];
    int128 begin = least_of(p, tau);
    struct beginning *order = malloc((p->count + 1) * sizeof *order);
    size_t n = 0;
    if (!order)
        return error_memory(error);
    for (size_t c = 0; c < p->count; c++)
        if (p->items[c].reference != NONE)
            order[n++] = (struct beginning){p->items[c].first_record, (uint32_t)c};
    SORT(order, n, compare_numbers);
    csy_status status = place_island(p, tau, 0, error);
    *count = 1;
    for (size_t i = 0; i < n && !status; i++) {
        uint32_t c = order[i].component;
        if (p->items[c].placed)
            continue;
        const struct component *item = &p->items[c];
        int128 shift = p->rule->own_times
                           ? p->rule->clocks[item->reference].own - p->inside[item->reference]
                           : begin - least_of(p, c);
        status = place_island(p, c, shift, error);
        ++*count;
    }
    free(order);
    return status;
}

csy_status islands_place(const struct search_graph *graph, const struct islands_rule *rule,
                         int64_t *g, int128 *shift, size_t *count, csy_error *error)
{
    const struct pairs *pairs = graph->pairs;
    struct placer p = {.graph = graph, .rule = rule, .n = pairs->nvertices};
    uint32_t *heads = malloc((pairs->count + 1) * sizeof *heads);
    p.component = malloc((p.n + 1) * sizeof *p.component);
    p.members = malloc((p.n + 1) * sizeof *p.members);
    p.inside = calloc(p.n + 1, sizeof *p.inside);
    p.list = malloc((2 * p.n + 2) * sizeof *p.list);
    p.spans = calloc(p.n - pairs->nclocks + 1, sizeof *p.spans);
    bool good = heads && p.component && p.members && p.inside && p.list && p.spans;
    csy_status status = good ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < pairs->count && !status; i++)
        heads[i] = pairs->items[i].t;
    if (!status)
        status = components_find(p.n, pairs->first, heads, p.component, &p.count, error);
    free(heads);
    if (!status)
        status = list_members(&p, error);
    if (!status && !rule->wide) {
        const csy_fraction alpha = rule->alpha;
        int64_t *from = malloc((p.n + 1) * sizeof *from), *to = p.inside;
        status = from ? CSY_OK : error_memory(error);
        for (size_t v = 0; v < p.n && !status; v++) {
            const struct component *c = &p.items[p.component[v]];
            uint32_t reference = c->reference == NONE ? p.members[c->first] : c->reference;
            from[v] = to[v] = v == reference ? 0 : WALK_INF;
        }
        if (!status)
            status = search_from(graph, p.component, from, error);
        if (!status)
            status = search_to(graph, p.component, to, error);
        for (size_t v = 0; v < p.n && !status; v++)
            to[v] = (int64_t)floor_div(
                alpha.num * (int128)to[v] - (alpha.den - alpha.num) * (int128)from[v], alpha.den);
        free(from);
    }
    if (!status)
        status = place_islands(&p, count, error);
    for (uint32_t t = 0; t < pairs->nclocks && !status; t++) {
        int128 own = p.items[p.component[t]].shift, place = own + p.inside[t];
        if (shift)
            shift[t] = own;
        else if (place < -PLACE_MAX || place > PLACE_MAX)
            status =
                error_set(error, CSY_INPUT,
                          "the differences between clocks are too large for 64-bit arithmetic");
        else
            g[t] = (int64_t)place;
    }
    FREE_ALL(p.items, p.component, p.members, p.inside, p.list, p.spans, p.changed);
    return status;
}
