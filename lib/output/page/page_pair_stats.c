/* The HTML report: the distribution of the bounds to the reference, if there are many threads. */
#include "output/page/page.h"

#include <inttypes.h>
#include <string.h>

enum { BARS = 40, LEFT = PAGE_LEFT, RIGHT = PAGE_WIDTH - 10, TOP = 40, BOTTOM = 1400, LABELS = 8 };

static int bar_x(int bar)
{
    return LEFT + (RIGHT - LEFT) * bar / BARS;
}

static void draw_bar(const struct page *page, const struct scale *scale, int bar, uint64_t count,
                     uint64_t most)
{
    int height = (int)((uint128)count * (BOTTOM - TOP) / most), x = bar_x(bar);
    int64_t begin = scale_step_begin(scale, bar, BARS),
            end = scale_step_begin(scale, bar + 1, BARS) - 1;
    char text[CSY_TIME_TEXT_MAX];
    if (count == 0)
        return;
    height = height < 10 ? 10 : height;
    svg_rect_begin(page->out, page_shade(page, begin),
                   (struct svg_box){x, BOTTOM - height, bar_x(bar + 1) - x - 10, height});
    page_print(page, "%" PRIu64 " thread%s: ", count, text_plural(count));
    if (end > begin)
        page_print(page, "%" PRId64 " to ", begin);
    page_print(page, "%" PRId64 " tick%s (%s)", end, text_plural((uint64_t)end),
               page_fine_time(page, (csy_fine){end, 0}, text));
    svg_rect_end(page->out);
}

/* Label the bars with bounds in ticks and as times. */
static void draw_labels(const struct page *page, const struct scale *scale)
{
    char text[CSY_TIME_TEXT_MAX];
    int64_t before = -1;
    for (int bar = 0; bar < BARS; bar += BARS / LABELS) {
        int64_t begin = scale_step_begin(scale, bar, BARS);
        if (begin == before || begin > scale->most)
            continue;
        svg_line(page->out, "grid", bar_x(bar), TOP, bar_x(bar), BOTTOM + 40);
        svg_text_begin(page->out, "", bar_x(bar), BOTTOM + 170);
        page_print(page, "%" PRId64, begin);
        svg_text_end(page->out);
        svg_text(page->out, "", bar_x(bar), BOTTOM + 320, page_whole_time(page, begin, text));
        before = begin;
    }
    svg_text(page->out, "end", LEFT - 80, BOTTOM + 170, "ticks");
    svg_text(page->out, "end", LEFT - 80, BOTTOM + 320, "time");
}

static void draw(const struct page *page)
{
    const struct spans *lives = &page->lives;
    struct scale scale = scale_make(spans_most(lives), spans_median(lives));
    uint64_t counts[BARS] = {0}, most = 1;
    for (size_t i = 0; i < lives->nbounded; i++)
        if (lives->order[i] != page->sync->reference)
            counts[scale_step(&scale, lives->items[lives->order[i]].bound, BARS)]++;
    for (int bar = 0; bar < BARS; bar++)
        most = counts[bar] > most ? counts[bar] : most;
    page_drawing_begin(page, "distribution", PAGE_WIDTH, BOTTOM + 360,
                       "Distribution of error bounds",
                       "How many threads have bounds to the reference of each size.");
    draw_labels(page, &scale);
    for (int bar = 0; bar < BARS; bar++)
        draw_bar(page, &scale, bar, counts[bar], most);
    svg_text_begin(page->out, "end", LEFT - 80, TOP + 80);
    page_print(page, "%" PRIu64, most);
    svg_text_end(page->out);
    svg_text(page->out, "end", LEFT - 80, TOP + 230, "threads");
    svg_line(page->out, "grid", LEFT, BOTTOM, RIGHT, BOTTOM);
    svg_end(page->out);
}

/* Write the bound that holds for this percentage of the threads other than the reference. */
static void say_rank(const struct page *page, unsigned hundredths)
{
    const struct spans *lives = &page->lives;
    size_t rank = ((lives->n - 1) * hundredths + 99) / 100;
    page_print(page, ", %u %% at most ", hundredths);
    page_ticks(page, lives->items[lives->order[rank < lives->n ? rank : lives->n - 1]].bound);
}

void page_distribution(const struct page *page)
{
    if (!page_has(page, SECTION_DISTRIBUTION))
        return;
    page_heading(page, SECTION_DISTRIBUTION);
    page_figure(page);
    draw(page);
    page_figure_end(page);
    if (page->alone)
        return;
    outfile_print(page->out, "<figcaption id=\"distribution-note\">Bounds to ");
    page_name(page, page->sync->reference);
    page_print(page, " of %zu threads: half at most ", page->lives.n - 1);
    page_ticks(page, page->lives.items[page->lives.order[page->lives.n / 2]].bound);
    say_rank(page, 90);
    say_rank(page, 99);
    say_rank(page, 100);
    outfile_print(page->out, ".</figcaption>\n</figure>\n");
}
