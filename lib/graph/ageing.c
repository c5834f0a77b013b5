/* Computes limits for how much drifting clocks have gained or lost (graph/ageing.h). */
#include "graph/ageing.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "graph/search.h"

#include <stdlib.h>
#include <string.h>

/* --- The network of readings --------------------------------------------------------------- */

void ageing_fini(struct ageing *a)
{
    FREE_ALL(a->rates, a->component, a->reference, a->vertex, a->reading, a->sorted, a->rank,
             a->first_of, a->from, a->to, a->first_out, a->first_in, a->arcs_out, a->arcs_in,
             a->least, a->negated, a->parent, a->changed, a->seen);
    *a = (struct ageing){0};
}

void ageing_set_rate(struct ageing *a, uint32_t tau, uint32_t rate_ppb)
{
    a->rate_ppb = rate_ppb;
    for (uint32_t v = 0; v < a->pairs->nvertices; v++) {
        int64_t rate = v < a->pairs->nclocks && v != tau ? rate_ppb : 0;
        a->rates[v] = (struct ageing_rate){-rate, rate};
    }
}

struct reading_end {
    int64_t reading;
    uint32_t end; /* end / 2 is the index of a pair. An even number means the point `from` of this
                   * pair, an odd one the point `to`. */
};

static int by_reading(const void *left, const void *right)
{
    const struct reading_end *a = left, *b = right;
    return COMPARE_THEN(a->reading, b->reading, COMPARE(a->end, b->end));
}

static uint32_t vertex_of_end(const struct pairs *pairs, size_t end)
{
    const struct clock_pair *pair = &pairs->items[end / 2];
    return end % 2 ? pair->t : pair->s;
}

/* Sort the ends of pairs by clock and local time. The ends at clock v begin at ends[first[v]]. */
static void sort_ends(const struct ageing *a, const struct points *points, size_t *first,
                      struct reading_end *ends)
{
    const struct pairs *pairs = a->pairs;
    size_t n = pairs->nvertices;
    for (size_t e = 0; e < 2 * pairs->count; e++)
        first[vertex_of_end(pairs, e) + 2]++;
    for (size_t v = 0; v < n; v++)
        first[v + 2] += first[v + 1];
    for (size_t e = 0; e < 2 * pairs->count; e++) {
        const struct clock_pair *pair = &pairs->items[e / 2];
        const struct instant *item = &points->items[e % 2 ? pair->to : pair->from];
        ends[first[vertex_of_end(pairs, e) + 1]++] =
            (struct reading_end){e % 2 ? item->hi : item->lo, (uint32_t)e};
    }
    for (size_t v = 0; v < n; v++)
        SORT(ends + first[v], first[v + 1] - first[v], by_reading);
}

/* Numbers the nodes of the network so that most nodes come after the nodes that limit their ages.
 * Few passes are then needed. */
struct numbering {
    uint32_t *node_of;
    bool *begins;    /* for each node: true if it is the first node of its clock */
    uint32_t *first; /* pairs lead to node v from the nodes source[first[v]] to source[first[v +
                        * 1] - 1] */
    uint32_t *source;
    uint32_t *done; /* for each node: how many predecessors number_from has visited, or NUMBERED */
    uint32_t *path;
    uint32_t *number, n;
};

#define NUMBERED UINT32_MAX

/* Give a number to the node, after its predecessors have got theirs. */
static void number_from(struct numbering *m, uint32_t node)
{
    size_t npath = 0;
    m->path[npath++] = node;
    while (npath > 0) {
        node = m->path[npath - 1];
        uint32_t i = m->done[node]++, source = m->first[node] + i - 1;
        if (i > 0 && source == m->first[node + 1]) {
            m->done[node] = NUMBERED;
            m->number[node] = m->n++;
            npath--;
        } else if (i > 0 || !m->begins[node]) {
            uint32_t wanted = i == 0 ? node - 1 : m->source[source];
            if (m->done[wanted] == 0)
                m->path[npath++] = wanted;
        }
    }
}

static bool allocate_nodes(struct ageing *a, size_t n)
{
    a->nnodes = n;
    a->vertex = malloc((n + 1) * sizeof *a->vertex);
    a->reading = malloc((n + 1) * sizeof *a->reading);
    a->sorted = malloc((n + 1) * sizeof *a->sorted);
    a->rank = malloc((n + 1) * sizeof *a->rank);
    a->first_of = calloc(a->pairs->nvertices + 2, sizeof *a->first_of);
    a->least = malloc((n + 1) * sizeof *a->least);
    a->negated = malloc((n + 1) * sizeof *a->negated);
    a->parent = malloc((n + 1) * sizeof *a->parent);
    a->seen = calloc(n / AGEING_WORD + 1, sizeof *a->seen);
    a->changed = calloc(n / AGEING_WORD + 1, sizeof *a->changed);
    a->from = malloc((a->pairs->count + 1) * sizeof *a->from);
    a->to = malloc((a->pairs->count + 1) * sizeof *a->to);
    return a->vertex && a->reading && a->sorted && a->rank && a->first_of && a->least &&
           a->negated && a->parent && a->seen && a->changed && a->from && a->to;
}

static csy_status make_nodes(struct ageing *a, const struct points *points, csy_error *error)
{
    const struct pairs *pairs = a->pairs;
    size_t nends = 2 * pairs->count, n = 0;
    size_t *first = calloc(pairs->nvertices + 2, sizeof *first);
    struct reading_end *ends = malloc((nends + 1) * sizeof *ends);
    struct numbering m = {.node_of = calloc(nends + 1, sizeof *m.node_of),
                          .begins = malloc((nends + 1) * sizeof *m.begins),
                          .first = calloc(nends + 2, sizeof *m.first),
                          .source = calloc(nends + 1, sizeof *m.source),
                          .done = calloc(nends + 1, sizeof *m.done),
                          .path = malloc((nends + 1) * sizeof *m.path),
                          .number = malloc((nends + 1) * sizeof *m.number)};
    bool good = first && ends && m.node_of && m.begins && m.first && m.source && m.done && m.path &&
                m.number;
    if (good) {
        sort_ends(a, points, first, ends);
        for (size_t v = 0; v < pairs->nvertices; v++)
            for (size_t i = first[v]; i < first[v + 1]; i++) {
                bool same = i > first[v] && ends[i].reading == ends[i - 1].reading;
                if (!same)
                    m.begins[n++] = i == first[v];
                m.node_of[ends[i].end] = (uint32_t)n - 1;
            }
        for (size_t i = 0; i < pairs->count; i++)
            m.first[m.node_of[2 * i + 1] + 2]++;
        for (size_t v = 0; v < n; v++)
            m.first[v + 2] += m.first[v + 1];
        for (size_t i = 0; i < pairs->count; i++)
            m.source[m.first[m.node_of[2 * i + 1] + 1]++] = m.node_of[2 * i];
        for (uint32_t v = 0; v < n; v++)
            if (m.done[v] == 0)
                number_from(&m, v);
    }
    FREE_ALL(m.node_of, m.begins, m.first, m.source, m.done, m.path);
    good = good && allocate_nodes(a, n);
    if (good) {
        size_t k = 0;
        for (uint32_t v = 0; v < pairs->nvertices; v++) {
            a->first_of[v] = k;
            for (size_t i = first[v]; i < first[v + 1]; i++) {
                bool same = i > first[v] && ends[i].reading == ends[i - 1].reading;
                uint32_t node = m.number[same ? k - 1 : k];
                *(ends[i].end % 2 ? &a->to[ends[i].end / 2] : &a->from[ends[i].end / 2]) = node;
                if (same)
                    continue;
                a->vertex[node] = v;
                a->reading[node] = ends[i].reading;
                a->rank[node] = (uint32_t)k;
                a->sorted[k++] = node;
            }
        }
        a->first_of[pairs->nvertices] = k;
    }
    free(m.number);
    free(first);
    free(ends);
    return good ? CSY_OK : error_memory(error);
}

/* Pair i connects the nodes at[i] and other[i], and is listed at at[i]. Pairs between two
 * components are left out. The caller frees *first and *arcs, even after a failure. */
static csy_status ageing_make_arcs(const struct ageing *a, const uint32_t *at,
                                   const uint32_t *other, uint32_t **first,
                                   struct ageing_arc **arcs, csy_error *error)
{
    const struct pairs *pairs = a->pairs;
    uint32_t *start = calloc(a->nnodes + 2, sizeof *start);
    struct ageing_arc *made = malloc((pairs->count + 1) * sizeof *made);
    *first = start;
    *arcs = made;
    if (!start || !made)
        return error_memory(error);
    for (size_t i = 0; i < pairs->count; i++)
        start[at[i] + 2] += a->component[pairs->items[i].s] == a->component[pairs->items[i].t];
    for (size_t v = 0; v < a->nnodes; v++)
        start[v + 2] += start[v + 1];
    for (size_t i = 0; i < pairs->count; i++) {
        const struct clock_pair *pair = &pairs->items[i];
        if (a->component[pair->s] != a->component[pair->t])
            continue;
        uint32_t number = (uint32_t)i | (pair_counts(pairs, pair) ? ARC_COUNTS : 0);
        made[start[at[i] + 1]++] = (struct ageing_arc){other[i], number, pair->weight};
    }
    return CSY_OK;
}

csy_status ageing_init(struct ageing *ageing, const struct points *points,
                       const struct pairs *pairs, const struct ageing_rule *rule, csy_error *error)
{
    size_t n = pairs->nvertices;
    *ageing = (struct ageing){.pairs = pairs};
    uint32_t *to = malloc((pairs->count + 1) * sizeof *to);
    ageing->component = malloc((n + 1) * sizeof *ageing->component);
    ageing->reference = malloc((n + 1) * sizeof *ageing->reference);
    ageing->rates = malloc((n + 1) * sizeof *ageing->rates);
    if (!to || !ageing->component || !ageing->reference || !ageing->rates) {
        free(to);
        return error_memory(error);
    }
    for (size_t i = 0; i < pairs->count; i++)
        to[i] = pairs->items[i].t;
    csy_status status =
        components_find(n, pairs->first, to, ageing->component, &ageing->ncomponents, error);
    free(to);
    if (status)
        return status;
    ageing_set_rate(ageing, rule->tau, rule->rate_ppb);
    for (size_t c = 0; c < ageing->ncomponents; c++)
        ageing->reference[c] = UINT32_MAX;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t *reference = &ageing->reference[ageing->component[v]];
        if (*reference == UINT32_MAX || v == rule->tau ||
            (v < pairs->nclocks && *reference != rule->tau &&
             rule->prefer[v] > rule->prefer[*reference]))
            *reference = v;
    }
    status = make_nodes(ageing, points, error);
    if (!status)
        status = ageing_make_arcs(ageing, ageing->from, ageing->to, &ageing->first_out,
                                  &ageing->arcs_out, error);
    if (!status)
        status = ageing_make_arcs(ageing, ageing->to, ageing->from, &ageing->first_in,
                                  &ageing->arcs_in, error);
    return status;
}

/* Values of parent[v] that are not the index of a pair. PARENT_NEXT: the age of node v was last
 * changed by the next reading of the same clock. PARENT_PREVIOUS: by the previous reading.
 * PARENT_NONE: it was never changed. */
#define PARENT_NONE UINT32_MAX
#define PARENT_NEXT (UINT32_MAX - 1)
#define PARENT_PREVIOUS (UINT32_MAX - 2)

enum { WORD_BITS = AGEING_WORD, ROUNDS_BETWEEN = 16, BLOCK = 8 };

/* --- Passes --- */

/* The direction of a pass. A pass for least ages goes to later readings, and along pairs. A pass
 * for greatest ages, which are stored negated, goes in the opposite direction. */
struct way {
    bool later;
    uint32_t via_toward, via_back;
    const uint32_t *first;
    const struct ageing_arc *arcs;
    const uint32_t *source;
    int128 *age;
    size_t block; /* the function `pass` handles this many words of `changed` at once */
};

static struct way forth(const struct ageing *a)
{
    return (struct way){true,        PARENT_NEXT, PARENT_PREVIOUS, a->first_out,
                        a->arcs_out, a->from,     a->least,        BLOCK};
}

static struct way against(const struct ageing *a)
{
    return (struct way){false,      PARENT_PREVIOUS, PARENT_NEXT, a->first_in,
                        a->arcs_in, a->to,           a->negated,  BLOCK};
}

static uint32_t neighbour(const struct ageing *a, uint32_t v, bool later)
{
    size_t rank = a->rank[v], end = a->first_of[a->vertex[v] + (later ? 1 : 0)];
    return later        ? rank + 1 < end ? a->sorted[rank + 1] : NO_NODE
           : rank > end ? a->sorted[rank - 1]
                        : NO_NODE;
}

static int128 apart(const struct ageing *a, uint32_t u, uint32_t v)
{
    return number_distance(a->reading[u], a->reading[v]);
}

static void mark_changed(struct ageing *a, uint32_t node)
{
    a->changed[node / WORD_BITS] |= (uint64_t)1 << node % WORD_BITS;
}

static void raise(struct ageing *a, const struct way *way, uint32_t node, int128 age,
                  uint32_t parent)
{
    if (age <= way->age[node])
        return;
    way->age[node] = age;
    a->parent[node] = parent;
    mark_changed(a, node);
}

static void spread_from(struct ageing *a, const struct way *way, uint32_t v)
{
    /* the caller filled it: NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
    int128 age = way->age[v];
    const struct ageing_rate *rate = &a->rates[a->vertex[v]];
    uint32_t toward = neighbour(a, v, way->later), back = neighbour(a, v, !way->later);
    if (toward != NO_NODE)
        raise(a, way, toward, age + rate->least * apart(a, v, toward), way->via_back);
    if (back != NO_NODE)
        raise(a, way, back, age - rate->greatest * apart(a, v, back), way->via_toward);
    /* ageing_make_arcs made them: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    for (uint32_t i = way->first[v]; i < way->first[v + 1]; i++) {
        const struct ageing_arc *arc = &way->arcs[i];
        /* ageing_make_arcs filled it: NOLINTNEXTLINE(clang-analyzer-core.*) */
        raise(a, way, arc->node, age - ageing_loss(a, arc->weight, arc->pair & ARC_COUNTS),
              arc->pair & ~ARC_COUNTS);
    }
}

/* Update the neighbours of the nodes with bits set in changed[from] to changed[to - 1], in
 * ascending order of nodes if `up` is true. Returns false if no bit was set. */
static bool sweep_words(struct ageing *a, const struct way *way, size_t from, size_t to, bool up)
{
    bool any = false;
    for (size_t i = from; i < to; i++) {
        size_t w = up ? i : from + to - 1 - i;
        for (uint64_t left = UINT64_MAX; a->changed[w] & left; any = true) {
            uint64_t word = a->changed[w] & left;
            unsigned bit =
                (unsigned)(up ? __builtin_ctzll(word) : WORD_BITS - 1 - __builtin_clzll(word));
            uint64_t one = (uint64_t)1 << bit;
            left = up ? ~(one | (one - 1)) : one - 1;
            a->changed[w] &= ~one;
            spread_from(a, way, (uint32_t)(w * WORD_BITS + bit));
        }
    }
    return any;
}

/* Returns false if no age had changed. The nodes of a block are near each other in time, so it is
 * faster to repeat each block up to SWEEPS times before the next block. */
static bool pass(struct ageing *a, const struct way *way)
{
    enum { SWEEPS = 16 };
    size_t words = a->nnodes / WORD_BITS + 1, block = way->block < words ? way->block : words;
    size_t blocks = (words + block - 1) / block;
    bool any = false;
    for (size_t i = 0; i < 2 * blocks; i++) {
        size_t from = (i < blocks ? i : 2 * blocks - 1 - i) * block;
        size_t to = from + block < words ? from + block : words;
        bool more = true;
        for (size_t k = 0; k < (blocks > 1 ? SWEEPS : 1) && more; k++) {
            more = sweep_words(a, way, from, to, (i < blocks) == (k % 2 == 0));
            any = any || more;
        }
    }
    return any;
}

/* --- Contradictory cycles of parents --- */

struct ring {
    uint32_t node;
    size_t npairs; /* 0 if no cycle was found */
    int128 excess, count;
};

/* Returns the parent of node v: the node that last changed its age. Node v must have a parent. */
static uint32_t parent_of(const struct ageing *a, const struct way *way, uint32_t v)
{
    uint32_t parent = a->parent[v];
    return parent == PARENT_NEXT       ? a->sorted[a->rank[v] + 1]
           : parent == PARENT_PREVIOUS ? a->sorted[a->rank[v] - 1]
                                       : way->source[parent];
}

static int128 gain_of(const struct ageing *a, const struct way *way, uint32_t v)
{
    uint32_t parent = a->parent[v];
    const struct ageing_rate *rate = &a->rates[a->vertex[v]];
    if (parent == way->via_back)
        return rate->least * apart(a, v, parent_of(a, way, v));
    if (parent == way->via_toward)
        return -rate->greatest * apart(a, v, parent_of(a, way, v));
    const struct clock_pair *pair = &a->pairs->items[parent];
    return -ageing_loss(a, pair->weight, pair_counts(a->pairs, pair));
}

/* Contradictory constraints form a cycle of nodes: each node got its age from the node before it.
 * Returns the cycle that requires the most added ticks. Time: O(nodes). */
static struct ring find_ring(const struct ageing *a, const struct way *way)
{
    struct ring most = {0};
    memset(a->seen, 0, (a->nnodes / WORD_BITS + 1) * sizeof *a->seen);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        uint32_t at = v, again = v;
        size_t steps = 0;
        while (a->parent[at] != PARENT_NONE && !(a->seen[at / WORD_BITS] >> at % WORD_BITS & 1)) {
            a->seen[at / WORD_BITS] |= (uint64_t)1 << at % WORD_BITS;
            at = parent_of(a, way, at);
            steps++;
        }
        for (; steps > 0 && again != at; steps--)
            again = parent_of(a, way, again);
        if (steps == 0)
            continue;
        struct ring ring = {.node = at};
        uint32_t next = at;
        do {
            uint32_t parent = a->parent[next];
            if (parent < PARENT_PREVIOUS) {
                ring.npairs++;
                ring.count += pair_counts(a->pairs, &a->pairs->items[parent]);
            }
            ring.excess += gain_of(a, way, next);
            next = parent_of(a, way, next);
        } while (next != at);
        if (most.npairs == 0 ||
            ceil_div(ring.excess, ring.count) > ceil_div(most.excess, most.count))
            most = ring;
    }
    return most;
}

/* --- Ages --- */

static bool is_anchor(const struct ageing *a, uint32_t v)
{
    uint32_t vertex = a->vertex[v];
    return a->reference[a->component[vertex]] == vertex && a->rank[v] == a->first_of[vertex];
}

static void forget_ages(struct ageing *a, const struct way *way)
{
    memset(a->changed, 0, (a->nnodes / WORD_BITS + 1) * sizeof *a->changed);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        way->age[v] = AGE_NONE;
        a->parent[v] = PARENT_NONE;
    }
}

static void begin_again(struct ageing *a, const struct way *way)
{
    forget_ages(a, way);
    for (uint32_t v = 0; v < a->nnodes; v++)
        if (is_anchor(a, v))
            raise(a, way, v, 0, PARENT_NONE);
}

/* Begin a search with the results of the last one, which must have computed the same kind of ages
 * (least or greatest). This saves time, because few ages differ. */
static csy_status begin_near(struct ageing *a, const struct way *way, csy_error *error)
{
    uint32_t *path = malloc((a->nnodes + 1) * sizeof *path);
    if (!path)
        return error_memory(error);
    memset(a->seen, 0, (a->nnodes / WORD_BITS + 1) * sizeof *a->seen);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        uint32_t at = v;
        size_t length = 0;
        for (; !(a->seen[at / WORD_BITS] >> at % WORD_BITS & 1); at = parent_of(a, way, at)) {
            a->seen[at / WORD_BITS] |= (uint64_t)1 << at % WORD_BITS;
            if (a->parent[at] == PARENT_NONE) {
                way->age[at] = is_anchor(a, at) ? 0 : AGE_NONE;
                break;
            }
            path[length++] = at;
        }
        for (; length > 0; length--)
            way->age[path[length - 1]] =
                way->age[parent_of(a, way, path[length - 1])] + gain_of(a, way, path[length - 1]);
        if (way->age[v] != AGE_NONE)
            mark_changed(a, v);
    }
    free(path);
    return CSY_OK;
}

/* Make passes until no age changes, or until contradictory constraints are found. Only after
 * some passes, these are searched for: after 1, 2, 4, ... passes, and later at constant
 * intervals. */
static struct ring run_passes(struct ageing *a, const struct way *way)
{
    struct ring ring = {0};
    size_t rounds = 0, look = 1;
    while (ring.npairs == 0 && pass(a, way))
        if (++rounds == look) {
            look += look < ROUNDS_BETWEEN ? look : ROUNDS_BETWEEN;
            ring = find_ring(a, way);
        }
    return ring;
}

csy_status ageing_find(struct ageing *ageing, int64_t least_ticks, bool given,
                       struct ageing_cycle *cycle, csy_error *error)
{
    struct way way = forth(ageing);
    int128 unit = (int128)RATE_UNIT + ageing->rate_ppb;
    *cycle = (struct ageing_cycle){0};
    ageing->added_ticks = least_ticks;
    for (;;) {
        begin_again(ageing, &way);
        struct ring ring = run_passes(ageing, &way);
        ageing->parents = ring.npairs == 0 ? PARENTS_LEAST : PARENTS_NONE;
        if (ring.npairs == 0)
            return CSY_OK;
        if (way.block != SIZE_MAX) {
            way.block = SIZE_MAX;
            continue;
        }
        free(cycle->pairs);
        cycle->pairs = malloc(ring.npairs * sizeof *cycle->pairs);
        cycle->length = cycle->pairs ? ring.npairs : 0;
        csy_status status = cycle->pairs ? CSY_OK : error_memory(error);
        for (size_t i = cycle->length; i > 0; ring.node = parent_of(ageing, &way, ring.node))
            if (ageing->parent[ring.node] < PARENT_PREVIOUS)
                cycle->pairs[--i] = ageing->parent[ring.node];
        int128 more = ageing->added_ticks + ceil_div(ring.excess, ring.count * unit);
        if (!status && !fits_int64(4 * more))
            status = error_set(error, CSY_INPUT, "delta does not fit 64 bits");
        cycle->asks_ticks = (int64_t)more;
        if (status || given)
            return status;
        ageing->added_ticks = cycle->asks_ticks;
    }
}

csy_status ageing_test(struct ageing *ageing, int64_t added_ticks, bool *fits, csy_error *error)
{
    const struct way way = forth(ageing);
    ageing->added_ticks = added_ticks;
    csy_status status = CSY_OK;
    if (ageing->parents == PARENTS_LEAST)
        status = begin_near(ageing, &way, error);
    else
        begin_again(ageing, &way);
    *fits = !status && run_passes(ageing, &way).npairs == 0;
    ageing->parents = *fits ? PARENTS_LEAST : PARENTS_NONE;
    return status;
}

static csy_status settle(struct ageing *a, const struct way *way, csy_error *error)
{
    return run_passes(a, way).npairs == 0
               ? CSY_OK
               : error_set(error, CSY_INPUT, "the bounds of drifting clocks contradict each other");
}

csy_status ageing_bound(struct ageing *ageing, csy_error *error)
{
    const struct way way = against(ageing);
    csy_status status = CSY_OK;
    if (ageing->parents == PARENTS_GREATEST)
        status = begin_near(ageing, &way, error);
    else
        begin_again(ageing, &way);
    if (!status)
        status = settle(ageing, &way, error);
    ageing->parents = status ? PARENTS_NONE : PARENTS_GREATEST;
    return status;
}

csy_status ageing_bound_from(struct ageing *ageing, uint32_t tau, struct ageing *out,
                             csy_error *error)
{
    ageing->parents = PARENTS_NONE;
    struct ageing a = *ageing;
    a.least = malloc((a.nnodes + 1) * sizeof *a.least);
    a.negated = malloc((a.nnodes + 1) * sizeof *a.negated);
    /* treat all clocks as one component, so that all pairs are used */
    a.component = calloc(a.pairs->nvertices + 1, sizeof *a.component);
    a.reference = &tau;
    a.first_out = a.first_in = NULL;
    a.arcs_out = a.arcs_in = NULL;
    csy_status status = a.least && a.negated && a.component ? CSY_OK : error_memory(error);
    if (!status)
        status = ageing_make_arcs(&a, a.from, a.to, &a.first_out, &a.arcs_out, error);
    if (!status)
        status = ageing_make_arcs(&a, a.to, a.from, &a.first_in, &a.arcs_in, error);
    const struct way ways[] = {forth(&a), against(&a)};
    for (size_t i = 0; i < 2 && !status; i++) {
        begin_again(&a, &ways[i]);
        status = settle(&a, &ways[i], error);
    }
    FREE_ALL(a.first_out, a.first_in, a.arcs_out, a.arcs_in, a.component);
    *out = *ageing;
    out->least = a.least;
    out->negated = a.negated;
    return status;
}

/* --- Between nodes --- */

struct neighbours ageing_neighbours(const struct ageing *a, struct ageing_moment moment)
{
    const uint32_t *nodes = a->sorted + a->first_of[moment.vertex];
    size_t n = a->first_of[moment.vertex + 1] - a->first_of[moment.vertex], low = 0, high = n;
    BISECT(low, high, middle, a->reading[nodes[middle]] <= moment.reading);
    return (struct neighbours){low > 0 ? nodes[low - 1] : NO_NODE, low < n ? nodes[low] : NO_NODE};
}

void ageing_at(const struct ageing *ageing, uint32_t vertex, int64_t reading, int128 *least,
               int128 *greatest)
{
    const struct ageing_rate *rate = &ageing->rates[vertex];
    struct neighbours at = ageing_neighbours(ageing, (struct ageing_moment){vertex, reading});
    *least = *greatest = 0;
    if (at.before != NO_NODE) {
        int128 by = (int128)reading - ageing->reading[at.before];
        *least = ageing->least[at.before] + rate->least * by;
        *greatest = rate->greatest * by - ageing->negated[at.before];
    }
    if (at.after != NO_NODE) {
        int128 by = (int128)ageing->reading[at.after] - reading;
        int128 at_least = ageing->least[at.after] - rate->greatest * by;
        int128 at_most = -ageing->negated[at.after] - rate->least * by;
        bool any = at.before != NO_NODE;
        *least = any && *least > at_least ? *least : at_least;
        *greatest = any && *greatest < at_most ? *greatest : at_most;
    }
}

static csy_status settle_from(struct ageing *a, const struct way *way, struct ageing_moment from,
                              csy_error *error)
{
    const struct ageing_rate *rate = &a->rates[from.vertex];
    struct neighbours at = ageing_neighbours(a, from);
    uint32_t toward = way->later ? at.after : at.before;
    uint32_t back = way->later ? at.before : at.after;
    forget_ages(a, way);
    if (toward != NO_NODE)
        raise(a, way, toward, rate->least * number_distance(a->reading[toward], from.reading),
              PARENT_NONE);
    if (back != NO_NODE)
        raise(a, way, back, -rate->greatest * number_distance(a->reading[back], from.reading),
              PARENT_NONE);
    return settle(a, way, error);
}

csy_status ageing_between(struct ageing *ageing, struct ageing_moment from, struct ageing_moment to,
                          bool *known, int128 *least, int128 *greatest, csy_error *error)
{
    ageing->parents = PARENTS_NONE; /* the search overwrites the array `parent` */
    struct ageing a = *ageing;
    bool any = a.first_of[from.vertex] < a.first_of[from.vertex + 1];
    *known = a.component[from.vertex] == a.component[to.vertex];
    if (!*known)
        return CSY_OK;
    a.least = calloc(a.nnodes + 1, sizeof *a.least);
    a.negated = calloc(a.nnodes + 1, sizeof *a.negated);
    const struct way ways[] = {forth(&a), against(&a)};
    csy_status status = a.least && a.negated ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < 2 && !status; i++)
        status = settle_from(&a, &ways[i], from, error);
    if (!status)
        ageing_at(&a, to.vertex, to.reading, least, greatest);
    if (!status && from.vertex == to.vertex) {
        const struct ageing_rate *rate = &a.rates[from.vertex];
        int128 by = (int128)to.reading - from.reading;
        int128 at_least = by * (by < 0 ? rate->greatest : rate->least);
        int128 at_most = by * (by < 0 ? rate->least : rate->greatest);
        *least = any && *least > at_least ? *least : at_least;
        *greatest = any && *greatest < at_most ? *greatest : at_most;
    }
    FREE_ALL(a.least, a.negated);
    return status;
}

csy_status ageing_walk(const struct ageing *ageing, struct ageing_moment from,
                       struct ageing_moment to, size_t **pairs, size_t *length, int128 *greatest,
                       csy_error *error)
{
    struct ageing a = *ageing;
    uint32_t at = NO_NODE;
    int128 least;
    a.least = calloc(a.nnodes + 1, sizeof *a.least);
    a.negated = calloc(a.nnodes + 1, sizeof *a.negated);
    a.parent = malloc((a.nnodes + 1) * sizeof *a.parent);
    *pairs = malloc((a.nnodes + 1) * sizeof **pairs);
    *length = 0;
    struct way way = against(&a);
    way.block = SIZE_MAX; /* one block for all nodes */
    csy_status status = a.least && a.negated && a.parent && *pairs ? CSY_OK : error_memory(error);
    if (!status)
        status = settle_from(&a, &way, from, error);
    if (!status) {
        const struct neighbours near = ageing_neighbours(&a, to);
        ageing_at(&a, to.vertex, to.reading, &least, greatest);
        at = near.before;
        if (at == NO_NODE ||
            a.rates[to.vertex].greatest * ((int128)to.reading - a.reading[at]) - a.negated[at] !=
                *greatest)
            at = near.after;
    }
    while (at != NO_NODE && a.parent[at] != PARENT_NONE) {
        if (a.parent[at] < PARENT_PREVIOUS)
            (*pairs)[(*length)++] = a.parent[at];
        at = parent_of(&a, &way, at);
    }
    FREE_ALL(a.least, a.negated, a.parent);
    if (status) {
        free(*pairs);
        *pairs = NULL;
    }
    return status;
}

/* --- Wander --- */

enum { WANDER_ROUNDS = 8, NARROWEST = 48, AT_THE_END = 2, CHOSEN = NARROWEST + AT_THE_END };

static int128 width(const struct ageing *a, uint32_t node)
{
    return -a->negated[node] - a->least[node];
}

/* Choose up to CHOSEN nodes of a clock: the first AT_THE_END nodes, or the last ones if `last` is
 * true, and the nodes with the narrowest limits of their ages. Returns the number of chosen
 * nodes. */
static size_t choose_nodes(const struct ageing *a, const uint32_t *nodes, size_t n, bool last,
                           uint32_t out[CHOSEN])
{
    size_t ends = n < AT_THE_END ? n : AT_THE_END, count = ends;
    for (size_t i = 0; i < ends; i++)
        out[i] = nodes[last ? n - 1 - i : i];
    for (size_t i = 0; i < n; i++) {
        size_t k = count < CHOSEN ? count++ : CHOSEN;
        if (k == CHOSEN && width(a, nodes[i]) >= width(a, out[CHOSEN - 1]))
            continue;
        k = k == CHOSEN ? CHOSEN - 1 : k;
        for (; k > ends && width(a, out[k - 1]) > width(a, nodes[i]); k--)
            out[k] = out[k - 1];
        out[k] = nodes[i];
    }
    return count;
}

/* *changed becomes true if the limits of the clock's rate become narrower. Returns false if no rate
 * is possible. */
static bool narrow(struct ageing *a, uint32_t vertex, uint32_t wander_ppb, bool *changed)
{
    uint32_t early[CHOSEN], late[CHOSEN];
    const uint32_t *nodes = a->sorted + a->first_of[vertex];
    size_t n = a->first_of[vertex + 1] - a->first_of[vertex], half = n / 2;
    struct ageing_rate rate = a->rates[vertex];
    size_t nearly = choose_nodes(a, nodes, half, false, early);
    size_t nlate = choose_nodes(a, nodes + half, n - half, true, late);
    int128 around = 2 * (int128)wander_ppb;
    for (size_t i = 0; i < nearly; i++)
        for (size_t k = 0; k < nlate; k++) {
            uint32_t x = early[i], y = late[k];
            int128 by = apart(a, x, y);
            int128 least = floor_div(a->least[y] + a->negated[x], by) - around;
            int128 greatest = ceil_div(-a->negated[y] - a->least[x], by) + around;
            rate.least = least > rate.least ? (int64_t)least : rate.least;
            rate.greatest = greatest < rate.greatest ? (int64_t)greatest : rate.greatest;
        }
    *changed = rate.least != a->rates[vertex].least || rate.greatest != a->rates[vertex].greatest;
    if (rate.least > rate.greatest)
        return false;
    a->rates[vertex] = rate;
    return true;
}

/* Returns a clock with contradictory constraints, or NO_NODE if there is none. */
static uint32_t settle_again(struct ageing *a, const struct way *way, const uint64_t *narrower)
{
    memset(a->changed, 0, (a->nnodes / WORD_BITS + 1) * sizeof *a->changed);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        a->parent[v] = PARENT_NONE;
        if (narrower[a->vertex[v] / WORD_BITS] >> a->vertex[v] % WORD_BITS & 1)
            mark_changed(a, v);
    }
    struct ring ring = run_passes(a, way);
    a->parents = PARENTS_NONE;
    return ring.npairs == 0 ? NO_NODE : a->vertex[ring.node];
}

csy_status ageing_wander(struct ageing *ageing, uint32_t wander_ppb, uint32_t *wanders,
                         csy_error *error)
{
    size_t nclocks = ageing->pairs->nclocks, words = ageing->pairs->nvertices / WORD_BITS + 1;
    uint64_t *narrower = malloc(words * sizeof *narrower);
    bool any = true;
    *wanders = NO_NODE;
    if (!narrower)
        return error_memory(error);
    for (size_t round = 0; round < WANDER_ROUNDS && any && *wanders == NO_NODE; round++) {
        struct way there = forth(ageing), back = against(ageing);
        there.block = back.block = SIZE_MAX;
        any = false;
        memset(narrower, 0, words * sizeof *narrower);
        for (uint32_t t = 0; t < nclocks && *wanders == NO_NODE; t++) {
            bool changed;
            if (ageing->rates[t].least == ageing->rates[t].greatest)
                continue;
            if (!narrow(ageing, t, wander_ppb, &changed))
                *wanders = t;
            narrower[t / WORD_BITS] |= (uint64_t)changed << t % WORD_BITS;
            any = any || changed;
        }
        if (any && *wanders == NO_NODE)
            *wanders = settle_again(ageing, &there, narrower);
        if (any && *wanders == NO_NODE)
            *wanders = settle_again(ageing, &back, narrower);
        for (uint32_t v = 0; any && *wanders == NO_NODE && v < ageing->nnodes; v++)
            if (width(ageing, v) < 0)
                *wanders = ageing->vertex[v];
    }
    free(narrower);
    return CSY_OK;
}
