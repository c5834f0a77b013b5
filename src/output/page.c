/* What the sections of the HTML report share. */
#include "output/page.h"

#include <inttypes.h>
#include <string.h>

const char *page_errors(const struct page *page)
{
    return page->sync->imprecision.added_ticks > 0 ? "Event errors" : "Error bounds";
}

void page_name(const struct page *page, size_t thread)
{
    html_name(page->out, page->sync->views[thread].name);
}

void page_count(const struct page *page, uint64_t n)
{
    char number[TICKS_TEXT_MAX], text[GROUPED_TEXT_MAX];
    snprintf(number, sizeof number, "%" PRIu64, n);
    outfile_print(page->out, "%s", words_grouped(number, text));
}

void page_ticks(const struct page *page, int64_t ticks)
{
    char text[DURATION_TEXT_MAX];
    if (ticks == BOUND_NONE)
        outfile_print(page->out, "unbounded");
    else
        outfile_print(page->out, "%" PRId64 " tick%s (%s)", ticks, words_plural((uint64_t)ticks),
                      duration_text(ticks, page->trace->timebase_hz, text));
}

static void write_cell(const struct page *page, const char *text)
{
    outfile_print(page->out, "<td>%s</td>", text);
}

void page_cell_ticks(const struct page *page, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    write_cell(page, words_ticks(ticks, "\u2212\u221e", "\u221e", text));
}

void page_cell_both(const struct page *page, int64_t ticks)
{
    char text[QUOTIENT_TEXT_MAX];
    page_cell_ticks(page, ticks);
    if (ticks == BOUND_NONE)
        write_cell(page, "\u221e");
    else
        write_cell(page, microseconds_text(ticks, (int128)page->trace->timebase_hz, text));
}

const char *page_shade(const struct page *page, int64_t bound)
{
    static const char *const classes[SHADES] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    return bound == BOUND_NONE ? "su" : classes[scale_shade(&page->scale, bound)];
}

/* The edges of a shade: "0", "5-9". */
static void write_edges(const struct page *page, int64_t begin, int64_t end, int x)
{
    svg_text_begin(page->out, "mid", x, 310);
    if (begin == end)
        outfile_print(page->out, "%" PRId64, begin);
    else
        outfile_print(page->out, "%" PRId64 "\u2013%" PRId64, begin, end);
    svg_text_end(page->out);
}

void page_legend(const struct page *page)
{
    const int width = 900;
    svg_begin(page->out, "legend", PAGE_WIDTH, 340, "Colours of errors",
              "From the least errors, which differ least from the paper, to the greatest; "
              "unbounded ones are hatched.");
    svg_text_begin(page->out, "", 0, 130);
    outfile_print(page->out, "%s,", words_error(page->sync->imprecision.added_ticks));
    svg_text_end(page->out);
    svg_text(page->out, "", 0, 260, "ticks");
    int x = 900;
    for (int shade = 0; shade < SHADES; shade++) {
        int64_t begin = scale_shade_begin(&page->scale, shade);
        int64_t end =
            shade + 1 < SHADES ? scale_shade_begin(&page->scale, shade + 1) - 1 : page->scale.most;
        if (begin > end)
            continue;
        svg_rect(page->out, page_shade(page, begin), (struct svg_box){x, 20, width, 150});
        write_edges(page, begin, end, x + width / 2);
        x += width;
    }
    svg_rect(page->out, "su", (struct svg_box){x + 200, 20, width, 150});
    svg_text(page->out, "mid", x + 200 + width / 2, 310, "unbounded");
    svg_end(page->out);
}

void page_time_axis(const struct page *page, int left, int right, int top, int bottom)
{
    const int128 second = 1000000000, hz = page->trace->timebase_hz;
    int128 length = (int128)page->lives.end - page->lives.begin;
    int128 end = length * second / hz, step = scale_nice(end / 8);
    char text[DURATION_TEXT_MAX];
    for (int128 ns = 0; ns <= end; ns += step) {
        int x = left + (length ? (int)(ns * hz * (right - left) / (second * length)) : 0);
        svg_line(page->out, "grid", x, top, x, bottom);
        svg_text(page->out,
                 x + 250 > right ? "end"
                 : ns            ? "mid"
                                 : "",
                 x, bottom + 140, moment_text(ns, step, end, text));
    }
}
