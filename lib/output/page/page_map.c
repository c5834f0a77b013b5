/* Writes two drawings of the HTML report: a heat map of the error bounds of all pairs, and the
 * communication graph. The heat map shows up to GROUPS_MAX threads. With more threads, each row
 * stands for a group of neighbouring threads. Then only one thread of a group, the middle one, is
 * compared with all threads. So the heat map needs O(T) bounds for each group. */
#include "base/error.h"
#include "base/sort.h"
#include "bounds/met.h"
#include "output/page/page.h"
#include "sync/partial_order.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GROUPS_MAX = 64, SIDE_MOST = 7000, CELL_MOST = 500, NUMBERS_FROM = 380 };

struct map {
    size_t n;
    size_t a_group; /* number of threads that share one row and one column of the map; the last row
                     * may have fewer */
    int64_t *cells; /* cells[i * n + j]: error of groups i and j <= i, or -1 if none */
    int side;
};

static csy_status map_init(struct map *map, const struct page *page, csy_error *error)
{
    size_t n = page->lives.n;
    size_t a_group = (n + GROUPS_MAX - 1) / GROUPS_MAX, ngroups = (n + a_group - 1) / a_group;
    *map = (struct map){.n = ngroups, .a_group = a_group};
    map->side = SIDE_MOST / (int)ngroups < CELL_MOST ? SIDE_MOST / (int)ngroups : CELL_MOST;
    map->cells = malloc(ngroups * ngroups * sizeof *map->cells);
    int64_t *room = malloc(2 * n * sizeof *room), *errors = room ? room + n : NULL;
    csy_status status = map->cells && room ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < ngroups * ngroups && !status; i++)
        map->cells[i] = -1;
    for (size_t group = 0; group < ngroups && !status; group++) {
        size_t end = (group + 1) * a_group;
        size_t middle = (group * a_group + (end < n ? end : n) - 1) / 2;
        status = bounds_errors(&page->sync->bounds, middle, room, errors, error);
        for (size_t t = 0; t < n && !status; t++) {
            size_t other = t / a_group;
            size_t i = group > other ? group : other, j = group > other ? other : group;
            int64_t bound =
                errors[t] < 0 ? BOUND_NONE : csy_sync_event_error(page->sync, errors[t]);
            int64_t *cell = &map->cells[i * ngroups + j];
            if (t != middle && bound > *cell)
                *cell = bound;
        }
    }
    free(room);
    return status;
}

csy_status page_map(const struct page *page, csy_error *error)
{
    struct map map;
    if (!page_has(page, SECTION_MAP))
        return CSY_OK;
    csy_status status = map_init(&map, page, error);
    const char *more = map.a_group > 1 ? " \u2026" : "";
    if (!status) {
        page_heading(page, SECTION_MAP);
        page_figure(page, "map", (int)map.n * map.side + 20, "Errors of pairs of threads",
                    "Lower triangle of a matrix; threads are in the order of their first records.");
    }
    for (size_t i = 0; i < map.n && !status; i++)
        for (size_t j = 0; j < i + (map.a_group > 1); j++) {
            int64_t bound = map.cells[i * map.n + j];
            int x = PAGE_LEFT + (int)j * map.side, y = (int)i * map.side;
            char text[TICKS_TEXT_MAX], class[24];
            if (bound < 0 || outfile_failed(page->out))
                continue;
            const char *shade = page_shade(page, bound);
            svg_rect_begin(page->out, shade, (struct svg_box){x, y, map.side - 8, map.side - 8});
            page_print(page, "{%zu}%s \u2013 {%zu}%s: {=%" PRId64 "}", j * map.a_group, more,
                       i * map.a_group, more, bound);
            svg_rect_end(page->out);
            if (map.side < NUMBERS_FROM || bound > 9999999)
                continue;
            snprintf(class, sizeof class, "num mid on-%s", shade);
            svg_text(page->out, class, x + map.side / 2, y + map.side / 2 + 35,
                     text_ticks(bound, "", "\u221e", text));
        }
    /* Write the name of each group to the left of its row, and to the right of its row's last
     * cell. */
    for (size_t i = 0; i < map.n && !status; i++) {
        int y = (int)i * map.side + map.side / 2 + 35;
        size_t column = i + (map.a_group > 1);
        const char *name = page->sync->views[i * map.a_group].name;
        svg_text_begin(page->out, map.side < 150 ? "small end" : "end", PAGE_LEFT - 60, y);
        html_text(page->out, name, 12);
        outfile_add(page->out, more);
        svg_text_end(page->out);
        page_label(page, map.side < 150 ? "small " : "", PAGE_LEFT + (int)column * map.side + 30, y,
                   name, 16);
    }
    if (!status && page_caption(page, NULL)) {
        if (map.a_group > 1)
            page_print(page,
                       "Aggregated: %zu threads in %zu groups of up to %zu neighbours. Each cell "
                       "shows the largest error between the middle thread of one group and all "
                       "threads of the other group; the widest pair may be between other threads.",
                       page->lives.n, map.n, map.a_group);
        else
            outfile_add(page->out, "Each cell is a pair of threads, in the order of their first "
                                   "records; the name of a column is at its top.");
        page_caption_end(page);
    }
    free(map.cells);
    return status;
}

/* --- The communication graph of a partial order ------------------------------------------------
 *
 * Clocks are on a circle, in the order of their first records. A line connects two clocks if a
 * message or another constraint relates them; its colour shows their error bound. At most PEERS_MAX
 * clocks are drawn: those with such lines to most other clocks. */

enum { PEERS_MAX = 40, PEERS_TOP = 350, NODE = 120 };

/* Sines of angles from 0 to a quarter turn, in steps of 1/160 turn, multiplied by 10000. */
static const int sines[] = {0,    393,  785,  1175, 1564, 1951, 2334, 2714, 3090, 3461, 3827,
                            4187, 4540, 4886, 5225, 5556, 5878, 6191, 6494, 6788, 7071, 7343,
                            7604, 7853, 8090, 8315, 8526, 8725, 8910, 9081, 9239, 9382, 9511,
                            9625, 9724, 9808, 9877, 9931, 9969, 9992, 10000};
enum { QUARTER = 40, TURN = 4 * QUARTER };

static int sine(int part)
{
    part %= TURN;
    int half = part % (2 * QUARTER), value = sines[half <= QUARTER ? half : 2 * QUARTER - half];
    return part < 2 * QUARTER ? value : -value;
}

struct peers {
    struct met met;
    uint32_t *shown; /* the drawn clocks, in the order of the circle */
    size_t n;
    uint32_t *place; /* for each clock: place on the circle, from 1; 0 if not drawn */
    int radius;
};

struct degree {
    uint32_t clock;
    uint64_t others;
};

static int by_degree(const void *a, const void *b)
{
    const struct degree *x = a, *y = b;
    return 2 * COMPARE(y->others, x->others) + COMPARE(x->clock, y->clock);
}

/* Choose up to PEERS_MAX clocks: those that constraints relate to most other clocks. */
static csy_status choose_shown(struct peers *peers, size_t nclocks, csy_error *error)
{
    struct degree *degrees = calloc(nclocks + 1, sizeof *degrees);
    peers->place = calloc(nclocks + 1, sizeof *peers->place);
    peers->shown = calloc(PEERS_MAX, sizeof *peers->shown);
    if (!degrees || !peers->place || !peers->shown) {
        free(degrees);
        return error_memory(error);
    }
    for (uint32_t t = 0; t < nclocks; t++)
        degrees[t].clock = t;
    for (size_t i = 0; i < peers->met.count; i++) {
        degrees[peers->met.items[i].s].others++;
        degrees[peers->met.items[i].t].others++;
    }
    SORT(degrees, nclocks, by_degree);
    for (size_t i = 0; i < nclocks && i < PEERS_MAX; i++)
        peers->place[degrees[i].clock] = 1;
    for (uint32_t t = 0; t < nclocks; t++)
        if (peers->place[t]) {
            peers->shown[peers->n++] = t;
            peers->place[t] = (uint32_t)peers->n;
        }
    free(degrees);
    return CSY_OK;
}

/* Find the position of a clock, `beyond` units outside of the circle. The first clock is on top. */
static void find_place(const struct peers *peers, uint32_t clock, int beyond, int *x, int *y)
{
    int radius = peers->radius + beyond;
    int part = (int)((size_t)(peers->place[clock] - 1) * TURN / peers->n);
    *x = PAGE_LEFT + peers->radius + radius * sine(part) / 10000;
    *y = PEERS_TOP + peers->radius - radius * sine(part + QUARTER) / 10000;
}

csy_status page_peers(const struct page *page, csy_error *error)
{
    struct peers peers = {0};
    if (!page_has(page, SECTION_PEERS))
        return CSY_OK;
    csy_status status =
        met_gather(&page->sync->bounds, &page->sync->partial->pairs, &peers.met, error);
    status = status ? status : choose_shown(&peers, page->lives.n, error);
    if (!status) {
        peers.radius = peers.n <= 12 ? 1600 : 2800;
        page_heading(page, SECTION_PEERS);
        page_figure(page, "peers", 2 * (PEERS_TOP + peers.radius), "Communication graph",
                    "Clocks on a circle, and lines between clocks with direct constraints.");
        for (size_t i = 0; i < peers.met.count && !outfile_failed(page->out); i++) {
            const struct met_pair *pair = &peers.met.items[i];
            int x1, y1, x2, y2;
            int64_t width = walk_width(pair->there, pair->back);
            int64_t bound = width < 0 ? BOUND_NONE : csy_sync_event_error(page->sync, width);
            if (!peers.place[pair->s] || !peers.place[pair->t])
                continue;
            find_place(&peers, pair->s, 0, &x1, &y1);
            find_place(&peers, pair->t, 0, &x2, &y2);
            outfile_print(page->out, "<path class=\"tie t%s\" d=\"M%d %dL%d %d\"><title>",
                          page_shade(page, bound), x1, y1, x2, y2);
            page_print(page, "{%u} \u2013 {%u}: {=%" PRId64 "}</title></path>\n", pair->s, pair->t,
                       bound);
        }
        for (size_t i = 0; i < peers.n; i++) {
            uint32_t clock = peers.shown[i];
            int x, y, centre = PAGE_LEFT + peers.radius;
            int64_t bound = page->lives.items[clock].bound;
            bool reference = clock == page->sync->reference;
            find_place(&peers, clock, 0, &x, &y);
            svg_rect_begin(page->out, reference ? "anchor" : page_shade(page, bound),
                           (struct svg_box){x - NODE / 2, y - NODE / 2, NODE, NODE});
            page_print(page, "{%u}%s", clock, reference ? ": the reference" : ": ");
            if (!reference)
                page_ticks(page, bound);
            svg_rect_end(page->out);
            find_place(&peers, clock, 180, &x, &y);
            page_label(page,
                       x > centre + 300   ? "small"
                       : x < centre - 300 ? "small end"
                                          : "small mid",
                       x, y + 35, page->sync->views[clock].name, 16);
        }
    }
    if (!status && page_caption(page, NULL)) {
        const char *clock = text_clock(page->sync);
        uint64_t pairs = page->sync->summary.met.pairs;
        if (peers.n < page->lives.n)
            page_print(page, "The %zu %ss with direct constraints to most others, of %zu, ",
                       peers.n, clock, page->lives.n);
        else
            page_print(page, "All %ss, ", clock);
        outfile_print(
            page->out,
            "in the order of their first records from the top. A line connects two of them with a "
            "direct constraint, for example by a message, but not by groups alone. Its colour "
            "shows their %s; a dashed line means that a bound is missing on one side.",
            text_error(page->sync->imprecision.added_ticks));
        if (pairs > 0)
            page_print(page, " Direct constraints exist for %" PRIu64 " pair%s.", pairs,
                       text_plural(pairs));
        page_caption_end(page);
    }
    met_fini(&peers.met);
    free(peers.shown);
    free(peers.place);
    return status;
}
