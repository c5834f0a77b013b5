/* The HTML report: bounds and records over time. */
#include "output/page/page.h"

#include <inttypes.h>
#include <string.h>

enum {
    LEFT = PAGE_LEFT,
    RIGHT = PAGE_WIDTH - 10,
    KEY = 100,       /* y of the legend */
    UNBOUNDED = 280, /* y of the strip of unbounded threads */
    TOP = 400,       /* top of the bounds, below the strip */
    BOTTOM = 2140,   /* bottom of the bounds */
    DENSITY = 2520,  /* y of the record densities, two strips */
    STRIP = 160
};

static int bin_x(const struct precision *course, size_t i)
{
    return LEFT + (int)((size_t)(RIGHT - LEFT) * i / course->nbins);
}

static int bound_y(const struct scale *scale, int64_t bound)
{
    return bound == BOUND_NONE ? UNBOUNDED : BOTTOM - scale_place(scale, bound, BOTTOM - TOP);
}

/* Begin an entry of the legend with a sample. The caller writes the name and ends the text. */
static void begin_key(const struct page *page, const char *class, int x)
{
    if (strcmp(class, "band") == 0)
        svg_rect(page->out, class, (struct svg_box){x, KEY - 80, 250, 80});
    else
        svg_line(page->out, class, x, KEY - 40, x + 250, KEY - 40);
    svg_text_begin(page->out, "", x + 320, KEY);
}

static void draw_key(const struct page *page)
{
    begin_key(page, "band", LEFT);
    outfile_print(page->out, "bounds to ");
    html_text(page->out, page->sync->views[page->sync->reference].name, 12);
    svg_text_end(page->out);
    begin_key(page, "median", LEFT + 2500);
    outfile_print(page->out, "median");
    svg_text_end(page->out);
    if (!page->course.has_pairs)
        return;
    begin_key(page, "worst", LEFT + 4000);
    outfile_print(page->out, "greatest of pairs");
    svg_text_end(page->out);
    begin_key(page, "mean", LEFT + 6200);
    outfile_print(page->out, "mean of pairs");
    svg_text_end(page->out);
}

/* Draw a bin as a band from its least to its greatest bound, with the median and a title. */
static void draw_bin(const struct page *page, const struct scale *scale, size_t i)
{
    const struct precision_bin *bin = &page->course.bins[i];
    const struct precision_pairs *together = &bin->together;
    char mean[QUOTIENT_TEXT_MAX];
    int x = bin_x(&page->course, i), width = bin_x(&page->course, i + 1) - x;
    int high = bound_y(scale, bin->most), low = bound_y(scale, bin->least);
    int middle = bound_y(scale, bin->median);
    svg_rect_begin(page->out, "band", (struct svg_box){x, high, width, low - high + 10});
    page_print(page, "%" PRIu64 " live: least ", bin->live);
    page_ticks(page, bin->least);
    outfile_print(page->out, ", median ");
    page_ticks(page, bin->median);
    outfile_print(page->out, ", greatest ");
    page_ticks(page, bin->most);
    if (together->pairs > 0)
        page_print(page, "; %" PRId64 " pair%s live together: ", together->pairs,
                   text_plural((uint64_t)together->pairs));
    if (together->bounded > 0) {
        outfile_print(page->out, "mean %s, greatest ",
                      quotient_text(together->sum_ticks, together->bounded, mean));
        page_ticks(page, together->most_ticks);
    }
    if (together->bounded < together->pairs)
        page_print(page, "%s%" PRId64 " unbounded", together->bounded ? ", " : "",
                   together->pairs - together->bounded);
    svg_rect_end(page->out);
    if (bin->unbounded)
        svg_rect(page->out, "su", (struct svg_box){x, UNBOUNDED - 60, width, 120});
    outfile_print(page->out, "<path class=\"median\" d=\"M%d %dh%d\"/>\n", x, middle, width);
}

/* Draw a line through all bins, at the greatest bound of pairs or at the mean. */
static void draw_pairs(const struct page *page, const struct scale *scale, bool greatest)
{
    const struct precision *course = &page->course;
    bool down = false;
    outfile_print(page->out, "<path class=\"%s\" d=\"", greatest ? "worst" : "mean");
    for (size_t i = 0; i < course->nbins; i++) {
        const struct precision_pairs *together = &course->bins[i].together;
        if (together->bounded > 0) {
            int64_t bound = greatest ? together->most_ticks
                                     : (int64_t)(together->sum_ticks / together->bounded);
            outfile_print(page->out, "%c%d %dH%d", down ? 'L' : 'M', bin_x(course, i),
                          bound_y(scale, bound), bin_x(course, i + 1));
        }
        down = together->bounded > 0;
    }
    outfile_print(page->out, "\"/>\n");
}

/* Draw a strip with the number of records in each bin. */
static void draw_density(const struct page *page, bool reference, int y)
{
    const struct precision *course = &page->course;
    uint64_t most = 1;
    for (size_t i = 0; i < course->nbins; i++) {
        const struct precision_bin *bin = &course->bins[i];
        uint64_t n = reference ? bin->reference_records : bin->records;
        most = n > most ? n : most;
    }
    outfile_print(page->out, "<path class=\"density\" d=\"");
    for (size_t i = 0; i < course->nbins; i++) {
        const struct precision_bin *bin = &course->bins[i];
        uint64_t n = reference ? bin->reference_records : bin->records;
        int height = (int)((uint128)n * STRIP / most), x = bin_x(course, i);
        if (n)
            outfile_print(page->out, "M%d %dh%dv-%dh-%dz", x, y, bin_x(course, i + 1) - x,
                          height < 10 ? 10 : height, bin_x(course, i + 1) - x);
    }
    outfile_print(page->out, "\"/>\n");
    svg_line(page->out, "grid", LEFT, y, RIGHT, y);
}

static void draw(const struct page *page)
{
    const struct precision *course = &page->course;
    int64_t most = spans_most(&page->lives);
    struct scale scale = scale_make(course->pairs_most > most ? course->pairs_most : most,
                                    spans_median(&page->lives));
    page_drawing_begin(
        page, "course", PAGE_WIDTH, DENSITY + 2 * STRIP + 220, "Errors and records over time",
        "For each part of the trace the least, median and greatest bound of the threads that "
        "are live in it, the mean and greatest bound of the pairs among them, and below how "
        "many records it has.");
    page_error_axis(page, &scale, TOP, BOTTOM, KEY);
    draw_key(page);
    if (page->lives.nbounded < page->lives.n)
        svg_text(page->out, "end", LEFT - 80, UNBOUNDED + 40, "unbounded");
    page_time_axis(page, LEFT, RIGHT, TOP, DENSITY + 2 * STRIP);
    for (size_t i = 0; i < course->nbins; i++)
        if (course->bins[i].live)
            draw_bin(page, &scale, i);
    if (course->has_pairs) {
        draw_pairs(page, &scale, false);
        draw_pairs(page, &scale, true);
    }
    draw_density(page, false, DENSITY);
    draw_density(page, true, DENSITY + STRIP + 60);
    svg_text(page->out, "end", LEFT - 80, DENSITY - 40, "records");
    svg_text_begin(page->out, "end", LEFT - 80, DENSITY + STRIP + 20);
    outfile_print(page->out, "of ");
    html_text(page->out, page->sync->views[page->sync->reference].name, 12);
    svg_text_end(page->out);
    svg_end(page->out);
}

/* Write a range of time since the first record. */
static void say_stretch(const struct page *page, int128 begin, int128 end)
{
    char begin_text[CSY_TIME_TEXT_MAX], end_text[CSY_TIME_TEXT_MAX];
    const char *from = page_whole_time(page, (int64_t)begin, begin_text);
    const char *to = page_whole_time(page, (int64_t)end, end_text);
    if (strcmp(from, to) == 0)
        outfile_print(page->out, "at %s", from);
    else
        outfile_print(page->out, "from %s to %s", from, to);
}

/* Tell where the median is worst, and which records are there. */
static void say_worst(const struct page *page)
{
    const struct precision *course = &page->course;
    const struct precision_bin *worst = course->bins;
    for (size_t i = 0; i < course->nbins; i++)
        if (course->bins[i].live && course->bins[i].median > worst->median)
            worst = &course->bins[i];
    if (worst->live == 0)
        return;
    size_t i = (size_t)(worst - course->bins);
    outfile_print(page->out, " The median is worst, ");
    page_ticks(page, worst->median);
    outfile_print(page->out, ", ");
    say_stretch(page, precision_begin(course, &page->lives, i),
                precision_begin(course, &page->lives, i + 1));
    page_print(page, ", with %" PRIu64 " record%s, %" PRIu64 " of ", worst->records,
               text_plural(worst->records), worst->reference_records);
    page_name(page, page->sync->reference);
    outfile_print(page->out, ".");
}

/* Tell where two threads that are live together have the worst bound. */
static void say_worst_pair(const struct page *page)
{
    const struct precision *course = &page->course;
    size_t i = 0;
    while (i < course->nbins && course->bins[i].together.most_ticks != course->pairs_most)
        i++;
    if (!course->has_pairs || i == course->nbins)
        return;
    outfile_print(page->out, " Two threads live together are worst known, to ");
    page_ticks(page, course->pairs_most);
    outfile_print(page->out, ", ");
    say_stretch(page, precision_begin(course, &page->lives, i),
                precision_begin(course, &page->lives, i + 1));
    outfile_print(page->out, ".");
}

/* Name the thread with the widest bound, and tell where it is. */
static void say_widest(const struct page *page)
{
    if (page->course.nscouts == 0)
        return;
    size_t t = page->course.scouts[0].thread;
    const struct span *life = &page->lives.items[t];
    outfile_print(page->out, " The widest is that of ");
    page_name(page, t);
    outfile_print(page->out, ", ");
    page_ticks(page, life->bound);
    outfile_print(page->out, ", live ");
    say_stretch(page, (int128)life->begin - page->lives.begin,
                (int128)life->end - page->lives.begin);
    outfile_print(page->out, ".");
}

void page_precision(const struct page *page)
{
    page_heading(page, SECTION_COURSE);
    page_figure(page);
    draw(page);
    page_figure_end(page);
    if (page->alone)
        return;
    outfile_print(page->out, "<figcaption id=\"course-note\">%s against ", page_errors(page));
    page_name(page, page->sync->reference);
    outfile_print(
        page->out,
        " of the threads that are live in each of %zu equal parts of the trace: from the "
        "least to the greatest, and the median as a line. %s Below, the number of records in each.",
        page->course.nbins,
        page->course.has_pairs
            ? "The thin lines are of the pairs of threads that are live together there: their "
              "greatest bound and, dotted, the mean."
            : "Pairs of threads that are live together are too many to be looked at here.");
    say_worst(page);
    say_worst_pair(page);
    say_widest(page);
    outfile_print(page->out, "</figcaption>\n</figure>\n");
}
