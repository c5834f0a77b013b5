/* Draws concurrency (how many actors are active at once) over time, the states of actors over time,
 * and for each number of active actors, its share of the time. */
#include "analysis/run/sheets.h"
#include "output/page/stat.h"

#include <inttypes.h>
#include <string.h>

enum {
    TOP = 60,
    GRAPH = 1800,
    AXIS = 180,
    PPM = 1000000,
    MARKS_MAX = 8,
    SHOWN_BINS = 500,
    SHOWN_ACTORS = 256,
    PANELS = 4,
    STACKED = 3, /* number of states that every sheet "activity" has */
    DOINGS
};

/* A range of time, in ticks since the first record. */
struct stretch {
    int64_t begin, end;
};

static struct stretch stretch_of(const csy_sheet *sheet, size_t begin, size_t end)
{
    struct stretch shown = {sheet->nrows > 0 ? stat_number(sheet, 0, begin) : 0, 0};
    for (size_t row = 0; row < sheet->nrows; row++) {
        int64_t first = stat_number(sheet, row, begin), last = stat_number(sheet, row, end);
        shown.begin = first < shown.begin ? first : shown.begin;
        shown.end = last > shown.end ? last : shown.end;
    }
    return shown;
}

static int place(int64_t ticks, int64_t begin, int64_t end)
{
    int128 length = (int128)end - begin;
    return PAGE_LEFT +
           (length > 0 ? (int)(((int128)ticks - begin) * (PAGE_RIGHT - PAGE_LEFT) / length) : 0);
}

static int height(int64_t ppm, int64_t most)
{
    return TOP + GRAPH - (int)((int128)ppm * GRAPH / ((int128)most * PPM));
}

/* Draw one side of the band between the least and the greatest concurrency, as steps: the upper
 * side from left to right, or the lower side from right to left. */
static void draw_side(const struct page *page, const csy_sheet *sheet, const struct stretch *shown,
                      int64_t most, bool upper)
{
    for (size_t i = 0; i < sheet->nrows; i++) {
        size_t row = upper ? i : sheet->nrows - 1 - i;
        const csy_range *range = &cells_at(sheet, row, TIMELINE_CONCURRENCY)->range;
        int a = place(stat_number(sheet, row, TIMELINE_BEGIN), shown->begin, shown->end);
        int b = place(stat_number(sheet, row, TIMELINE_END), shown->begin, shown->end);
        outfile_print(page->out, "%s%d %dH%d", upper && i == 0 ? "M" : "L", upper ? a : b,
                      height(upper ? range->hi : range->lo, most), upper ? b : a);
    }
}

enum { GRAPH_HEIGHT = TOP + GRAPH + AXIS };

static void draw_graph(const struct page *page, const csy_sheet *sheet)
{
    const struct stretch shown = stretch_of(sheet, TIMELINE_BEGIN, TIMELINE_END);
    bool banded = sheet->nrows > 0 &&
                  cells_at(sheet, 0, TIMELINE_CONCURRENCY)->range.kind != CSY_RANGE_UNKNOWN;
    int64_t most = 1; /* greatest number of units that are active at once */
    for (size_t row = 0; row < sheet->nrows; row++) {
        const csy_range *range = &cells_at(sheet, row, TIMELINE_CONCURRENCY)->range;
        bool known = range->kind != CSY_RANGE_UNKNOWN;
        int64_t here = (int64_t)ceil_div(known ? range->hi : range->estimate, PPM);
        most = here > most ? here : most;
    }
    int64_t step = (int64_t)scale_nice((most + MARKS_MAX - 1) / MARKS_MAX);
    for (int64_t level = 0; level <= most; level += step) {
        int y = height(level * PPM, most);
        svg_line(page->out, "grid", PAGE_LEFT, y, PAGE_RIGHT, y);
        page_text(page, "end", PAGE_LEFT - 80, y + 40, "%" PRId64, level);
    }
    page_axis(page, (struct svg_box){PAGE_LEFT, TOP, PAGE_RIGHT - PAGE_LEFT, GRAPH}, shown.begin,
              shown.end);
    if (banded) {
        outfile_add(page->out, "<path class=\"band\" d=\"");
        draw_side(page, sheet, &shown, most, true);
        draw_side(page, sheet, &shown, most, false);
        outfile_add(page->out, "Z\"/>\n");
    }
    outfile_add(page->out, "<path class=\"estimate\" d=\"");
    for (size_t row = 0; row < sheet->nrows; row++)
        outfile_print(page->out, "%s%d %dH%d", row ? "L" : "M",
                      place(stat_number(sheet, row, TIMELINE_BEGIN), shown.begin, shown.end),
                      height(stat_number(sheet, row, TIMELINE_CONCURRENCY), most),
                      place(stat_number(sheet, row, TIMELINE_END), shown.begin, shown.end));
    outfile_add(page->out, "\"/>\n");
}

/* Begin an element that lets the page's script show the time under the pointer. */
static void begin_time(const struct page *page, int64_t begin, int64_t end)
{
    outfile_print(page->out,
                  "<div class=\"time\" data-ticks=\"%" PRId64 " %" PRId64 " %" PRIu64 "\">\n",
                  begin, end, page->trace->timebase_hz);
}

bool stat_timeline(const struct page *page, const csy_sheet *sheet)
{
    const struct stretch shown = stretch_of(sheet, TIMELINE_BEGIN, TIMELINE_END);
    outfile_add(page->out, "<div class=\"zooms\">\n");
    page_frame(page);
    begin_time(page, shown.begin, shown.end);
    page_drawing_begin(page, "timeline", PAGE_WIDTH, GRAPH_HEIGHT, "Concurrency over time",
                       "The mean number of active units in equal parts of the time.");
    draw_graph(page, sheet);
    svg_end(page->out);
    page_print(page,
               "</div>\n</div>\n<figcaption>The mean number of active units in %zu equal parts of "
               "the time of the reference: the line is the estimate, the band is from what is "
               "certain to what is possible, each moment by itself.</figcaption>\n</figure>\n"
               "</div>\n",
               sheet->nrows);
    return true;
}

/* Returns the first row after the rows of the actor at `row`. */
static size_t next_actor(const csy_sheet *sheet, size_t row)
{
    const char *name = cells_at(sheet, row, ACTIVITY_NAME)->text;
    while (row < sheet->nrows && cells_at(sheet, row, ACTIVITY_NAME)->text == name)
        row++;
    return row;
}

/* Returns the number of actors. *drawn becomes the number of actors that are drawn. */
static size_t count_actors(const csy_sheet *sheet, size_t *drawn)
{
    size_t n = 0;
    for (size_t row = 0; row < sheet->nrows; n++)
        row = next_actor(sheet, row);
    *drawn = n < SHOWN_ACTORS ? n : SHOWN_ACTORS;
    return n;
}

/* A drawing of the states of actors in a range of time, which is divided into equal parts. */
struct panel {
    int64_t begin, end;
    int line; /* height of the line of an actor */
    /* for each part of the time: ticks that an actor spends in each state */
    int64_t times[SHOWN_BINS + 1][DOINGS];
    bool untold;
};

static int64_t edge(const struct panel *panel, size_t bin)
{
    int128 length = (int128)panel->end - panel->begin;
    return (int64_t)(panel->begin + length * (int128)bin / SHOWN_BINS);
}

static void draw_state(const struct page *page, const struct panel *panel, size_t upto, int base)
{
    static const char *const classes[DOINGS] = {"does-active", "does-waiting", "does-ready",
                                                "does-untold"};
    int high = 0, x = PAGE_LEFT;
    bool begun = false;
    int128 length = (int128)panel->end - panel->begin;
    for (size_t bin = 0; bin <= SHOWN_BINS; bin++) {
        int next = 0; /* height of the states from 0 to `upto`, stacked, in this part of the time */
        if (bin < SHOWN_BINS) {
            /* If a tick is longer than a bin, only the last bin of the tick has times. Draw
             * these times in all bins of the tick. */
            int128 after = (int128)edge(panel, bin) - panel->begin + 1, sum = 0;
            size_t part = length < SHOWN_BINS && length > 0
                              ? (size_t)((after * SHOWN_BINS + length - 1) / length) - 1
                              : bin;
            int64_t whole = edge(panel, part + 1) - edge(panel, part);
            for (size_t i = 0; i <= upto; i++)
                sum += panel->times[part][i];
            sum = whole > 0 ? (sum * panel->line + whole / 2) / whole : 0;
            next = sum < panel->line ? (int)sum : panel->line;
        }
        int at = PAGE_LEFT + (int)(bin * (PAGE_RIGHT - PAGE_LEFT) / SHOWN_BINS);
        if (next == high)
            continue;
        if (!begun)
            outfile_print(page->out, "<path class=\"%s\" d=\"M%d %d", classes[upto], at, base);
        else if (at > x)
            outfile_print(page->out, "h%d", at - x);
        outfile_print(page->out, "v%d", high - next);
        high = next;
        x = at;
        begun = true;
    }
    if (begun)
        outfile_add(page->out, "\"/>\n");
}

enum { NAME_CHARACTERS = 16, FEW_ACTORS = 24, MANY_ACTORS = 64 };

static int line_height(size_t drawn)
{
    return drawn <= FEW_ACTORS ? 200 : drawn <= MANY_ACTORS ? 160 : 60;
}

static int panel_height(const csy_sheet *sheet)
{
    size_t drawn;
    count_actors(sheet, &drawn);
    return TOP + line_height(drawn) * (int)drawn + AXIS;
}

static void draw_inside(const struct page *page, const csy_sheet *sheet, struct panel *panel)
{
    size_t drawn;
    count_actors(sheet, &drawn);
    int line = line_height(drawn), bottom = TOP + line * (int)drawn;
    size_t named = drawn <= MANY_ACTORS ? 1 : 3;
    panel->line = line * 17 / 20;
    page_axis(page, (struct svg_box){PAGE_LEFT, TOP, PAGE_RIGHT - PAGE_LEFT, bottom - TOP},
              panel->begin, panel->end);
    for (size_t row = 0, i = 0; i < drawn; i++) {
        size_t first = row, end_row = next_actor(sheet, row);
        int base = TOP + line * (int)(i + 1);
        if (i % named == 0)
            page_label(page, "end", PAGE_LEFT - 80, base - (line - 80) / 2,
                       cells_at(sheet, row, ACTIVITY_NAME)->text, NAME_CHARACTERS);
        memset(panel->times, 0, sizeof panel->times);
        panel->untold = false;
        /* Distribute the times of each row to the parts that it overlaps, in proportion. */
        for (; row < end_row; row++) {
            static const size_t columns[DOINGS] = {ACTIVITY_ACTIVE, ACTIVITY_WAITING,
                                                   ACTIVITY_READY, ACTIVITY_UNTOLD};
            size_t n = stat_has_untold(sheet) ? DOINGS : STACKED;
            int64_t begin = stat_number(sheet, row, ACTIVITY_BEGIN),
                    end = stat_number(sheet, row, ACTIVITY_END);
            int64_t inside = begin > panel->begin ? begin - panel->begin : 0;
            int128 length = (int128)panel->end - panel->begin;
            panel->untold |= stat_has_untold(sheet) && stat_number(sheet, row, ACTIVITY_UNTOLD) > 0;
            if (end <= panel->begin || begin >= panel->end || length <= 0)
                continue;
            for (size_t bin = (size_t)((int128)inside * SHOWN_BINS / length);
                 bin < SHOWN_BINS && edge(panel, bin) < end; bin++) {
                int64_t from = edge(panel, bin) > begin ? edge(panel, bin) : begin;
                int64_t until = edge(panel, bin + 1) < end ? edge(panel, bin + 1) : end;
                for (size_t k = 0; k < n && from < until; k++)
                    panel->times[bin][k] += (int64_t)((int128)stat_number(sheet, row, columns[k]) *
                                                      (until - from) / (end - begin));
            }
        }
        html_between(page->out, "<g><title>", cells_at(sheet, first, ACTIVITY_NAME)->text,
                     HTML_NAME_MAX, "</title>\n");
        for (size_t k = panel->untold ? DOINGS : STACKED; k-- > 0;)
            draw_state(page, panel, k, base);
        outfile_add(page->out, "</g>\n");
    }
}

/* Draw a range of time as n drawings of equal parts. */
static void draw_panels(const struct page *page, const csy_sheet *sheet, struct stretch shown,
                        const char *name, size_t n)
{
    int128 length = (int128)shown.end - shown.begin;
    page_frame(page);
    for (size_t i = 0; i < n; i++) {
        struct panel panel = {.begin = (int64_t)(shown.begin + length * (int128)i / (int128)n),
                              .end = (int64_t)(shown.begin + length * (int128)(i + 1) / (int128)n)};
        char id[32];
        snprintf(id, sizeof id, "activity-%s-%zu", name, i + 1);
        if (panel.begin == panel.end)
            continue;
        begin_time(page, panel.begin, panel.end);
        page_drawing_begin(
            page, id, PAGE_WIDTH, panel_height(sheet), "State of each actor",
            "Each line is an actor: the part of the time that it was active, waiting, or ready.");
        draw_inside(page, sheet, &panel);
        svg_end(page->out);
        outfile_add(page->out, "</div>\n");
    }
    outfile_add(page->out, "</div>\n</figure>\n");
}

bool stat_activity(const struct page *page, const csy_sheet *sheet)
{
    const struct stretch whole = stretch_of(sheet, ACTIVITY_BEGIN, ACTIVITY_END);
    /* Find the busy part: less than a hundredth of all activity is before it, and after it. */
    int128 length = (int128)whole.end - whole.begin, sum = 0, left = 0, right = 0;
    int128 begun[SHOWN_BINS] = {0}, ended[SHOWN_BINS] = {0};
    size_t first = 0, last = SHOWN_BINS - 1;
    for (size_t row = 0; row < sheet->nrows && length > 0; row++) {
        int64_t active = stat_number(sheet, row, ACTIVITY_ACTIVE);
        int128 begin = (int128)stat_number(sheet, row, ACTIVITY_BEGIN) - whole.begin;
        int128 end = (int128)stat_number(sheet, row, ACTIVITY_END) - whole.begin;
        begun[begin * SHOWN_BINS / (length + 1)] += active;
        ended[(end > begin ? end - 1 : end) * SHOWN_BINS / (length + 1)] += active;
        sum += active;
    }
    while (first < last && (left += begun[first]) * 100 < sum)
        first++;
    while (last > first && (right += ended[last]) * 100 < sum)
        last--;
    const struct stretch busy = {(int64_t)(whole.begin + length * (int128)first / SHOWN_BINS),
                                 (int64_t)(whole.begin + length * (int128)(last + 1) / SHOWN_BINS)};
    size_t drawn, actors = count_actors(sheet, &drawn);
    outfile_print(page->out,
                  "<p class=\"key\"><span class=\"chip does-active\"></span>active "
                  "<span class=\"chip does-waiting\"></span>waiting "
                  "<span class=\"chip does-ready\"></span>%s, or being switched%s</p>\n"
                  "<div class=\"zooms\">\n",
                  text_ready(page->sync),
                  stat_has_untold(sheet)
                      ? " <span class=\"chip does-untold\"></span>unknown: the actor recorded "
                        "nothing between its start and its end"
                      : "");
    /* If the busy part is shorter than half of the time, show it first. */
    if ((int128)2 * ((int128)busy.end - busy.begin) < (int128)whole.end - whole.begin) {
        outfile_add(page->out, "<h3>The busy part, with 98 % of the activity</h3>\n");
        draw_panels(page, sheet, busy, "busy", 1);
        outfile_add(page->out, "<h3>The whole time</h3>\n");
    }
    draw_panels(page, sheet, whole, "1", 1);
    outfile_add(page->out, "</div>\n");
    if (drawn < actors)
        page_print(page, "<p>The first %zu actors of %zu are drawn.</p>\n", drawn, actors);
    outfile_add(page->out, "<details><summary>Closer, in two halves</summary>\n");
    draw_panels(page, sheet, whole, "2", PANELS / 2);
    outfile_add(page->out, "</details>\n<details><summary>Closest, in four quarters</summary>\n");
    draw_panels(page, sheet, whole, "4", PANELS);
    outfile_add(page->out, "</details>\n");
    return true;
}

void stat_drawing(const csy_analysis *analysis, csy_sync *sync, struct outfile *out)
{
    enum { KEY = 200 };
    char ready[64];
    const char *const keys[][2] = {{"does-active", "active"},
                                   {"does-waiting", "waiting"},
                                   {"does-ready", ready},
                                   {"does-untold", "unknown"}};
    const struct page page = {
        .trace = sync->trace, .sync = sync, .out = out, .alone = true, .analysis = analysis};
    const csy_sheet *timeline = cells_sheet(analysis, "timeline");
    const csy_sheet *activity = cells_sheet(analysis, "activity");
    const struct stretch shown = stretch_of(timeline, TIMELINE_BEGIN, TIMELINE_END);
    struct panel panel = {.begin = shown.begin, .end = shown.end};
    int rows = panel_height(activity);
    snprintf(ready, sizeof ready, "%s, or being switched", text_ready(sync));
    page_drawing_begin(&page, "timeline", PAGE_WIDTH, KEY + rows + GRAPH_HEIGHT,
                       "Activity and concurrency over time",
                       "The state of each actor, and the mean number of active units.");
    outfile_add(out, "<style>\n");
    page_colour(out, stat_shapes);
    outfile_add(out, "</style>\n");
    for (int i = 0; i < (stat_has_untold(activity) ? DOINGS : STACKED); i++) {
        /* the text of the key before the last one is longer than the others */
        int x = PAGE_LEFT + i * 1200 + (i == STACKED ? 1000 : 0);
        svg_rect(out, keys[i][0], (struct svg_box){x, 20, 110, 110});
        svg_text(out, "", x + 180, 120, keys[i][1]);
    }
    outfile_print(out, "<g transform=\"translate(0,%d)\">\n", KEY);
    draw_inside(&page, activity, &panel);
    outfile_print(out, "</g>\n<g transform=\"translate(0,%d)\">\n", KEY + rows);
    draw_graph(&page, timeline);
    outfile_add(out, "</g>\n");
    svg_end(out);
}

/* --- Levels of concurrency -------------------------------------------------------------------- */

enum { LEVEL, TIME, SHARE };
enum {
    BAR_LEFT = 1050,
    BAR_RIGHT = PAGE_WIDTH - 2700,
    BAR_LINE = 220,
    BARS_TOP = 20,
    CLASSES_MAX = 12
};

/* A bar shows how long `first` to `last` units were active at once, as a share of the time. The
 * range of the share may be wider than necessary. */
struct class
{
    int64_t first, last;   /* first and last level of the bar */
    int64_t share, lo, hi; /* share of the time, and the range of the share, in millionths */
    bool ranged;
};

/* Write a share, given in tenths of a per cent, and then the text `after`. */
static void write_percent(const struct page *page, int128 tenths, const char *after)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(page->out, "%s%s", decimal_text(tenths, 1, text), after);
}

static void draw_class(const struct page *page, const struct class *class, int64_t most, int y)
{
    enum { TENTH = 1000 }; /* a tenth of a per cent in millionths */
    int middle = y + BAR_LINE / 2;
    svg_text_begin(page->out, "end", BAR_LEFT - 80, middle + 40);
    outfile_print(page->out, "%" PRId64, class->first);
    if (class->last > class->first)
        outfile_print(page->out, "\u2013%" PRId64, class->last);
    outfile_add(page->out, " active");
    svg_text_end(page->out);
    svg_rect(page->out, "bar",
             (struct svg_box){BAR_LEFT, y + 30,
                              (int)((int128) class->share * (BAR_RIGHT - BAR_LEFT) / most),
                              BAR_LINE - 60});
    if (class->ranged) {
        int low = BAR_LEFT + (int)((int128) class->lo * (BAR_RIGHT - BAR_LEFT) / most);
        int high = BAR_LEFT + (int)((int128) class->hi * (BAR_RIGHT - BAR_LEFT) / most);
        svg_line(page->out, "limit", low, middle, high, middle);
        svg_line(page->out, "limit", low, middle - 40, low, middle + 40);
        svg_line(page->out, "limit", high, middle - 40, high, middle + 40);
    }
    svg_text_begin(page->out, "", BAR_RIGHT + 120, middle + 40);
    write_percent(page, decimal_round(class->share, TENTH, 0), "\u202f%");
    if (class->ranged) {
        outfile_add(page->out, "  [");
        write_percent(page, floor_div(class->lo, TENTH), ", ");
        write_percent(page, ceil_div(class->hi, TENTH), "]");
    }
    svg_text_end(page->out);
}

bool stat_levels(const struct page *page, const csy_sheet *sheet)
{
    struct class classes[CLASSES_MAX] = {{0}};
    struct sheet_reader reader;
    const csy_sheet *part;
    size_t levels = 0, level = 0;
    int64_t most = 1;
    /* a sheet without a column "level" counts blocks, not units, and is shown only as a table */
    if (sheet->ncolumns <= SHARE || strcmp(sheet->columns[LEVEL].name, "level") != 0)
        return true;
    if (sheet_reader_init(&reader, sheet, NULL))
        return false;
    /* Each row of the sheet is a level: a number of units that were active at once. Combine the
     * levels that have a share of the time into at most CLASSES_MAX bars of equal width. */
    while ((part = sheet_reader_next(&reader)))
        for (size_t row = 0; row < part->nrows; row++)
            levels += !cells_at(part, row, SHARE)->none;
    size_t size = levels > 0 ? (levels + CLASSES_MAX - 1) / CLASSES_MAX : 1;
    for (reader.next = 0; (part = sheet_reader_next(&reader));)
        for (size_t row = 0; row < part->nrows; row++) {
            const csy_value *value = cells_at(part, row, SHARE);
            const csy_range *range = &value->range;
            if (value->none)
                continue;
            struct class *class = &classes[level / size];
            int64_t here = cells_at(part, row, LEVEL)->range.estimate;
            if (level++ % size == 0)
                *class = (struct class){.first = here, .ranged = true};
            class->last = here;
            class->share += range->estimate;
            class->lo += range->lo;
            class->hi += range->hi;
            class->ranged &= range->kind != CSY_RANGE_UNKNOWN && range->kind != CSY_RANGE_CLOCK;
        }
    sheet_reader_fini(&reader);
    if (levels == 0)
        return true;
    size_t n = (levels + size - 1) / size;
    for (size_t i = 0; i < n; i++) {
        classes[i].hi =
            classes[i].hi < PPM ? classes[i].hi : PPM; /* the upper limits of several shares can sum
                                                        * to more than 100 % */
        most = classes[i].share > most ? classes[i].share : most;
        most = classes[i].ranged && classes[i].hi > most ? classes[i].hi : most;
    }
    page_figure(page, "levels", BARS_TOP + BAR_LINE * (int)n, "Shares of time by level",
                "Share of the time with exactly this many active units, among the time with any "
                "active unit, with its range.");
    for (size_t i = 0; i < n; i++)
        draw_class(page, &classes[i], most, BARS_TOP + BAR_LINE * (int)i);
    page_caption(page, NULL);
    outfile_add(page->out,
                "How many units were active at once, as a share of the time with at least one "
                "active. A bar is the estimate; the line spans the values that the order of the "
                "records allows.");
    page_caption_end(page);
    return true;
}
