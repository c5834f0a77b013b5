/* The network of readings. */
#include "graph/ageing.h"

#include "base/error.h"
#include "graph/components.h"

#include <stdlib.h>
#include <string.h>

void ageing_fini(struct ageing *a)
{
    free(a->rates);
    free(a->component);
    free(a->reference);
    free(a->vertex);
    free(a->reading);
    free(a->next);
    free(a->previous);
    free(a->sorted);
    free(a->first_of);
    free(a->from);
    free(a->to);
    free(a->first_out);
    free(a->first_in);
    free(a->arcs_out);
    free(a->arcs_in);
    free(a->least);
    free(a->negated);
    free(a->parent);
    free(a->changed);
    free(a->mark);
    *a = (struct ageing){0};
}

/* --- Components --- */

static csy_status find_components(struct ageing *a, csy_error *error)
{
    const struct pairs *pairs = a->pairs;
    uint32_t *to = malloc((pairs->count + 1) * sizeof *to);
    a->component = malloc((pairs->nvertices + 1) * sizeof *a->component);
    if (!to || !a->component) {
        free(to);
        return error_memory(error);
    }
    for (size_t i = 0; i < pairs->count; i++)
        to[i] = pairs->items[i].t;
    csy_status status =
        components_find(pairs->nvertices, pairs->first, to, a->component, &a->ncomponents, error);
    free(to);
    return status;
}

void ageing_set_rate(struct ageing *a, uint32_t tau, uint32_t rate_ppb)
{
    a->rate_ppb = rate_ppb;
    for (uint32_t v = 0; v < a->pairs->nvertices; v++) {
        int64_t rate = v < a->pairs->nclocks && v != tau ? rate_ppb : 0;
        a->rates[v] = (struct ageing_rate){-rate, rate};
    }
}

/* A component has a clock, unless it is a hub alone. */
static csy_status choose_references(struct ageing *a, const struct ageing_rule *rule,
                                    csy_error *error)
{
    size_t n = a->pairs->nvertices, nclocks = a->pairs->nclocks;
    a->reference = malloc((a->ncomponents + 1) * sizeof *a->reference);
    a->rates = malloc((n + 1) * sizeof *a->rates);
    if (!a->reference || !a->rates)
        return error_memory(error);
    ageing_set_rate(a, rule->tau, rule->rate_ppb);
    for (size_t c = 0; c < a->ncomponents; c++)
        a->reference[c] = UINT32_MAX;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t *reference = &a->reference[a->component[v]];
        if (*reference == UINT32_MAX || v == rule->tau ||
            (v < nclocks && *reference != rule->tau && rule->prefer[v] > rule->prefer[*reference]))
            *reference = v;
    }
    return CSY_OK;
}

/* --- Nodes --- */

/* An end of a pair. */
struct reading_end {
    int64_t reading;
    uint32_t end; /* twice the pair, and 1 at its `to` */
};

static int by_reading(const void *left, const void *right)
{
    const struct reading_end *a = left, *b = right;
    if (a->reading != b->reading)
        return a->reading < b->reading ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static uint32_t vertex_of_end(const struct pairs *pairs, size_t end)
{
    const struct clock_pair *pair = &pairs->items[end / 2];
    return end % 2 ? pair->t : pair->s;
}

/* Ends of pairs by vertex, by reading; first[v]: where those of v begin. */
static void sort_ends(const struct ageing *a, const struct points *points, size_t *first,
                      struct reading_end *ends)
{
    const struct pairs *pairs = a->pairs;
    size_t n = pairs->nvertices;
    for (size_t e = 0; e < 2 * pairs->count; e++)
        first[vertex_of_end(pairs, e) + 1]++;
    for (size_t v = 0; v < n; v++)
        first[v + 1] += first[v];
    for (size_t e = 0; e < 2 * pairs->count; e++) {
        const struct clock_pair *pair = &pairs->items[e / 2];
        const struct instant *item = &points->items[e % 2 ? pair->to : pair->from];
        ends[first[vertex_of_end(pairs, e)]++] =
            (struct reading_end){e % 2 ? item->hi : item->lo, (uint32_t)e};
    }
    memmove(first + 1, first, n * sizeof *first);
    first[0] = 0;
    for (size_t v = 0; v < n; v++)
        qsort(ends + first[v], first[v + 1] - first[v], sizeof *ends, by_reading);
}

/* Nodes are numbered such that each follows those that come before it on its vertex, or by pairs,
 * as far as these agree: so passes over them go the way that ages do. */
struct numbering {
    uint32_t *node_of; /* by end of a pair: its node, by vertex and reading */
    bool *begins;      /* by such a node: the first of its vertex */
    size_t *first;     /* by node, and one more: where its sources begin, */
    uint32_t *source;  /* which are nodes */
    uint32_t *done;    /* by node: of those that it follows so many have been looked at, or */
    uint32_t *path;    /* nodes that wait, each for the next */
    uint32_t *number, n;
};

#define NUMBERED UINT32_MAX

static bool numbering_init(struct numbering *m, size_t nends)
{
    *m = (struct numbering){.node_of = calloc(nends + 1, sizeof *m->node_of),
                            .begins = malloc((nends + 1) * sizeof *m->begins),
                            .first = calloc(nends + 2, sizeof *m->first),
                            .source = calloc(nends + 1, sizeof *m->source),
                            .done = calloc(nends + 1, sizeof *m->done),
                            .path = malloc((nends + 1) * sizeof *m->path),
                            .number = malloc((nends + 1) * sizeof *m->number)};
    return m->node_of && m->begins && m->first && m->source && m->done && m->path && m->number;
}

static void numbering_fini(struct numbering *m)
{
    free(m->node_of);
    free(m->begins);
    free(m->first);
    free(m->source);
    free(m->done);
    free(m->path);
    free(m->number);
}

/* The nodes of sorted ends, by vertex and reading.  Returns how many. */
static size_t count_nodes(const size_t *first, size_t nvertices, const struct reading_end *ends,
                          struct numbering *m)
{
    size_t n = 0;
    for (size_t v = 0; v < nvertices; v++)
        for (size_t i = first[v]; i < first[v + 1]; i++) {
            bool same = i > first[v] && ends[i].reading == ends[i - 1].reading;
            if (!same)
                m->begins[n++] = i == first[v];
            m->node_of[ends[i].end] = (uint32_t)n - 1;
        }
    return n;
}

static void find_sources(const struct pairs *pairs, size_t nnodes, struct numbering *m)
{
    for (size_t i = 0; i < pairs->count; i++)
        m->first[m->node_of[2 * i + 1] + 1]++;
    for (size_t v = 0; v < nnodes; v++)
        m->first[v + 1] += m->first[v];
    for (size_t i = 0; i < pairs->count; i++)
        m->source[m->first[m->node_of[2 * i + 1]]++] = m->node_of[2 * i];
    memmove(m->first + 1, m->first, nnodes * sizeof *m->first);
    m->first[0] = 0;
}

/* What a node follows and has not been visited, or NO_NODE. */
static uint32_t next_wanted(struct numbering *m, uint32_t node)
{
    for (;;) {
        uint32_t i = m->done[node]++, wanted;
        if (i == 0 && m->begins[node])
            continue;
        if (i > 0 && m->first[node] + i - 1 == m->first[node + 1])
            return NO_NODE;
        wanted = i == 0 ? node - 1 : m->source[m->first[node] + i - 1];
        if (m->done[wanted] == 0)
            return wanted;
    }
}

static void number_from(struct numbering *m, uint32_t node)
{
    for (size_t npath = 0;;) {
        uint32_t wanted = next_wanted(m, node);
        if (wanted != NO_NODE) {
            m->path[npath++] = node;
            node = wanted;
            continue;
        }
        m->done[node] = NUMBERED;
        m->number[node] = m->n++;
        if (npath == 0)
            return;
        node = m->path[--npath];
    }
}

static bool allocate_nodes(struct ageing *a, size_t n)
{
    a->nnodes = n;
    a->vertex = malloc((n + 1) * sizeof *a->vertex);
    a->reading = malloc((n + 1) * sizeof *a->reading);
    a->next = malloc((n + 1) * sizeof *a->next);
    a->previous = malloc((n + 1) * sizeof *a->previous);
    a->sorted = malloc((n + 1) * sizeof *a->sorted);
    a->first_of = calloc(a->pairs->nvertices + 2, sizeof *a->first_of);
    a->least = malloc((n + 1) * sizeof *a->least);
    a->negated = malloc((n + 1) * sizeof *a->negated);
    a->parent = malloc((n + 1) * sizeof *a->parent);
    a->mark = malloc((n + 1) * sizeof *a->mark);
    a->changed = calloc(n / AGEING_WORD + 1, sizeof *a->changed);
    a->from = malloc((a->pairs->count + 1) * sizeof *a->from);
    a->to = malloc((a->pairs->count + 1) * sizeof *a->to);
    return a->vertex && a->reading && a->next && a->previous && a->sorted && a->first_of &&
           a->least && a->negated && a->parent && a->mark && a->changed && a->from && a->to;
}

/* Nodes out of sorted ends; number[k] is that of the k-th of these. */
static void link_nodes(struct ageing *a, const size_t *first, const struct reading_end *ends,
                       const uint32_t *number)
{
    size_t k = 0;
    for (uint32_t v = 0; v < a->pairs->nvertices; v++) {
        uint32_t last = NO_NODE;
        a->first_of[v] = k;
        for (size_t i = first[v]; i < first[v + 1]; i++) {
            bool same = i > first[v] && ends[i].reading == ends[i - 1].reading;
            uint32_t node = number[same ? k - 1 : k];
            *(ends[i].end % 2 ? &a->to[ends[i].end / 2] : &a->from[ends[i].end / 2]) = node;
            if (same)
                continue;
            a->sorted[k++] = node;
            a->vertex[node] = v;
            a->reading[node] = ends[i].reading;
            a->previous[node] = last;
            a->next[node] = NO_NODE;
            if (last != NO_NODE)
                a->next[last] = node;
            last = node;
        }
    }
    a->first_of[a->pairs->nvertices] = k;
}

static csy_status make_nodes(struct ageing *a, const struct points *points, csy_error *error)
{
    size_t nends = 2 * a->pairs->count, n = 0;
    size_t *first = calloc(a->pairs->nvertices + 2, sizeof *first);
    struct reading_end *ends = malloc((nends + 1) * sizeof *ends);
    struct numbering numbering = {0};
    bool good = first && ends && numbering_init(&numbering, nends);
    if (good) {
        sort_ends(a, points, first, ends);
        n = count_nodes(first, a->pairs->nvertices, ends, &numbering);
        find_sources(a->pairs, n, &numbering);
        for (uint32_t v = 0; v < n; v++)
            if (numbering.done[v] == 0)
                number_from(&numbering, v);
        good = allocate_nodes(a, n);
    }
    if (good)
        link_nodes(a, first, ends, numbering.number);
    numbering_fini(&numbering);
    free(first);
    free(ends);
    return good ? CSY_OK : error_memory(error);
}

csy_status ageing_make_arcs(const struct ageing *a, const uint32_t *at, const uint32_t *other,
                            size_t **first, struct ageing_arc **arcs, csy_error *error)
{
    const struct pairs *pairs = a->pairs;
    size_t *start = calloc(a->nnodes + 2, sizeof *start);
    struct ageing_arc *made = malloc((pairs->count + 1) * sizeof *made);
    *first = start;
    *arcs = made;
    if (!start || !made)
        return error_memory(error);
    for (size_t i = 0; i < pairs->count; i++)
        start[at[i] + 1] += a->component[pairs->items[i].s] == a->component[pairs->items[i].t];
    for (size_t v = 0; v < a->nnodes; v++)
        start[v + 1] += start[v];
    for (size_t i = 0; i < pairs->count; i++) {
        const struct clock_pair *pair = &pairs->items[i];
        if (a->component[pair->s] != a->component[pair->t])
            continue;
        uint32_t number = (uint32_t)i | (pair_counts(pairs, pair) ? ARC_COUNTS : 0);
        made[start[at[i]]++] = (struct ageing_arc){other[i], number, pair->weight};
    }
    memmove(start + 1, start, a->nnodes * sizeof *start);
    start[0] = 0;
    return CSY_OK;
}

csy_status ageing_init(struct ageing *ageing, const struct points *points,
                       const struct pairs *pairs, const struct ageing_rule *rule, csy_error *error)
{
    *ageing = (struct ageing){.pairs = pairs};
    csy_status status = find_components(ageing, error);
    if (!status)
        status = choose_references(ageing, rule, error);
    if (!status)
        status = make_nodes(ageing, points, error);
    if (!status)
        status = ageing_make_arcs(ageing, ageing->from, ageing->to, &ageing->first_out,
                                  &ageing->arcs_out, error);
    if (!status)
        status = ageing_make_arcs(ageing, ageing->to, ageing->from, &ageing->first_in,
                                  &ageing->arcs_in, error);
    return status;
}
