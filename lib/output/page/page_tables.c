/* The HTML report: the witness, the widest pairs, the loosest threads, and all threads. */
#include "output/encode/difference.h"
#include "output/page/page.h"

#include <inttypes.h>
#include <string.h>

enum { EDGES_MAX = 40, THREADS_MAX = 200, MEMBERS_MAX = 6, STEPS_SHOWN_MAX = 200 };

/* Begin a table, of which the first column names threads or clocks. */
static void begin_table(const struct page *page, const char *id, const char *columns)
{
    outfile_print(page->out,
                  "<table id=\"%s\" class=\"booktabs\">\n<thead><tr><th "
                  "scope=\"col\">%s</th>%s</tr></thead>\n<tbody>\n",
                  id, text_clock(page->sync), columns);
}

static void end_table(const struct page *page)
{
    outfile_print(page->out, "</tbody>\n</table>\n");
}

static void write_row_head(const struct page *page, size_t thread)
{
    outfile_print(page->out, "<tr><th scope=\"row\">");
    page_name(page, thread);
    outfile_print(page->out, "</th>");
}

void page_steps(const struct page *page, const csy_witness_edge *edge)
{
    char text[CSY_STEPS_TEXT_MAX];
    if (!page->sync->matched)
        return;
    outfile_print(page->out, "<td class=\"name\">");
    csy_steps_text(edge, text);
    html_text(page->out, csy_unescape(text), STEPS_SHOWN_MAX);
    outfile_print(page->out, "</td>");
}

#define WITNESS_COLUMNS                                                                            \
    "<th scope=\"col\">record</th><th scope=\"col\">local "                                        \
    "time</th><th scope=\"col\" class=\"name\">before</th><th scope=\"col\">record</th>"           \
    "<th scope=\"col\">local time</th><th scope=\"col\">weight</th>"

void page_witness(const struct page *page)
{
    const csy_witness *witness = &page->sync->witness;
    char text[CSY_TIME_TEXT_MAX];
    page_heading(page, SECTION_WITNESS);
    if (witness->length == 0) {
        outfile_print(page->out, "<p id=\"witness\">%s</p>\n",
                      text_no_witness(page->sync)
                          ? text_no_witness(page->sync)
                          : "There is none: no records force delta above what it is.");
        return;
    }
    page_print(page,
               "<p>A cycle of %zu constraint%s, together %" PRId64
               " ticks, which needs a delta of %s if clocks run at one rate. In each row the first "
               "record comes "
               "before the second in the trace, so that the offset of the first thread exceeds "
               "that of the second by at most the weight.</p>\n",
               witness->length, text_plural(witness->length), witness->weight_ticks,
               page_time(page, witness->least_delta, text));
    begin_table(page, "witness",
                page->sync->matched ? WITNESS_COLUMNS STEPS_COLUMN : WITNESS_COLUMNS);
    for (size_t i = 0; i < witness->length && i < EDGES_MAX; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        write_row_head(page, edge->s);
        page_print(page, "<td>%" PRIu64 "</td><td>%" PRId64 "</td><td class=\"name\">",
                   edge->record_s, edge->time_s);
        page_name(page, edge->t);
        page_print(page, "</td><td>%" PRIu64 "</td><td>%" PRId64 "</td><td>%" PRId64 "</td>",
                   edge->record_t, edge->time_t, edge->weight_ticks);
        page_steps(page, edge);
        outfile_print(page->out, "</tr>\n");
    }
    end_table(page);
    if (witness->length > EDGES_MAX)
        outfile_print(page->out, "<p>The first %d are shown; the JSON report has all.</p>\n",
                      EDGES_MAX);
}

/* Explain, from the bounds of both threads to the reference, why a pair is wide. */
static void say_why(const struct page *page, const struct wide_pair *pair)
{
    const struct thread *threads = page->sync->survey.threads.items;
    const struct thread *s = &threads[pair->s], *t = &threads[pair->t];
    int64_t events = csy_sync_event_error(page->sync, 0); /* the part that comes from delta */
    int64_t of_s = page->lives.items[pair->s].bound - events;
    int64_t of_t = page->lives.items[pair->t].bound - events, error = pair->error - events;
    size_t loose = of_s >= of_t ? pair->s : pair->t;
    bool together = page->sync->partial ||
                    (s->first_record <= t->last_record && t->first_record <= s->last_record);
    if (error < of_s + of_t)
        page_print(page, "%" PRId64 " tighter than by way of ", of_s + of_t - error);
    else
        outfile_print(page->out, of_s && of_t ? "only by way of " : "directly to ");
    page_name(page, page->sync->reference);
    if (!together)
        outfile_print(page->out, "; never live together");
    if (of_s && of_t && (of_s >= 2 * of_t || of_t >= 2 * of_s)) {
        outfile_print(page->out, "; mostly ");
        page_name(page, loose);
    }
}

/* Write the name of a thread as a link to its place in time. */
static void write_link(const struct page *page, size_t thread)
{
    outfile_print(page->out, "<a href=\"#life-%zu\">", thread);
    page_name(page, thread);
    outfile_print(page->out, "</a>");
}

static void write_pair(const struct page *page, const struct wide_pair *pair)
{
    size_t rank = (size_t)(pair - page->widest.pairs) + 1;
    outfile_print(page->out, "<tr><th scope=\"row\">");
    write_link(page, pair->s);
    outfile_print(page->out, "</th><td class=\"name\">");
    write_link(page, pair->t);
    outfile_print(page->out, "</td>");
    page_cell_both(page, pair->error);
    page_cell_ticks(page, page->lives.items[pair->s].bound);
    page_cell_ticks(page, page->lives.items[pair->t].bound);
    outfile_print(page->out, "<td class=\"why\">");
    say_why(page, pair);
    if (rank <= page_nchains(page))
        outfile_print(page->out, "; <a href=\"#chain-%zu\">chain</a>", rank);
    outfile_print(page->out, "</td></tr>\n");
}

void page_widest(const struct page *page)
{
    const struct widest *widest = &page->widest;
    if (!page_has(page, SECTION_WIDEST))
        return;
    page_heading(page, SECTION_WIDEST);
    outfile_print(page->out, "<p id=\"widest-claim\">%s%s</p>\n",
                  widest->certain
                      ? "No other pair of threads is wider"
                      : "The widest that were found among the pairs of the loosest threads; others "
                        "may be wider",
                  page->lives.nbounded < page->lives.n ? " where both are bounded to the reference."
                                                       : ".");
    begin_table(page, "widest",
                "<th scope=\"col\" class=\"name\">and</th><th "
                "scope=\"col\">ticks</th><th scope=\"col\">\u00b5s</th><th scope=\"col\">first to "
                "reference</th><th scope=\"col\">second to reference</th><th scope=\"col\" "
                "class=\"why\">why</th>");
    for (size_t i = 0; i < widest->n; i++)
        write_pair(page, &widest->pairs[i]);
    end_table(page);
}

/* Explain why the bound of a thread is loose. */
static void say_looseness(const struct page *page, const struct precision_scout *scout)
{
    struct outfile *out = page->out;
    const csy_thread *view = &page->sync->views[scout->thread];
    bool early = view->earliest_ticks == INT64_MIN, late = view->latest_ticks == INT64_MAX;
    if (early || late) {
        outfile_print(out, "not even by way of others does a record of ");
        page_name(page, early ? page->sync->reference : scout->thread);
        outfile_print(out, " come before one of ");
        page_name(page, early ? scout->thread : page->sync->reference);
        outfile_print(out, ": nothing says how %s it was", early ? "early" : "late");
        return;
    }
    page_name(page, page->sync->reference);
    /* The bound from the reference's records alone: delta counts at both ends, for both events. */
    int128 added = page->sync->imprecision.added_ticks;
    int128 direct = (int128)scout->behind + scout->ahead + 4 * added;
    if (scout->behind == BOUND_NONE || scout->ahead == BOUND_NONE)
        outfile_print(out, " has no record %s it",
                      scout->behind == BOUND_NONE ? "before" : "after");
    else if (direct > page->lives.items[scout->thread].bound)
        outfile_print(out, " comes less near than others do");
    else
        outfile_print(out, " comes nearest");
    if (view->records == 1)
        outfile_print(out, "; both ends rest on one record");
    else
        page_print(page, ", and has %" PRIu64 " record%s in between", scout->amid,
                   text_plural(scout->amid));
}

void page_loosest(const struct page *page)
{
    if (!page_has(page, SECTION_LOOSEST))
        return;
    page_heading(page, SECTION_LOOSEST);
    outfile_print(page->out, "<p>Those that are known worst against ");
    page_name(page, page->sync->reference);
    outfile_print(page->out, ", and how near its records come to theirs, in ticks of global "
                             "time.</p>\n");
    begin_table(page, "loosest",
                "<th scope=\"col\">ticks</th><th scope=\"col\">\u00b5s"
                "</th><th scope=\"col\">records</th><th scope=\"col\">nearest before</th><th "
                "scope=\"col\">nearest after</th><th scope=\"col\" class=\"why\">why</th>");
    for (size_t i = 0; i < page->course.nscouts; i++) {
        const struct precision_scout *scout = &page->course.scouts[i];
        write_row_head(page, scout->thread);
        page_cell_both(page, page->lives.items[scout->thread].bound);
        page_print(page, "<td>%" PRIu64 "</td>", page->sync->views[scout->thread].records);
        page_cell_ticks(page, scout->behind);
        page_cell_ticks(page, scout->ahead);
        outfile_print(page->out, "<td class=\"why\">");
        say_looseness(page, scout);
        outfile_print(page->out, "</td></tr>\n");
    }
    end_table(page);
}

void page_differences(const struct page *page)
{
    char text[DIFFERENCE_TEXT_MAX];
    size_t next = 0;
    for (bool first = true; difference_next(page->sync, true, &next, text); first = false) {
        char *line_end = strchr(text, '\n');
        if (line_end)
            *line_end = ' ';
        outfile_print(page->out, "%s<li>", first ? "<ul id=\"readings\">\n" : "");
        html_text(page->out, text, SIZE_MAX);
        outfile_print(page->out, "</li>\n");
    }
    if (next > 0)
        outfile_print(page->out, "</ul>\n");
}

void page_threads(const struct page *page)
{
    char columns[400];
    const char *ends = text_event_ends(page->sync);
    size_t n = page->lives.n < THREADS_MAX ? page->lives.n : THREADS_MAX;
    page_heading(page, SECTION_THREADS);
    if (n < page->lives.n)
        page_print(page, "<p>The first %zu of %zu; the JSON report has all.</p>\n", n,
                   page->lives.n);
    page_differences(page);
    snprintf(columns, sizeof columns,
             "<th scope=\"col\">records</th><th scope=\"col\">offset</th>"
             "<th scope=\"col\">earliest%s</th><th scope=\"col\">latest%s</th>"
             "<th scope=\"col\">%s</th><th scope=\"col\">\u00b5s</th>%s",
             ends, ends, text_error(page->sync->imprecision.added_ticks),
             page_has(page, SECTION_MEMBERS)
                 ? "<th scope=\"col\" class=\"name\">threads on this clock</th>"
                 : "");
    begin_table(page, "threads", columns);
    for (size_t t = 0; t < n; t++) {
        const csy_thread *view = &page->sync->views[t];
        int64_t earliest, latest;
        write_row_head(page, t);
        page_print(page, "<td>%" PRIu64 "</td><td>%" PRId64 "</td>", view->records,
                   view->offset_ticks);
        solution_event_ends(page->sync, view, &earliest, &latest);
        page_cell_ticks(page, earliest);
        page_cell_ticks(page, latest);
        page_cell_both(page, page->lives.items[t].bound);
        if (page_has(page, SECTION_MEMBERS)) {
            outfile_print(page->out, "<td class=\"name\">");
            page_member_names(page, t, MEMBERS_MAX);
            outfile_print(page->out, "</td>");
        }
        outfile_print(page->out, "</tr>\n");
    }
    end_table(page);
}
