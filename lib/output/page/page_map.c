/* The HTML report: a heat map of the bounds of pairs. It is the lower triangle of a matrix of up to
 * GROUPS_MAX threads. If there are more, each row is a group of neighbouring threads, and a cell
 * shows the widest bound between the middle thread of either group and all threads of the other.
 * This takes O(T) bounds for each group instead of T^2. */
#include "base/error.h"
#include "output/page/page.h"

#include <stdlib.h>

enum {
    GROUPS_MAX = 64,
    LABEL_LEFT = PAGE_LEFT,
    SIDE_MOST = 7000,
    CELL_MOST = 500,
    NUMBERS_FROM = 380
};

struct map {
    size_t n;       /* number of groups */
    size_t a_group; /* threads in each group; the last may have fewer */
    int64_t *cells; /* [i * n + j], j <= i */
    int side;       /* width and height of a cell */
};

static size_t group_first(const struct map *map, size_t group)
{
    return group * map->a_group;
}

static size_t group_middle(const struct map *map, const struct page *page, size_t group)
{
    size_t end = (group + 1) * map->a_group;
    end = end < page->lives.n ? end : page->lives.n;
    return (group_first(map, group) + end - 1) / 2;
}

/* Fill the cells from the bounds of one thread of a group. */
static csy_status fill_from(struct map *map, const struct page *page, size_t group, int64_t *room,
                            csy_error *error)
{
    size_t s = group_middle(map, page, group);
    int64_t *errors = room + page->lives.n;
    csy_status status = bounds_errors(&page->sync->bounds, s, room, errors, error);
    if (status)
        return status;
    for (size_t t = 0; t < page->lives.n; t++) {
        size_t other = t / map->a_group;
        size_t i = group > other ? group : other, j = group > other ? other : group;
        int64_t bound = errors[t] < 0 ? BOUND_NONE : csy_sync_event_error(page->sync, errors[t]);
        int64_t *cell = &map->cells[i * map->n + j];
        if (s != t && bound > *cell)
            *cell = bound;
    }
    return CSY_OK;
}

static csy_status map_init(struct map *map, const struct page *page, csy_error *error)
{
    size_t n = page->lives.n;
    size_t a_group = (n + GROUPS_MAX - 1) / GROUPS_MAX, ngroups = (n + a_group - 1) / a_group;
    *map = (struct map){.n = ngroups, .a_group = a_group};
    map->side = SIDE_MOST / (int)ngroups < CELL_MOST ? SIDE_MOST / (int)ngroups : CELL_MOST;
    map->cells = malloc(ngroups * ngroups * sizeof *map->cells);
    int64_t *room = malloc(2 * n * sizeof *room);
    csy_status status = map->cells && room ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < ngroups * ngroups && !status; i++)
        map->cells[i] = -1;
    for (size_t i = 0; i < ngroups && !status; i++)
        status = fill_from(map, page, i, room, error);
    free(room);
    return status;
}

static void write_group(const struct map *map, const struct page *page, size_t group)
{
    page_name(page, group_first(map, group));
    outfile_print(page->out, "%s", map->a_group > 1 ? " \u2026" : "");
}

static void draw_cell(const struct map *map, const struct page *page, size_t i, size_t j)
{
    int64_t bound = map->cells[i * map->n + j];
    int x = LABEL_LEFT + (int)j * map->side, y = (int)i * map->side;
    const char *shade = page_shade(page, bound);
    char text[TICKS_TEXT_MAX], class[24];
    svg_rect_begin(page->out, shade, (struct svg_box){x, y, map->side - 8, map->side - 8});
    write_group(map, page, j);
    outfile_print(page->out, " \u2013 ");
    write_group(map, page, i);
    outfile_print(page->out, ": ");
    page_ticks(page, bound);
    svg_rect_end(page->out);
    text_ticks(bound, "", "\u221e", text);
    if (map->side < NUMBERS_FROM || bound > 9999999)
        return;
    snprintf(class, sizeof class, "num mid on-%s", shade);
    svg_text(page->out, class, x + map->side / 2, y + map->side / 2 + 35, text);
}

static void draw(const struct map *map, const struct page *page)
{
    page_drawing_begin(
        page, "map", PAGE_WIDTH, (int)map->n * map->side + 20, "Errors of pairs of threads",
        "The lower triangle of a matrix; threads in the order of their first records.");
    for (size_t i = 0; i < map->n; i++) {
        for (size_t j = 0; j < i + (map->a_group > 1); j++)
            if (map->cells[i * map->n + j] >= 0 && !outfile_failed(page->out))
                draw_cell(map, page, i, j);
    }
    /* Write the name of each group before its row and at the top of its column. */
    for (size_t i = 0; i < map->n; i++) {
        int y = (int)i * map->side + map->side / 2 + 35;
        const char *size = map->side < 150 ? "small " : "";
        size_t column = i + (map->a_group > 1); /* beside the cell on the diagonal */
        const char *name = page->sync->views[group_first(map, i)].name;
        char class[16];
        snprintf(class, sizeof class, "%send", size);
        svg_text_begin(page->out, class, LABEL_LEFT - 60, y);
        html_text(page->out, name, 12);
        if (map->a_group > 1)
            outfile_print(page->out, " \u2026");
        svg_text_end(page->out);
        svg_text_begin(page->out, size, LABEL_LEFT + (int)column * map->side + 30, y);
        html_text(page->out, name, 16);
        svg_text_end(page->out);
    }
    svg_end(page->out);
}

csy_status page_map(const struct page *page, csy_error *error)
{
    struct map map;
    if (!page_has(page, SECTION_MAP))
        return CSY_OK;
    csy_status status = map_init(&map, page, error);
    if (!status) {
        page_heading(page, SECTION_MAP);
        page_figure(page);
        draw(&map, page);
        page_figure_end(page);
    }
    if (!status && !page->alone) {
        outfile_print(page->out, "<figcaption>");
        if (map.a_group > 1)
            page_print(
                page,
                "Aggregated: %zu threads in %zu groups of up to %zu neighbours. A cell shows "
                "the greatest error between the middle thread of one group and all threads "
                "of the other; the widest pair of all may be between others.",
                page->lives.n, map.n, map.a_group);
        else
            outfile_print(page->out, "Every pair of threads, in the order of their first records; "
                                     "columns are named where they begin.");
        outfile_print(page->out, "</figcaption>\n</figure>\n");
    }
    free(map.cells);
    return status;
}
