/* Draws the live interval of each thread (from its first to its last record) in global time.
 *
 * A track is the PPE, an SPE context, or a thread of a CSV. If there are too many contexts, a track
 * is a physical SPE. Each line of the drawing has one track, or several neighbouring tracks. Few
 * live intervals are drawn one by one. If there are many, each line is divided into CELL_COLUMNS
 * cells. The colour of a cell shows the widest bound of the live intervals in it. */
#include "base/error.h"
#include "output/page/page.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    LINES_MAX = 48,
    DRAWN_MAX = 500,
    HEADS_MAX = 60,
    CELL_COLUMNS = 200,
    TOP = 20,
    WHISKER_MOST = 240
};

#define CELL_EMPTY (-1)

struct layout {
    size_t *track_of; /* for each thread: its track */
    size_t *first;    /* for each track: its first thread */
    size_t n;
    size_t a_line; /* number of tracks in a line; the last line may have fewer */
    size_t nlines;
    int height;  /* height of a line, in units of the drawing */
    bool by_spe; /* true if a track is a physical SPE, not an SPE context */
    bool drawn;
    int64_t magnified; /* factor that enlarges whiskers (marks of uncertain times) */
};

static void find_tracks(struct layout *tracks, const struct page *page)
{
    const struct threads *threads = &page->sync->survey.threads;
    tracks->n = 0;
    for (size_t t = 0; t < page->lives.n; t++)
        tracks->track_of[t] = SIZE_MAX;
    for (size_t t = 0; t < page->lives.n; t++) {
        uint32_t next = threads->items[t].next;
        if (tracks->track_of[t] == SIZE_MAX) {
            tracks->first[tracks->n] = t;
            tracks->track_of[t] = tracks->n++;
        }
        if (next != NO_THREAD)
            tracks->track_of[next] = tracks->track_of[t];
    }
}

/* Returns the track (row of the drawing) of the SPE that ran the thread. If the SPE is unknown, or
 * has no track yet, this is a new track. */
static size_t spe_track(const struct layout *tracks, const struct threads *threads, size_t t)
{
    uint64_t spe = threads->items[t].spe;
    size_t i = 0;
    while (i < tracks->n && tracks->first[i] != t &&
           (spe == CSY_NO_SPE || threads->items[tracks->first[i]].spe != spe))
        i++;
    return i;
}

/* Make one track for each physical SPE. Returns false if this needs more than LINES_MAX tracks. */
static bool find_spe_tracks(struct layout *tracks, const struct page *page)
{
    const struct threads *threads = &page->sync->survey.threads;
    tracks->n = 0;
    for (size_t t = 0; t < page->lives.n && tracks->n <= LINES_MAX; t++) {
        if (spe_track(tracks, threads, t) < tracks->n)
            continue;
        /* Sort tracks by SPE. Threads with an unknown SPE come first. */
        uint64_t spe = threads->items[t].spe + 1; /* 0 if the SPE is not known */
        size_t i = tracks->n++;
        for (; i > 0 && threads->items[tracks->first[i - 1]].spe + 1 > spe; i--)
            tracks->first[i] = tracks->first[i - 1];
        tracks->first[i] = t;
    }
    if (tracks->n > LINES_MAX)
        return false;
    for (size_t t = 0; t < page->lives.n; t++)
        tracks->track_of[t] = spe_track(tracks, threads, t);
    return true;
}

/* Returns the x of a global time. Times outside of the trace are put at its nearer side. */
static int place_of(const struct page *page, int64_t ticks)
{
    const struct spans *lives = &page->lives;
    int64_t inside = ticks < lives->begin ? lives->begin : ticks > lives->end ? lives->end : ticks;
    int128 length = (int128)lives->end - lives->begin, since = (int128)inside - lives->begin;
    return PAGE_LEFT + (length ? (int)(since * (PAGE_RIGHT - PAGE_LEFT) / length) : 0);
}

/* Returns the length of a whisker for an uncertain time, in units; at most the length of a line. */
static int whisker(int128 ticks, int64_t magnified, int128 length)
{
    int128 much = ticks * magnified;
    return much < length ? (int)(much * (PAGE_RIGHT - PAGE_LEFT) / length) : PAGE_RIGHT - PAGE_LEFT;
}

/* Draw a bar. A whisker shows how far times may be earlier or later. It is dashed if unlimited. */
static void draw_life(const struct page *page, const struct layout *tracks, size_t t)
{
    const struct span *life = &page->lives.items[t];
    const csy_thread *view = &page->sync->views[t];
    bool reference = t == page->sync->reference;
    int x = place_of(page, life->begin), end = place_of(page, life->end);
    struct svg_box bar = {x, TOP + (int)tracks->track_of[t] * tracks->height + 20,
                          end - x < 20 ? 20 : end - x, tracks->height - 40};
    if (page_is_wide(page, t))
        outfile_print(page->out, "<g id=\"life-%zu\">", t);
    svg_rect_begin(page->out, reference ? "reference" : page_shade(page, life->bound), bar);
    page_print(page, "{%zu}: %" PRId64 " to %" PRId64 ", %" PRIu64 " record%s, {=%" PRId64 "}", t,
               life->begin, life->end, view->records, text_plural(view->records), life->bound);
    svg_rect_end(page->out);
    int128 length = (int128)page->lives.end - page->lives.begin;
    int before = WHISKER_MOST / 2, after = WHISKER_MOST / 2;
    int middle = bar.x + bar.width / 2, y = bar.y + bar.height / 2;
    if (length && view->earliest_ticks != INT64_MIN)
        before =
            whisker((int128)view->offset_ticks - view->earliest_ticks, tracks->magnified, length);
    if (length && view->latest_ticks != INT64_MAX)
        after = whisker((int128)view->latest_ticks - view->offset_ticks, tracks->magnified, length);
    /* A wider line below the whisker makes it visible on bars of any colour. */
    const char *const classes[] = {"halo", life->bound == BOUND_NONE ? "whisker open" : "whisker"};
    for (size_t i = 0; i < 2 && !reference && length > 0; i++)
        outfile_print(page->out, "<path class=\"%s\" d=\"M%d %dh%dm0-25v50m%d-50v50\"/>\n",
                      classes[i], middle - before, y, before + after, -(before + after));
    if (page_is_wide(page, t))
        outfile_add(page->out, "</g>\n");
}

/* Returns true if arrow heads would hide the bars because of too many messages. */
static bool are_many(const struct page *page)
{
    return page->arrows.n > HEADS_MAX;
}

/* Draw each message as an arrow from the line of its sender to the line of its receiver. */
static void draw_messages(const struct page *page, const struct layout *tracks)
{
    if (page->arrows.n > 0)
        outfile_add(page->out,
                    "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
                    "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path "
                    "class=\"arrowhead\" d=\"M0 1L10 5L0 9z\"/></marker></defs>\n");
    if (are_many(page))
        outfile_add(page->out, "<g class=\"many\">\n");
    for (size_t i = 0; i < page->arrows.n && !outfile_failed(page->out); i++) {
        const struct arrow *arrow = &page->arrows.items[i];
        size_t from = tracks->track_of[arrow->s] / tracks->a_line,
               to = tracks->track_of[arrow->t] / tracks->a_line;
        if (from == to)
            continue;
        int x = place_of(page, arrow->begin_ticks), x_end = place_of(page, arrow->end_ticks);
        int y = TOP + (int)from * tracks->height + tracks->height / 2;
        int y_end = TOP + (int)to * tracks->height + tracks->height / 2;
        svg_line(page->out, "gap", x, y, x_end,
                 /* a wider line below the arrow makes it visible on bars of any colour */
                 y_end);
        outfile_print(page->out, "<path class=\"message\" d=\"M%d %dL%d %d\"><title>", x, y, x_end,
                      y_end);
        page_print(page, "{%u} at %" PRId64 " to {%u} at %" PRId64 "</title></path>\n", arrow->s,
                   arrow->begin_ticks, arrow->t, arrow->end_ticks);
    }
    if (are_many(page))
        outfile_add(page->out, "</g>\n");
}

/* Draw many threads, as cells. Neighbouring cells of one colour become one rectangle. */
static csy_status draw_cells(const struct page *page, const struct layout *tracks, csy_error *error)
{
    int64_t *cells = calloc(tracks->nlines + 1, CELL_COLUMNS * sizeof *cells);
    if (!cells)
        return error_memory(error);
    for (size_t i = 0; i < tracks->nlines * CELL_COLUMNS; i++)
        cells[i] = CELL_EMPTY;
    for (size_t t = 0; t < page->lives.n; t++) {
        const struct span *life = &page->lives.items[t];
        int64_t *line = cells + tracks->track_of[t] / tracks->a_line * CELL_COLUMNS;
        size_t last = spans_part(&page->lives, life->end, CELL_COLUMNS);
        for (size_t i = spans_part(&page->lives, life->begin, CELL_COLUMNS); i <= last; i++)
            line[i] = life->bound > line[i] ? life->bound : line[i];
    }
    for (size_t line = 0; line < tracks->nlines; line++)
        for (int i = 0, end; i < CELL_COLUMNS; i = end) {
            const int64_t *row = cells + line * CELL_COLUMNS;
            end = i + 1;
            if (row[i] == CELL_EMPTY)
                continue;
            const char *shade = page_shade(page, row[i]);
            while (end < CELL_COLUMNS && row[end] != CELL_EMPTY &&
                   page_shade(page, row[end]) == shade)
                end++;
            int x = PAGE_LEFT + i * (PAGE_RIGHT - PAGE_LEFT) / CELL_COLUMNS;
            int x_end = PAGE_LEFT + end * (PAGE_RIGHT - PAGE_LEFT) / CELL_COLUMNS;
            svg_rect(page->out, shade,
                     (struct svg_box){x, TOP + (int)line * tracks->height + 10, x_end - x,
                                      tracks->height - 20});
        }
    free(cells);
    for (size_t t = 0; t < page->lives.n; t++)
        if (page_is_wide(page, t)) {
            /* Mark the threads of the pairs with the greatest errors, on top of the cells. */
            const struct span *life = &page->lives.items[t];
            int x = place_of(page, life->begin), end = place_of(page, life->end);
            int y = TOP + (int)(tracks->track_of[t] / tracks->a_line) * tracks->height;
            outfile_print(page->out, "<g id=\"life-%zu\">", t);
            svg_rect_begin(page->out, "mark",
                           (struct svg_box){x, y, end - x < 40 ? 40 : end - x, tracks->height});
            page_print(page, "{%zu}, {=%" PRId64 "}", t, life->bound);
            svg_rect_end(page->out);
            outfile_add(page->out, "</g>\n");
        }
    return CSY_OK;
}

static void write_caption(const struct page *page, const struct layout *tracks)
{
    if (!page_caption(page, NULL))
        return;
    if (tracks->drawn) {
        page_print(page,
                   "Each bar is a live interval; its colour shows its %s. The whisker shows the "
                   "range within which the whole interval can still move relative to {%zu}",
                   text_error(page->sync->imprecision.added_ticks), page->sync->reference);
        if (tracks->magnified > 1)
            page_print(page, ", magnified %" PRId64 " times", tracks->magnified);
        else
            outfile_add(page->out, ", to scale");
        if (page->lives.nbounded < page->lives.n)
            outfile_add(page->out, "; a dashed whisker has no limit on one side");
    } else {
        page_print(page, "Aggregated: %zu threads", page->lives.n);
        if (tracks->a_line > 1)
            page_print(page, ", %zu of %zu tracks on a line", tracks->a_line, tracks->n);
        page_print(
            page,
            ", %d cells per line; the colour of a cell shows the largest %s in it relative to "
            "{%zu}",
            CELL_COLUMNS, text_error(page->sync->imprecision.added_ticks), page->sync->reference);
        if (page->widest.n > 0)
            outfile_add(page->out, "; the threads of the widest pairs are framed");
    }
    if (page->arrows.n > 0) {
        const char *lines = are_many(page) ? "Thin lines" : "Arrows";
        if (page->arrows.n < page->arrows.messages)
            page_print(page,
                       ". %s are the %zu messages between %ss with the smallest delay beyond their "
                       "latency, %sof %" PRIu64 " messages",
                       lines, page->arrows.n, text_clock(page->sync),
                       page->arrows.one_each ? "at most one for each channel, " : "",
                       page->arrows.messages);
        else
            page_print(page, ". %s are messages", lines);
        if (are_many(page))
            outfile_add(page->out, "; point at a line to see its ends and times");
    }
    outfile_add(page->out, ". Time is global time since the first record.");
    page_caption_end(page);
}

csy_status page_timeline(const struct page *page, csy_error *error)
{
    size_t n = page->lives.n;
    struct layout tracks = {.track_of = malloc(n * sizeof *tracks.track_of),
                            .first = malloc(n * sizeof *tracks.first)};
    csy_status status = tracks.track_of && tracks.first ? CSY_OK : error_memory(error);
    if (!status) {
        /* Assign threads to tracks, and tracks to lines. */
        find_tracks(&tracks, page);
        tracks.by_spe = tracks.n > LINES_MAX && find_spe_tracks(&tracks, page);
        if (tracks.n > LINES_MAX && !tracks.by_spe)
            find_tracks(&tracks, page);
        tracks.a_line = 1 + (tracks.n - 1) / LINES_MAX;
        tracks.nlines = (tracks.n + tracks.a_line - 1) / tracks.a_line;
        tracks.height = tracks.nlines <= 20 ? 200 : 140;
        tracks.drawn = n <= DRAWN_MAX && tracks.a_line == 1;
        int128 length = (int128)page->lives.end - page->lives.begin;
        int128 most = spans_most(&page->lives), round = 1;
        int128 times = most ? length * WHISKER_MOST / (most * (PAGE_RIGHT - PAGE_LEFT)) : 0;
        while (scale_nice(round + 1) <= times)
            round = scale_nice(round + 1);
        tracks.magnified = (int64_t)round;
        int bottom = TOP + (int)tracks.nlines * tracks.height;
        page_heading(page, SECTION_TIMELINE);
        page_figure(page, "timeline", bottom + 200, "Live intervals in global time",
                    "Time runs from left to right; each line is a track.");
        page_time_axis(page, PAGE_LEFT, PAGE_RIGHT, TOP, bottom);
        for (size_t line = 0; line < tracks.nlines; line++) {
            size_t first = line * tracks.a_line, more = tracks.n - first - 1;
            const struct thread *of = &page->sync->survey.threads.items[tracks.first[first]];
            more = more < tracks.a_line ? more : tracks.a_line - 1;
            svg_text_begin(page->out, "end", PAGE_LEFT - 80,
                           TOP + (int)line * tracks.height + tracks.height / 2 + 40);
            if (tracks.by_spe && of->spe != CSY_NO_SPE)
                outfile_print(page->out, "SPE %" PRIu64, of->spe);
            else if (of->context >= 0 && !of->name)
                outfile_print(page->out, "spe%" PRId64, of->context);
            else
                html_text(page->out, page->sync->views[tracks.first[first]].name, 14);
            if (more > 0)
                page_print(page, " +%zu", more);
            svg_text_end(page->out);
        }
        for (size_t t = 0; tracks.drawn && t < page->lives.n; t++)
            draw_life(page, &tracks, t);
        if (!tracks.drawn)
            status = draw_cells(page, &tracks, error);
        draw_messages(page, &tracks);
        write_caption(page, &tracks);
    }
    free(tracks.track_of);
    free(tracks.first);
    return status;
}

/* --- Threads on shared clocks -----------------------------------------------------------------
 *
 * Threads of a CSV that share clocks, in global time. Each thread has a line below the name of its
 * clock. About MEMBER_LINES_MAX lines are drawn, divided among the clocks. */

enum { MEMBER_LINES_MAX = 96, HEIGHT = 140 };

static bool begins_clock(const struct page *page, size_t i)
{
    const struct member *members = page->members.items;
    return i == 0 || members[i].clock != members[i - 1].clock;
}

/* The numbers of drawn threads and of lines if each clock shows at most `most` threads. */
struct drawn {
    size_t most, threads, lines;
};

static struct drawn count(const struct page *page, size_t most)
{
    struct drawn drawn = {most, 0, 0};
    size_t of_clock = 0;
    for (size_t i = 0; i < page->members.n && drawn.lines < MEMBER_LINES_MAX; i++) {
        of_clock = begins_clock(page, i) ? 0 : of_clock + 1;
        drawn.threads += of_clock < most;
        drawn.lines += of_clock == 0;
        drawn.lines += of_clock < most;
    }
    return drawn;
}

/* Returns true if a thread recorded nothing between its first and last record: it has at most two,
 * and none is an interval. */
static bool is_quiet(const struct page *page, const struct member *member)
{
    const struct csy_trace *trace = page->trace;
    return member->records <= 2 && (!trace->has_begins || trace->independent);
}

void page_members(const struct page *page)
{
    const struct members *members = &page->members;
    if (!page_has(page, SECTION_MEMBERS))
        return;
    /* Find the greatest number of threads of a clock, at least 1, that a drawing has room for. */
    size_t most = 1, beyond = MEMBER_LINES_MAX;
    while (most + 1 < beyond) {
        size_t middle = (most + beyond) / 2;
        *(count(page, middle).lines < MEMBER_LINES_MAX ? &most : &beyond) = middle;
    }
    struct drawn drawn = count(page, most);
    int bottom = TOP + (int)drawn.lines * HEIGHT;
    size_t of_clock = 0, line = 0;
    bool quiet = false;
    page_heading(page, SECTION_MEMBERS);
    page_figure(page, "members", bottom + 200, "Threads of shared clocks in global time",
                "Time runs from left to right; each line is a thread.");
    page_time_axis(page, PAGE_LEFT, PAGE_RIGHT, TOP, bottom);
    for (size_t i = 0; line < drawn.lines; i++) {
        const struct member *member = &members->items[i];
        of_clock = begins_clock(page, i) ? 0 : of_clock + 1;
        if (of_clock == 0)
            page_label(page, "clock end", PAGE_LEFT - 80,
                       TOP + (int)line++ * HEIGHT + HEIGHT / 2 + 40,
                       page->sync->views[member->clock].name, 14);
        if (of_clock >= drawn.most)
            continue;
        const csy_track *track = &page->sync->tracks[member->track];
        int x = place_of(page, member->begin), end = place_of(page, member->end);
        int y = TOP + (int)line++ * HEIGHT;
        char class[32];
        snprintf(class, sizeof class, "%s%s",
                 track->thread == page->sync->reference
                     ? "reference"
                     : page_shade(page, page->lives.items[track->thread].bound),
                 is_quiet(page, member) ? " quiet" : "");
        page_label(page, "end", PAGE_LEFT - 80, y + HEIGHT / 2 + 40, track->name, 14);
        svg_rect_begin(page->out, class,
                       (struct svg_box){x, y + 20, end - x < 20 ? 20 : end - x, HEIGHT - 40});
        html_text(page->out, track->name, HTML_NAME_MAX);
        page_print(page, " on {%zu}: %" PRId64 " to %" PRId64 ", %" PRIu64 " record%s",
                   track->thread, member->begin, member->end, member->records,
                   text_plural(member->records));
        svg_rect_end(page->out);
        quiet |= is_quiet(page, member);
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
