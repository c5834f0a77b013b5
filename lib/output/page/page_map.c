/* The HTML report: a heat map of the bounds of pairs. It is the lower triangle of a matrix of up to
 * GROUPS_MAX threads. If there are more, each row is a group of neighbouring threads, and a cell
 * shows the widest bound between the middle thread of either group and all threads of the other.
 * This takes O(T) bounds for each group instead of T^2. */
#include "base/error.h"
#include "output/page/page.h"

#include <stdlib.h>

enum { GROUPS_MAX = 64, SIDE_MOST = 7000, CELL_MOST = 500, NUMBERS_FROM = 380 };

struct map {
    size_t n;       /* number of groups */
    size_t a_group; /* threads in each group; the last may have fewer */
    int64_t *cells; /* [i * n + j], j <= i; -1: empty */
    int side;       /* width and height of a cell */
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

static void write_group(const struct map *map, const struct page *page, size_t group)
{
    page_name(page, group * map->a_group);
    outfile_add(page->out, map->a_group > 1 ? " \u2026" : "");
}

static void draw_cell(const struct map *map, const struct page *page, size_t i, size_t j)
{
    int64_t bound = map->cells[i * map->n + j];
    int x = PAGE_LEFT + (int)j * map->side, y = (int)i * map->side;
    const char *shade = page_shade(page, bound);
    char text[TICKS_TEXT_MAX], class[24];
    svg_rect_begin(page->out, shade, (struct svg_box){x, y, map->side - 8, map->side - 8});
    write_group(map, page, j);
    outfile_add(page->out, " \u2013 ");
    write_group(map, page, i);
    outfile_add(page->out, ": ");
    page_ticks(page, bound);
    svg_rect_end(page->out);
    if (map->side < NUMBERS_FROM || bound > 9999999)
        return;
    snprintf(class, sizeof class, "num mid on-%s", shade);
    svg_text(page->out, class, x + map->side / 2, y + map->side / 2 + 35,
             text_ticks(bound, "", "\u221e", text));
}

csy_status page_map(const struct page *page, csy_error *error)
{
    struct map map;
    if (!page_has(page, SECTION_MAP))
        return CSY_OK;
    csy_status status = map_init(&map, page, error);
    if (!status) {
        page_heading(page, SECTION_MAP);
        page_figure(page, "map", (int)map.n * map.side + 20, "Errors of pairs of threads",
                    "Lower triangle of a matrix; threads are in the order of their first records.");
    }
    for (size_t i = 0; i < map.n && !status; i++)
        for (size_t j = 0; j < i + (map.a_group > 1); j++)
            if (map.cells[i * map.n + j] >= 0 && !outfile_failed(page->out))
                draw_cell(&map, page, i, j);
    /* Write the name of each group before its row and at the top of its column. The name of a
     * column is beside the cell on the diagonal, if cells of the diagonal are drawn. */
    for (size_t i = 0; i < map.n && !status; i++) {
        int y = (int)i * map.side + map.side / 2 + 35;
        size_t column = i + (map.a_group > 1);
        const char *name = page->sync->views[i * map.a_group].name;
        svg_text_begin(page->out, map.side < 150 ? "small end" : "end", PAGE_LEFT - 60, y);
        html_text(page->out, name, 12);
        outfile_add(page->out, map.a_group > 1 ? " \u2026" : "");
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
