/* The edges of walks that an exact pass has found. */
#include "base/array.h"
#include "base/error.h"
#include "graph/exact_matrix.h"

#include <stdlib.h>

static size_t place_in(const struct removal *removal, uint32_t thread)
{
    size_t i = 0;
    while (removal->ids[i] != thread)
        i++;
    return i;
}

/* What is still to be visited: the closed walk from a to b, the open one from a, or a point that
 * ends an edge. */
struct visit {
    enum { CLOSED, OPEN, POINT } kind;
    uint32_t a, b;
    struct part part;
};

/* The parts of a visit, the first one last; how many. */
static size_t divide(const struct exact_matrix *m, struct visit visit, struct visit parts[2])
{
    bool closed = visit.kind == CLOSED;
    uint32_t from = closed ? visit.part.end : visit.part.open;
    if (closed && !(from & STEP)) {
        parts[0] = (struct visit){POINT, 0, 0, visit.part};
        parts[1] = (struct visit){OPEN, visit.a, 0, visit.part};
        return 2;
    }
    const struct removal *removal = &m->removals[from & ~STEP];
    uint32_t v = removal->thread;
    parts[0] = closed ? (struct visit){CLOSED, v, visit.b, removal->to[place_in(removal, visit.b)]}
                      : (struct visit){OPEN, v, 0, {removal->open, NONE}};
    parts[1] = (struct visit){CLOSED, visit.a, v, removal->from[place_in(removal, visit.a)]};
    return 2;
}

static bool take_point(const struct exact_matrix *m, struct visit visit, struct edge_list *list)
{
    if (visit.kind == POINT) {
        /* An end comes after its start: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        list->items[list->count - 1].to = m->points[visit.part.end];
        return true;
    }
    if (!ARRAY_RESERVE(list->items, list->capacity, list->count + 1))
        return false;
    list->items[list->count++] = (struct edge){.from = m->points[visit.part.open]};
    return true;
}

csy_status exact_walk_edges(const struct exact_matrix *m, uint32_t from, uint32_t to,
                            struct part part, struct edge_list *list, csy_error *error)
{
    struct visit *stack = NULL;
    size_t depth = 0, capacity = 0;
    bool good = ARRAY_RESERVE(stack, capacity, 1);
    if (good)
        stack[depth++] = (struct visit){CLOSED, from, to, part};
    while (good && depth > 0) {
        struct visit visit = stack[--depth];
        if (visit.kind == POINT || (visit.kind == OPEN && !(visit.part.open & STEP))) {
            good = take_point(m, visit, list);
            continue;
        }
        good = ARRAY_RESERVE(stack, capacity, depth + 2);
        if (good)
            depth += divide(m, visit, stack + depth);
    }
    free(stack);
    return good ? CSY_OK : error_memory(error);
}
