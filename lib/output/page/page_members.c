/* The HTML report: threads of a CSV that share clocks, in global time. Each thread has a line below
 * the name of its clock. About LINES_MAX lines are drawn, divided among the clocks. */
#include "output/page/page.h"

#include <inttypes.h>

enum { LINES_MAX = 96, HEIGHT = 140, LEFT = PAGE_LEFT, RIGHT = PAGE_WIDTH - 10, TOP = 20 };

static size_t clock_of(const struct page *page, size_t i)
{
    return page->sync->tracks[page->members.items[i].track].thread;
}

static bool begins_clock(const struct page *page, size_t i)
{
    return i == 0 || clock_of(page, i) != clock_of(page, i - 1);
}

/* Up to `most` threads of each clock are drawn. */
struct drawn {
    size_t most, threads, lines;
};

static struct drawn count(const struct page *page, size_t most)
{
    struct drawn drawn = {most, 0, 0};
    size_t of_clock = 0;
    for (size_t i = 0; i < page->members.n && drawn.lines < LINES_MAX; i++) {
        of_clock = begins_clock(page, i) ? 0 : of_clock + 1;
        drawn.threads += of_clock < most;
        drawn.lines += of_clock == 0;
        drawn.lines += of_clock < most;
    }
    return drawn;
}

/* Find how many threads of each clock fit, at least one. */
static struct drawn fit(const struct page *page)
{
    size_t most = 1, beyond = LINES_MAX;
    while (most + 1 < beyond) {
        size_t middle = (most + beyond) / 2;
        struct drawn drawn = count(page, middle);
        if (drawn.lines < LINES_MAX)
            most = middle;
        else
            beyond = middle;
    }
    return count(page, most);
}

static void write_label(const struct page *page, int line, const char *class, const char *name)
{
    svg_text_begin(page->out, class, LEFT - 80, TOP + line * HEIGHT + HEIGHT / 2 + 40);
    html_text(page->out, name, 14);
    svg_text_end(page->out);
}

/* The x of global time g, which is outside of all lives if timestamps step back. */
static int place(const struct page *page, int64_t g)
{
    const struct spans *lives = &page->lives;
    g = g < lives->begin ? lives->begin : g > lives->end ? lives->end : g;
    return LEFT + spans_place(lives, g, RIGHT - LEFT);
}

/* True if only the first and last record of a member are drawn. If the trace is one buffer, its
 * records may be intervals that show activity; for other traces, has_begins is always set. */
static bool is_quiet(const struct page *page, const struct member *member)
{
    const struct csy_trace *trace = page->trace;
    return member->records <= 2 && (!trace->has_begins || trace->independent);
}

static void draw_member(const struct page *page, int line, const struct member *member)
{
    const csy_track *track = &page->sync->tracks[member->track];
    int x = place(page, member->begin), end = place(page, member->end);
    char class[32];
    snprintf(class, sizeof class, "%s%s",
             track->thread == page->sync->reference
                 ? "reference"
                 : page_shade(page, page->lives.items[track->thread].bound),
             is_quiet(page, member) ? " quiet" : "");
    write_label(page, line, "end", track->name);
    svg_rect_begin(
        page->out, class,
        (struct svg_box){x, TOP + line * HEIGHT + 20, end - x < 20 ? 20 : end - x, HEIGHT - 40});
    html_name(page->out, track->name);
    outfile_print(page->out, " on ");
    page_name(page, track->thread);
    page_print(page, ": %" PRId64 " to %" PRId64 ", %" PRIu64 " record%s", member->begin,
               member->end, member->records, text_plural(member->records));
    svg_rect_end(page->out);
}

static bool has_quiet(const struct page *page, const struct drawn *drawn)
{
    size_t of_clock = 0, n = 0;
    bool any = false;
    for (size_t i = 0; i < page->members.n && n < drawn->threads; i++) {
        of_clock = begins_clock(page, i) ? 0 : of_clock + 1;
        any |= of_clock < drawn->most && is_quiet(page, &page->members.items[i]);
        n += of_clock < drawn->most;
    }
    return any;
}

void page_members(const struct page *page)
{
    const struct members *members = &page->members;
    struct drawn drawn = fit(page);
    int bottom = TOP + (int)drawn.lines * HEIGHT;
    size_t of_clock = 0, line = 0;
    if (!page_has(page, SECTION_MEMBERS))
        return;
    page_heading(page, SECTION_MEMBERS);
    page_figure(page);
    page_drawing_begin(page, "members", PAGE_WIDTH, bottom + 200,
                       "Threads of shared clocks in global time",
                       "Time from left to right, a line a thread.");
    page_time_axis(page, LEFT, RIGHT, TOP, bottom);
    for (size_t i = 0; line < drawn.lines; i++) {
        of_clock = begins_clock(page, i) ? 0 : of_clock + 1;
        if (of_clock == 0)
            write_label(page, (int)line++, "clock end", page->sync->views[clock_of(page, i)].name);
        if (of_clock < drawn.most)
            draw_member(page, (int)line++, &members->items[i]);
    }
    svg_end(page->out);
    page_figure_end(page);
    if (page->alone)
        return;
    outfile_print(page->out, "<figcaption id=\"members-claim\">");
    if (drawn.threads < members->n)
        page_print(page, "%zu of %zu threads, at most %zu of each clock,", drawn.threads,
                   members->n, drawn.most);
    else
        page_print(page, "%zu thread%s", members->n, text_plural(members->n));
    page_print(page,
               " on %zu clock%s, one bar each from its first record to its last, under the name of "
               "its clock and of the colour of that%s.</figcaption>\n</figure>\n",
               members->nclocks, text_plural(members->nclocks),
               has_quiet(page, &drawn) ? "; a pale one recorded nothing between the two" : "");
}

void page_member_names(const struct page *page, size_t thread, size_t most)
{
    const csy_thread *clock = &page->sync->views[thread];
    for (size_t i = 0; i < clock->nmembers && i < most; i++) {
        outfile_print(page->out, i ? ", " : "");
        html_name(page->out, clock->members[i]);
    }
    if (clock->nmembers > most)
        page_print(page, ", and %zu more", clock->nmembers - most);
}
