/* Draws error bounds and numbers of records over time. For many threads, also draws how the error
 * bounds between each thread and the reference are distributed. */
#include "base/error.h"
#include "base/sort.h"
#include "output/page/page.h"
#include "sync/drift/drift.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY = 100,       /* y of the legend */
    UNBOUNDED = 280, /* y of the strip for threads without bounds */
    TOP = 400,       /* y of the top of the scale, the greatest error bound */
    BOTTOM = 2140,   /* y of a bound of 0 */
    DENSITY = 2520,  /* y of the two strips with numbers of records */
    STRIP = 160,
    DRIFT_TOP = 300 /* y of the greatest error, if clocks drift */
};

/* Returns the begin of a bin (part of the trace's time), in ticks since the trace's begin. For
 * `nbins`, returns the end of the trace. */
static int128 precision_begin(const struct precision *course, const struct spans *lives, size_t bin)
{
    int128 length = (int128)lives->end - lives->begin + 1;
    return bin < course->nbins ? ceil_div(length * (int128)bin, (int128)course->nbins) : length - 1;
}

static int bin_x(const struct precision *course, size_t i)
{
    return PAGE_LEFT + (int)((size_t)(PAGE_RIGHT - PAGE_LEFT) * i / course->nbins);
}

static int bound_y(const struct page *page, const struct scale *scale, int64_t bound)
{
    int top = page->sync->drift ? DRIFT_TOP : TOP;
    return bound == BOUND_NONE ? UNBOUNDED : BOTTOM - scale_place(scale, bound, BOTTOM - top);
}

/* Draw bin i of the time: a band from the least to the greatest bound, and a line at the median. */
static void draw_bin(const struct page *page, const struct precision *course,
                     const struct scale *scale, size_t i)
{
    const struct precision_bin *bin = &course->bins[i];
    const struct precision_pairs *together = &bin->together;
    char mean[QUOTIENT_TEXT_MAX];
    int x = bin_x(course, i), width = bin_x(course, i + 1) - x;
    int high = bound_y(page, scale, bin->most), low = bound_y(page, scale, bin->least);
    int middle = bound_y(page, scale, bin->median);
    svg_rect_begin(page->out, "band", (struct svg_box){x, high, width, low - high + 10});
    page_print(page,
               "%" PRIu64 " live: least {=%" PRId64 "}, median {=%" PRId64 "}, greatest {=%" PRId64
               "}",
               bin->live, bin->least, bin->median, bin->most);
    if (page->sync->drift)
        page_print(page, ", of {%zu}", bin->widest);
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
                          bound_y(page, scale, bound), bin_x(course, i + 1));
        }
        down = together->bounded > 0;
    }
    outfile_add(page->out, "\"/>\n");
}

/* Draw a strip with a shade for the number of records in each bin. */
static void draw_density(const struct page *page, bool reference, int y)
{
    const struct precision *course = &page->course;
    uint64_t most = 1;
    for (size_t i = 0; i < course->nbins; i++) {
        const struct precision_bin *bin = &course->bins[i];
        uint64_t n = reference ? bin->reference_records : bin->records;
        most = n > most ? n : most;
    }
    outfile_add(page->out, "<path class=\"density\" d=\"");
    for (size_t i = 0; i < course->nbins; i++) {
        const struct precision_bin *bin = &course->bins[i];
        uint64_t n = reference ? bin->reference_records : bin->records;
        int height = (int)((uint128)n * STRIP / most), x = bin_x(course, i);
        if (n)
            outfile_print(page->out, "M%d %dh%dv-%dh-%dz", x, y, bin_x(course, i + 1) - x,
                          height < 10 ? 10 : height, bin_x(course, i + 1) - x);
    }
    outfile_add(page->out, "\"/>\n");
    svg_line(page->out, "grid", PAGE_LEFT, y, PAGE_RIGHT, y);
}

/* Write a range of times. begin and end are in ticks since the first record. */
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
    page_print(page, " The median is worst, {=%" PRId64 "}, ", worst->median);
    say_stretch(page, precision_begin(course, &page->lives, i),
                precision_begin(course, &page->lives, i + 1));
    page_print(page, ", with %" PRIu64 " record%s, %" PRIu64 " of {%zu}.", worst->records,
               text_plural(worst->records), worst->reference_records, page->sync->reference);
}

static void say_worst_pair(const struct page *page)
{
    const struct precision *course = &page->course;
    size_t i = 0;
    while (i < course->nbins && course->bins[i].together.most_ticks != course->pairs_most)
        i++;
    if (!course->has_pairs || i == course->nbins)
        return;
    page_print(
        page,
        " The largest error between two threads that are active at the same time is {=%" PRId64
        "}, ",
        course->pairs_most);
    say_stretch(page, precision_begin(course, &page->lives, i),
                precision_begin(course, &page->lives, i + 1));
    outfile_add(page->out, ".");
}

/* --- Errors of clocks that drift --- */

/* Most iterations of local_at. Each multiplies the error by at most the drift rate, a small
 * number. */
enum { STEPS_MAX = 8 };

/* Returns a thread's local time at a global time, limited to the times of its records. */
static int64_t local_at(const struct csy_sync *sync, size_t t, int64_t global_ticks)
{
    const struct thread *thread = &sync->survey.threads.items[t];
    const struct knots *knots = &sync->drift->clocks[t];
    int128 local = global_ticks - (int128)sync->views[t].offset_ticks;
    for (size_t i = 0; i < STEPS_MAX; i++) {
        if (local < thread->min_ticks)
            return thread->min_ticks;
        if (local > thread->max_ticks)
            return thread->max_ticks;
        int128 off = global_ticks - knots_global(knots, (int64_t)local);
        if (off == 0)
            break;
        local += off;
    }
    return local < thread->min_ticks   ? thread->min_ticks
           : local > thread->max_ticks ? thread->max_ticks
                                       : (int64_t)local;
}

static csy_status drift_course(const struct page *page, struct precision *course, csy_error *error)
{
    const struct csy_sync *sync = page->sync;
    const struct spans *lives = &page->lives;
    int128 length = (int128)lives->end - lives->begin;
    int64_t *errors = malloc((lives->n + 1) * sizeof *errors);
    if (!errors)
        return error_memory(error);
    *course = (struct precision){.nbins = PRECISION_DRIFT_BINS};
    for (size_t i = 0; i < course->nbins; i++) {
        int128 begin = lives->begin + length * (int128)i / PRECISION_DRIFT_BINS, least, greatest;
        int128 end = lives->begin + length * (int128)(i + 1) / PRECISION_DRIFT_BINS;
        struct precision_bin *bin = &course->bins[i];
        for (size_t t = 0; t < lives->n; t++) {
            const struct span *life = &lives->items[t];
            if (t == sync->reference || life->begin > end || life->end < begin)
                continue;
            int64_t local = local_at(sync, t, (int64_t)((begin + end) / 2));
            if (!drift_bounds(sync, t, local, &least, &greatest))
                continue;
            int64_t width = (int64_t)ceil_div(greatest - least, AGE_UNIT);
            if (bin->live == 0 || width > bin->most) {
                bin->most = width;
                bin->widest = t;
            }
            errors[bin->live++] = width;
        }
        if (bin->live == 0)
            continue;
        SORT(errors, (size_t)bin->live, compare_signed);
        bin->least = errors[0];
        bin->median = errors[(bin->live - 1) / 2];
    }
    free(errors);
    return CSY_OK;
}

static csy_status draw_drift(const struct page *page, csy_error *error)
{
    struct precision course;
    int64_t most = 0;
    csy_status status = drift_course(page, &course, error);
    if (status)
        return status;
    for (size_t i = 0; i < course.nbins; i++)
        most = course.bins[i].most > most ? course.bins[i].most : most;
    struct scale scale = scale_make(most, course.bins[course.nbins / 2].median);
    page_heading(page, SECTION_COURSE);
    page_figure(page, "course", BOTTOM + 220, "Errors over time",
                "For each part of the trace the least, median and greatest clock error against the "
                "reference, of the clocks that are live in it.");
    page_error_axis(page, &scale, DRIFT_TOP, BOTTOM, KEY);
    svg_rect(page->out, "band", (struct svg_box){PAGE_LEFT, KEY - 80, 250, 80});
    svg_text(page->out, "", PAGE_LEFT + 320, KEY, "least to greatest clock error");
    svg_line(page->out, "median", PAGE_LEFT + 3000, KEY - 40, PAGE_LEFT + 3250, KEY - 40);
    svg_text(page->out, "", PAGE_LEFT + 3320, KEY, "median");
    page_time_axis(page, PAGE_LEFT, PAGE_RIGHT, DRIFT_TOP, BOTTOM);
    for (size_t i = 0; i < course.nbins; i++)
        if (course.bins[i].live > 0)
            draw_bin(page, &course, &scale, i);
    if (!page_caption(page, NULL))
        return CSY_OK;
    page_print(page,
               "Clock errors against {%zu} in the middle of each of %d equal parts of the trace, "
               "of the clocks that are live in it: from the least to the greatest, and the median "
               "as a line. They are least where messages meet.",
               page->sync->reference, PRECISION_DRIFT_BINS);
    page_caption_end(page);
    return CSY_OK;
}

/* --- The section --- */

csy_status page_precision(const struct page *page, csy_error *error)
{
    const struct precision *course = &page->course;
    const struct spans *lives = &page->lives;
    if (page->sync->drift)
        return draw_drift(page, error);
    int64_t most = spans_most(lives);
    struct scale scale =
        scale_make(course->pairs_most > most ? course->pairs_most : most, spans_median(lives));
    page_heading(page, SECTION_COURSE);
    page_figure(
        page, "course", DENSITY + 2 * STRIP + 220, "Errors and records over time",
        "For each part of the trace, the smallest, median, and largest bound of the active "
        "threads, the mean and largest bound of their pairs, and below, the number of records.");
    page_error_axis(page, &scale, TOP, BOTTOM, KEY);
    static const struct {
        const char *class, *name;
        int x;
    } keys[] = {{"median", "median", PAGE_LEFT + 2500},
                {"worst", "greatest of pairs", PAGE_LEFT + 4000},
                {"mean", "mean of pairs", PAGE_LEFT + 6200}};
    svg_rect(page->out, "band", (struct svg_box){PAGE_LEFT, KEY - 80, 250, 80});
    svg_text_begin(page->out, "", PAGE_LEFT + 320, KEY);
    outfile_add(page->out, "bounds to ");
    html_text(page->out, page->sync->views[page->sync->reference].name, 12);
    svg_text_end(page->out);
    for (size_t i = 0; i < (page->course.has_pairs ? 3 : 1); i++) {
        svg_line(page->out, keys[i].class, keys[i].x, KEY - 40, keys[i].x + 250, KEY - 40);
        svg_text(page->out, "", keys[i].x + 320, KEY, keys[i].name);
    }
    if (lives->nbounded < lives->n)
        svg_text(page->out, "end", PAGE_LEFT - 80, UNBOUNDED + 40, "unbounded");
    page_time_axis(page, PAGE_LEFT, PAGE_RIGHT, TOP, DENSITY + 2 * STRIP);
    for (size_t i = 0; i < course->nbins; i++)
        if (course->bins[i].live)
            draw_bin(page, course, &scale, i);
    for (int greatest = 0; course->has_pairs && greatest < 2; greatest++)
        draw_pairs(page, &scale, greatest);
    draw_density(page, false, DENSITY);
    draw_density(page, true, DENSITY + STRIP + 60);
    svg_text(page->out, "end", PAGE_LEFT - 80, DENSITY - 40, "records");
    svg_text_begin(page->out, "end", PAGE_LEFT - 80, DENSITY + STRIP + 20);
    outfile_add(page->out, "of ");
    html_text(page->out, page->sync->views[page->sync->reference].name, 12);
    svg_text_end(page->out);
    if (!page_caption(page, "course-note"))
        return CSY_OK;
    page_print(page,
               "%s against {%zu} of the threads that are active in each of %zu equal parts of the "
               "trace: the band is from the smallest to the largest, the line is the median. %s "
               "Below: the number of records in each part.",
               page_errors(page), page->sync->reference, course->nbins,
               course->has_pairs
                   ? "The thin lines show the pairs of threads that are active at the same "
                     "time: the largest bound and, dotted, the mean."
                   : "Pairs of threads are not shown here, because there are too many.");
    say_worst(page);
    say_worst_pair(page);
    if (course->nscouts > 0) {
        size_t t = course->scouts[0].thread;
        const struct span *life = &lives->items[t];
        page_print(page, " The widest is that of {%zu}, {=%" PRId64 "}, live ", t, life->bound);
        say_stretch(page, (int128)life->begin - lives->begin, (int128)life->end - lives->begin);
        outfile_add(page->out, ".");
    }
    page_caption_end(page);
    return CSY_OK;
}

/* --- Distribution ----------------------------------------------------------------------------- */

enum { BARS = 40, BARS_TOP = 40, BARS_BOTTOM = 1400, BARS_LABELS = 8 };

static int bar_x(int bar)
{
    return PAGE_LEFT + (PAGE_RIGHT - PAGE_LEFT) * bar / BARS;
}

void page_distribution(const struct page *page)
{
    static const unsigned percents[] = {90, 99, 100};
    const struct spans *lives = &page->lives;
    struct scale scale = scale_make(spans_most(lives), spans_median(lives));
    uint64_t counts[BARS] = {0}, most = 1;
    char text[CSY_TIME_TEXT_MAX];
    int64_t before = -1;
    if (!page_has(page, SECTION_DISTRIBUTION))
        return;
    for (size_t i = 0; i < lives->nbounded; i++)
        if (lives->order[i] != page->sync->reference)
            counts[scale_step(&scale, lives->items[lives->order[i]].bound, BARS)]++;
    for (int bar = 0; bar < BARS; bar++)
        most = counts[bar] > most ? counts[bar] : most;
    page_heading(page, SECTION_DISTRIBUTION);
    page_figure(page, "distribution", BARS_BOTTOM + 360, "Distribution of error bounds",
                "Number of threads for each size of the bound to the reference.");
    for (int bar = 0; bar < BARS; bar += BARS / BARS_LABELS) {
        int64_t begin = scale_step_begin(&scale, bar, BARS);
        if (begin == before || begin > scale.most)
            continue;
        svg_line(page->out, "grid", bar_x(bar), BARS_TOP, bar_x(bar), BARS_BOTTOM + 40);
        page_text(page, "", bar_x(bar), BARS_BOTTOM + 170, "%" PRId64, begin);
        svg_text(page->out, "", bar_x(bar), BARS_BOTTOM + 320, page_whole_time(page, begin, text));
        before = begin;
    }
    svg_text(page->out, "end", PAGE_LEFT - 80, BARS_BOTTOM + 170, "ticks");
    svg_text(page->out, "end", PAGE_LEFT - 80, BARS_BOTTOM + 320, "time");
    for (int bar = 0; bar < BARS; bar++)
        if (counts[bar] > 0) {
            uint64_t count = counts[bar];
            int height = (int)((uint128)count * (BARS_BOTTOM - BARS_TOP) / most), x = bar_x(bar);
            int64_t begin = scale_step_begin(&scale, bar, BARS);
            int64_t end = scale_step_begin(&scale, bar + 1, BARS) - 1;
            height = height < 10 ? 10 : height;
            svg_rect_begin(
                page->out, page_shade(page, begin),
                (struct svg_box){x, BARS_BOTTOM - height, bar_x(bar + 1) - x - 10, height});
            page_print(page, "%" PRIu64 " thread%s: ", count, text_plural(count));
            if (end > begin)
                page_print(page, "%" PRId64 " to ", begin);
            page_print(page, "%" PRId64 " tick%s (%s)", end, text_plural((uint64_t)end),
                       page_fine_time(page, (csy_fine){end, 0}, text));
            svg_rect_end(page->out);
        }
    page_text(page, "end", PAGE_LEFT - 80, BARS_TOP + 80, "%" PRIu64, most);
    svg_text(page->out, "end", PAGE_LEFT - 80, BARS_TOP + 230, "threads");
    svg_line(page->out, "grid", PAGE_LEFT, BARS_BOTTOM, PAGE_RIGHT, BARS_BOTTOM);
    if (!page_caption(page, "distribution-note"))
        return;
    page_print(page, "Bounds to {%zu} of %zu threads: half at most {=%" PRId64 "}",
               page->sync->reference, lives->n - 1, lives->items[lives->order[lives->n / 2]].bound);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        size_t rank = ((lives->n - 1) * percents[i] + 99) / 100;
        page_print(page, ", %u %% at most {=%" PRId64 "}", percents[i],
                   lives->items[lives->order[rank < lives->n ? rank : lives->n - 1]].bound);
    }
    outfile_add(page->out, ".");
    page_caption_end(page);
}
