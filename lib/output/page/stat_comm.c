/* Draws a matrix of senders and receivers for each kind of communication, on an HTML page. */
#include "output/page/stat.h"

#include "base/array.h"
#include "base/sort.h"
#include "base/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_MAX = 256,
    TITLES_MAX = 3000, /* most cells of a matrix with a title in each cell */
    TOP = 20,
    CELL_MOST = 300,
    LABELS = 1000,
    NAME_CHARACTERS = 16,
    LABEL_LEAST = 130
};

struct cell {
    int64_t count, bytes;
    /* rows: number of rows of the sheet that were added up in this cell; row: index of the last of
     * them */
    size_t rows, row;
    bool unsized; /* true if the number of bytes is not known */
};

struct party {
    const char *name;
    uint32_t id;
};

struct columns {
    size_t sender, receiver, what, count, bytes, time;
};

struct matrix {
    const csy_sheet *sheet;
    const char *kind;
    struct columns at;
    struct texts names;
    struct party *parties; /* senders and receivers, sorted by name */
    size_t *line_of;
    size_t nparties, per; /* number of parties; number of parties in a line */
    struct cell *cells;
    size_t lines, used;
    int64_t most;
    bool has_bytes; /* true if cells show bytes, false if they show counts */
    bool unsized;
};

/* --- Contents ------------------------------------------------------------------------------ */

static size_t column_of(const csy_sheet *sheet, const char *name)
{
    size_t column = 0;
    while (column < sheet->ncolumns && strcmp(sheet->columns[column].name, name) != 0)
        column++;
    return column;
}

static bool is_of_kind(const struct matrix *matrix, size_t row)
{
    return strcmp(cells_at(matrix->sheet, row, matrix->at.what)->text, matrix->kind) == 0;
}

/* Compare names. Numbers in names are compared by value, so "spe9" comes before "spe10". */
static int compare_parties(const void *a, const void *b)
{
    const char *s = ((const struct party *)a)->name, *t = ((const struct party *)b)->name;
    size_t common = 0; /* number of equal digits at the begin of both numbers */
    for (; *s && *s == *t; s++, t++)
        common = *s >= '0' && *s <= '9' ? common + 1 : 0;
    size_t m = common + strspn(s, "0123456789"), n = common + strspn(t, "0123456789");
    if (m > 0 && n > 0 && m != n)
        return m < n ? -1 : 1;
    return strcmp(s, t);
}

static int64_t weight(const struct matrix *matrix, const struct cell *cell)
{
    return matrix->has_bytes ? cell->bytes : cell->count;
}

static size_t line_of(const struct matrix *matrix, size_t row, size_t column)
{
    const char *name = cells_at(matrix->sheet, row, column)->text;
    uint32_t id = 0;
    (void)texts_look(&matrix->names, name, strlen(name), &id);
    return matrix->line_of[id];
}

/* Assign each sender and receiver to a line (several share one if there are many), and fill the
 * cells. Returns false if out of memory. */
static bool fill(struct matrix *matrix)
{
    const csy_sheet *sheet = matrix->sheet;
    const size_t columns[] = {matrix->at.sender, matrix->at.receiver};
    size_t n = 2 * sheet->nrows + 1;
    matrix->parties = malloc(n * sizeof *matrix->parties);
    matrix->line_of = malloc(n * sizeof *matrix->line_of);
    if (!matrix->parties || !matrix->line_of)
        return false;
    for (size_t row = 0; row < sheet->nrows; row++)
        for (size_t end = 0; end < 2 && is_of_kind(matrix, row); end++) {
            const char *name = cells_at(sheet, row, columns[end])->text;
            uint32_t id;
            bool added;
            if (!texts_find(&matrix->names, name, strlen(name), &id, &added))
                return false;
            if (added)
                matrix->parties[matrix->nparties++] = (struct party){name, id};
        }
    SORT(matrix->parties, matrix->nparties, compare_parties);
    matrix->per = (matrix->nparties + LINES_MAX - 1) / LINES_MAX;
    for (size_t i = 0; i < matrix->nparties; i++) {
        matrix->line_of[matrix->parties[i].id] = i / matrix->per;
        matrix->lines = i / matrix->per + 1;
    }
    matrix->cells = calloc(matrix->lines * matrix->lines + 1, sizeof *matrix->cells);
    for (size_t row = 0; matrix->cells && row < sheet->nrows; row++) {
        if (!is_of_kind(matrix, row))
            continue;
        struct cell *cell = &matrix->cells[line_of(matrix, row, matrix->at.sender) * matrix->lines +
                                           line_of(matrix, row, matrix->at.receiver)];
        const csy_value *bytes = cells_at(sheet, row, matrix->at.bytes);
        cell->count =
            stat_plus(cell->count, cells_at(sheet, row, matrix->at.count)->range.estimate);
        cell->bytes = stat_plus(cell->bytes, bytes->none ? 0 : bytes->range.estimate);
        cell->unsized |= bytes->none;
        cell->row = row;
        matrix->used += cell->rows++ == 0;
        matrix->unsized |= bytes->none;
        matrix->has_bytes |= cell->bytes > 0;
    }
    matrix->has_bytes &= !matrix->unsized;
    for (size_t i = 0; matrix->cells && i < matrix->lines * matrix->lines; i++) {
        int64_t here = weight(matrix, &matrix->cells[i]);
        matrix->most = here > matrix->most ? here : matrix->most;
    }
    return matrix->cells != NULL;
}

/* --- Drawing -------------------------------------------------------------------------------- */

static void write_line(const struct page *page, const struct matrix *matrix, size_t line,
                       size_t characters)
{
    size_t first = line * matrix->per, last = first + matrix->per - 1;
    html_text(page->out, matrix->parties[first].name, characters);
    if (matrix->per == 1)
        return;
    last = last < matrix->nparties ? last : matrix->nparties - 1;
    outfile_add(page->out, "\u2013");
    html_text(page->out, matrix->parties[last].name, characters);
}

static struct svg_box box_of(size_t from, size_t to, int size)
{
    int gap = size > 60 ? 10 : 0;
    return (struct svg_box){PAGE_LEFT + (int)to * size, TOP + (int)from * size, size - gap,
                            size - gap};
}

/* Draw all cells of one colour as one path, which takes a tenth of the bytes of separate cells. */
static void draw_many(const struct page *page, const struct matrix *matrix, int size)
{
    for (int shade = 0; shade < SHADES; shade++) {
        bool begun = false;
        for (size_t i = 0; i < matrix->lines * matrix->lines; i++) {
            struct svg_box box = box_of(i / matrix->lines, i % matrix->lines, size);
            if (matrix->cells[i].rows == 0 ||
                scale_step(&page->scale, weight(matrix, &matrix->cells[i]), SHADES) != shade)
                continue;
            if (!begun)
                outfile_print(page->out, "<path class=\"s%d\" d=\"", shade);
            outfile_print(page->out, "M%d %dh%dv%dh-%dz", box.x, box.y, box.width, box.height,
                          box.width);
            begun = true;
        }
        outfile_add(page->out, begun ? "\"/>\n" : "");
    }
}

static void draw(const struct page *page, const struct matrix *matrix)
{
    struct page scaled = *page;
    char id[32];
    size_t n = matrix->lines;
    int size = (PAGE_WIDTH - PAGE_LEFT) / (int)n;
    size = size < CELL_MOST ? size : CELL_MOST;
    scaled.scale = scale_make(matrix->most, matrix->most / SHADES);
    snprintf(id, sizeof id, "matrix-%s", matrix->kind);
    page_figure(page, id, TOP + size * (int)n + LABELS, "Who sent how much to whom",
                "Each row is a sender, each column a receiver; darker cells mean more data.");
    if (matrix->used > TITLES_MAX)
        draw_many(&scaled, matrix, size);
    for (size_t i = 0; i < n * n && matrix->used <= TITLES_MAX; i++) {
        if (matrix->cells[i].rows == 0)
            continue;
        const struct cell *cell = &matrix->cells[i];
        const csy_value *time = cells_at(matrix->sheet, cell->row, matrix->at.time);
        svg_rect_begin(page->out, page_shade(&scaled, weight(matrix, cell)),
                       box_of(i / n, i % n, size));
        write_line(page, matrix, i / n, HTML_NAME_MAX);
        outfile_add(page->out, " to ");
        write_line(page, matrix, i % n, HTML_NAME_MAX);
        page_print(page, ": %" PRId64 " %s%s", cell->count,
                   strcmp(matrix->kind, "mailbox") == 0 ? "word" : matrix->kind,
                   text_plural((uint64_t)cell->count));
        if (!cell->unsized)
            page_print(page, ", %" PRId64 " bytes", cell->bytes);
        if (cell->rows == 1 && !time->none) {
            outfile_add(page->out, ", under way for ");
            stat_figure(page, &matrix->sheet->columns[matrix->at.time], time);
            outfile_add(page->out, " ticks");
        }
        svg_rect_end(page->out);
    }
    /* Write only every step-th name, so that names do not touch. */
    size_t step = size >= LABEL_LEAST ? 1 : (size_t)((LABEL_LEAST + size) / size);
    for (size_t i = 0; i < n; i += step) {
        int middle = (int)i * size + size / 2 + 35;
        const char *name = matrix->parties[i * matrix->per].name;
        page_label(page, "end", PAGE_LEFT - 80, TOP + middle, name, NAME_CHARACTERS);
        outfile_print(page->out, "<text class=\"end\" transform=\"translate(%d,%d) rotate(-90)\">",
                      PAGE_LEFT + middle, TOP + (int)n * size + 60);
        html_text(page->out, name, NAME_CHARACTERS);
        svg_text_end(page->out);
    }
    if (!page_caption(page, NULL))
        return;
    page_print(page,
               "%s. Each row is a sender, each column a receiver; a darker cell has more %s, up to "
               "%" PRId64 ".",
               strcmp(matrix->kind, "mailbox") == 0    ? "Words through mailboxes"
               : strcmp(matrix->kind, "transfer") == 0 ? "Transfers"
                                                       : "Messages",
               matrix->has_bytes ? "bytes" : "of them", matrix->most);
    if (matrix->per > 1)
        page_print(page, " Each row and column stands for %zu of %zu.", matrix->per,
                   matrix->nparties);
    page_caption_end(page);
}

/* Draw a matrix of one kind of communication. *drawn becomes true if the sheet has such rows. */
static bool draw_kind(const struct page *page, const csy_sheet *sheet, const char *kind,
                      bool *drawn)
{
    const struct columns at = {column_of(sheet, "sender"), column_of(sheet, "receiver"),
                               column_of(sheet, "what"),   column_of(sheet, "count"),
                               column_of(sheet, "bytes"),  column_of(sheet, "time")};
    struct matrix matrix = {.sheet = sheet, .kind = kind, .at = at};
    size_t n = sheet->ncolumns;
    if (at.sender >= n || at.receiver >= n || at.what >= n || at.count >= n || at.bytes >= n ||
        at.time >= n)
        return true;
    bool good = fill(&matrix), some = good && matrix.lines > 0 && matrix.most > 0;
    if (some)
        draw(page, &matrix);
    *drawn |= some;
    texts_fini(&matrix.names);
    FREE_ALL(matrix.parties, matrix.line_of, matrix.cells);
    return good;
}

bool stat_comm(const struct page *page, const csy_sheet *sheet)
{
    bool drawn = false;
    bool good = draw_kind(page, sheet, "message", &drawn);
    good = good && draw_kind(page, sheet, "mailbox", &drawn);
    /* Draw transfers only if there is nothing else, because one end of a transfer is memory. */
    return good && (drawn || draw_kind(page, sheet, "transfer", &drawn));
}
