/* Stores how much one drifting clock can gain or lose relative to another (graph/age_matrix.h). */
#include "graph/age_matrix.h"

#include "base/array.h"
#include "graph/pair_table.h"

#include <stdlib.h>
#include <string.h>

/* Unneeded nodes (readings) are removed when the number of nodes has grown by a quarter and
 * NODES_MIN. */
enum { NODES_MIN = 64, ROOM_MIN = 128 };

/* With more nodes than NODES_MANY plus NODES_EACH for each clock, graph/ageing.h is faster. */
enum { NODES_MANY = 512, NODES_EACH = 8 };

#define NO_WAY ((int128)1 << 126)

/* A path over constraints, or its length. `cost` is the length in 1/RATE_UNIT tick, or NO_WAY if
 * there is no path. If the greatest rate of clocks grows by 1, `cost` grows by `apart`. */
struct way {
    int128 cost, apart;
};

struct node {
    int64_t reading;
    uint32_t vertex;
    bool kept;
};

struct vertex_nodes {
    uint32_t *items;
    size_t count, capacity;
};

/* The last path found between two clocks: the readings where it begins and ends, and its cost. */
struct said {
    int64_t from, to;
    int128 cost;
};

struct age_matrix {
    struct age_rule rule;
    struct said *said; /* said[s * nclocks + t]: the last path found from clock s to clock t */
    struct vertex_nodes *vertices;
    size_t nvertices, vertices_capacity;
    struct node *nodes;    /* indexed by the number of the node */
    uint32_t *used, *free; /* indexes in `nodes`: those in use, and those that are free */
    struct way *ways;      /* the shortest path from node i to node k is ways[i * stride_of(room) +
                            * k] */
    size_t room, nused, nfree, limit;
    uint32_t *before, *after;
    int64_t asks; /* the greatest rate that is needed to avoid contradictions, or 0 if rule.rate_ppb
                   * was enough */
};

void age_matrix_free(struct age_matrix *m)
{
    if (!m)
        return;
    for (size_t v = 0; v < m->nvertices; v++)
        free(m->vertices[v].items);
    FREE_ALL(m->vertices, m->said, m->nodes, m->used, m->free, m->ways, m->before, m->after, m);
}

/* Returns the number of entries in a row. It is not a power of 2, because the entries of a column
 * would then compete for few lines of the CPU cache. */
static size_t stride_of(size_t room)
{
    return room + 2;
}

static struct way *way_at(const struct age_matrix *m, uint32_t from, uint32_t to)
{
    return &m->ways[from * stride_of(m->room) + to];
}

static bool grow(struct age_matrix *m)
{
    size_t old = m->room, room = old ? 2 * old : ROOM_MIN;
    struct way *ways = malloc(room * stride_of(room) * sizeof *ways), *old_ways = m->ways;
    struct node *nodes = realloc(m->nodes, room * sizeof *nodes);
    m->nodes = nodes ? nodes : m->nodes;
    uint32_t **numbers[] = {&m->used, &m->free, &m->before, &m->after};
    bool good = ways && nodes;
    for (size_t i = 0; i < 4; i++) {
        uint32_t *grown = realloc(*numbers[i], room * sizeof *grown);
        *numbers[i] = grown ? grown : *numbers[i];
        good &= grown != NULL;
    }
    if (!good) {
        free(ways);
        return false;
    }
    for (size_t i = 0; i < old; i++)
        memcpy(ways + i * stride_of(room), old_ways + i * stride_of(old), old * sizeof *ways);
    free(old_ways);
    m->ways = ways;
    m->room = room;
    for (size_t i = room; i-- > old;)
        m->free[m->nfree++] = (uint32_t)i;
    return true;
}

static void forget_said(struct age_matrix *m)
{
    for (size_t i = 0; i < m->rule.nclocks * m->rule.nclocks; i++)
        m->said[i] = (struct said){.cost = NO_WAY};
}

static bool reserve_vertices(struct age_matrix *m, size_t n)
{
    if (!ARRAY_RESERVE(m->vertices, m->vertices_capacity, n))
        return false;
    while (m->nvertices < n)
        m->vertices[m->nvertices++] = (struct vertex_nodes){0};
    return true;
}

csy_status age_matrix_new(const struct age_rule *rule, struct age_matrix **out, csy_error *error)
{
    struct age_matrix *m = calloc(1, sizeof *m);
    *out = m;
    if (!m)
        return error_memory(error);
    m->rule = *rule;
    m->limit = NODES_MIN;
    m->said = malloc((rule->nclocks * rule->nclocks + 1) * sizeof *m->said);
    if (!m->said || !grow(m) || !reserve_vertices(m, rule->nclocks))
        return error_memory(error);
    forget_said(m);
    return CSY_OK;
}

static struct way join(const struct way *a, const struct way *b)
{
    return (struct way){a->cost + b->cost, a->apart + b->apart};
}

static struct way way_on(const struct age_matrix *m, uint32_t vertex, int64_t a, int64_t b)
{
    int128 apart = a < b ? (int128)b - a : (int128)a - b;
    apart = vertex == m->rule.tau || vertex >= m->rule.nclocks ? 0 : apart;
    return (struct way){m->rule.rate_ppb * apart, apart};
}

struct place {
    uint32_t nodes[2];
    struct way ways[2];
    size_t count;
    size_t at;
    bool is_node;
};

static struct place find_place(const struct age_matrix *m, uint32_t vertex, int64_t reading)
{
    const struct vertex_nodes *c = &m->vertices[vertex];
    struct place place = {.at = c->count};
    while (place.at > 0 && m->nodes[c->items[place.at - 1]].reading > reading)
        place.at--;
    for (size_t i = place.at > 0 ? place.at - 1 : 0; i < c->count && i <= place.at; i++) {
        uint32_t node = c->items[i];
        place.nodes[place.count] = node;
        place.ways[place.count++] = way_on(m, vertex, reading, m->nodes[node].reading);
        if (m->nodes[node].reading == reading) {
            place.at = i;
            place.is_node = true;
            break;
        }
    }
    return place;
}

static void shorten(struct way *to, const struct way *a, const struct way *b)
{
    if (a->cost != NO_WAY && b->cost != NO_WAY && a->cost + b->cost < to->cost)
        *to = join(a, b);
}

static bool find_node(struct age_matrix *m, uint32_t vertex, int64_t reading, uint32_t *out)
{
    const struct place place = find_place(m, vertex, reading);
    struct vertex_nodes *c = &m->vertices[vertex];
    if (place.is_node) {
        *out = c->items[place.at];
        return true;
    }
    if ((m->nfree == 0 && !grow(m)) || !ARRAY_RESERVE(c->items, c->capacity, c->count + 1))
        return false;
    uint32_t node = m->free[--m->nfree];
    for (size_t i = 0; i < m->nused; i++) {
        uint32_t other = m->used[i];
        struct way *there = way_at(m, node, other), *back = way_at(m, other, node);
        *there = *back = (struct way){NO_WAY, 0};
        for (size_t j = 0; j < place.count; j++) {
            shorten(there, &place.ways[j], way_at(m, place.nodes[j], other));
            shorten(back, way_at(m, other, place.nodes[j]), &place.ways[j]);
        }
    }
    *way_at(m, node, node) = (struct way){0, 0};
    m->nodes[node] = (struct node){.reading = reading, .vertex = vertex};
    memmove(c->items + place.at + 1, c->items + place.at,
            (c->count++ - place.at) * sizeof *c->items);
    c->items[place.at] = node;
    m->used[m->nused++] = node;
    *out = node;
    return true;
}

static struct way way_of(const struct age_matrix *m, const struct age_constraint *c)
{
    int64_t added = c->t < m->rule.nclocks ? m->rule.added_ticks : 0;
    int128 weight = (int128)c->weight + added;
    return (struct way){weight * RATE_UNIT + m->rule.rate_ppb * (int128)added, added};
}

static csy_status add_way(struct age_matrix *m, const struct age_constraint *c, csy_error *error)
{
    struct way by = way_of(m, c);
    uint32_t p, q;
    if (!find_node(m, c->s, c->from, &p) || !find_node(m, c->t, c->to, &q))
        return error_memory(error);
    struct way back = *way_at(m, q, p), cycle = join(&back, &by);
    if (back.cost != NO_WAY && cycle.cost < 0) {
        int128 weight = cycle.cost - m->rule.rate_ppb * cycle.apart;
        int128 asks = cycle.apart > 0 ? ceil_div(-weight, cycle.apart) : RATE_UNIT;
        int64_t rate_ppb = asks < RATE_UNIT ? (int64_t)asks : RATE_UNIT;
        int64_t more = rate_ppb - m->rule.rate_ppb;
        m->asks = rate_ppb;
        m->rule.rate_ppb = (uint32_t)rate_ppb;
        for (size_t i = 0; i < m->nused; i++)
            for (size_t k = 0; k < m->nused; k++) {
                struct way *way = way_at(m, m->used[i], m->used[k]);
                if (way->cost != NO_WAY)
                    way->cost += more * way->apart;
            }
        forget_said(m);
        by = way_of(m, c);
    }
    if (m->asks >= RATE_UNIT)
        return CSY_OK;
    /* shorten the paths that lead over the new constraint, from p to q */
    size_t nbefore = 0, nafter = 0;
    for (size_t i = 0; i < m->nused; i++) {
        uint32_t v = m->used[i];
        const struct way *to_p = way_at(m, v, p), *on = way_at(m, q, v);
        if (to_p->cost != NO_WAY && to_p->cost + by.cost < way_at(m, v, q)->cost)
            m->before[nbefore++] = v;
        if (on->cost != NO_WAY && by.cost + on->cost < way_at(m, p, v)->cost)
            m->after[nafter++] = v;
    }
    for (size_t i = 0; i < nbefore; i++) {
        const struct way to_p = join(way_at(m, m->before[i], p), &by);
        for (size_t k = 0; k < nafter; k++)
            shorten(way_at(m, m->before[i], m->after[k]), &to_p, way_at(m, q, m->after[k]));
    }
    return CSY_OK;
}

csy_status age_matrix_add(struct age_matrix *m, const struct age_constraint *c, csy_error *error)
{
    size_t n = m->rule.nclocks;
    struct said *said = c->s < n && c->t < n ? &m->said[c->s * n + c->t] : NULL;
    int128 cost = way_of(m, c).cost;
    csy_status status = CSY_OK;
    if (m->asks == RATE_UNIT)
        return CSY_OK;
    if (said && said->cost != NO_WAY &&
        said->cost + way_on(m, c->s, c->from, said->from).cost +
                way_on(m, c->t, c->to, said->to).cost <=
            cost)
        return CSY_OK;
    if (!reserve_vertices(m, (c->s > c->t ? c->s : c->t) + (size_t)1))
        return error_memory(error);
    const struct place from = find_place(m, c->s, c->from), to = find_place(m, c->t, c->to);
    int128 least = NO_WAY;
    for (size_t i = 0; i < from.count; i++)
        for (size_t k = 0; k < to.count; k++) {
            int128 path = way_at(m, from.nodes[i], to.nodes[k])->cost;
            if (path == NO_WAY)
                continue;
            path += from.ways[i].cost + to.ways[k].cost;
            least = path < least ? path : least;
        }
    if (c->s == c->t) {
        int128 direct = way_on(m, c->s, c->from, c->to).cost;
        least = direct < least ? direct : least;
    }
    if (least > cost) {
        status = add_way(m, c, error);
        least = way_of(m, c).cost;
    }
    if (said)
        *said = (struct said){c->from, c->to, least};
    return status;
}

int64_t age_matrix_asks(const struct age_matrix *matrix)
{
    return matrix->asks;
}

bool age_matrix_is_great(const struct age_matrix *matrix)
{
    return matrix->nused > NODES_MANY + NODES_EACH * matrix->rule.nclocks;
}

bool age_matrix_is_full(const struct age_matrix *matrix)
{
    return matrix->nused >= matrix->limit;
}

void age_matrix_keep(struct age_matrix *matrix, uint32_t vertex, int64_t reading)
{
    if (vertex >= matrix->nvertices)
        return;
    const struct place place = find_place(matrix, vertex, reading);
    for (size_t i = 0; i < place.count; i++)
        matrix->nodes[place.nodes[i]].kept = true;
}

void age_matrix_keep_from(struct age_matrix *matrix, uint32_t clock, int64_t reading)
{
    const struct vertex_nodes *c = &matrix->vertices[clock];
    bool before = false;
    for (size_t i = c->count; i-- > 0 && !before;) {
        struct node *node = &matrix->nodes[c->items[i]];
        node->kept = true;
        before = node->reading <= reading;
    }
}

void age_matrix_drop(struct age_matrix *matrix)
{
    matrix->nused = 0;
    for (size_t v = 0; v < matrix->nvertices; v++) {
        struct vertex_nodes *c = &matrix->vertices[v];
        size_t n = 0;
        for (size_t i = 0; i < c->count; i++) {
            uint32_t node = c->items[i];
            bool last = i + 1 == c->count && v < matrix->rule.nclocks;
            if (!last && !matrix->nodes[node].kept) {
                matrix->free[matrix->nfree++] = node;
                continue;
            }
            matrix->nodes[node].kept = false;
            c->items[n++] = node;
            matrix->used[matrix->nused++] = node;
        }
        c->count = n;
    }
    matrix->limit = matrix->nused + matrix->nused / 4 + NODES_MIN;
}
