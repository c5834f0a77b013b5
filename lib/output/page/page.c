/* Parts of the HTML report that several sections share. */
#include "output/page/page.h"

#include "output/encode/caveats.h"
#include "output/encode/escape.h"
#include "output/encode/fine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- SVG --- */

void svg_end(struct outfile *out)
{
    outfile_print(out, "</svg>\n");
}

void svg_rect_begin(struct outfile *out, const char *class, struct svg_box box)
{
    outfile_print(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>",
                  class, box.x, box.y, box.width, box.height);
}

void svg_rect(struct outfile *out, const char *class, struct svg_box box)
{
    outfile_print(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class,
                  box.x, box.y, box.width, box.height);
}

void svg_rect_end(struct outfile *out)
{
    outfile_print(out, "</title></rect>\n");
}

void svg_line(struct outfile *out, const char *class, int x1, int y1, int x2, int y2)
{
    outfile_print(out, "<path class=\"%s\" d=\"M%d %dL%d %d\"/>\n", class, x1, y1, x2, y2);
}

void svg_text(struct outfile *out, const char *class, int x, int y, const char *text)
{
    svg_text_begin(out, class, x, y);
    html_text(out, text, SIZE_MAX);
    svg_text_end(out);
}

void svg_text_begin(struct outfile *out, const char *class, int x, int y)
{
    outfile_print(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
}

void svg_text_end(struct outfile *out)
{
    outfile_print(out, "</text>\n");
}

/* --- Sections --- */

const char *page_errors(const struct page *page)
{
    return page->sync->imprecision.added_ticks > 0 ? "Event errors" : "Error bounds";
}

/* Most messages in the timeline. Most bytes of page_print. Most threads without a distribution. */
enum { ARROWS_MAX = 300, PRINTED_MAX = 1024, DISTRIBUTION_FROM = 64 };

#define REPORT_PAGE "cellsync-report(7), "
#define OUTPUT_PAGE "cellsync-output(5), "

/* `manual`: the part of the manual that explains a section. `title`: NULL if write_title makes
 * it. */
static const struct {
    const char *id, *title, *manual;
} sections[SECTIONS] = {
    {"read", "What was read", REPORT_PAGE "Text report"},
    {"bounds", NULL, REPORT_PAGE "Errors and their conditions"},
    {"before-and-after", "Messages before and after", OUTPUT_PAGE "HTML report"},
    {"tracer-offsets", "Offsets recorded by the tracer", OUTPUT_PAGE "HTML report"},
    {"lives", "Live intervals in global time", "cellsync-model(7), Live intervals"},
    {"shared-clocks", "Threads on shared clocks", OUTPUT_PAGE "Names of threads"},
    {"precision", "Where precision is lost", OUTPUT_PAGE "HTML report"},
    {"how-many", "Distribution of errors", OUTPUT_PAGE "HTML report"},
    {"pairs", NULL, REPORT_PAGE "Errors and their conditions"},
    {"communication", "Communication graph", OUTPUT_PAGE "HTML report"},
    {"widest-pairs", "Widest pairs", OUTPUT_PAGE "HTML report"},
    {"chains", "Events that limit the widest pairs", REPORT_PAGE "Chains"},
    {"loosest-threads", NULL, OUTPUT_PAGE "HTML report"},
    {"why", "Witness", REPORT_PAGE "Witnesses"},
    {"all-threads", "Threads", REPORT_PAGE "Text report"},
};

csy_status page_init(struct page *page, struct csy_trace *trace, csy_error *error)
{
    struct spans *lives = &page->lives;
    struct csy_sync *sync = page->sync;
    const csy_violations *violations;
    csy_status status = spans_init(lives, sync, error);
    if (!status && !sync->drift) {
        int64_t most = sync->summary.max_event_error_ticks;
        page->scale = scale_make(most < 0 ? 0 : most, spans_median(lives));
        precision_init(&page->course, lives, sync->reference);
        for (size_t i = lives->n; i > 0 && lives->n - i < PRECISION_SCOUTS; i--)
            if (lives->order[i - 1] != sync->reference && !sync->partial)
                precision_send(&page->course, lives->order[i - 1]);
        status = precision_take_pairs(&page->course, lives, sync, PRECISION_PAIRS_MAX, error);
        if (!status)
            status = precision_pass(&page->course, lives, &page->members, trace, sync, error);
        status = status ? status : widest_find(sync, lives, &page->widest, error);
    }
    status = status ? status : csy_sync_violations(sync, &violations, error);
    if (status || !violations)
        return status;
    /* Find the messages to draw in the close-up (a drawing of a few messages). If clocks do not
     * drift, also find the messages of the timeline. */
    struct arrows_source source;
    status = arrows_open(trace, sync, &source, error);
    if (!status && !sync->drift)
        status = arrows_find(&source, ARROWS_MAX, &page->arrows, error);
    status = status ? status : closeup_find(&source, violations->raw.known, &page->closeup, error);
    arrows_close(&source);
    return status;
}

void page_fini(struct page *page)
{
    spans_fini(&page->lives);
    free(page->members.items);
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

/* Write the title of a section. Some titles depend on the names of errors and clocks. */
static void write_title(const struct page *page, enum page_section section)
{
    if (section == SECTION_BOUNDS || section == SECTION_MAP)
        outfile_print(page->out, "%s%s", page_errors(page),
                      section == SECTION_MAP ? " of pairs" : "");
    else if (section == SECTION_LOOSEST)
        outfile_print(page->out, "Least certain %ss", text_clock(page->sync));
    else if (section == SECTION_THREADS &&
             (page->sync->drift || csy_sync_ntracks(page->sync) > page->lives.n))
        outfile_add(page->out, "Clocks");
    else
        outfile_add(page->out, sections[section].title);
}

void page_heading(const struct page *page, enum page_section section)
{
    if (page->alone)
        return;
    outfile_print(page->out, "<h2 id=\"%s\" title=\"%s\">", sections[section].id,
                  page->sync->drift && section == SECTION_THREADS ? REPORT_PAGE
                      "Columns if clocks drift"
                                                                  : sections[section].manual);
    write_title(page, section);
    outfile_add(page->out, "</h2>\n");
}

void page_contents(const struct page *page)
{
    outfile_add(page->out, "<nav aria-label=\"Contents\">\n<ul>\n");
    for (enum page_section i = 0; i < SECTIONS; i++)
        if (page_has(page, i)) {
            outfile_print(page->out, "<li><a href=\"#%s\">", sections[i].id);
            write_title(page, i);
            outfile_add(page->out, "</a></li>\n");
        }
    outfile_add(page->out, "</ul>\n</nav>\n");
}

const char page_hatch[] =
    "<defs><pattern id=\"hatch\" width=\"60\" height=\"60\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"60\" height=\"60\" class=\"hatch-paper\"/><rect "
    "width=\"22\" height=\"60\" class=\"hatch-ink\"/></pattern></defs>";

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

/* A line of notes has up to NOTE_CHARACTERS characters, on average 64 units of the drawing wide. */
enum {
    NOTE_CHARACTERS = 150,
    NOTE_HEIGHT = 120,
    NOTES_TOP = 80,
    NOTE_TEXT_MAX = CSY_WARNING_TEXT_MAX + 16
};

static void note_text(const struct caveats *p, char note[NOTE_TEXT_MAX])
{
    snprintf(note, NOTE_TEXT_MAX, "%s%s",
             p->analysis    ? "holds if: "
             : p->condition ? "bounds hold if "
                            : "",
             p->text);
}

/* Draw all notes, the first line at y. Returns the number of lines. If y < 0, only count them. */
static int draw_notes(const struct page *page, int y)
{
    char note[NOTE_TEXT_MAX];
    int lines = 0;
    for (struct caveats p = caveats_of(page->sync, page->analysis); caveats_next(&p);) {
        note_text(&p, note);
        for (char *at = note; *at; lines++) {
            size_t size = 0, space = 0;
            for (size_t i = 0; i < NOTE_CHARACTERS && at[size]; i++) {
                size_t n = utf8_length((const unsigned char *)at + size, strlen(at + size));
                size += n ? n : 1;
                space = at[size - 1] == ' ' ? size : space;
            }
            size = at[size] && space > 0 ? space : size;
            char after = at[size];
            at[size] = '\0';
            if (y >= 0)
                svg_text(page->out, "small", 0, y + lines * NOTE_HEIGHT, at);
            at[size] = after;
            at += size;
        }
    }
    return lines;
}

void page_drawing_begin(const struct page *page, const char *id, int width, int height,
                        const char *title, const char *description)
{
    struct outfile *out = page->out;
    char note[NOTE_TEXT_MAX], more[128] = "";
    struct svg_box box = {0, 0, width, height};
    if (page->alone) {
        int lines = draw_notes(page, -1), notes = lines > 0 ? NOTES_TOP + lines * NOTE_HEIGHT : 0;
        box = (struct svg_box){-100, -100, width + 200, height + notes + 200};
        snprintf(more, sizeof more,
                 " xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"", box.width / 10,
                 box.height / 10);
        outfile_add(out, SVG_FILE_HEAD);
    }
    outfile_print(out,
                  "<svg id=\"%s\"%s viewBox=\"%d %d %d %d\" role=\"img\" "
                  "aria-labelledby=\"%s-title %s-desc\">\n<title id=\"%s-title\">",
                  id, more, box.x, box.y, box.width, box.height, id, id, id);
    html_text(out, title, SIZE_MAX);
    outfile_print(out, "</title>\n<desc id=\"%s-desc\">", id);
    html_text(out, description, SIZE_MAX);
    for (struct caveats p = caveats_of(page->sync, page->analysis);
         page->alone && caveats_next(&p);) {
        note_text(&p, note);
        outfile_add(out, "\n");
        html_text(out, note, SIZE_MAX);
    }
    outfile_add(out, "</desc>\n");
    if (!page->alone)
        return;
    outfile_add(out, "<style>\n");
    page_colour(out, page_drawing);
    page_colour(out, ".paper{fill:var(--paper)}\n</style>\n");
    outfile_print(out, "%s\n", page_hatch);
    svg_rect(out, "paper", box);
    draw_notes(page, height + NOTES_TOP + NOTE_HEIGHT);
}

void page_frame(const struct page *page)
{
    if (!page->alone)
        outfile_add(page->out, "<figure>\n<div class=\"wide\" tabindex=\"0\">\n");
}

void page_figure(const struct page *page, const char *id, int height, const char *title,
                 const char *description)
{
    page_frame(page);
    page_drawing_begin(page, id, PAGE_WIDTH, height, title, description);
}

bool page_caption(const struct page *page, const char *id)
{
    svg_end(page->out);
    if (page->alone)
        return false;
    outfile_add(page->out, "</div>\n<figcaption");
    if (id)
        outfile_print(page->out, " id=\"%s\"", id);
    outfile_add(page->out, ">");
    return true;
}

void page_caption_end(const struct page *page)
{
    outfile_add(page->out, "</figcaption>\n</figure>\n");
}

static void add_grouped(const struct page *page, const char *text)
{
    char grouped[2 * PRINTED_MAX];
    outfile_add(page->out, text_grouped(text, grouped, sizeof grouped));
}

static void print_grouped(const struct page *page, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static void print_grouped(const struct page *page, const char *format, va_list args)
{
    char text[PRINTED_MAX], *at = text, *brace;
    (void)vsnprintf(text, sizeof text, format, args);
    for (; (brace = strchr(at, '{')); at++) {
        bool ticks = brace[1] == '=';
        *brace = '\0';
        add_grouped(page, at);
        long long number = strtoll(brace + 1 + ticks, &at, 10);
        if (ticks)
            page_ticks(page, number);
        else
            html_text(page->out, page->sync->views[number].name, HTML_NAME_MAX);
    }
    add_grouped(page, at);
}

void page_print(const struct page *page, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_grouped(page, format, args);
    va_end(args);
}

void page_text(const struct page *page, const char *class, int x, int y, const char *format, ...)
{
    va_list args;
    svg_text_begin(page->out, class, x, y);
    va_start(args, format);
    print_grouped(page, format, args);
    va_end(args);
    svg_text_end(page->out);
}

void page_label(const struct page *page, const char *class, int x, int y, const char *name,
                size_t characters)
{
    svg_text_begin(page->out, class, x, y);
    html_text(page->out, name, characters);
    svg_text_end(page->out);
}

void page_table_begin(const struct page *page, const char *id, const char *columns)
{
    outfile_print(page->out,
                  "<table id=\"%s\" class=\"booktabs\">\n<thead><tr><th scope=\"col\">%s</th>", id,
                  text_clock(page->sync));
    for (const char *at = columns, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "|");
        const char *colon = memchr(at, ':', (size_t)(end - at)), *text = colon ? colon + 1 : at;
        outfile_add(page->out, "<th scope=\"col\"");
        if (colon)
            outfile_print(page->out, " class=\"%.*s\"", (int)(colon - at), at);
        outfile_print(page->out, ">%.*s</th>", (int)(end - text), text);
    }
    outfile_add(page->out, "</tr></thead>\n<tbody>\n");
}

void page_table_end(const struct page *page)
{
    outfile_add(page->out, "</tbody>\n</table>\n");
}

void page_row(const struct page *page, size_t thread)
{
    page_print(page, "<tr><th scope=\"row\">{%zu}</th>", thread);
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

/* Returns true if a second has 10^n ticks. */
static bool has_decimal_ticks(const struct page *page)
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
        outfile_add(page->out, "unbounded");
    } else {
        outfile_print(page->out, "%s", page_fine_time(page, (csy_fine){ticks, 0}, text));
        snprintf(text, sizeof text, " (%" PRId64 " tick%s)", ticks, text_plural((uint64_t)ticks));
        if (!has_decimal_ticks(page))
            add_grouped(page, text);
    }
}

void page_cell_ticks(const struct page *page, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    page_print(page, "<td>%s</td>", text_ticks(ticks, "\u2212\u221e", "\u221e", text));
}

void page_cell_both(const struct page *page, int64_t ticks)
{
    char text[QUOTIENT_TEXT_MAX];
    page_cell_ticks(page, ticks);
    page_print(page, "<td>%s</td>",
               ticks == BOUND_NONE
                   ? "\u221e"
                   : microseconds_text(ticks, (int128)page->trace->timebase_hz, text));
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
        outfile_add(page->out, "<div class=\"wide\">\n");
    page_drawing_begin(page, "legend", PAGE_WIDTH, 460, "Colours of errors",
                       "Darker colours are larger errors; hatched means without bounds.");
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
        page_text(page, size, x + width / 2, 290,
                  begin == end ? "%" PRId64 : "%" PRId64 "\u2013%" PRId64, begin, end);
        page_text(page, size, x + width / 2, 430, "\u2264 %s",
                  page_fine_time(page, (csy_fine){end, 0}, text));
        x += width;
    }
    svg_rect(page->out, "su", (struct svg_box){x + 200, 20, width, 150});
    svg_text(page->out, "mid", x + 200 + width / 2, 290, "unbounded");
    svg_end(page->out);
    if (!page->alone)
        outfile_add(page->out, "</div>\n");
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
    /* APART is the least distance between two labels. */
    enum { APART = 110 };
    int128 step = scale_nice(((int128)scale->most + 4) / 5);
    bool ticks = !has_decimal_ticks(page);
    char text[CSY_TIME_TEXT_MAX];
    int last = bottom + APART;
    for (int128 mark = 0; mark <= scale->most;) {
        int y = bottom - scale_place(scale, (int64_t)mark, bottom - top);
        if (last - y >= APART) {
            last = y;
            svg_line(page->out, "grid", PAGE_LEFT, y, PAGE_RIGHT, y);
            svg_text(page->out, "end", PAGE_LEFT - 80, y + 40,
                     page_whole_time(page, (int64_t)mark, text));
            if (ticks)
                page_text(page, "", 0, y + 40, "%" PRId64, (int64_t)mark);
        }
        mark = !scale->logarithmic ? mark + step : mark ? mark * 10 : 1;
    }
    svg_text(page->out, "end", PAGE_LEFT - 80, key, "error");
    if (ticks)
        svg_text(page->out, "", 0, key, "ticks");
}
