/* Who sent how much to whom, as a matrix. */
#include "output/page/stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTIES_MAX = 64,
    LEFT = PAGE_LEFT,
    TOP = 20,
    CELL_MOST = 300,
    LABELS = 1000,
    NAME_CHARACTERS = 16,
    LABEL_LEAST = 120
};

struct cell {
    int64_t count, bytes;
};

struct matrix {
    const char *names[PARTIES_MAX];
    size_t n;
    bool cut; /* there are more parties */
    struct cell cells[PARTIES_MAX][PARTIES_MAX];
    int64_t most;
    bool has_bytes;
};

static size_t column_of(const csy_sheet *sheet, const char *name)
{
    size_t column = 0;
    while (column < sheet->ncolumns && strcmp(sheet->columns[column].name, name) != 0)
        column++;
    return column;
}

/* Which party it is; PARTIES_MAX for one too many. */
static size_t party(struct matrix *matrix, const char *name)
{
    size_t i = 0;
    while (i < matrix->n && strcmp(matrix->names[i], name) != 0)
        i++;
    if (i == matrix->n && i < PARTIES_MAX)
        matrix->names[matrix->n++] = name;
    matrix->cut |= i == PARTIES_MAX;
    return i;
}

/* By characters and, where both have numbers, by these: "spe9" comes before "spe10". */
static int compare(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    size_t common = 0; /* digits */
    for (; *s && *s == *t; s++, t++)
        common = *s >= '0' && *s <= '9' ? common + 1 : 0;
    size_t m = common + strspn(s, "0123456789"), n = common + strspn(t, "0123456789");
    if (m > 0 && n > 0 && m != n)
        return m < n ? -1 : 1;
    return strcmp(s, t);
}

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX - 1 : sum;
}

static int64_t weight(const struct matrix *matrix, const struct cell *cell)
{
    return matrix->has_bytes ? cell->bytes : cell->count;
}

static void fill(struct matrix *matrix, const csy_sheet *sheet)
{
    size_t sender = column_of(sheet, "sender"), receiver = column_of(sheet, "receiver");
    size_t count = column_of(sheet, "count"), bytes = column_of(sheet, "bytes");
    *matrix = (struct matrix){.n = 0};
    if (sender == sheet->ncolumns || receiver == sheet->ncolumns || count == sheet->ncolumns ||
        bytes == sheet->ncolumns)
        return;
    for (size_t row = 0; row < sheet->nrows; row++) {
        (void)party(matrix, cells_at(sheet, row, sender)->text);
        (void)party(matrix, cells_at(sheet, row, receiver)->text);
    }
    qsort(matrix->names, matrix->n, sizeof *matrix->names, compare);
    for (size_t row = 0; row < sheet->nrows; row++) {
        size_t from = party(matrix, cells_at(sheet, row, sender)->text);
        size_t to = party(matrix, cells_at(sheet, row, receiver)->text);
        if (from == PARTIES_MAX || to == PARTIES_MAX)
            continue;
        struct cell *cell = &matrix->cells[from][to];
        cell->count = plus(cell->count, cells_at(sheet, row, count)->range.estimate);
        cell->bytes = plus(cell->bytes, cells_at(sheet, row, bytes)->range.estimate);
        matrix->has_bytes |= cell->bytes > 0;
    }
    for (size_t i = 0; i < matrix->n * PARTIES_MAX; i++) {
        int64_t here = weight(matrix, &matrix->cells[i / PARTIES_MAX][i % PARTIES_MAX]);
        matrix->most = here > matrix->most ? here : matrix->most;
    }
}

static void draw_cell(const struct page *page, const struct matrix *matrix, size_t from, size_t to,
                      int size)
{
    const struct cell *cell = &matrix->cells[from][to];
    struct svg_box box = {LEFT + (int)to * size, TOP + (int)from * size, size - 10, size - 10};
    if (cell->count == 0)
        return;
    svg_rect_begin(page->out, page_shade(page, weight(matrix, cell)), box);
    html_name(page->out, matrix->names[from]);
    outfile_add(page->out, " to ");
    html_name(page->out, matrix->names[to]);
    page_print(page, ": %" PRId64 " messages, %" PRId64 " bytes", cell->count, cell->bytes);
    svg_rect_end(page->out);
}

/* Every so many lines, that names do not touch. */
static void draw_names(const struct page *page, const struct matrix *matrix, int size)
{
    size_t step = (size_t)((LABEL_LEAST + size) / size);
    int bottom = TOP + (int)matrix->n * size + 60;
    for (size_t i = 0; i < matrix->n; i += size >= LABEL_LEAST ? 1 : step) {
        int middle = (int)i * size + size / 2 + 35;
        svg_text_begin(page->out, "end", LEFT - 80, TOP + middle);
        html_text(page->out, matrix->names[i], NAME_CHARACTERS);
        svg_text_end(page->out);
        outfile_print(page->out, "<text class=\"end\" transform=\"translate(%d,%d) rotate(-90)\">",
                      LEFT + middle, bottom);
        html_text(page->out, matrix->names[i], NAME_CHARACTERS);
        svg_text_end(page->out);
    }
}

void stat_comm(const struct page *page, const csy_sheet *sheet)
{
    struct matrix matrix;
    fill(&matrix, sheet);
    if (matrix.n == 0 || matrix.most <= 0)
        return;
    struct page scaled = *page;
    scaled.scale = scale_make(matrix.most, matrix.most / SHADES);
    int size = (PAGE_WIDTH - LEFT) / (int)matrix.n;
    size = size < CELL_MOST ? size : CELL_MOST;
    page_figure(page);
    page_drawing_begin(page, "matrix", PAGE_WIDTH, TOP + size * (int)matrix.n + LABELS,
                       "Who sent how much to whom",
                       "A line each sender, a column each receiver; the darker, the more.");
    for (size_t from = 0; from < matrix.n; from++)
        for (size_t to = 0; to < matrix.n; to++)
            draw_cell(&scaled, &matrix, from, to, size);
    draw_names(page, &matrix, size);
    svg_end(page->out);
    page_figure_end(page);
    page_print(
        page,
        "<figcaption>A line each sender, a column each receiver: the darker, the more %s, up "
        "to %" PRId64 ".%s</figcaption>\n</figure>\n",
        matrix.has_bytes ? "bytes" : "messages", matrix.most,
        matrix.cut ? " The first 64 parties are drawn." : "");
}
