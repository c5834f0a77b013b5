/* Shared parts of the HTML report. */
#include "output/page/page.h"

#include "output/encode/fine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

const char *page_errors(const struct page *page)
{
    return page->sync->imprecision.added_ticks > 0 ? "Event errors" : "Error bounds";
}

/* Maximum number of messages in the timeline. */
enum { ARROWS_MAX = 300 };

/* From this number of threads on, a distribution replaces the matrix of pairs. */
enum { DISTRIBUTION_FROM = 64 };

static const struct {
    const char *id, *title;
} sections[SECTIONS] = {
    {"read", "What was read"},
    {"bounds", NULL},
    {"before-and-after", "Messages before and after"},
    {"tracer-offsets", "The tracer\u2019s own offsets"},
    {"lives", "Live intervals in global time"},
    {"shared-clocks", "Threads on shared clocks"},
    {"precision", "Where precision is lost"},
    {"how-many", "How many are how good"},
    {"pairs", NULL},
    {"communication", "Communication graph"},
    {"widest-pairs", "Widest pairs"},
    {"chains", "What makes them so wide"},
    {"loosest-threads", NULL},
    {"why", "Witness"},
    {"all-threads", "Threads"},
};

/* Find the arrows of the timeline, unless clocks drift, and the messages of the close-up. */
static csy_status find_messages(struct page *page, struct csy_trace *trace, csy_error *error)
{
    struct arrows_source source;
    const csy_violations *violations;
    csy_status status = csy_sync_violations(page->sync, &violations, error);
    if (status || !violations)
        return status;
    status = arrows_open(trace, page->sync, &source, error);
    if (!status && !page->sync->drift)
        status = arrows_find(&source, ARROWS_MAX, &page->arrows, error);
    if (!status)
        status = closeup_find(&source, violations->raw.known, &page->closeup, error);
    arrows_close(&source);
    return status;
}

csy_status page_init(struct page *page, struct csy_trace *trace, csy_error *error)
{
    struct spans *lives = &page->lives;
    csy_status status = spans_init(lives, page->sync, error);
    if (!status && page->sync->drift)
        return find_messages(page, trace, error);
    if (status)
        return status;
    int64_t most = page->sync->summary.max_event_error_ticks;
    page->scale = scale_make(most < 0 ? 0 : most, spans_median(lives));
    precision_init(&page->course, lives, page->sync->reference);
    for (size_t i = lives->n; i > 0 && lives->n - i < PRECISION_SCOUTS; i--)
        if (lives->order[i - 1] != page->sync->reference && !page->sync->partial)
            precision_send(&page->course, lives->order[i - 1]);
    status = precision_take_pairs(&page->course, lives, page->sync, PRECISION_PAIRS_MAX, error);
    if (!status)
        status = members_init(&page->members, page->sync, error);
    if (!status)
        status = precision_pass(&page->course, lives, &page->members, trace, page->sync, error);
    if (!status)
        status = members_sort(&page->members, page->sync, error);
    if (!status)
        status = widest_find(page->sync, lives, &page->widest, error);
    return status ? status : find_messages(page, trace, error);
}

void page_fini(struct page *page)
{
    spans_fini(&page->lives);
    members_fini(&page->members);
    arrows_fini(&page->arrows);
}

bool page_has(const struct page *page, enum page_section section)
{
    const unsigned drifting = 1U << SECTION_READ | 1U << SECTION_TRACER | 1U << SECTION_MESSAGES |
                              1U << SECTION_COURSE | 1U << SECTION_WITNESS | 1U << SECTION_THREADS;
    if (page->sync->drift && !(drifting & 1U << section))
        return false;
    switch (section) {
    case SECTION_TRACER:
        return page->sync->tracer && page->sync->tracer->view.nclocks > 1;
    case SECTION_MESSAGES:
        return page->closeup.n > 0;
    case SECTION_MEMBERS:
        return page->members.n > 0;
    case SECTION_DISTRIBUTION:
        return page->lives.n > DISTRIBUTION_FROM;
    case SECTION_MAP:
        return page->lives.n > 1;
    case SECTION_PEERS:
        return page->sync->summary.met.pairs > 0;
    case SECTION_WIDEST:
    case SECTION_CHAINS:
        return page->widest.n > 0;
    case SECTION_LOOSEST:
        return page->course.nscouts > 0;
    default:
        return true;
    }
}

bool page_is_wide(const struct page *page, size_t thread)
{
    for (size_t i = 0; i < page->widest.n; i++)
        if (page->widest.pairs[i].s == thread || page->widest.pairs[i].t == thread)
            return true;
    return false;
}

/* A title that contains the name of the errors is a format; others are printed unchanged. */
static void write_title(const struct page *page, enum page_section section)
{
    if (section == SECTION_BOUNDS)
        outfile_print(page->out, "%s", page_errors(page));
    else if (section == SECTION_MAP)
        outfile_print(page->out, "%s of pairs", page_errors(page));
    else if (section == SECTION_THREADS &&
             (page->sync->drift || csy_sync_ntracks(page->sync) > page->lives.n))
        outfile_print(page->out, "Clocks");
    else if (section == SECTION_LOOSEST)
        outfile_print(page->out, "Loosest %ss", text_clock(page->sync));
    else
        outfile_print(page->out, "%s", sections[section].title);
}

void page_heading(const struct page *page, enum page_section section)
{
    if (page->alone)
        return;
    outfile_print(page->out, "<h2 id=\"%s\">", sections[section].id);
    write_title(page, section);
    outfile_print(page->out, "</h2>\n");
}

void page_contents(const struct page *page)
{
    outfile_print(page->out, "<nav aria-label=\"Contents\">\n<ul>\n");
    for (enum page_section i = 0; i < SECTIONS; i++)
        if (page_has(page, i)) {
            outfile_print(page->out, "<li><a href=\"#%s\">", sections[i].id);
            write_title(page, i);
            outfile_print(page->out, "</a></li>\n");
        }
    outfile_print(page->out, "</ul>\n</nav>\n");
}

void page_colour(struct outfile *out, const char *style)
{
    static const char open[] = "var(";
    for (const char *at; (at = strstr(style, open)); style = strchr(at, ')') + 1) {
        const char *name = at + strlen(open), *end = strchr(name, ')');
        char key[16];
        snprintf(key, sizeof key, "%.*s:", (int)(end - name), name);
        const char *found = strstr(page_colours, key);
        outfile_write(out, style, (size_t)(at - style));
        found += strlen(key);
        outfile_write(out, found, strcspn(found, ";}"));
    }
    outfile_write(out, style, strlen(style));
}

void page_drawing_begin(const struct page *page, const char *id, int width, int height,
                        const char *title, const char *description)
{
    if (!page->alone) {
        svg_begin(page->out, id, width, height, title, description);
        return;
    }
    int notes = page_notes_height(page);
    struct svg_box box = {-100, -100, width + 200, height + notes + 200};
    svg_begin_file(page->out, id, box, title, description);
    page_describe_notes(page);
    svg_description_end(page->out);
    outfile_print(page->out, "<style>\n");
    page_colour(page->out, page_drawing);
    page_colour(page->out, ".paper{fill:var(--paper)}\n</style>\n");
    outfile_print(page->out, "%s\n", page_hatch);
    svg_rect(page->out, "paper", box);
    page_draw_notes(page, height);
}

void page_figure(const struct page *page)
{
    if (!page->alone)
        outfile_print(page->out, "<figure>\n<div class=\"wide\" tabindex=\"0\">\n");
}

void page_figure_end(const struct page *page)
{
    if (!page->alone)
        outfile_print(page->out, "</div>\n");
}

void page_print(const struct page *page, const char *format, ...)
{
    va_list args;
    char text[1024], grouped[2 * sizeof text];
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    outfile_print(page->out, "%s", text_grouped(text, grouped, sizeof grouped));
}

void page_name(const struct page *page, size_t thread)
{
    html_name(page->out, page->sync->views[thread].name);
}

static const char *with_micro_sign(char text[CSY_TIME_TEXT_MAX])
{
    char *micro = strstr(text, " us");
    if (micro)
        memcpy(micro, " \u00b5s", sizeof " \u00b5s");
    return text;
}

const char *page_time(const struct page *page, csy_fraction ticks, char text[CSY_TIME_TEXT_MAX])
{
    csy_time_text(ticks, page->trace->timebase_hz, text);
    return with_micro_sign(text);
}

const char *page_fine_time(const struct page *page, csy_fine ticks, char text[CSY_TIME_TEXT_MAX])
{
    time_text_up(fine_units(ticks), FINE_UNIT, page->trace->timebase_hz, text);
    return with_micro_sign(text);
}

bool page_has_decimal_ticks(const struct page *page)
{
    uint64_t hz = page->trace->timebase_hz;
    while (hz % 10 == 0)
        hz /= 10;
    return hz == 1;
}

const char *page_whole_time(const struct page *page, int64_t ticks, char text[CSY_TIME_TEXT_MAX])
{
    return page_time(page, (csy_fraction){ticks, 1}, text);
}

void page_ticks(const struct page *page, int64_t ticks)
{
    char text[CSY_TIME_TEXT_MAX];
    if (ticks == BOUND_NONE) {
        outfile_print(page->out, "unbounded");
    } else {
        outfile_print(page->out, "%s", page_fine_time(page, (csy_fine){ticks, 0}, text));
        if (!page_has_decimal_ticks(page))
            page_print(page, " (%" PRId64 " tick%s)", ticks, text_plural((uint64_t)ticks));
    }
}

static void write_cell(const struct page *page, const char *text)
{
    page_print(page, "<td>%s</td>", text);
}

void page_cell_ticks(const struct page *page, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    write_cell(page, text_ticks(ticks, "\u2212\u221e", "\u221e", text));
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
    return bound == BOUND_NONE ? "su" : classes[scale_step(&page->scale, bound, SHADES)];
}

void page_legend(const struct page *page)
{
    const int width = 900;
    char text[CSY_TIME_TEXT_MAX];
    if (!page->alone)
        outfile_print(page->out, "<div class=\"wide\">\n");
    page_drawing_begin(page, "legend", PAGE_WIDTH, 460, "Colours of errors",
                       "The darker, the greater; unbounded ones are hatched.");
    svg_text(page->out, "", 0, 130, text_error(page->sync->imprecision.added_ticks));
    svg_text(page->out, "", 0, 290, "ticks");
    svg_text(page->out, "", 0, 430, "time");
    int x = 900;
    for (int shade = 0; shade < SHADES; shade++) {
        int64_t begin = scale_step_begin(&page->scale, shade, SHADES);
        int64_t end = shade + 1 < SHADES ? scale_step_begin(&page->scale, shade + 1, SHADES) - 1
                                         : page->scale.most;
        if (begin > end)
            continue;
        svg_rect(page->out, page_shade(page, begin), (struct svg_box){x, 20, width, 150});
        const char *size = page->scale.most < 10000 ? "mid" : "mid small";
        svg_text_begin(page->out, size, x + width / 2,
                       290); /* "5-9", and the end of the range as a time below */
        page_print(page, begin == end ? "%" PRId64 : "%" PRId64 "\u2013%" PRId64, begin, end);
        svg_text_end(page->out);
        svg_text_begin(page->out, size, x + width / 2, 430);
        outfile_print(page->out, "\u2264 %s", page_fine_time(page, (csy_fine){end, 0}, text));
        svg_text_end(page->out);
        x += width;
    }
    svg_rect(page->out, "su", (struct svg_box){x + 200, 20, width, 150});
    svg_text(page->out, "mid", x + 200 + width / 2, 290, "unbounded");
    svg_end(page->out);
    page_figure_end(page);
}

void page_axis(const struct page *page, struct svg_box box, int128 begin, int128 end)
{
    const int128 second = 1000000000, hz = page->trace->timebase_hz;
    int128 length = end - begin, end_ns = end * second / hz;
    int marks = box.width < PAGE_WIDTH / 2 ? 4 : 8;
    int128 step = scale_nice(length * second / hz / marks);
    int right = box.x + box.width, bottom = box.y + box.height;
    char text[MOMENT_TEXT_MAX];
    for (int128 ns = ceil_div(begin * second, hz * step) * step; ns <= end_ns; ns += step) {
        int128 ticks = ns * hz - begin * second;
        int x = box.x + (length ? (int)(ticks * box.width / (second * length)) : 0);
        svg_line(page->out, "grid", x, box.y, x, bottom);
        svg_text(page->out,
                 x + 250 > right   ? "end"
                 : x > box.x + 250 ? "mid"
                                   : "",
                 x, bottom + 140, moment_text(ns, step, end_ns, text));
    }
}

void page_time_axis(const struct page *page, int left, int right, int top, int bottom)
{
    page_axis(page, (struct svg_box){left, top, right - left, bottom - top}, 0,
              (int128)page->lives.end - page->lives.begin);
    svg_text(page->out, "end", left - 80, bottom + 140, "global time");
}

void page_error_axis(const struct page *page, const struct scale *scale, int top, int bottom,
                     int key)
{
    /* Labels are at least NEAREST apart. */
    enum { LEFT = PAGE_LEFT, RIGHT = PAGE_WIDTH - 10, NEAREST = 110 };
    int128 step = scale_nice(((int128)scale->most + 4) / 5);
    bool ticks = !page_has_decimal_ticks(page);
    char text[CSY_TIME_TEXT_MAX];
    int last = bottom + NEAREST;
    for (int128 mark = 0; mark <= scale->most;) {
        int y = bottom - scale_place(scale, (int64_t)mark, bottom - top);
        if (last - y >= NEAREST) {
            last = y;
            svg_line(page->out, "grid", LEFT, y, RIGHT, y);
            svg_text(page->out, "end", LEFT - 80, y + 40,
                     page_whole_time(page, (int64_t)mark, text));
            if (ticks) {
                svg_text_begin(page->out, "", 0, y + 40);
                page_print(page, "%" PRId64, (int64_t)mark);
                svg_text_end(page->out);
            }
        }
        mark = !scale->logarithmic ? mark + step : mark ? mark * 10 : 1;
    }
    svg_text(page->out, "end", LEFT - 80, key, "error");
    if (ticks)
        svg_text(page->out, "", 0, key, "ticks");
}
