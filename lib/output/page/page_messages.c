/* The HTML report: a few messages by raw timestamps, and beside them the same messages in global
 * time.
 *
 * Each panel has its own time axis, from its first to its last event. If raw timestamps of
 * different clocks are not comparable, nothing shows the distance between clocks. */
#include "output/encode/fine.h"
#include "output/page/page.h"

#include <inttypes.h>

enum {
    LABEL = PAGE_LEFT - 100, /* x of a lane's name */
    GAP = 200,               /* between two panels */
    TITLE = 130,
    LINE = 140, /* distance between lines of text */
    TOP = 660,
    LANE = 420, /* distance between lanes */
    LABEL_CHARACTERS = 14
};

/* The messages by raw timestamps or in global time. */
struct panel {
    bool global;
    const char *title, *axis;
    const csy_backward *backward;
    struct svg_box box;
    int128 begin, end; /* first and last time, in ticks */
};

static int64_t sent(const struct panel *panel, const struct arrow *arrow)
{
    return panel->global ? arrow->begin_ticks : arrow->sent_ticks;
}

static int64_t received(const struct panel *panel, const struct arrow *arrow)
{
    return panel->global ? arrow->end_ticks : arrow->received_ticks;
}

static void widen(struct panel *panel, int64_t ticks)
{
    panel->begin = ticks < panel->begin ? ticks : panel->begin;
    panel->end = ticks > panel->end ? ticks : panel->end;
}

static int place_x(const struct panel *panel, int64_t ticks)
{
    int128 length = panel->end - panel->begin;
    return panel->box.x + (int)((ticks - panel->begin) * panel->box.width / (length ? length : 1));
}

static int place_y(const struct page *page, uint32_t clock)
{
    size_t lane = 0;
    while (page->closeup.clocks[lane] != clock)
        lane++;
    return TOP + (int)lane * LANE + LANE / 2;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* "2 of 6 messages arrive before they were sent (red)", and by how much. */
static void write_backward(const struct page *page, const struct panel *panel, int x)
{
    uint64_t messages = page->sync->violations->messages, n = panel->backward->count;
    char text[CSY_TIME_TEXT_MAX];
    svg_text_begin(page->out, "", x, TITLE + LINE);
    if (n == 0)
        page_print(page, "None of %" PRIu64 " message%s arrives before it was sent", messages,
                   text_plural(messages));
    else
        page_print(page, "%" PRIu64 " of %" PRIu64 " message%s arrive%s before %s sent (red),", n,
                   messages, text_plural(messages), n == 1 ? "s" : "",
                   n == 1 ? "it was" : "they were");
    svg_text_end(page->out);
    if (n > 0) {
        svg_text_begin(page->out, "", x, TITLE + 2 * LINE);
        outfile_print(page->out, "by up to %s",
                      page_whole_time(page, panel->backward->largest_ticks, text));
        svg_text_end(page->out);
    }
}

/* The maximum error of a time between two clocks. Returns false if it is unknown. */
static bool error_text(const struct page *page, char text[CSY_TIME_TEXT_MAX])
{
    const csy_summary *summary = &page->sync->summary;
    if (page->sync->drift) {
        const csy_drift *drift = csy_sync_drift(page->sync);
        page_fine_time(page, drift->max_event_error, text);
        return drift->records > 0 && summary->unbounded_threads == 0;
    }
    if (summary->uncomputed_steps > 0 || summary->bounded < summary->pairs ||
        summary->max_event_error_ticks < 0)
        return false;
    page_fine_time(page, (csy_fine){summary->max_event_error_ticks, 0}, text);
    return true;
}

static void write_error(const struct page *page, const struct panel *panel, int x)
{
    char text[CSY_TIME_TEXT_MAX];
    if (!error_text(page, text))
        return;
    svg_text_begin(page->out, "", x, TITLE + (panel->backward->count > 0 ? 3 : 2) * LINE);
    outfile_print(page->out, "Time between two events is off by at most %s", text);
    svg_text_end(page->out);
}

static bool is_whole(const struct page *page)
{
    return page->closeup.n == page->sync->violations->messages;
}

static void write_choice(const struct page *page)
{
    page_print(page, "%zu of %" PRIu64 " messages are shown: ", page->closeup.n,
               page->sync->violations->messages);
    outfile_print(page->out, page->closeup.backward
                                 ? "those around the one that arrives earliest by raw timestamps."
                                 : "those around the fastest one.");
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static void draw_lanes(const struct page *page, const struct panel *panel)
{
    const struct closeup *closeup = &page->closeup;
    for (size_t i = 0; i < closeup->nclocks; i++) {
        int y = place_y(page, closeup->clocks[i]);
        svg_line(page->out, "lane", panel->box.x, y, panel->box.x + panel->box.width, y);
        svg_text_begin(page->out, "end", panel->box.x - 100, y + 40);
        html_text(page->out, page->sync->views[closeup->clocks[i]].name, LABEL_CHARACTERS);
        svg_text_end(page->out);
    }
}

static void draw_message(const struct page *page, const struct panel *panel,
                         const struct arrow *arrow)
{
    int64_t from = sent(panel, arrow), to = received(panel, arrow);
    outfile_print(page->out, "<path class=\"%s\" d=\"M%d %dL%d %d\"><title>",
                  to < from ? "backward" : "passage", place_x(panel, from), place_y(page, arrow->s),
                  place_x(panel, to), place_y(page, arrow->t));
    page_name(page, arrow->s);
    page_print(page, " at %" PRId64 " to ", from);
    page_name(page, arrow->t);
    page_print(page, " at %" PRId64 "</title></path>\n", to);
}

static void draw_panel(const struct page *page, const struct panel *panel)
{
    const struct closeup *closeup = &page->closeup;
    int left = panel->box.x - LABEL, bottom = panel->box.y + panel->box.height;
    svg_text(page->out, "clock", left, TITLE, panel->title);
    write_backward(page, panel, left);
    if (panel->global)
        write_error(page, panel, left);
    page_axis(page, panel->box, 0, panel->end - panel->begin);
    svg_text(page->out, "small", panel->box.x, bottom + 270, panel->axis);
    draw_lanes(page, panel);
    /* Draw backward messages last, so that they are on top. */
    for (int backward = 0; backward < 2; backward++)
        for (size_t i = 0; i < closeup->n; i++) {
            const struct arrow *arrow = &closeup->messages[i];
            if ((received(panel, arrow) < sent(panel, arrow)) == backward)
                draw_message(page, panel, arrow);
        }
}

static void draw_heads(const struct page *page)
{
    static const char *const heads[][2] = {{"passage-head", "arrowhead"},
                                           {"backward-head", "badhead"}};
    outfile_print(page->out,
                  "<defs><marker id=\"passage-tail\" viewBox=\"0 0 10 10\" refX=\"5\" "
                  "refY=\"5\" markerWidth=\"60\" markerHeight=\"60\" "
                  "markerUnits=\"userSpaceOnUse\"><circle class=\"anchor\" cx=\"5\" cy=\"5\" "
                  "r=\"5\"/></marker>");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        outfile_print(page->out,
                      "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
                      "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path class=\"%s\" "
                      "d=\"M0 1L10 5L0 9z\"/></marker>",
                      heads[i][0], heads[i][1]);
    outfile_print(page->out, "</defs>\n");
}

void page_messages(const struct page *page)
{
    if (!page_has(page, SECTION_MESSAGES))
        return; /* there may be no data about violations */
    const struct closeup *closeup = &page->closeup;
    const csy_violations *violations = page->sync->violations;
    struct panel panels[] = {
        {.title = "Raw timestamps",
         .axis = "raw timestamps, since the earliest one shown",
         .backward = &violations->raw},
        {.global = true,
         .title = "After cellsync",
         .axis = "global time, since the first event shown",
         .backward = &violations->ours},
    };
    size_t first = violations->raw.known ? 0 : 1, shown = 2 - first;
    int height = (int)closeup->nclocks * LANE, each = (PAGE_WIDTH + GAP) / (int)shown;
    int bottom = TOP + height + 300 + (page->alone && !is_whole(page) ? 200 : 0);
    page_heading(page, SECTION_MESSAGES);
    page_figure(page);
    page_drawing_begin(page, "messages", PAGE_WIDTH, bottom,
                       "Messages by raw timestamps and after cellsync",
                       "A line a clock, time from left to right; an arrow leads from where a "
                       "message was sent to where it was received.");
    draw_heads(page);
    for (size_t i = first; i < 2; i++) {
        int left = (int)(i - first) * each + LABEL;
        struct panel *panel = &panels[i];
        panel->box = (struct svg_box){left, TOP, each - GAP - LABEL - 100, height};
        panel->begin = INT64_MAX;
        panel->end = INT64_MIN;
        for (size_t m = 0; m < closeup->n; m++) {
            widen(panel, sent(panel, &closeup->messages[m]));
            widen(panel, received(panel, &closeup->messages[m]));
        }
        draw_panel(page, panel);
    }
    if (page->alone && !is_whole(page)) {
        svg_text_begin(page->out, "small", 0, bottom - 20);
        write_choice(page);
        svg_text_end(page->out);
    }
    svg_end(page->out);
    page_figure_end(page);
    if (page->alone)
        return;
    outfile_print(page->out, "<figcaption>Each arrow leads from where a message was sent to where "
                             "it was received. ");
    if (!is_whole(page))
        write_choice(page);
    outfile_print(page->out, "</figcaption>\n</figure>\n");
}
