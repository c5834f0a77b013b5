/* Finds minimum-cost flows by the network simplex method. */
#include "graph/flow.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NONE UINT32_MAX

enum { BLOCK_LEAST = 64 };

/* Limits: of each cost times the number of vertices, and of the sum of all supplies. */
#define COST_MAX ((int128)1 << 60)
#define SUPPLY_MAX ((int128)1 << 61)

/* A vertex of the tree. Its arc leads to the parent if `up` is true, otherwise from it. */
struct vertex {
    uint32_t parent, child, next, before; /* `before`: previous child of the parent; `next`: next
                                           * one; NONE if there is none */
    uint32_t depth;
    bool up;
    size_t arc;
    int64_t potential; /* cost + potential[from] - potential[to] is 0 for arcs of the tree */
};

/* Vertex n is the root of the tree. Arc narcs + v is an artificial arc between v and the root. */
struct simplex {
    const struct flow_arc *arcs;
    struct flow_arc *artificial;
    size_t n, narcs;
    struct vertex *vertices;
    int64_t *flow; /* for each arc: its flow; 0 or the capacity if the arc is not in the tree */
    size_t block, at;
};

static const struct flow_arc *arc_of(const struct simplex *s, size_t arc)
{
    return arc < s->narcs ? &s->arcs[arc] : &s->artificial[arc - s->narcs];
}

static void join(struct simplex *s, uint32_t v, uint32_t parent, size_t arc, bool up)
{
    struct vertex *vertex = &s->vertices[v];
    vertex->parent = parent;
    vertex->arc = arc;
    vertex->up = up;
    vertex->before = NONE;
    vertex->next = s->vertices[parent].child;
    if (vertex->next != NONE)
        s->vertices[vertex->next].before = v;
    s->vertices[parent].child = v;
}

/* Choose an arc that enters the tree: the one with the greatest saving among the next few arcs.
 * Returns narcs if no arc saves anything. */
static size_t choose_entering(struct simplex *s)
{
    size_t best = s->narcs;
    int64_t most = 0;
    for (size_t seen = 1; seen <= s->narcs; seen++) {
        /* how much the total cost falls if an empty arc gets 1 of flow, or a full arc loses 1 */
        const struct flow_arc *a = &s->arcs[s->at];
        int64_t flow = s->flow[s->at];
        int64_t more = a->cost + s->vertices[a->from].potential - s->vertices[a->to].potential;
        int64_t saving = flow == 0             ? (a->capacity == 0 ? 0 : -more)
                         : flow == a->capacity ? more
                                               : 0;
        if (saving > most) {
            most = saving;
            best = s->at;
        }
        s->at = s->at + 1 == s->narcs ? 0 : s->at + 1;
        if (seen % s->block == 0 && most > 0)
            break;
    }
    return best;
}

/* Returns by how much the flow between a vertex and its parent can grow, upwards or downwards. */
static int64_t room_of(const struct simplex *s, uint32_t v, bool upwards)
{
    const struct vertex *vertex = &s->vertices[v];
    int64_t capacity = arc_of(s, vertex->arc)->capacity, flow = s->flow[vertex->arc];
    return vertex->up != upwards ? flow : capacity == FLOW_ENDLESS ? FLOW_ENDLESS : capacity - flow;
}

/* A step of the simplex method. The arc `arc` closes a cycle with arcs of the tree; `top` is the
 * common ancestor of its ends `first` and `second`. `amount` more flow is sent around the cycle, in
 * the direction from `first` to `second`. If `out` is a vertex, the arc from it to its parent
 * leaves the tree, and `arc` enters it. If `out` is NONE, the tree stays the same. */
struct turn {
    size_t arc;
    uint32_t first, second, top, out;
    bool out_below_first;
    int64_t amount;
};

/* Choose the arc that leaves the tree: the last one with the least unused capacity, on the way
 * around the cycle from `top`. This choice prevents an endless repetition of the same trees. */
static struct turn turn_of(const struct simplex *s, size_t arc)
{
    const struct flow_arc *a = &s->arcs[arc];
    bool forth = s->flow[arc] == 0;
    struct turn turn = {.arc = arc,
                        .first = forth ? a->from : a->to,
                        .second = forth ? a->to : a->from,
                        .out = NONE,
                        .amount = a->capacity};
    uint32_t other = turn.second;
    for (turn.top = turn.first; turn.top != other;) {
        if (s->vertices[turn.top].depth >= s->vertices[other].depth)
            turn.top = s->vertices[turn.top].parent;
        else
            other = s->vertices[other].parent;
    }
    for (uint32_t v = turn.first; v != turn.top; v = s->vertices[v].parent) {
        int64_t room = room_of(s, v, false);
        if (room < turn.amount) {
            turn.amount = room;
            turn.out = v;
            turn.out_below_first = true;
        }
    }
    for (uint32_t v = turn.second; v != turn.top; v = s->vertices[v].parent) {
        int64_t room = room_of(s, v, true);
        if (room <= turn.amount && room != FLOW_ENDLESS) {
            turn.amount = room;
            turn.out = v;
            turn.out_below_first = false;
        }
    }
    return turn;
}

/* Update the depths and potentials of v and all vertices below it, after v got a new parent. */
static void update_subtree(struct simplex *s, uint32_t v)
{
    const struct vertex *top = &s->vertices[v], *parent = &s->vertices[top->parent];
    int64_t cost = arc_of(s, top->arc)->cost;
    int64_t more = parent->potential + (top->up ? -cost : cost) - top->potential;
    for (uint32_t u = v;;) {
        struct vertex *vertex = &s->vertices[u];
        vertex->potential += more;
        vertex->depth = s->vertices[vertex->parent].depth + 1;
        if (vertex->child != NONE) {
            u = vertex->child;
            continue;
        }
        while (u != v && s->vertices[u].next == NONE)
            u = s->vertices[u].parent;
        if (u == v)
            return;
        u = s->vertices[u].next;
    }
}

/* Replace the leaving arc by the entering one. The subtree below the leaving arc gets the entering
 * arc as its parent arc, so the tree's path between the two arcs is reversed. */
static void exchange(struct simplex *s, const struct turn *turn)
{
    uint32_t in = turn->out_below_first ? turn->first : turn->second;
    uint32_t parent = turn->out_below_first ? turn->second : turn->first;
    size_t arc = turn->arc;
    bool up = s->arcs[arc].from == in;
    for (uint32_t v = in;;) {
        struct vertex old = s->vertices[v];
        /* remove v from the children of its parent */
        const struct vertex *vertex = &s->vertices[v];
        if (vertex->before == NONE)
            s->vertices[vertex->parent].child = vertex->next;
        else
            s->vertices[vertex->before].next = vertex->next;
        if (vertex->next != NONE)
            s->vertices[vertex->next].before = vertex->before;
        join(s, v, parent, arc, up);
        if (v == turn->out)
            break;
        parent = v;
        arc = old.arc;
        up = !old.up;
        v = old.parent;
    }
    update_subtree(s, in);
}

static bool improve(struct simplex *s, struct flow *out)
{
    for (size_t arc; s->narcs > 0 && (arc = choose_entering(s)) < s->narcs; out->pivots++) {
        struct turn turn = turn_of(s, arc);
        if (turn.amount == FLOW_ENDLESS)
            return false;
        s->flow[turn.arc] += s->flow[turn.arc] == 0 ? turn.amount : -turn.amount;
        for (uint32_t v = turn.first; v != turn.top; v = s->vertices[v].parent)
            s->flow[s->vertices[v].arc] += s->vertices[v].up ? -turn.amount : turn.amount;
        for (uint32_t v = turn.second; v != turn.top; v = s->vertices[v].parent)
            s->flow[s->vertices[v].arc] += s->vertices[v].up ? turn.amount : -turn.amount;
        if (turn.out != NONE)
            exchange(s, &turn);
    }
    return true;
}

csy_status flow_find(const int64_t *supply, size_t n, const struct flow_arc *arcs, size_t narcs,
                     struct flow *out, int64_t *x, csy_error *error)
{
    struct simplex s = {.arcs = arcs, .n = n, .narcs = narcs, .block = BLOCK_LEAST};
    int128 most = 0, supplied = 0;
    for (size_t i = 0; i < narcs; i++) {
        int128 cost = arcs[i].cost < 0 ? -(int128)arcs[i].cost : arcs[i].cost;
        most = cost > most ? cost : most;
    }
    for (size_t v = 0; v < n; v++)
        supplied += supply[v] < 0 ? -(int128)supply[v] : supply[v];
    if ((most + 1) * ((int128)n + 1) > COST_MAX || supplied > SUPPLY_MAX)
        return error_set(error, CSY_INPUT, "a sum of bounds is out of range");
    s.artificial = calloc(n + 1, sizeof *s.artificial);
    s.vertices = malloc((n + 1) * sizeof *s.vertices);
    s.flow = calloc(narcs + n + 1, sizeof *s.flow);
    if (!s.artificial || !s.vertices || !s.flow) {
        FREE_ALL(s.artificial, s.vertices, s.flow);
        return error_memory(error);
    }
    const int64_t dear = (int64_t)((most + 1) * ((int128)n + 1));
    uint32_t root = (uint32_t)s.n;
    s.vertices[root] = (struct vertex){.parent = NONE, .child = NONE, .next = NONE, .before = NONE};
    for (uint32_t v = 0; v < root; v++) {
        bool up = supply[v] >= 0;
        size_t arc = s.narcs + v;
        s.vertices[v] = (struct vertex){
            .child = NONE, .next = NONE, .depth = 1, .potential = up ? -dear : dear};
        s.artificial[v] = (struct flow_arc){up ? v : root, up ? root : v, dear, FLOW_ENDLESS};
        s.flow[arc] = up ? supply[v] : -supply[v];
        join(&s, v, root, arc, up);
    }
    while (s.block * s.block < s.narcs)
        s.block++;
    struct flow found = {.possible = true};
    bool bounded = improve(&s, &found);
    for (size_t v = 0; v < n; v++)
        found.possible &= s.flow[narcs + v] == 0;
    for (size_t arc = 0; arc < narcs && found.possible; arc++)
        found.cost += (int128)s.flow[arc] * arcs[arc].cost;
    for (size_t v = 0; x && bounded && found.possible && v < n; v++)
        x[v] = -s.vertices[v].potential;
    FREE_ALL(s.artificial, s.vertices, s.flow);
    if (!bounded)
        return error_set(error, CSY_INPUT, "a cycle of constraints sums to less than 0");
    *out = found;
    return CSY_OK;
}
