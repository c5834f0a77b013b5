/* Writes the section of the HTML report that compares the clock offsets recorded by the tracer with
 * the offsets and bounds that cellsync has computed. Each clock has a row, the worst one first. A
 * bar stands for the range of the clock's offset; all bars have the same width. A mark in the bar
 * is the offset that cellsync computed. A line shows how the tracer's offset changed from the first
 * to the last record. */
#include "base/error.h"
#include "base/sort.h"
#include "output/page/page.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    DRAWN_MAX = 40,
    LISTED_MAX = 200,
    HEIGHT = 160,
    BAR_LEFT = PAGE_LEFT + (PAGE_RIGHT - PAGE_LEFT) / 4,
    BAR_RIGHT = PAGE_RIGHT - (PAGE_RIGHT - PAGE_LEFT) / 4,
    TOP = 220
};

/* Compare two clocks, which are in one array. Known offsets, and those farthest off, come first. */
static int by_rank(const void *a, const void *b)
{
    const csy_tracer_clock *x = *(csy_tracer_clock *const *)a, *y = *(csy_tracer_clock *const *)b;
    return 8 * COMPARE(y->known, x->known) + 4 * COMPARE(y->outside_ticks, x->outside_ticks) +
           2 * COMPARE(y->distance_ticks, x->distance_ticks) + COMPARE(x, y);
}

/* --- The drawing ---------------------------------------------------------------------------- */

static bool is_drawn(const csy_tracer_clock *of)
{
    return of->known && of->worst.earliest_ticks != INT64_MIN &&
           of->worst.latest_ticks != INT64_MAX && of->first.earliest_ticks != INT64_MIN &&
           of->last.earliest_ticks != INT64_MIN;
}

static int64_t width(const csy_tracer_moment *moment)
{
    if (moment->latest_ticks == INT64_MAX || moment->earliest_ticks == INT64_MIN)
        return INT64_MAX;
    return nearest_int64((int128)moment->latest_ticks - moment->earliest_ticks);
}

/* Returns the x of an offset. The bounds extend from BAR_LEFT to BAR_RIGHT. An offset outside of
 * the drawing is put at the nearer side. */
static int place(const csy_tracer_moment *moment, int64_t offset_ticks)
{
    int128 by = (int128)offset_ticks - moment->earliest_ticks;
    int128 limit = width(moment) > 0 ? width(moment) : 1;
    by = by < -limit ? -limit : by > 2 * limit ? 2 * limit : by;
    int x = BAR_LEFT + (int)(by * (BAR_RIGHT - BAR_LEFT) / limit);
    return x < PAGE_LEFT + 40 ? PAGE_LEFT + 40 : x > PAGE_RIGHT - 40 ? PAGE_RIGHT - 40 : x;
}

static void draw(const struct page *page, const csy_tracer_clock **ranked, size_t nranked)
{
    const csy_tracer_clock *clocks = page->sync->tracer->view.clocks;
    size_t n = 0, row = 0;
    for (size_t i = 0; i < nranked && n < DRAWN_MAX; i++)
        n += is_drawn(ranked[i]);
    if (n == 0)
        return;
    page_figure(page, "tracer-drawing", TOP + (int)n * HEIGHT + 40,
                "Offsets of the tracer and bounds of cellsync",
                "Each row is a clock, the worst first: the bar is the bound of cellsync, the marks "
                "are the tracer's offsets at the first and the last record.");
    svg_text(page->out, "mid", BAR_LEFT, TOP - 60, "earliest");
    svg_text(page->out, "mid", BAR_RIGHT, TOP - 60, "latest");
    svg_line(page->out, "grid", BAR_LEFT, TOP - 30, BAR_LEFT, TOP + (int)n * HEIGHT);
    svg_line(page->out, "grid", BAR_RIGHT, TOP - 30, BAR_RIGHT, TOP + (int)n * HEIGHT);
    for (size_t i = 0; i < nranked && row < n; i++) {
        const csy_tracer_clock *of = ranked[i];
        int y = TOP + (int)row * HEIGHT, middle = y + HEIGHT / 2;
        if (!is_drawn(of))
            continue;
        row++;
        int first = place(&of->first, of->first.tracer_ticks);
        int last = place(&of->last, of->last.tracer_ticks);
        int worst = place(&of->worst, of->worst.tracer_ticks);
        int ours = place(&of->worst, of->worst.offset_ticks);
        page_label(page, "end", PAGE_LEFT - 80, middle + 40, page->sync->views[of - clocks].name,
                   14);
        svg_rect_begin(page->out, page_shade(page, width(&of->worst)),
                       (struct svg_box){BAR_LEFT, y + 30, BAR_RIGHT - BAR_LEFT, HEIGHT - 60});
        page_print(page, "{%zu}: the bound of cellsync is {=%" PRId64 "} wide; the tracer is ",
                   (size_t)(of - clocks), width(&of->worst));
        if (of->outside_ticks > 0)
            page_print(page, "outside by {=%" PRId64 "}", of->outside_ticks);
        else
            page_print(page, "inside");
        svg_rect_end(page->out);
        svg_line(page->out, "grid", ours, y + 30, ours, y + HEIGHT - 30);
        int low = first < last ? first : last, high = first < last ? last : first;
        low = worst < low ? worst : low;
        high = worst > high ? worst : high;
        svg_line(page->out, "whisker", low, middle, high, middle);
        svg_rect(page->out, "anchor", (struct svg_box){first - 40, middle - 40, 80, 80});
        svg_rect(page->out, "reference", (struct svg_box){last - 50, middle - 50, 100, 100});
    }
    if (!page_caption(page, NULL))
        return;
    outfile_add(page->out,
                "Each bar is the bound of a clock; all bars have the same width. The tracer\u2019s "
                "offset is a filled mark at the first record of the clock and a frame at the last. "
                "Marks at the sides of the drawing are farther away.");
    page_caption_end(page);
}

csy_status page_tracer(const struct page *page, csy_error *error)
{
    if (!page_has(page, SECTION_TRACER))
        return CSY_OK;
    const csy_tracer *tracer = &page->sync->tracer->view;
    const csy_tracer_clock **ranked = calloc(tracer->nclocks + 1, sizeof(csy_tracer_clock *));
    size_t n = 0;
    if (!ranked)
        return error_memory(error);
    for (size_t t = 0; t < tracer->nclocks; t++)
        if (t != page->sync->reference)
            ranked[n++] = &tracer->clocks[t];
    sort_pointers(ranked, n, by_rank);
    page_heading(page, SECTION_TRACER);
    outfile_add(page->out, "<p id=\"tracer\">");
    if (tracer->readings == 0) {
        page_print(page, "The archive has no ClockOffset records: it does not say what the tracer "
                         "took its clocks for");
    } else {
        page_print(page,
                   "For %zu of %zu %s%s, the offsets that the tracer recorded (ClockOffset) are "
                   "within the bounds of cellsync",
                   tracer->inside, tracer->inside + tracer->outside, text_clock(page->sync),
                   text_plural(tracer->inside + tracer->outside));
        if (tracer->outside > 0)
            page_print(page,
                       "; the order of events contradicts the tracer's offsets for %zu, for {%zu} "
                       "by at least {=%" PRId64 "}",
                       tracer->outside, tracer->worst, tracer->clocks[tracer->worst].outside_ticks);
        if (tracer->unknown > 0)
            page_print(page, "; unknown for %zu", tracer->unknown);
    }
    outfile_add(page->out, ".</p>\n");
    size_t listed = n < LISTED_MAX ? n : LISTED_MAX;
    if (tracer->readings > 0) {
        draw(page, ranked, n);
        page_table_begin(page, "tracer-clocks",
                         "readings|width of our bound|tracer less ours, first|last|outside by "
                         "ticks|\u00b5s|at local time");
        for (size_t i = 0; i < listed; i++) {
            const csy_tracer_clock *of = ranked[i];
            page_row(page, (size_t)(of - tracer->clocks));
            page_print(page, "<td>%" PRIu64 "</td>", of->readings);
            if (!of->known) {
                outfile_add(page->out, "<td colspan=\"6\">not known</td></tr>\n");
                continue;
            }
            page_cell_ticks(page, width(&of->worst));
            page_print(page, "<td>%" PRId64 "</td><td>%" PRId64 "</td>",
                       nearest_int64((int128)of->first.tracer_ticks - of->first.offset_ticks),
                       nearest_int64((int128)of->last.tracer_ticks - of->last.offset_ticks));
            if (of->outside_ticks == 0) {
                outfile_add(page->out, "<td>inside</td><td></td><td></td></tr>\n");
                continue;
            }
            page_cell_both(page, of->outside_ticks);
            page_print(page, "<td>%" PRId64 "</td></tr>\n", of->worst.local_ticks);
        }
        page_table_end(page);
        if (listed < n)
            page_print(page, "<p>The first %zu of %zu; the JSON report has all.</p>\n", listed, n);
    }
    free(ranked);
    return CSY_OK;
}
