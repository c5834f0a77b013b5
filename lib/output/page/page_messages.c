/* Draws a few messages that are near each other in time, for the HTML report. One panel shows them
 * by raw timestamps, and a second panel in global time.
 *
 * The drawing is about one message, the focus. It is the message that raw timestamps put furthest
 * backward. If no message goes backward, or if raw timestamps of different clocks cannot be
 * compared, it is the fastest message. The messages nearest to the focus are added if they share a
 * clock with a message in the drawing, and if there is room for their other clock. Messages that
 * are too far away are left out, because all others would look vertical.
 *
 * Each panel has its own time axis, from its first to its last event. If raw timestamps of
 * different clocks cannot be compared, only the panel with global times is drawn. */
#include "base/sort.h"
#include "output/page/page.h"

#include <inttypes.h>

/* --- Selection -------------------------------------------------------------------------------- */

/* Show at least LEAST messages. Others must be among the NEAR_MAX messages nearest to the focus,
 * and no farther from it than NEAR_TIMES the duration of the slowest message shown. */
enum { NEAR_MAX = 256, LEAST = 2, NEAR_TIMES = 40 };

struct candidates {
    bool raw, any;
    struct arrow focus, near[NEAR_MAX];
    size_t nnear;
};

static int128 raw_ticks(const struct arrow *arrow)
{
    return (int128)arrow->received_ticks - arrow->sent_ticks;
}

static bool is_backward(const struct candidates *f, const struct arrow *arrow)
{
    return f->raw && raw_ticks(arrow) < 0;
}

/* Make a message the focus if it is better than the present focus. If both are equally good, take
 * the smaller number, because the order of calls may vary. */
static void consider(void *user, const struct arrow *arrow)
{
    struct candidates *f = user;
    const struct arrow *focus = &f->focus;
    bool backward = is_backward(f, arrow), better = !f->any || (backward && !is_backward(f, focus));
    if (f->any && backward == is_backward(f, focus)) {
        int128 a = backward ? raw_ticks(arrow) : (int128)arrow->end_ticks - arrow->begin_ticks;
        int128 b = backward ? raw_ticks(focus) : (int128)focus->end_ticks - focus->begin_ticks;
        better = a != b ? a < b : arrow->number < focus->number;
    }
    if (better)
        f->focus = *arrow;
    f->any = true;
}

/* Keep the message if it is among the NEAR_MAX messages nearest to the focus. */
static void measure(void *user, const struct arrow *arrow)
{
    struct candidates *f = user;
    struct arrow item = *arrow;
    int128 begin = number_distance(arrow->begin_ticks, f->focus.begin_ticks);
    int128 end = number_distance(arrow->end_ticks, f->focus.end_ticks);
    int128 most = begin > end ? begin : end;
    item.key_ticks = most < INT64_MAX ? (int64_t)most : INT64_MAX;
    arrows_keep(f->near, &f->nnear, NEAR_MAX, &item);
}

static int by_key(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;
    return 2 * COMPARE(x->key_ticks, y->key_ticks) + COMPARE(x->number, y->number);
}

static bool has_clock(const struct closeup *out, uint32_t clock)
{
    for (size_t i = 0; i < out->nclocks; i++)
        if (out->clocks[i] == clock)
            return true;
    return false;
}

/* Add a message. Returns false if it shares no clock with earlier ones, or if there is no room. */
static bool add_message(struct closeup *out, const struct arrow *arrow)
{
    bool s = has_clock(out, arrow->s), t = has_clock(out, arrow->t);
    if (out->n > 0 && ((!s && !t) || (s != t && out->nclocks == CLOSEUP_CLOCKS)))
        return false;
    if (!s)
        out->clocks[out->nclocks++] = arrow->s;
    if (!t)
        out->clocks[out->nclocks++] = arrow->t;
    out->messages[out->n++] = *arrow;
    return true;
}

csy_status closeup_find(const struct arrows_source *source, bool raw, struct closeup *out,
                        csy_error *error)
{
    struct candidates f = {.raw = raw};
    bool taken[NEAR_MAX] = {false};
    *out = (struct closeup){0};
    csy_status status = arrows_each(source, consider, &f, error);
    if (status || !f.any)
        return status;
    status = arrows_each(source, measure, &f, error);
    if (status)
        return status;
    SORT(f.near, f.nnear, by_key);
    add_message(out, &f.focus);
    /* Add the nearest message that fits, then start again, because farther ones may fit now. */
    for (size_t i = 0; i < f.nnear && out->n < CLOSEUP_MESSAGES;) {
        /* With a message too far away, the longer time axis would make all look vertical. */
        int128 slowest = 1;
        for (size_t k = 0; k < out->n; k++) {
            const struct arrow *other = &out->messages[k];
            int128 length = number_distance(other->begin_ticks, other->end_ticks);
            slowest = length > slowest ? length : slowest;
        }
        bool near = out->n < LEAST || f.near[i].key_ticks <= NEAR_TIMES * slowest;
        bool wanted = !taken[i] && f.near[i].number != f.focus.number && near;
        taken[i] |= wanted && add_message(out, &f.near[i]);
        i = wanted && taken[i] ? 0 : i + 1;
    }
    for (size_t i = 0; i < out->n; i++)
        out->messages[i].key_ticks = out->messages[i].begin_ticks;
    SORT(out->messages, out->n, by_key);
    SORT(out->clocks, out->nclocks, compare_ids);
    out->backward = is_backward(&f, &f.focus);
    return CSY_OK;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

enum {
    LABEL = PAGE_LEFT - 100, /* x of the names of clocks */
    GAP = 200,               /* distance between the drawing by raw timestamps and the drawing in
                              * global time */
    TITLE = 130,
    LINE = 140, /* distance between lines of text */
    TOP = 660,
    LANE = 420, /* distance between the horizontal lines of two clocks */
    LABEL_CHARACTERS = 14
};

/* A drawing of the messages, either by raw timestamps or in global time. */
struct panel {
    bool global;
    const char *title, *axis;
    const csy_backward *backward;
    struct svg_box box;
    int128 begin, end; /* first and last time in the drawing, in ticks */
};

static int64_t sent(const struct panel *panel, const struct arrow *arrow)
{
    return panel->global ? arrow->begin_ticks : arrow->sent_ticks;
}

static int64_t received(const struct panel *panel, const struct arrow *arrow)
{
    return panel->global ? arrow->end_ticks : arrow->received_ticks;
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

static void draw_panel(const struct page *page, struct panel *panel)
{
    const struct closeup *closeup = &page->closeup;
    const csy_summary *summary = &page->sync->summary;
    uint64_t messages = page->sync->violations->messages, n = panel->backward->count;
    char text[CSY_TIME_TEXT_MAX];
    panel->begin = INT64_MAX;
    panel->end = INT64_MIN;
    for (size_t i = 0; i < closeup->n; i++) {
        int64_t a = sent(panel, &closeup->messages[i]), b = received(panel, &closeup->messages[i]);
        int64_t low = a < b ? a : b, high = a < b ? b : a;
        panel->begin = low < panel->begin ? low : panel->begin;
        panel->end = high > panel->end ? high : panel->end;
    }
    /* Write how many messages arrive before they are sent, and by how much. For global times, also
     * write the greatest error of the time between two events. */
    int left = panel->box.x - LABEL, line = TITLE + LINE;
    svg_text(page->out, "clock", left, TITLE, panel->title);
    if (n == 0) {
        page_text(page, "", left, line, "None of %" PRIu64 " message%s arrives before it was sent",
                  messages, text_plural(messages));
    } else {
        page_text(page, "", left, line,
                  "%" PRIu64 " of %" PRIu64 " message%s arrive%s before %s sent (red),", n,
                  messages, text_plural(messages), n == 1 ? "s" : "",
                  n == 1 ? "it was" : "they were");
        line += LINE;
        page_text(page, "", left, line, "by up to %s",
                  page_whole_time(page, panel->backward->largest_ticks, text));
    }
    bool known = summary->uncomputed_steps == 0 && summary->bounded == summary->pairs &&
                 summary->max_event_error_ticks >= 0;
    csy_fine error = {summary->max_event_error_ticks, 0};
    if (page->sync->drift) {
        const csy_drift *drift = csy_sync_drift(page->sync);
        known = drift->records > 0 && summary->unbounded_threads == 0;
        error = drift->max_event_error;
    }
    if (panel->global && known)
        page_text(page, "", left, line + LINE, "The time between two events is wrong by at most %s",
                  page_fine_time(page, error, text));
    page_axis(page, panel->box, 0, panel->end - panel->begin);
    svg_text(page->out, "small", panel->box.x, panel->box.y + panel->box.height + 270, panel->axis);
    for (size_t i = 0; i < closeup->nclocks; i++) {
        int y = place_y(page, closeup->clocks[i]);
        svg_line(page->out, "lane", panel->box.x, y, panel->box.x + panel->box.width, y);
        page_label(page, "end", panel->box.x - 100, y + 40,
                   page->sync->views[closeup->clocks[i]].name, LABEL_CHARACTERS);
    }
    /* Draw messages that go backward last, so that no other message hides them. */
    for (int backward = 0; backward < 2; backward++)
        for (size_t i = 0; i < closeup->n; i++) {
            const struct arrow *arrow = &closeup->messages[i];
            if ((received(panel, arrow) < sent(panel, arrow)) == backward) {
                int64_t from = sent(panel, arrow), to = received(panel, arrow);
                outfile_print(page->out, "<path class=\"%s\" d=\"M%d %dL%d %d\"><title>",
                              to < from ? "backward" : "passage", place_x(panel, from),
                              place_y(page, arrow->s), place_x(panel, to), place_y(page, arrow->t));
                page_print(page, "{%u} at %" PRId64 " to {%u} at %" PRId64 "</title></path>\n",
                           arrow->s, from, arrow->t, to);
            }
        }
}

void page_messages(const struct page *page)
{
    static const char *const heads[][2] = {{"passage-head", "arrowhead"},
                                           {"backward-head", "badhead"}};
    if (!page_has(page, SECTION_MESSAGES))
        return; /* sync->violations may be NULL if the report has no section of messages */
    const struct closeup *closeup = &page->closeup;
    const csy_violations *violations = page->sync->violations;
    struct panel panels[] = {
        {.title = "Raw timestamps",
         .axis = "raw timestamps, since the earliest event shown",
         .backward = &violations->raw},
        {.global = true,
         .title = "After cellsync",
         .axis = "global time, since the first event shown",
         .backward = &violations->ours},
    };
    size_t first = violations->raw.known ? 0 : 1, shown = 2 - first;
    int height = (int)closeup->nclocks * LANE, each = (PAGE_WIDTH + GAP) / (int)shown;
    char choice[160] = "";
    if (closeup->n < violations->messages)
        snprintf(choice, sizeof choice,
                 "%zu of %" PRIu64 " messages are shown: the messages around the %s.", closeup->n,
                 violations->messages,
                 closeup->backward ? "message that arrives earliest by raw timestamps"
                                   : "fastest message");
    int bottom = TOP + height + 300 + (page->alone && *choice ? 200 : 0);
    page_heading(page, SECTION_MESSAGES);
    page_figure(page, "messages", bottom, "Messages by raw timestamps and after cellsync",
                "Each line is a clock; time runs from left to right. An arrow leads from the send "
                "of a message to its receive.");
    outfile_add(page->out,
                "<defs><marker id=\"passage-tail\" viewBox=\"0 0 10 10\" refX=\"5\" refY=\"5\" "
                "markerWidth=\"60\" markerHeight=\"60\" markerUnits=\"userSpaceOnUse\"><circle "
                "class=\"anchor\" cx=\"5\" cy=\"5\" r=\"5\"/></marker>");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        outfile_print(page->out,
                      "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
                      "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path class=\"%s\" "
                      "d=\"M0 1L10 5L0 9z\"/></marker>",
                      heads[i][0], heads[i][1]);
    outfile_add(page->out, "</defs>\n");
    for (size_t i = first; i < 2; i++) {
        panels[i].box = (struct svg_box){(int)(i - first) * each + LABEL, TOP,
                                         each - GAP - LABEL - 100, height};
        draw_panel(page, &panels[i]);
    }
    if (page->alone && *choice)
        page_text(page, "small", 0, bottom - 20, "%s", choice);
    if (!page_caption(page, NULL))
        return;
    outfile_add(page->out, "Each arrow leads from where a message was sent to where it was "
                           "received. ");
    page_print(page, "%s", choice);
    page_caption_end(page);
}
