/* Times at each level of concurrency, as bars with their ranges. */
#include "output/page/stat.h"

#include "analysis/run/sheets.h"

#include <inttypes.h>
#include <string.h>

enum { LEVEL, TIME, SHARE };
enum { LEFT = 700, RIGHT = PAGE_WIDTH - 2700, LINE = 220, TOP = 20, SHOWN_LEVELS = 64 };

/* The greatest share or upper limit of a share, and the number of rows with a share. */
static int64_t most_of(struct sheet_reader *reader, size_t *shares)
{
    int64_t most = 1;
    const csy_sheet *part;
    *shares = 0;
    for (reader->next = 0; (part = sheet_reader_next(reader));)
        for (size_t row = 0; row < part->nrows; row++) {
            const csy_value *value = cells_at(part, row, SHARE);
            const csy_range *range = &value->range;
            if (value->none)
                continue;
            most = range->estimate > most ? range->estimate : most;
            most = range->kind != CSY_RANGE_UNKNOWN && range->hi > most ? range->hi : most;
            ++*shares;
        }
    return most;
}

static void draw_level(const struct page *page, const csy_sheet *sheet, size_t row, int64_t most,
                       int y)
{
    enum { PERCENT_DECIMALS = 4 };
    char text[QUOTIENT_TEXT_MAX];
    const csy_range *range = &cells_at(sheet, row, SHARE)->range;
    bool ranged = range->kind != CSY_RANGE_UNKNOWN && range->kind != CSY_RANGE_CLOCK;
    int middle = y + LINE / 2;
    svg_text_begin(page->out, "end", LEFT - 80, middle + 40);
    outfile_print(page->out, "%" PRId64, cells_at(sheet, row, LEVEL)->range.estimate);
    svg_text_end(page->out);
    svg_rect(page->out, "bar",
             (struct svg_box){LEFT, y + 30, (int)((int128)range->estimate * (RIGHT - LEFT) / most),
                              LINE - 60});
    if (ranged) {
        int low = LEFT + (int)((int128)range->lo * (RIGHT - LEFT) / most);
        int high = LEFT + (int)((int128)range->hi * (RIGHT - LEFT) / most);
        svg_line(page->out, "limit", low, middle, high, middle);
        svg_line(page->out, "limit", low, middle - 40, low, middle + 40);
        svg_line(page->out, "limit", high, middle - 40, high, middle + 40);
    }
    svg_text_begin(page->out, "", RIGHT + 120, middle + 40);
    outfile_print(page->out, "%s\u202f%%", decimal_text(range->estimate, PERCENT_DECIMALS, text));
    if (ranged)
        outfile_print(page->out, "  [%s, ", decimal_text(range->lo, PERCENT_DECIMALS, text));
    if (ranged)
        outfile_print(page->out, "%s]", decimal_text(range->hi, PERCENT_DECIMALS, text));
    svg_text_end(page->out);
}

static void draw_levels(const struct page *page, struct sheet_reader *reader)
{
    size_t shares, i = 0;
    int64_t most = most_of(reader, &shares);
    size_t drawn = shares < SHOWN_LEVELS ? shares : SHOWN_LEVELS;
    const csy_sheet *part;
    if (drawn == 0)
        return;
    page_figure(page);
    page_drawing_begin(page, "levels", PAGE_WIDTH, TOP + LINE * (int)drawn,
                       "Shares of time by level",
                       "Share of the time with exactly this many active units, among the time with "
                       "any active unit, with its range.");
    for (reader->next = 0; i < drawn && (part = sheet_reader_next(reader));)
        for (size_t row = 0; i < drawn && row < part->nrows; row++)
            if (!cells_at(part, row, SHARE)->none)
                draw_level(page, part, row, most, TOP + LINE * (int)i++);
    svg_end(page->out);
    page_figure_end(page);
    outfile_print(page->out,
                  "<figcaption>Of the time with at least one unit active, how much had exactly so "
                  "many, in per cent: the bar by the estimate, the line from the least to the "
                  "greatest that the order of the records allows.%s</figcaption>\n</figure>\n",
                  drawn == SHOWN_LEVELS ? " Higher levels are in the table." : "");
}

bool stat_levels(const struct page *page, const csy_sheet *sheet)
{
    struct sheet_reader reader;
    /* Sheets of blocks are only tables. */
    if (sheet->ncolumns <= SHARE || strcmp(sheet->columns[LEVEL].name, "level") != 0)
        return true;
    if (sheet_reader_init(&reader, sheet, NULL))
        return false;
    draw_levels(page, &reader);
    sheet_reader_fini(&reader);
    return true;
}
