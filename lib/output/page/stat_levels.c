/* The time at each level of concurrency, as bars with ranges. */
#include "output/page/stat.h"

#include "analysis/run/sheets.h"

#include <inttypes.h>
#include <string.h>

enum { LEVEL, TIME, SHARE };
enum { LEFT = 900, RIGHT = PAGE_WIDTH - 2700, LINE = 220, TOP = 20, CLASSES_MAX = 12 };

/* Neighbouring levels that share a bar. Both ends of its range are sums of the ends of the levels,
 * so they are bounds, but not always attained. */
struct class
{
    int64_t first, last;   /* levels */
    int64_t share, lo, hi; /* in millionths */
    bool ranged;
};

/* Divide the levels that have a share into at most CLASSES_MAX classes of equal size, and return
 * how many there are. */
static size_t find_classes(struct sheet_reader *reader, struct class classes[CLASSES_MAX])
{
    size_t levels = 0, i = 0;
    const csy_sheet *part;
    for (reader->next = 0; (part = sheet_reader_next(reader));)
        for (size_t row = 0; row < part->nrows; row++)
            levels += !cells_at(part, row, SHARE)->none;
    if (levels == 0)
        return 0;
    size_t size = (levels + CLASSES_MAX - 1) / CLASSES_MAX;
    for (reader->next = 0; (part = sheet_reader_next(reader));)
        for (size_t row = 0; row < part->nrows; row++) {
            const csy_value *value = cells_at(part, row, SHARE);
            const csy_range *range = &value->range;
            if (value->none)
                continue;
            struct class *class = &classes[i / size];
            int64_t level = cells_at(part, row, LEVEL)->range.estimate;
            if (i++ % size == 0)
                *class = (struct class){.first = level, .ranged = true};
            class->last = level;
            class->share += range->estimate;
            class->lo += range->lo;
            class->hi += range->hi;
            class->ranged &= range->kind != CSY_RANGE_UNKNOWN && range->kind != CSY_RANGE_CLOCK;
        }
    return (levels + size - 1) / size;
}

/* Write a share in millionths in per cent, with a decimal. */
static void write_percent(const struct page *page, int128 tenths, const char *after)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(page->out, "%s%s", decimal_text(tenths, 1, text), after);
}

static void draw_class(const struct page *page, const struct class *class, int64_t most, int y)
{
    enum { TENTH = 1000 }; /* of a per cent, in millionths */
    int middle = y + LINE / 2;
    svg_text_begin(page->out, "end", LEFT - 80, middle + 40);
    outfile_print(page->out, "%" PRId64, class->first);
    if (class->last > class->first)
        outfile_print(page->out, "\u2013%" PRId64, class->last);
    outfile_print(page->out, " active");
    svg_text_end(page->out);
    svg_rect(page->out, "bar",
             (struct svg_box){LEFT, y + 30, (int)((int128) class->share * (RIGHT - LEFT) / most),
                              LINE - 60});
    if (class->ranged) {
        int low = LEFT + (int)((int128) class->lo * (RIGHT - LEFT) / most);
        int high = LEFT + (int)((int128) class->hi * (RIGHT - LEFT) / most);
        svg_line(page->out, "limit", low, middle, high, middle);
        svg_line(page->out, "limit", low, middle - 40, low, middle + 40);
        svg_line(page->out, "limit", high, middle - 40, high, middle + 40);
    }
    svg_text_begin(page->out, "", RIGHT + 120, middle + 40);
    write_percent(page, decimal_round(class->share, TENTH, 0), "\u202f%");
    if (class->ranged) {
        outfile_print(page->out, "  [");
        write_percent(page, floor_div(class->lo, TENTH), ", ");
        write_percent(page, ceil_div(class->hi, TENTH), "]");
    }
    svg_text_end(page->out);
}

bool stat_levels(const struct page *page, const csy_sheet *sheet)
{
    struct class classes[CLASSES_MAX] = {{0}};
    struct sheet_reader reader;
    int64_t most = 1;
    /* A sheet about blocks is shown only as a table. */
    if (sheet->ncolumns <= SHARE || strcmp(sheet->columns[LEVEL].name, "level") != 0)
        return true;
    if (sheet_reader_init(&reader, sheet, NULL))
        return false;
    size_t n = find_classes(&reader, classes);
    sheet_reader_fini(&reader);
    if (n == 0)
        return true;
    for (size_t i = 0; i < n; i++) {
        most = classes[i].share > most ? classes[i].share : most;
        most = classes[i].ranged && classes[i].hi > most ? classes[i].hi : most;
    }
    page_figure(page, "levels", TOP + LINE * (int)n, "Shares of time by level",
                "Share of the time with exactly this many active units, among the time with any "
                "active unit, with its range.");
    for (size_t i = 0; i < n; i++)
        draw_class(page, &classes[i], most, TOP + LINE * (int)i);
    page_caption(page, NULL);
    outfile_add(page->out,
                "How many units were active at once, as a share of the time with at least one "
                "active. A bar is the estimate; the line spans the values that the order of the "
                "records allows.");
    page_caption_end(page);
    return true;
}
