/* The call graph: boxes in columns, callers left of callees. */
#include "output/page/stat.h"
#include "output/page/stat_layers.h"

#include "base/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CALLER, CALLEE, KIND, FILE_NAME, LINE, CALLS, TIME };
enum {
    BOX = 350,    /* least height */
    NUMBER = 135, /* height of a number */
    GAP = 130,
    WAYPOINT = 100,
    TOP = 60,
    PITCH_LEAST = 1900, /* distance between columns */
    PITCH_MOST = 2600,
    BETWEEN = 700, /* part of it without a box */
    CHARACTER = 75,
    TITLE_CHARACTERS = 80,
    THIN = 10,
    THICK = 60,
    ARROW = 80
};

/* A call from one routine to another, or to itself. */
struct call {
    uint32_t caller, callee; /* numbers of names; caller: NO_TEXT: none */
    size_t row;
    int64_t calls, time;
};

struct box {
    uint32_t name;
    int64_t calls, by_itself;
    int arrows;                          /* number of arrows to it */
    size_t out, in, out_taken, in_taken; /* drawn edges */
};

struct graph {
    const struct page *page;
    const csy_sheet *sheet;
    struct texts names;
    struct call *calls;
    size_t ncalls, nroutines;
    struct box boxes[LAYERS_NODES_MAX];
    size_t of_edge[LAYERS_EDGES_MAX]; /* by edge: its call */
    struct layers layers;
    int pitch;
    int64_t most;
};

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* --- Selection ------------------------------------------------------------------------------- */

static bool find_name(struct graph *graph, const csy_value *value, uint32_t *out)
{
    bool added;
    *out = NO_TEXT;
    return value->none || texts_find(&graph->names, value->text, strlen(value->text), out, &added);
}

static int compare(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool read_calls(struct graph *graph)
{
    for (size_t row = 0; row < graph->sheet->nrows; row++) {
        const csy_value *kind = cells_at(graph->sheet, row, KIND);
        struct call call = {.row = row,
                            .calls = cells_at(graph->sheet, row, CALLS)->range.estimate,
                            .time = cells_at(graph->sheet, row, TIME)->range.estimate};
        if (kind->none || strcmp(kind->text, "routine") != 0)
            continue;
        if (!find_name(graph, cells_at(graph->sheet, row, CALLER), &call.caller) ||
            !find_name(graph, cells_at(graph->sheet, row, CALLEE), &call.callee))
            return false;
        graph->calls[graph->ncalls++] = call;
    }
    if (graph->ncalls > 1)
        qsort(graph->calls, graph->ncalls, sizeof *graph->calls, compare);
    graph->nroutines = graph->names.count;
    return true;
}

/* Find the box of a name, or add it; LAYERS_NODES_MAX if there are too many. */
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

/* Choose the calls that take most time, while there is room. */
static void choose(struct graph *graph)
{
    struct layers *layers = &graph->layers;
    for (size_t i = 0; i < graph->ncalls; i++) {
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
        /* Numbers of calls are written one below the other at the arrow heads. */
        int height = (++graph->boxes[to].arrows + 1) * NUMBER, *room = &layers->items[to].height;
        *room = height > *room ? height : *room;
        graph->most = call->time > graph->most ? call->time : graph->most;
    }
    for (size_t i = 0; i < graph->ncalls; i++) {
        const struct call *call = &graph->calls[i];
        size_t to = box_of(graph, call->callee, false);
        if (to == LAYERS_NODES_MAX)
            continue;
        struct box *box = &graph->boxes[to];
        box->calls = plus(box->calls, call->calls);
        box->by_itself += call->caller == call->callee ? call->calls : 0;
    }
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
    page_print(graph->page, "%" PRId64 " call%s", box->calls, words_plural((uint64_t)box->calls));
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

static void draw_box(const struct graph *graph, size_t i)
{
    const struct layer_item *item = &graph->layers.items[i];
    struct outfile *out = graph->page->out;
    int x = left_of(graph, item), width = graph->pitch - BETWEEN, y = TOP + item->y;
    size_t room = (size_t)((width - CHARACTER) / CHARACTER);
    svg_rect_begin(out, "box", (struct svg_box){x, y, width, item->height});
    write_name(graph, i, TITLE_CHARACTERS);
    outfile_add(out, ": ");
    write_calls(graph, &graph->boxes[i]);
    svg_rect_end(out);
    svg_text_begin(out, "clock", x + CHARACTER / 2, y + 145);
    write_name(graph, i, room);
    svg_text_end(out);
    svg_text_begin(out, "small", x + CHARACTER / 2, y + 290);
    write_calls(graph, &graph->boxes[i]);
    svg_text_end(out);
}

/* --- Edges ---------------------------------------------------------------------------------- */

/* The next position for an edge at a side of a box, or where it passes a column. */
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

/* Draw a curve from column to column, level where it passes one. */
static void draw_way(struct graph *graph, const struct layer_edge *edge, int *first_y, int *last_y)
{
    struct outfile *out = graph->page->out;
    const struct layer_item *items = graph->layers.items;
    int y = *first_y = port(graph, edge->way[0], true);
    int begin = right_of(graph, &items[edge->way[0]]) + (edge->back ? ARROW : 0);
    outfile_print(out, " d=\"M%d %d", begin, y);
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
    *last_y = y;
    outfile_add(out, "\"/>\n");
}

static void draw_edge(struct graph *graph, size_t i)
{
    const struct layer_edge *edge = &graph->layers.edges[i];
    struct outfile *out = graph->page->out;
    const struct layer_item *items = graph->layers.items;
    const struct call *call = &graph->calls[graph->of_edge[i]];
    char text[CSY_TIME_TEXT_MAX];
    int first, last;
    outfile_add(out, "<g><title>");
    write_name(graph, edge->from, TITLE_CHARACTERS);
    outfile_add(out, " calls ");
    write_name(graph, edge->to, TITLE_CHARACTERS);
    page_print(graph->page, ": %" PRId64 " call%s, ", call->calls,
               words_plural((uint64_t)call->calls));
    stat_figure(graph->page, &graph->sheet->columns[TIME], cells_at(graph->sheet, call->row, TIME));
    page_print(graph->page, " ticks (%s)</title>", page_whole_time(graph->page, call->time, text));
    int thicker = graph->most > 0 && call->time > 0
                      ? (int)((int128)call->time * (THICK - THIN) / graph->most)
                      : 0;
    outfile_print(out, "<path class=\"call%s\" stroke-width=\"%d\"", edge->back ? " open" : "",
                  THIN + thicker);
    draw_way(graph, edge, &first, &last);
    int left = right_of(graph, &items[edge->way[0]]);
    int right = left_of(graph, &items[edge->way[edge->length - 1]]);
    if (edge->back)
        outfile_print(out, "<path class=\"head\" d=\"M%d %dl%d -40v80z\"/>\n", left, first,
                      ARROW + 20);
    else
        outfile_print(out, "<path class=\"head\" d=\"M%d %dl-%d -40v80z\"/>\n", right, last,
                      ARROW + 20);
    svg_text_begin(out, edge->back ? "small over" : "small over end",
                   edge->back ? left + ARROW + 50 : right - ARROW - 50,
                   (edge->back ? first : last) - 30);
    page_print(graph->page, "%" PRId64, call->calls);
    svg_text_end(out);
    outfile_add(out, "</g>\n");
}

/* Edges sorted by their other ends, so that those of a side do not cross there. */
struct ordered_edge {
    size_t edge;
    int left, right;
};

static int compare_edges(const void *a, const void *b)
{
    const struct ordered_edge *x = a, *y = b;
    if (x->left + x->right != y->left + y->right)
        return x->left + x->right > y->left + y->right ? 1 : -1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static size_t count_ports(struct graph *graph, struct ordered_edge *order)
{
    const struct layers *layers = &graph->layers;
    size_t n = 0;
    for (size_t i = 0; i < layers->nedges; i++) {
        const struct layer_edge *edge = &layers->edges[i];
        if (edge->length == 0)
            continue;
        graph->boxes[edge->way[0]].out++;
        graph->boxes[edge->way[edge->length - 1]].in++;
        order[n++] = (struct ordered_edge){i, layers->items[edge->way[0]].y,
                                           layers->items[edge->way[edge->length - 1]].y};
    }
    if (n > 1)
        qsort(order, n, sizeof *order, compare_edges);
    return n;
}

/* --- The drawing ------------------------------------------------------------------------------ */

static void draw(struct graph *graph)
{
    struct ordered_edge order[LAYERS_EDGES_MAX];
    struct layers *layers = &graph->layers;
    layers->gap = GAP;
    layers->waypoint = WAYPOINT;
    layers_place(layers);
    int pitch = (PAGE_WIDTH + BETWEEN) / layers->nlayers;
    graph->pitch = pitch < PITCH_LEAST ? PITCH_LEAST : pitch > PITCH_MOST ? PITCH_MOST : pitch;
    int width = graph->pitch * layers->nlayers - BETWEEN;
    size_t n = count_ports(graph, order), boxes = 0;
    page_figure(graph->page);
    page_drawing_begin(graph->page, "call-graph", width > PAGE_WIDTH ? width : PAGE_WIDTH,
                       2 * TOP + layers->height, "Call graph",
                       "Boxes are routines; arrows lead from those that call to what they call.");
    for (size_t i = 0; i < n; i++)
        draw_edge(graph, order[i].edge);
    for (size_t i = 0; i < layers->nnodes; i++) {
        if (layers->items[i].layer < 0)
            continue;
        draw_box(graph, i);
        boxes++;
    }
    svg_end(graph->page->out);
    page_figure_end(graph->page);
    size_t edges = 0;
    for (const struct call *call = graph->calls; call < graph->calls + graph->ncalls; call++)
        edges += call->caller != NO_TEXT && call->caller != call->callee;
    outfile_add(
        graph->page->out,
        "<figcaption>An arrow leads from a routine to one that it calls, with the number of "
        "calls; the thicker, the more time they take. Arrows back to a caller are "
        "broken.");
    if (boxes < graph->nroutines || n < edges)
        page_print(graph->page,
                   " These are %zu of %zu routines and %zu of %zu arrows, those that take most "
                   "time within %d columns.",
                   boxes, graph->nroutines, n, edges, LAYERS_MAX);
    outfile_add(graph->page->out, "</figcaption>\n</figure>\n");
}

bool stat_graph(const struct page *page, const csy_sheet *sheet)
{
    struct graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return false;
    graph->page = page;
    graph->sheet = sheet;
    graph->calls = malloc((sheet->nrows + 1) * sizeof *graph->calls);
    bool good = graph->calls && read_calls(graph);
    if (good)
        choose(graph);
    if (good && graph->layers.nnodes > 0)
        draw(graph);
    texts_fini(&graph->names);
    free(graph->calls);
    free(graph);
    return good;
}
