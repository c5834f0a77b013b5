/* Passes over the network of readings. */
#include "graph/ageing.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* What a node was last changed by: a pair, or a neighbour on its clock. */
#define PARENT_NONE UINT32_MAX
#define PARENT_NEXT (UINT32_MAX - 1)
#define PARENT_PREVIOUS (UINT32_MAX - 2)

enum { WORD_BITS = AGEING_WORD, ROUNDS_BETWEEN = 16 };

/* --- Passes --- */

/* Least ages go along pairs; greatest ones, with their signs changed, go against them, and from the
 * later reading to the earlier where the others go from the earlier to the later. */
struct way {
    const uint32_t *toward, *back;
    uint32_t via_toward, via_back;
    const size_t *first;
    const struct ageing_arc *arcs;
    const uint32_t *source; /* by pair, the node that it leads from */
    int128 *age;
};

static struct way forth(const struct ageing *a)
{
    return (struct way){a->next,      a->previous, PARENT_NEXT, PARENT_PREVIOUS,
                        a->first_out, a->arcs_out, a->from,     a->least};
}

static struct way against(const struct ageing *a)
{
    return (struct way){a->previous, a->next,    PARENT_PREVIOUS, PARENT_NEXT,
                        a->first_in, a->arcs_in, a->to,           a->negated};
}

static int128 distance(int64_t x, int64_t y)
{
    return x < y ? (int128)y - x : (int128)x - y;
}

static int128 apart(const struct ageing *a, uint32_t u, uint32_t v)
{
    return distance(a->reading[u], a->reading[v]);
}

static void raise(struct ageing *a, const struct way *way, uint32_t node, int128 age,
                  uint32_t parent)
{
    if (age <= way->age[node])
        return;
    way->age[node] = age;
    a->parent[node] = parent;
    a->changed[node / WORD_BITS] |= (uint64_t)1 << node % WORD_BITS;
}

static void look_at(struct ageing *a, const struct way *way, uint32_t v)
{
    int128 age = way->age[v];
    const struct ageing_rate *rate = &a->rates[a->vertex[v]];
    uint32_t toward = way->toward[v], back = way->back[v];
    if (toward != NO_NODE)
        raise(a, way, toward, age + rate->least * apart(a, v, toward), way->via_back);
    if (back != NO_NODE)
        raise(a, way, back, age - rate->greatest * apart(a, v, back), way->via_toward);
    /* ageing_make_arcs made them: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    for (size_t i = way->first[v]; i < way->first[v + 1]; i++) {
        const struct ageing_arc *arc = &way->arcs[i];
        raise(a, way, arc->node, age - ageing_loss(a, arc->weight, arc->pair & ARC_COUNTS),
              arc->pair & ~ARC_COUNTS);
    }
}

/* Those that have changed, from the first to the last, and back; false: none had. */
static bool pass(struct ageing *a, const struct way *way)
{
    size_t words = a->nnodes / WORD_BITS + 1;
    bool any = false;
    for (size_t w = 0; w < words; w++)
        for (uint64_t left = UINT64_MAX; a->changed[w] & left;) {
            unsigned bit = (unsigned)__builtin_ctzll(a->changed[w] & left);
            left = bit == WORD_BITS - 1 ? 0 : UINT64_MAX << (bit + 1);
            a->changed[w] &= ~((uint64_t)1 << bit);
            look_at(a, way, (uint32_t)(w * WORD_BITS + bit));
            any = true;
        }
    for (size_t w = words; w-- > 0;)
        for (uint64_t left = UINT64_MAX; a->changed[w] & left;) {
            unsigned bit = WORD_BITS - 1 - (unsigned)__builtin_clzll(a->changed[w] & left);
            left = ((uint64_t)1 << bit) - 1;
            a->changed[w] &= ~((uint64_t)1 << bit);
            look_at(a, way, (uint32_t)(w * WORD_BITS + bit));
        }
    return any;
}

/* --- Cycles of parents, which can not be --- */

struct ring {
    uint32_t node;
    size_t npairs; /* 0: there is none */
    int128 excess, count;
};

/* The node that it was changed by, and by how much the age is more there. */
static uint32_t parent_of(const struct ageing *a, const struct way *way, uint32_t v, int128 *gain)
{
    uint32_t parent = a->parent[v];
    const struct ageing_rate *rate = &a->rates[a->vertex[v]];
    if (parent == way->via_back) {
        *gain = rate->least * apart(a, v, way->back[v]);
        return way->back[v];
    }
    if (parent == way->via_toward) {
        *gain = -rate->greatest * apart(a, v, way->toward[v]);
        return way->toward[v];
    }
    const struct clock_pair *pair = &a->pairs->items[parent];
    *gain = -ageing_loss(a, pair->weight, pair_counts(a->pairs, pair));
    return way->source[parent];
}

static struct ring ring_through(const struct ageing *a, const struct way *way, uint32_t v)
{
    struct ring ring = {.node = v};
    uint32_t at = v;
    do {
        int128 gain;
        uint32_t parent = a->parent[at];
        if (parent < PARENT_PREVIOUS) {
            ring.npairs++;
            ring.count += pair_counts(a->pairs, &a->pairs->items[parent]);
        }
        at = parent_of(a, way, at, &gain);
        ring.excess += gain;
    } while (at != v);
    return ring;
}

/* That which asks for most.  O(nodes). */
static struct ring find_ring(const struct ageing *a, const struct way *way)
{
    struct ring most = {0};
    memset(a->mark, 0, a->nnodes * sizeof *a->mark);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        uint32_t at = v;
        int128 gain;
        while (a->mark[at] == 0) {
            a->mark[at] = v + 1;
            if (a->parent[at] == PARENT_NONE)
                break;
            at = parent_of(a, way, at, &gain);
        }
        if (a->mark[at] != v + 1 || a->parent[at] == PARENT_NONE)
            continue;
        struct ring ring = ring_through(a, way, at);
        if (most.npairs == 0 ||
            ceil_div(ring.excess, ring.count) > ceil_div(most.excess, most.count))
            most = ring;
    }
    return most;
}

/* The pairs of the ring, in their order, which parents go through backwards. */
static csy_status set_cycle(const struct ageing *a, const struct way *way, const struct ring *ring,
                            struct ageing_cycle *cycle, csy_error *error)
{
    uint32_t at = ring->node;
    int128 gain;
    free(cycle->pairs);
    cycle->length = 0;
    cycle->pairs = malloc((ring->npairs + 1) * sizeof *cycle->pairs);
    if (!cycle->pairs)
        return error_memory(error);
    cycle->length = ring->npairs;
    size_t i = ring->npairs;
    do {
        if (a->parent[at] < PARENT_PREVIOUS)
            cycle->pairs[--i] = a->parent[at];
        at = parent_of(a, way, at, &gain);
    } while (at != ring->node);
    return CSY_OK;
}

/* --- Ages --- */

static void mark_changed(struct ageing *a, uint32_t node)
{
    a->changed[node / WORD_BITS] |= (uint64_t)1 << node % WORD_BITS;
}

/* Nothing is known but of the first nodes of references. */
static void begin_again(struct ageing *a, const struct way *way)
{
    memset(a->changed, 0, (a->nnodes / WORD_BITS + 1) * sizeof *a->changed);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        bool reference = a->reference[a->component[a->vertex[v]]] == a->vertex[v];
        bool anchor = reference && a->previous[v] == NO_NODE;
        way->age[v] = anchor ? 0 : AGE_NONE;
        a->parent[v] = PARENT_NONE;
        if (anchor)
            mark_changed(a, v);
    }
}

/* Passes until nothing changes, or a cycle is met.  Parents are looked through after the first
 * passes, whose number doubles, and then ever so many. */
static struct ring settle(struct ageing *a, const struct way *way)
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
    const struct way way = forth(ageing);
    int128 unit = (int128)RATE_UNIT + ageing->rate_ppb;
    *cycle = (struct ageing_cycle){0};
    ageing->added_ticks = least_ticks;
    for (;;) {
        begin_again(ageing, &way);
        struct ring ring = settle(ageing, &way);
        if (ring.npairs == 0)
            return CSY_OK;
        csy_status status = set_cycle(ageing, &way, &ring, cycle, error);
        int128 more = ageing->added_ticks + ceil_div(ring.excess, ring.count * unit);
        if (!status && !fits_int64(4 * more))
            status = error_set(error, CSY_INPUT, "delta needs more than 64 bits");
        cycle->asks_ticks = (int64_t)more;
        if (status || given)
            return status;
        ageing->added_ticks = cycle->asks_ticks;
    }
}

csy_status ageing_bound(struct ageing *ageing, csy_error *error)
{
    const struct way way = against(ageing);
    begin_again(ageing, &way);
    return settle(ageing, &way).npairs == 0
               ? CSY_OK
               : error_set(error, CSY_INPUT, "bounds of ages contradict their least ones");
}

csy_status ageing_bound_from(const struct ageing *ageing, uint32_t tau, struct ageing *out,
                             csy_error *error)
{
    struct ageing a = *ageing;
    a.least = malloc((a.nnodes + 1) * sizeof *a.least);
    a.negated = malloc((a.nnodes + 1) * sizeof *a.negated);
    a.component = calloc(a.pairs->nvertices + 1, sizeof *a.component); /* all are of one */
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
        if (settle(&a, &ways[i]).npairs > 0)
            status = error_set(error, CSY_INPUT, "bounds of ages contradict each other");
    }
    free(a.first_out);
    free(a.first_in);
    free(a.arcs_out);
    free(a.arcs_in);
    free(a.component);
    *out = *ageing;
    out->least = a.least;
    out->negated = a.negated;
    return status;
}

/* --- Between nodes --- */

/* The nodes of a clock at or before a reading and after it, or NO_NODE. */
struct neighbours {
    uint32_t before, after;
};

static struct neighbours neighbours_of(const struct ageing *a, struct ageing_moment moment)
{
    const uint32_t *nodes = a->sorted + a->first_of[moment.vertex];
    size_t n = a->first_of[moment.vertex + 1] - a->first_of[moment.vertex], low = 0, high = n;
    while (low < high) { /* the first that is after it */
        size_t middle = low + (high - low) / 2;
        if (a->reading[nodes[middle]] <= moment.reading)
            low = middle + 1;
        else
            high = middle;
    }
    return (struct neighbours){low > 0 ? nodes[low - 1] : NO_NODE, low < n ? nodes[low] : NO_NODE};
}

void ageing_at(const struct ageing *ageing, uint32_t vertex, int64_t reading, int128 *least,
               int128 *greatest)
{
    const struct ageing_rate *rate = &ageing->rates[vertex];
    struct neighbours at = neighbours_of(ageing, (struct ageing_moment){vertex, reading});
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

/* Ages to that of a reading, which its neighbours know at once. */
static csy_status settle_from(struct ageing *a, const struct way *way, struct ageing_moment from,
                              csy_error *error)
{
    const struct ageing_rate *rate = &a->rates[from.vertex];
    struct neighbours at = neighbours_of(a, from);
    uint32_t toward = way->toward == a->next ? at.after : at.before;
    uint32_t back = way->toward == a->next ? at.before : at.after;
    memset(a->changed, 0, (a->nnodes / WORD_BITS + 1) * sizeof *a->changed);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        way->age[v] = AGE_NONE;
        a->parent[v] = PARENT_NONE;
    }
    if (toward != NO_NODE)
        raise(a, way, toward, rate->least * distance(a->reading[toward], from.reading),
              PARENT_NONE);
    if (back != NO_NODE)
        raise(a, way, back, -rate->greatest * distance(a->reading[back], from.reading),
              PARENT_NONE);
    return settle(a, way).npairs == 0
               ? CSY_OK
               : error_set(error, CSY_INPUT, "bounds of ages contradict each other");
}

/* What the rates alone say of two readings of one clock. */
static void narrow_by_rates(const struct ageing *a, struct ageing_moment from,
                            struct ageing_moment to, bool any, int128 *least, int128 *greatest)
{
    const struct ageing_rate *rate = &a->rates[from.vertex];
    int128 by = (int128)to.reading - from.reading;
    int128 at_least = by * (by < 0 ? rate->greatest : rate->least);
    int128 at_most = by * (by < 0 ? rate->least : rate->greatest);
    *least = any && *least > at_least ? *least : at_least;
    *greatest = any && *greatest < at_most ? *greatest : at_most;
}

csy_status ageing_between(const struct ageing *ageing, struct ageing_moment from,
                          struct ageing_moment to, bool *known, int128 *least, int128 *greatest,
                          csy_error *error)
{
    struct ageing a = *ageing; /* with ages of its own */
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
    if (!status && from.vertex == to.vertex)
        narrow_by_rates(&a, from, to, any, least, greatest);
    free(a.least);
    free(a.negated);
    return status;
}

/* --- Wander --- */

enum { WANDER_ROUNDS = 8, NARROWEST = 48, AT_THE_END = 2, CHOSEN = NARROWEST + AT_THE_END };

static int128 width(const struct ageing *a, uint32_t node)
{
    return -a->negated[node] - a->least[node];
}

/* Of the n nodes, by reading, the narrowest, and the two at the end, which is the first or the last
 * of them.  Returns how many. */
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

/* Narrow the rate of a vertex; false: none is left. */
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

/* Go on from what is known, where rates have become narrower: from clocks whose have. */
static uint32_t settle_again(struct ageing *a, const struct way *way, const uint64_t *narrower)
{
    memset(a->changed, 0, (a->nnodes / WORD_BITS + 1) * sizeof *a->changed);
    for (uint32_t v = 0; v < a->nnodes; v++) {
        a->parent[v] = PARENT_NONE;
        if (narrower[a->vertex[v] / WORD_BITS] >> a->vertex[v] % WORD_BITS & 1)
            mark_changed(a, v);
    }
    struct ring ring = settle(a, way);
    return ring.npairs == 0 ? NO_NODE : a->vertex[ring.node];
}

static uint32_t find_crossed(const struct ageing *a)
{
    for (uint32_t v = 0; v < a->nnodes; v++)
        if (width(a, v) < 0)
            return a->vertex[v];
    return NO_NODE;
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
        const struct way there = forth(ageing), back = against(ageing);
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
        if (any && *wanders == NO_NODE)
            *wanders = find_crossed(ageing);
    }
    free(narrower);
    return CSY_OK;
}
