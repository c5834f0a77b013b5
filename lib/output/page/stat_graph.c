/* Draws the call graph: routines are boxes in columns, callers to the left of callees. */
#include "base/sort.h"
#include "base/texts.h"
#include "output/page/stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The layout of a small directed graph in columns. Edges lead to the right; the layout reverses an
 * edge that would close a cycle. If an edge passes through a column, it has a place there, called a
 * waypoint. Places are repeatedly sorted and moved towards their neighbours in the next columns.
 * All numbers are integers, so that all machines draw the same. */

enum { LAYERS_NODES_MAX = 40, LAYERS_EDGES_MAX = 120, LAYERS_MAX = 8, LAYERS_ITEMS_MAX = 1024 };
enum { GAP = 130, WAYPOINT = 100 }; /* gap between two items, and height of a waypoint */

/* A node of the graph, or a waypoint of an edge. */
struct layer_item {
    int layer, y, height; /* layer: number of the item's column. y: position of its top. */
    size_t place;         /* index in the column, from the top */
    int64_t rank;         /* the items of a column are sorted by this number */
};

struct layer_edge {
    size_t from, to; /* indexes of the two nodes that the edge connects; never equal */
    bool back;       /* true if the layout reverses the edge */
    /* indexes of the items along the edge from left to right, with both end nodes */
    size_t way[LAYERS_MAX];
    size_t length; /* number of items along the edge, or 0 if the edge is not drawn */
};

/* A graph and its layout. The caller sets the heights of nodes, and the edges, the most important
 * first. layers_place computes positions and ways. The nodes are the first items. If a node needs
 * more than LAYERS_MAX columns, its layer is -1, and it is not drawn. */
struct layers {
    struct layer_item items[LAYERS_ITEMS_MAX];
    size_t nnodes, nitems;
    struct layer_edge edges[LAYERS_EDGES_MAX];
    size_t nedges;
    int nlayers, height;
};

enum { SWEEPS = 12, NEW = 0, OPEN, DONE };

/* --- Columns -------------------------------------------------------------------------------- */

/* A node on the stack of the depth-first search, and the next edge to follow from it. */
struct visit {
    size_t node, edge;
};

/* Visit all nodes reachable from `root`. An edge to an OPEN node closes a cycle and is reversed. */
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

/* Choose a column for each node: to the right of all nodes that have edges to it. */
static void find_layers(struct layers *layers)
{
    char state[LAYERS_NODES_MAX] = {NEW};
    bool called[LAYERS_NODES_MAX] = {false};
    size_t order[LAYERS_NODES_MAX] = {0}, n = 0;
    for (size_t i = 0; i < layers->nedges; i++)
        called[layers->edges[i].to] = true;
    for (int cycles = 0; cycles < 2; cycles++)
        for (size_t i = 0; i < layers->nnodes; i++)
            if (state[i] == NEW && (cycles || !called[i]))
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

/* --- Places --------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const struct layer_item *x = *(struct layer_item *const *)a;
    const struct layer_item *y = *(struct layer_item *const *)b;
    return COMPARE(x->place, y->place);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct layer_item *x = *(struct layer_item *const *)a;
    const struct layer_item *y = *(struct layer_item *const *)b;
    return COMPARE_THEN(x->rank, y->rank, compare_places(a, b));
}

static int middle(const struct layer_item *item)
{
    return item->y + item->height / 2;
}

/* The neighbours that attract an item: none, or the neighbours in the left or right column. */
enum side { NO_SIDE, LEFT_SIDE, RIGHT_SIDE };

/* Returns the mean y of the items on one side that edges connect with this item. If there are none,
 * returns the item's own middle. */
static int wanted_middle(const struct layers *layers, const struct layer_item *item, enum side side)
{
    int64_t sum = 0, n = 0;
    size_t index = (size_t)(item - layers->items);
    bool left = side == LEFT_SIDE;
    if (side == NO_SIDE)
        return 0;
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

/* Place each item of a column near the mean height of its neighbours on `side`, without overlaps.
 * If `reorder`, also sort the items by these heights. */
static void sweep(struct layers *layers, int layer, enum side side, bool reorder)
{
    struct layer_item *items[LAYERS_ITEMS_MAX];
    size_t n = 0;
    int64_t away = 0;
    int end = 0;
    for (size_t i = 0; i < layers->nitems; i++)
        if (layers->items[i].layer == layer)
            items[n++] = &layers->items[i];
    sort_pointers(items, n, compare_places);
    for (size_t i = 0; i < n && reorder; i++)
        items[i]->rank = wanted_middle(layers, items[i], side);
    if (reorder)
        sort_pointers(items, n, compare_ranks);
    for (size_t i = 0; i < n; i++) {
        int want = wanted_middle(layers, items[i], side) - items[i]->height / 2;
        items[i]->place = i;
        items[i]->y = i > 0 && want < end ? end : want;
        end = items[i]->y + items[i]->height + GAP;
        away += items[i]->y - want;
    }
    for (size_t i = 0; i < n; i++)
        items[i]->y -= (int)(away / (int64_t)n);
}

static int compare_tops(const void *a, const void *b)
{
    const struct layer_item *x = *(struct layer_item *const *)a;
    const struct layer_item *y = *(struct layer_item *const *)b;
    return COMPARE_THEN(x->y, y->y, COMPARE(x, y));
}

static void layers_place(struct layers *layers)
{
    find_layers(layers);
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
            layers->items[layers->nitems] = (struct layer_item){.layer = layer, .height = WAYPOINT};
            edge->way[edge->length++] = layers->nitems++;
        }
        edge->way[edge->length++] = right;
    }
    for (size_t i = 0; i < layers->nitems; i++)
        layers->items[i].place = i;
    /* Begin with the items of each column on top of each other. */
    for (int layer = 0; layer < layers->nlayers; layer++)
        sweep(layers, layer, NO_SIDE, false);
    for (int times = 0; times < SWEEPS; times++) {
        bool reorder = times < SWEEPS / 2;
        for (int layer = 1; layer < layers->nlayers; layer++)
            sweep(layers, layer, LEFT_SIDE, reorder);
        for (int layer = layers->nlayers - 1; layer-- > 0;)
            sweep(layers, layer, RIGHT_SIDE, reorder);
    }
    /* Move the unconnected parts of the graph closer together. */
    struct layer_item *items[LAYERS_ITEMS_MAX];
    size_t n = 0;
    int end = 0, up = 0;
    for (size_t i = 0; i < layers->nitems; i++)
        if (layers->items[i].layer >= 0)
            items[n++] = &layers->items[i];
    sort_pointers(items, n, compare_tops);
    for (size_t i = 0; i < n; i++) {
        items[i]->y -= up;
        int more = i > 0 ? items[i]->y - end - GAP : 0;
        if (more > 0) {
            items[i]->y -= more;
            up += more;
        }
        int bottom = items[i]->y + items[i]->height;
        end = i > 0 && end > bottom ? end : bottom;
    }
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

enum { CALLER, CALLEE, KIND, FILE_NAME, LINE, CALLS, TIME };
enum {
    BOX = 350,    /* least height of a box */
    NUMBER = 135, /* height of a number beside an arrow */
    TOP = 60,
    PITCH_LEAST = 1900, /* least distance between the left sides of two columns */
    PITCH_MOST = 2600,
    BETWEEN = 700, /* width of the gap between two columns of boxes */
    CHARACTER = 75,
    TITLE_CHARACTERS = 80,
    THIN = 10,
    THICK = 60,
    ARROW = 80
};

/* The calls from one routine to another routine, or to itself. */
struct call {
    uint32_t caller, callee; /* indexes in graph.names, or NO_TEXT if there is no caller */
    size_t row;
    int64_t calls, time;
};

struct box {
    uint32_t name;
    int64_t calls, by_itself;
    int arrows; /* number of arrows that lead to the box */
    /* number of edges at the right (out) and left side (in), and how many of them are drawn */
    size_t out, in, out_taken, in_taken;
};

struct graph {
    const struct page *page;
    const csy_sheet *sheet;
    struct texts names;
    struct call *calls;
    size_t ncalls, nroutines;
    struct box boxes[LAYERS_NODES_MAX];
    size_t of_edge[LAYERS_EDGES_MAX]; /* for each edge of the layout: index in `calls` */
    struct layers layers;
    int pitch;
    int64_t most;
};

/* --- Selection ------------------------------------------------------------------------------- */

static int compare_calls(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    return 4 * COMPARE(y->time, x->time) + 2 * COMPARE(y->calls, x->calls) +
           COMPARE(x->row, y->row);
}

/* Returns the index of a routine's box, or LAYERS_NODES_MAX if it has none. If `add` is true, first
 * make a missing box, unless all LAYERS_NODES_MAX are used. */
static size_t box_of(struct graph *graph, uint32_t name, bool add)
{
    size_t i = 0, *n = &graph->layers.nnodes;
    while (i < *n && graph->boxes[i].name != name)
        i++;
    if (i < *n || !add || i == LAYERS_NODES_MAX)
        return i < *n ? i : LAYERS_NODES_MAX;
    graph->boxes[i] = (struct box){.name = name};
    graph->layers.items[i] = (struct layer_item){.height = BOX};
    (*n)++;
    return i;
}

/* --- Boxes ---------------------------------------------------------------------------------- */

enum { NAME_BYTES = 1024 };

static void write_name(const struct graph *graph, size_t box, size_t most)
{
    char text[NAME_BYTES];
    const struct text_item *item = &graph->names.items[graph->boxes[box].name];
    snprintf(text, sizeof text, "%.*s",
             (int)(item->size < sizeof text ? item->size : sizeof text - 1),
             graph->names.bytes + item->at);
    html_text(graph->page->out, text, most);
}

static void write_calls(const struct graph *graph, const struct box *box)
{
    page_print(graph->page, "%" PRId64 " call%s", box->calls, text_plural((uint64_t)box->calls));
    if (box->by_itself > 0)
        page_print(graph->page, ", %" PRId64 " by itself", box->by_itself);
}

static int left_of(const struct graph *graph, const struct layer_item *item)
{
    return item->layer * graph->pitch;
}

static int right_of(const struct graph *graph, const struct layer_item *item)
{
    return left_of(graph, item) + graph->pitch - BETWEEN;
}

/* --- Edges ---------------------------------------------------------------------------------- */

/* Returns the y of the next edge at a side of a box, or of the middle of a waypoint. */
static int port(struct graph *graph, size_t item, bool at_right)
{
    const struct layer_item *at = &graph->layers.items[item];
    if (item >= graph->layers.nnodes)
        return TOP + at->y + at->height / 2;
    struct box *box = &graph->boxes[item];
    size_t n = at_right ? box->out : box->in;
    size_t k = at_right ? box->out_taken++ : box->in_taken++;
    return TOP + at->y + (int)((size_t)at->height * (k + 1) / (n + 1));
}

static void draw_edge(struct graph *graph, size_t i)
{
    const struct layer_edge *edge = &graph->layers.edges[i];
    struct outfile *out = graph->page->out;
    const struct layer_item *items = graph->layers.items;
    const struct call *call = &graph->calls[graph->of_edge[i]];
    char text[CSY_TIME_TEXT_MAX];
    outfile_add(out, "<g><title>");
    write_name(graph, edge->from, TITLE_CHARACTERS);
    outfile_add(out, " calls ");
    write_name(graph, edge->to, TITLE_CHARACTERS);
    page_print(graph->page, ": %" PRId64 " call%s, ", call->calls,
               text_plural((uint64_t)call->calls));
    stat_figure(graph->page, &graph->sheet->columns[TIME], cells_at(graph->sheet, call->row, TIME));
    page_print(graph->page, " ticks (%s)</title>", page_whole_time(graph->page, call->time, text));
    int thicker = graph->most > 0 && call->time > 0
                      ? (int)((int128)call->time * (THICK - THIN) / graph->most)
                      : 0;
    outfile_print(out, "<path class=\"call%s\" stroke-width=\"%d\"", edge->back ? " open" : "",
                  THIN + thicker);
    /* Draw a curve through all columns of the edge. It is horizontal at waypoints. */
    int left = right_of(graph, &items[edge->way[0]]);
    int right = left_of(graph, &items[edge->way[edge->length - 1]]);
    int first = port(graph, edge->way[0], true), y = first;
    outfile_print(out, " d=\"M%d %d", left + (edge->back ? ARROW : 0), y);
    for (size_t k = 1; k < edge->length; k++) {
        bool last = k + 1 == edge->length;
        const struct layer_item *item = &items[edge->way[k]];
        int from = right_of(graph, &items[edge->way[k - 1]]);
        int x = left_of(graph, item) - (last && !edge->back ? ARROW : 0);
        int next = port(graph, edge->way[k], false), bend = (from + x) / 2;
        outfile_print(out, "C%d %d %d %d %d %d", bend, y, bend, next, x, next);
        if (!last)
            outfile_print(out, "H%d", right_of(graph, item));
        y = next;
    }
    int tip = edge->back ? left : right, tip_y = edge->back ? first : y;
    outfile_print(out, "\"/>\n<path class=\"head\" d=\"M%d %dl%d -40v80z\"/>\n", tip, tip_y,
                  edge->back ? ARROW + 20 : -(ARROW + 20));
    page_text(graph->page, edge->back ? "small over" : "small over end",
              tip + (edge->back ? ARROW + 50 : -(ARROW + 50)), tip_y - 30, "%" PRId64, call->calls);
    outfile_add(out, "</g>\n");
}

/* An edge and the tops of its end nodes. Sorting by tops makes fewer edges cross. */
struct ordered_edge {
    size_t edge;
    int left, right;
};

static int compare_edges(const void *a, const void *b)
{
    const struct ordered_edge *x = a, *y = b;
    return 2 * COMPARE(x->left + x->right, y->left + y->right) + COMPARE(x->edge, y->edge);
}

/* --- The drawing ------------------------------------------------------------------------------ */

static void draw(struct graph *graph)
{
    struct ordered_edge order[LAYERS_EDGES_MAX];
    struct outfile *out = graph->page->out;
    struct layers *layers = &graph->layers;
    layers_place(layers);
    int pitch = (PAGE_WIDTH + BETWEEN) / layers->nlayers;
    graph->pitch = pitch < PITCH_LEAST ? PITCH_LEAST : pitch > PITCH_MOST ? PITCH_MOST : pitch;
    int width = graph->pitch * layers->nlayers - BETWEEN;
    /* Count the edges at each side of each box, and sort all edges. */
    size_t n = 0, boxes = 0;
    for (size_t i = 0; i < layers->nedges; i++) {
        const struct layer_edge *edge = &layers->edges[i];
        if (edge->length == 0)
            continue;
        size_t left = edge->way[0], right = edge->way[edge->length - 1];
        graph->boxes[left].out++;
        graph->boxes[right].in++;
        order[n++] = (struct ordered_edge){i, layers->items[left].y, layers->items[right].y};
    }
    SORT(order, n, compare_edges);
    page_frame(graph->page);
    page_drawing_begin(graph->page, "call-graph", width > PAGE_WIDTH ? width : PAGE_WIDTH,
                       2 * TOP + layers->height, "Call graph",
                       "Each box is a routine; arrows lead from callers to callees.");
    for (size_t i = 0; i < n; i++)
        draw_edge(graph, order[i].edge);
    for (size_t i = 0; i < layers->nnodes; i++) {
        if (layers->items[i].layer < 0)
            continue;
        const struct layer_item *item = &layers->items[i];
        int x = left_of(graph, item), wide = graph->pitch - BETWEEN, y = TOP + item->y;
        svg_rect_begin(out, "box", (struct svg_box){x, y, wide, item->height});
        write_name(graph, i, TITLE_CHARACTERS);
        outfile_add(out, ": ");
        write_calls(graph, &graph->boxes[i]);
        svg_rect_end(out);
        svg_text_begin(out, "clock", x + CHARACTER / 2, y + 145);
        write_name(graph, i, (size_t)((wide - CHARACTER) / CHARACTER));
        svg_text_end(out);
        svg_text_begin(out, "small", x + CHARACTER / 2, y + 290);
        write_calls(graph, &graph->boxes[i]);
        svg_text_end(out);
        boxes++;
    }
    size_t edges = 0;
    for (const struct call *call = graph->calls; call < graph->calls + graph->ncalls; call++)
        edges += call->caller != NO_TEXT && call->caller != call->callee;
    page_caption(graph->page, NULL);
    outfile_add(out,
                "An arrow leads from a routine to one that it calls, with the number of calls. "
                "A thicker arrow takes more time. An arrow back to a caller is dashed.");
    if (boxes < graph->nroutines || n < edges)
        page_print(graph->page,
                   " Shown are %zu of %zu routines and %zu of %zu arrows, those with most time "
                   "within %d columns.",
                   boxes, graph->nroutines, n, edges, LAYERS_MAX);
    page_caption_end(graph->page);
}

bool stat_graph(const struct page *page, const csy_sheet *sheet)
{
    struct graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return false;
    graph->page = page;
    graph->sheet = sheet;
    graph->calls = malloc((sheet->nrows + 1) * sizeof *graph->calls);
    bool good = graph->calls;
    for (size_t row = 0; good && row < sheet->nrows; row++) {
        const csy_value *values = cells_at(sheet, row, 0);
        uint32_t names[2] = {NO_TEXT, NO_TEXT};
        if (values[KIND].none || strcmp(values[KIND].text, "routine") != 0)
            continue;
        for (size_t i = 0; i < 2; i++) {
            const csy_value *name = &values[i == 0 ? CALLER : CALLEE];
            good = good && (name->none || texts_find(&graph->names, name->text, strlen(name->text),
                                                     &names[i], NULL));
        }
        graph->calls[graph->ncalls++] = (struct call){
            names[0], names[1], row, values[CALLS].range.estimate, values[TIME].range.estimate};
    }
    SORT(graph->calls, graph->ncalls, compare_calls);
    graph->nroutines = graph->names.count;
    struct layers *layers = &graph->layers;
    /* Add the calls that take the most time to the graph, until it is full. */
    for (size_t i = 0; good && i < graph->ncalls; i++) {
        const struct call *call = &graph->calls[i];
        bool edge = call->caller != NO_TEXT && call->caller != call->callee;
        size_t missing = box_of(graph, call->callee, false) == LAYERS_NODES_MAX;
        missing += edge && box_of(graph, call->caller, false) == LAYERS_NODES_MAX;
        if (layers->nnodes + missing > LAYERS_NODES_MAX ||
            (edge && layers->nedges == LAYERS_EDGES_MAX))
            continue;
        size_t from = edge ? box_of(graph, call->caller, true) : LAYERS_NODES_MAX;
        size_t to = box_of(graph, call->callee, true);
        if (!edge)
            continue;
        graph->of_edge[layers->nedges] = i;
        layers->edges[layers->nedges++] = (struct layer_edge){.from = from, .to = to};
        /* Make the box high enough to write a number beside each arrow. */
        int height = (++graph->boxes[to].arrows + 1) * NUMBER, *room = &layers->items[to].height;
        *room = height > *room ? height : *room;
        graph->most = call->time > graph->most ? call->time : graph->most;
    }
    for (size_t i = 0; good && i < graph->ncalls; i++) {
        const struct call *call = &graph->calls[i];
        size_t to = box_of(graph, call->callee, false);
        if (to == LAYERS_NODES_MAX)
            continue;
        struct box *box = &graph->boxes[to];
        box->calls = stat_plus(box->calls, call->calls);
        box->by_itself += call->caller == call->callee ? call->calls : 0;
    }
    if (good && layers->nnodes > 0)
        draw(graph);
    texts_fini(&graph->names);
    free(graph->calls);
    free(graph);
    return good;
}
