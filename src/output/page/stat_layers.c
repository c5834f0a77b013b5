/* A directed graph in columns. */
#include "output/page/stat_layers.h"

#include "base/sort.h"

#include <string.h>

enum { SWEEPS = 12, NEW = 0, OPEN, DONE };

/* --- Columns -------------------------------------------------------------------------------- */

/* A node on the stack and its next edge. */
struct visit {
    size_t node, edge;
};

/* Visit everything that a node leads to. An edge to a node that is still being visited closes a
 * cycle, and is reversed. */
static void visit(struct layers *layers, size_t root, char *state, size_t *order, size_t *norder)
{
    struct visit stack[LAYERS_NODES_MAX];
    size_t depth = 1;
    stack[0] = (struct visit){root, 0};
    state[root] = OPEN;
    while (depth > 0) {
        struct visit *top = &stack[depth - 1];
        if (top->edge == layers->nedges) {
            state[top->node] = DONE;
            order[(*norder)++] = top->node;
            depth--;
            continue;
        }
        struct layer_edge *edge = &layers->edges[top->edge++];
        if (edge->from != top->node)
            continue;
        edge->back = state[edge->to] == OPEN;
        if (state[edge->to] != NEW)
            continue;
        state[edge->to] = OPEN;
        stack[depth++] = (struct visit){edge->to, 0};
    }
}

static bool has_caller(const struct layers *layers, size_t node)
{
    for (size_t i = 0; i < layers->nedges; i++)
        if (layers->edges[i].to == node)
            return true;
    return false;
}

/* Put each node to the right of all nodes that lead to it. */
static void find_layers(struct layers *layers)
{
    char state[LAYERS_NODES_MAX] = {NEW};
    size_t order[LAYERS_NODES_MAX] = {0}, n = 0;
    for (int cycles = 0; cycles < 2; cycles++)
        for (size_t i = 0; i < layers->nnodes; i++)
            if (state[i] == NEW && (cycles || !has_caller(layers, i)))
                visit(layers, i, state, order, &n);
    for (size_t i = 0; i < layers->nnodes; i++)
        layers->items[i].layer = 0;
    while (n-- > 0)
        for (size_t i = 0; i < layers->nedges; i++) {
            const struct layer_edge *edge = &layers->edges[i];
            size_t left = edge->back ? edge->to : edge->from;
            size_t right = edge->back ? edge->from : edge->to;
            if (left == order[n] && layers->items[right].layer <= layers->items[left].layer)
                layers->items[right].layer = layers->items[left].layer + 1;
        }
    layers->nlayers = 0;
    for (size_t i = 0; i < layers->nnodes; i++) {
        struct layer_item *item = &layers->items[i];
        item->layer = item->layer < LAYERS_MAX ? item->layer : -1;
        layers->nlayers = item->layer >= layers->nlayers ? item->layer + 1 : layers->nlayers;
    }
}

/* Add waypoints. An edge without room for its waypoints, or without a node, is not drawn. */
static void find_ways(struct layers *layers)
{
    layers->nitems = layers->nnodes;
    for (size_t i = 0; i < layers->nedges; i++) {
        struct layer_edge *edge = &layers->edges[i];
        size_t left = edge->back ? edge->to : edge->from;
        size_t right = edge->back ? edge->from : edge->to;
        int first = layers->items[left].layer, last = layers->items[right].layer;
        edge->length = 0;
        if (first < 0 || last < 0 || layers->nitems + LAYERS_MAX > LAYERS_ITEMS_MAX)
            continue;
        edge->way[edge->length++] = left;
        for (int layer = first + 1; layer < last; layer++) {
            layers->items[layers->nitems] =
                (struct layer_item){.layer = layer, .height = layers->waypoint};
            edge->way[edge->length++] = layers->nitems++;
        }
        edge->way[edge->length++] = right;
    }
}

/* --- Places --------------------------------------------------------------------------------- */

/* The items of a column, from top to bottom. */
struct column {
    struct layer_item *items[LAYERS_ITEMS_MAX];
    size_t n;
};

static int compare_places(const void *a, const void *b)
{
    const struct layer_item *x = *(struct layer_item *const *)a;
    const struct layer_item *y = *(struct layer_item *const *)b;
    return (x->place > y->place) - (x->place < y->place);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct layer_item *x = *(struct layer_item *const *)a;
    const struct layer_item *y = *(struct layer_item *const *)b;
    return x->rank != y->rank ? (x->rank > y->rank ? 1 : -1) : compare_places(a, b);
}

static void read_column(struct layers *layers, int layer, struct column *column)
{
    column->n = 0;
    for (size_t i = 0; i < layers->nitems; i++)
        if (layers->items[i].layer == layer)
            column->items[column->n++] = &layers->items[i];
    sort_pointers(column->items, column->n, compare_places);
}

static int middle(const struct layer_item *item)
{
    return item->y + item->height / 2;
}

/* The mean middle of an item's neighbours in the column to its left or right; its own middle if it
 * has none. */
static int wanted_middle(const struct layers *layers, const struct layer_item *item, bool left)
{
    int64_t sum = 0, n = 0;
    size_t index = (size_t)(item - layers->items);
    for (size_t i = 0; i < layers->nedges; i++) {
        const struct layer_edge *edge = &layers->edges[i];
        for (size_t k = 0; k + 1 < edge->length; k++) {
            if (edge->way[left ? k + 1 : k] != index)
                continue;
            sum += middle(&layers->items[edge->way[left ? k : k + 1]]);
            n++;
        }
    }
    return n > 0 ? (int)(sum / n) : middle(item);
}

/* Place the items of a column in order and without overlaps near their wanted positions: pushed
 * down, then all moved up by the mean displacement. */
static void settle(const struct layers *layers, struct column *column, const int *wanted)
{
    int64_t away = 0;
    int end = 0;
    for (size_t i = 0; i < column->n; i++) {
        struct layer_item *item = column->items[i];
        int want = wanted[i] - item->height / 2;
        item->y = i > 0 && want < end ? end : want;
        end = item->y + item->height + layers->gap;
        away += item->y - want;
    }
    for (size_t i = 0; i < column->n; i++)
        column->items[i]->y -= (int)(away / (int64_t)column->n);
}

static void sweep(struct layers *layers, int layer, bool left, bool reorder)
{
    struct column column;
    int wanted[LAYERS_ITEMS_MAX];
    read_column(layers, layer, &column);
    if (reorder) {
        for (size_t i = 0; i < column.n; i++)
            column.items[i]->rank = wanted_middle(layers, column.items[i], left);
        sort_pointers(column.items, column.n, compare_ranks);
    }
    for (size_t i = 0; i < column.n; i++) {
        wanted[i] = wanted_middle(layers, column.items[i], left);
        column.items[i]->place = i;
    }
    settle(layers, &column, wanted);
}

/* Initial positions, in no particular order. */
static void stack(struct layers *layers)
{
    for (int layer = 0; layer < layers->nlayers; layer++) {
        struct column column;
        int wanted[LAYERS_ITEMS_MAX] = {0};
        read_column(layers, layer, &column);
        for (size_t i = 0; i < column.n; i++)
            column.items[i]->place = i;
        settle(layers, &column, wanted);
    }
}

static int compare_tops(const void *a, const void *b)
{
    const struct layer_item *x = *(struct layer_item *const *)a;
    const struct layer_item *y = *(struct layer_item *const *)b;
    return x->y != y->y ? (x->y > y->y ? 1 : -1) : (x > y) - (x < y);
}

/* Unconnected parts push each other away, so remove room between them. */
static void close_up(struct layers *layers)
{
    struct layer_item *items[LAYERS_ITEMS_MAX];
    size_t n = 0;
    int end = 0, up = 0;
    for (size_t i = 0; i < layers->nitems; i++)
        if (layers->items[i].layer >= 0)
            items[n++] = &layers->items[i];
    sort_pointers(items, n, compare_tops);
    for (size_t i = 0; i < n; i++) {
        items[i]->y -= up;
        int more = i > 0 ? items[i]->y - end - layers->gap : 0;
        if (more > 0) {
            items[i]->y -= more;
            up += more;
        }
        int bottom = items[i]->y + items[i]->height;
        end = i > 0 && end > bottom ? end : bottom;
    }
}

/* Move everything to start at 0. */
static void set_height(struct layers *layers)
{
    int top = INT32_MAX, bottom = INT32_MIN;
    for (size_t i = 0; i < layers->nitems; i++) {
        const struct layer_item *item = &layers->items[i];
        if (item->layer < 0)
            continue;
        top = item->y < top ? item->y : top;
        bottom = item->y + item->height > bottom ? item->y + item->height : bottom;
    }
    for (size_t i = 0; i < layers->nitems; i++)
        layers->items[i].y -= top;
    layers->height = bottom - top;
}

void layers_place(struct layers *layers)
{
    find_layers(layers);
    find_ways(layers);
    for (size_t i = 0; i < layers->nitems; i++)
        layers->items[i].place = i;
    stack(layers);
    for (int times = 0; times < SWEEPS; times++) {
        bool reorder = times < SWEEPS / 2;
        for (int layer = 1; layer < layers->nlayers; layer++)
            sweep(layers, layer, true, reorder);
        for (int layer = layers->nlayers - 1; layer-- > 0;)
            sweep(layers, layer, false, reorder);
    }
    close_up(layers);
    set_height(layers);
}
