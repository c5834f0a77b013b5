/* Walks that remember where they went. */
#include "graph/walks.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum kind { START, END, JOIN };

struct walk_node {
    uint32_t references;
    enum kind kind;
    struct walk_node *first, *next; /* START: neither; END: first */
    struct walk_node *waiting;      /* to be freed, see walk_drop */
    struct walk_point point;        /* START and END */
};

static struct walk_node *make(enum kind kind, struct walk_node *first, struct walk_node *next,
                              const struct walk_point *point)
{
    struct walk_node *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    *node = (struct walk_node){.references = 1, .kind = kind};
    node->first = first ? walk_keep(first) : NULL;
    node->next = next ? walk_keep(next) : NULL;
    if (point)
        node->point = *point;
    return node;
}

struct walk_node *walk_start(const struct walk_point *from)
{
    return make(START, NULL, NULL, from);
}

struct walk_node *walk_end(struct walk_node *open, const struct walk_point *to)
{
    return make(END, open, NULL, to);
}

struct walk_node *walk_join(struct walk_node *closed, struct walk_node *next)
{
    return make(JOIN, closed, next, NULL);
}

struct walk_node *walk_keep(struct walk_node *node)
{
    node->references++;
    return node;
}

/* Give up a reference; what nobody refers to any more goes in front of the waiting list. */
static void release(struct walk_node *node, struct walk_node **waiting)
{
    if (!node || --node->references > 0)
        return;
    node->waiting = *waiting;
    *waiting = node;
}

/* Walks may be deep: no recursion. */
void walk_drop(struct walk_node *node)
{
    struct walk_node *waiting = NULL;
    release(node, &waiting);
    while (waiting) {
        struct walk_node *gone = waiting;
        waiting = gone->waiting;
        release(gone->first, &waiting);
        release(gone->next, &waiting);
        free(gone);
    }
}

struct edge_list {
    struct walk_edge *items;
    size_t count, capacity;
};

static bool take_point(struct edge_list *list, const struct walk_node *node)
{
    if (node->kind == END) {
        /* An end comes after its start: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        list->items[list->count - 1].to = node->point;
        return true;
    }
    if (!ARRAY_RESERVE(list->items, list->capacity, list->count + 1))
        return false;
    list->items[list->count++].from = node->point;
    return true;
}

/* What is still to be visited: a node, or behind its parts its point. */
struct visit {
    const struct walk_node *node;
    bool point;
};

csy_status walk_edges(const struct walk_node *node, struct walk_edge **edges, size_t *n,
                      csy_error *error)
{
    struct edge_list list = {NULL, 0, 0};
    struct visit *stack = NULL;
    size_t depth = 0, capacity = 0;
    bool good = ARRAY_RESERVE(stack, capacity, 1);
    if (good)
        stack[depth++] = (struct visit){node, false};
    while (good && depth > 0) {
        struct visit visit = stack[--depth];
        const struct walk_node *at = visit.node;
        if (visit.point || at->kind == START) {
            good = take_point(&list, at);
            continue;
        }
        good = ARRAY_RESERVE(stack, capacity, depth + 2);
        if (good) {
            stack[depth++] =
                at->kind == END ? (struct visit){at, true} : (struct visit){at->next, false};
            stack[depth++] = (struct visit){at->first, false};
        }
    }
    free(stack);
    if (!good) {
        free(list.items);
        return error_memory(error);
    }
    *edges = list.items;
    *n = list.count;
    return CSY_OK;
}

int128 walk_weight(const struct walk_edge *edges, size_t n)
{
    int128 sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += edges[i].to.x - edges[i].from.x;
    return sum;
}

/* Where each thread stands on the path so far, in order of threads. */
struct place {
    uint32_t thread;
    size_t at; /* index in the path of the edge that leaves it; SIZE_MAX: nowhere */
};

static int compare_places(const void *a, const void *b)
{
    uint32_t x = ((const struct place *)a)->thread, y = ((const struct place *)b)->thread;
    return (x > y) - (x < y);
}

static struct place *find_place(struct place *places, size_t n, uint32_t thread)
{
    struct place key = {thread, 0};
    return bsearch(&key, places, n, sizeof key, compare_places);
}

struct worst {
    struct walk_edge *edges;
    size_t length;
    int128 weight;
};

static void consider(struct worst *worst, const struct walk_edge *cycle, size_t n)
{
    int128 weight = walk_weight(cycle, n);
    if (worst->length && weight * (int128)worst->length >= worst->weight * (int128)n)
        return;
    memcpy(worst->edges, cycle, n * sizeof *cycle);
    worst->length = n;
    worst->weight = weight;
}

/* Follow the edges; whenever a thread is met again, cut off the cycle that closes there. */
static void cut_cycles(const struct walk_edge *edges, size_t n, struct walk_edge *path,
                       struct place *places, struct worst *worst)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        find_place(places, n, edges[i].from.thread)->at = length;
        path[length++] = edges[i];
        struct place *met = find_place(places, n, edges[i].to.thread);
        if (met->at == SIZE_MAX)
            continue;
        size_t start = met->at;
        consider(worst, path + start, length - start);
        for (size_t k = start; k < length; k++)
            find_place(places, n, path[k].from.thread)->at = SIZE_MAX;
        length = start;
    }
}

csy_status walk_worst_cycle(struct walk_edge *edges, size_t n, size_t *length, csy_error *error)
{
    struct worst worst = {malloc(n * sizeof *worst.edges), 0, 0};
    struct walk_edge *path = malloc(n * sizeof *path);
    struct place *places = malloc(n * sizeof *places);
    csy_status status = CSY_OK;
    if (!worst.edges || !path || !places) {
        status = error_memory(error);
    } else {
        for (size_t i = 0; i < n; i++)
            places[i] = (struct place){edges[i].from.thread, SIZE_MAX};
        qsort(places, n, sizeof *places, compare_places);
        cut_cycles(edges, n, path, places, &worst);
        memcpy(edges, worst.edges, worst.length * sizeof *edges);
        *length = worst.length;
    }
    free(worst.edges);
    free(path);
    free(places);
    return status;
}
