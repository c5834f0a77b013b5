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

/* The x of global time g. If timestamps step back, g may be outside of all lives. */
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
    int x = place(page, member->begin), end = place(page, member->end), y = TOP + line * HEIGHT;
    char class[32];
    snprintf(class, sizeof class, "%s%s",
             track->thread == page->sync->reference
                 ? "reference"
                 : page_shade(page, page->lives.items[track->thread].bound),
             is_quiet(page, member) ? " quiet" : "");
    page_label(page, "end", LEFT - 80, y + HEIGHT / 2 + 40, track->name, 14);
    svg_rect_begin(page->out, class,
                   (struct svg_box){x, y + 20, end - x < 20 ? 20 : end - x, HEIGHT - 40});
    html_name(page->out, track->name);
    outfile_add(page->out, " on ");
    page_name(page, track->thread);
    page_print(page, ": %" PRId64 " to %" PRId64 ", %" PRIu64 " record%s", member->begin,
               member->end, member->records, text_plural(member->records));
    svg_rect_end(page->out);
}

void page_members(const struct page *page)
{
    const struct members *members = &page->members;
    if (!page_has(page, SECTION_MEMBERS))
        return;
    /* Find how many threads of each clock fit, at least one. */
    size_t most = 1, beyond = LINES_MAX;
    while (most + 1 < beyond) {
        size_t middle = (most + beyond) / 2;
        *(count(page, middle).lines < LINES_MAX ? &most : &beyond) = middle;
    }
    struct drawn drawn = count(page, most);
    int bottom = TOP + (int)drawn.lines * HEIGHT;
    size_t of_clock = 0, line = 0;
    bool quiet = false;
    page_heading(page, SECTION_MEMBERS);
    page_figure(page, "members", bottom + 200, "Threads of shared clocks in global time",
                "Time runs from left to right; each line is a thread.");
    page_time_axis(page, LEFT, RIGHT, TOP, bottom);
    for (size_t i = 0; line < drawn.lines; i++) {
        of_clock = begins_clock(page, i) ? 0 : of_clock + 1;
        if (of_clock == 0)
            page_label(page, "clock end", LEFT - 80, TOP + (int)line++ * HEIGHT + HEIGHT / 2 + 40,
                       page->sync->views[clock_of(page, i)].name, 14);
        if (of_clock >= drawn.most)
            continue;
        draw_member(page, (int)line++, &members->items[i]);
        quiet |= is_quiet(page, &members->items[i]);
    }
    if (!page_caption(page, "members-claim"))
        return;
    if (drawn.threads < members->n)
        page_print(page, "%zu of %zu threads, at most %zu of each clock,", drawn.threads,
                   members->n, drawn.most);
    else
        page_print(page, "%zu thread%s", members->n, text_plural(members->n));
    page_print(page,
               " on %zu clock%s. Each bar spans the time from the first record of a thread to its "
               "last, below the name of the clock; the colour is that of the clock%s.",
               members->nclocks, text_plural(members->nclocks),
               quiet ? ". A thread with a pale bar recorded nothing between the two records" : "");
    page_caption_end(page);
}
