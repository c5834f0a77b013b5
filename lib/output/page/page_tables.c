/* Writes the tables of the HTML report: the contradictory cycle (witness), the widest pairs and the
 * records that limit them, the threads with the widest bounds, and all threads. */
#include "output/encode/difference.h"
#include "output/encode/fine.h"
#include "output/page/page.h"

#include <inttypes.h>
#include <string.h>

enum {
    EDGES_MAX = 40,
    CHAIN_EDGES_MAX = 20,
    THREADS_MAX = 200,
    MEMBERS_MAX = 6,
    STEPS_SHOWN_MAX = 200,
    READINGS_OPEN = 8 /* longer lists of clocks are collapsed at first */
};

/* Write the last cell of a row: why a record precedes another. Only a partial order has it. */
#define STEPS_COLUMN "|name:by"
static void write_steps(const struct page *page, const csy_witness_edge *edge)
{
    char text[CSY_STEPS_TEXT_MAX];
    if (!page->sync->matched)
        return;
    outfile_add(page->out, "<td class=\"name\">");
    csy_steps_text(edge, text);
    html_text(page->out, csy_unescape(text), STEPS_SHOWN_MAX);
    outfile_add(page->out, "</td>");
}

#define WITNESS_COLUMNS "record|local time|name:before|record|local time|weight"

void page_witness(const struct page *page)
{
    const csy_witness *witness = &page->sync->witness;
    const char *why_none = text_no_witness(page->sync);
    char text[CSY_TIME_TEXT_MAX];
    page_heading(page, SECTION_WITNESS);
    if (witness->length == 0) {
        outfile_print(page->out, "<p id=\"witness\">%s</p>\n",
                      why_none ? why_none
                               : "There is no witness: no records require a larger delta.");
        return;
    }
    page_print(page,
               "<p>A cycle of %zu constraint%s, together %" PRId64
               " ticks, which needs a delta of at least %s if the rates are %s. In each row the "
               "first record comes before the second in the trace, so that the offset of the first "
               "thread exceeds that of the second by at most the weight.</p>\n",
               witness->length, text_plural(witness->length), witness->weight_ticks,
               page_time(page, witness->least_delta, text), text_rates(page->sync));
    page_table_begin(page, "witness",
                     page->sync->matched ? WITNESS_COLUMNS STEPS_COLUMN : WITNESS_COLUMNS);
    for (size_t i = 0; i < witness->length && i < EDGES_MAX; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        page_row(page, edge->s);
        page_print(page,
                   "<td>%" PRIu64 "</td><td>%" PRId64
                   "</td><td class=\"name\">{%zu}</td><td>%" PRIu64 "</td><td>%" PRId64
                   "</td><td>%" PRId64 "</td>",
                   edge->record_s, edge->time_s, edge->t, edge->record_t, edge->time_t,
                   edge->weight_ticks);
        write_steps(page, edge);
        outfile_add(page->out, "</tr>\n");
    }
    page_table_end(page);
    if (witness->length > EDGES_MAX)
        outfile_print(page->out, "<p>The first %d are shown; the JSON report has all.</p>\n",
                      EDGES_MAX);
}

/* Returns how many pairs get a list of limiting records. Each list needs a pass over the trace. */
static size_t nchains(const struct page *page)
{
    enum { CHAINS_MAX = 3, CHAINS_RECORDS_MAX = 1000000 };
    size_t most = page->sync->survey.records <= CHAINS_RECORDS_MAX ? CHAINS_MAX : 1;
    return page->widest.n < most ? page->widest.n : most;
}

/* Write the name of a thread as a link to its bar in the timeline. */
static void write_link(const struct page *page, size_t thread)
{
    outfile_print(page->out, "<a href=\"#life-%zu\">", thread);
    page_print(page, "{%zu}</a>", thread);
}

void page_widest(const struct page *page)
{
    const struct widest *widest = &page->widest;
    const struct thread *threads = page->sync->survey.threads.items;
    int64_t events = csy_sync_event_error(page->sync, 0);
    if (!page_has(page, SECTION_WIDEST))
        return;
    page_heading(page, SECTION_WIDEST);
    outfile_print(
        page->out, "<p id=\"widest-claim\">%s%s</p>\n",
        widest->certain
            ? "No other pair of threads has a wider bound"
            : "The widest pairs among the least certain threads; other pairs may be wider",
        page->lives.nbounded < page->lives.n ? " if both threads are bounded to the reference."
                                             : ".");
    page_table_begin(page, "widest",
                     "name:and|ticks|\u00b5s|first to reference|second to reference|why:why");
    for (size_t i = 0; i < widest->n; i++) {
        const struct wide_pair *pair = &widest->pairs[i];
        outfile_add(page->out, "<tr><th scope=\"row\">");
        write_link(page, pair->s);
        outfile_add(page->out, "</th><td class=\"name\">");
        write_link(page, pair->t);
        outfile_add(page->out, "</td>");
        page_cell_both(page, pair->error);
        page_cell_ticks(page, page->lives.items[pair->s].bound);
        page_cell_ticks(page, page->lives.items[pair->t].bound);
        outfile_add(page->out, "<td class=\"why\">");
        /* Compare the error with both bounds to the reference, without timestamp errors. */
        const struct thread *s = &threads[pair->s], *t = &threads[pair->t];
        int64_t of_s = page->lives.items[pair->s].bound - events;
        int64_t of_t = page->lives.items[pair->t].bound - events, error = pair->error - events;
        bool together = page->sync->partial ||
                        (s->first_record <= t->last_record && t->first_record <= s->last_record);
        if (error < of_s + of_t)
            page_print(page, "%" PRId64 " tighter than by way of ", of_s + of_t - error);
        else
            page_print(page, of_s && of_t ? "only by way of " : "directly to ");
        page_print(page, "{%zu}%s", page->sync->reference,
                   together ? "" : "; never active at the same time");
        if (of_s && of_t && (of_s >= 2 * of_t || of_t >= 2 * of_s))
            page_print(page, "; mostly {%zu}", of_s >= of_t ? pair->s : pair->t);
        if (i < nchains(page))
            outfile_print(page->out, "; <a href=\"#chain-%zu\">chain</a>", i + 1);
        outfile_add(page->out, "</td></tr>\n");
    }
    page_table_end(page);
}

#define CHAIN_COLUMNS "record|global time|name:before|record|global time|slack|\u00b5s"

/* Write a chain of records that limits how late one thread may be, relative to another. */
static void write_chain(const struct page *page, const csy_chain *chain)
{
    for (size_t i = 0; i < chain->length && i < CHAIN_EDGES_MAX; i++) {
        const csy_chain_edge *edge = &chain->edges[i];
        const csy_witness_edge *of = &edge->constraint;
        page_row(page, of->s);
        page_print(page,
                   "<td>%" PRIu64 "</td><td>%" PRId64
                   "</td><td class=\"name\">{%zu}</td><td>%" PRIu64 "</td><td>%" PRId64 "</td>",
                   of->record_s, edge->global_s, of->t, of->record_t, edge->global_t);
        page_cell_both(page, edge->slack_ticks);
        write_steps(page, of);
        outfile_add(page->out, "</tr>\n");
    }
    if (chain->length > CHAIN_EDGES_MAX)
        page_print(page, "<tr><td colspan=\"8\">and %zu more</td></tr>\n",
                   chain->length - CHAIN_EDGES_MAX);
}

csy_status page_chains(const struct page *page, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t n = nchains(page);
    if (n == 0)
        return CSY_OK;
    page_heading(page, SECTION_CHAINS);
    outfile_print(page->out,
                  "<p>The records between which the widest pairs are held: first those that keep "
                  "the first thread from being later, then those that keep it from being earlier. "
                  "The slack of a row is the time from the first record to the second%s; all slack "
                  "together is the error bound. Records that are nearer would make it narrower; "
                  "<code>cellsync --explain=A,B</code> says where, of any two threads.</p>\n",
                  page->sync->imprecision.added_ticks > 0 ? " and what is added for delta" : "");
    for (size_t i = 0; i < n && !status; i++) {
        const struct wide_pair *pair = &page->widest.pairs[i];
        csy_explanation *explanation;
        char id[48];
        status = csy_sync_explain(page->sync, pair->s, pair->t, &explanation, error);
        if (status)
            break;
        outfile_print(page->out, "<h3 id=\"chain-%zu\">", i + 1);
        page_print(page, "{%zu} and {%zu}: {=%" PRId64 "}</h3>\n", pair->s, pair->t,
                   pair->error - csy_sync_event_error(page->sync, 0));
        snprintf(id, sizeof id, "chain-%zu-records", i + 1);
        page_table_begin(page, id,
                         page->sync->matched ? CHAIN_COLUMNS STEPS_COLUMN : CHAIN_COLUMNS);
        write_chain(page, &explanation->upper);
        write_chain(page, &explanation->lower);
        page_table_end(page);
        csy_explanation_free(explanation);
    }
    return status;
}

void page_loosest(const struct page *page)
{
    int128 added = page->sync->imprecision.added_ticks;
    size_t tau = page->sync->reference;
    if (!page_has(page, SECTION_LOOSEST))
        return;
    page_heading(page, SECTION_LOOSEST);
    page_print(page,
               "<p>The clocks with the largest error against {%zu}, and the times, in ticks of "
               "global time, between their records and the nearest records of the reference.</p>\n",
               tau);
    page_table_begin(page, "loosest", "ticks|\u00b5s|records|nearest before|nearest after|why:why");
    for (size_t i = 0; i < page->course.nscouts; i++) {
        const struct precision_scout *scout = &page->course.scouts[i];
        const csy_thread *view = &page->sync->views[scout->thread];
        bool early = view->earliest_ticks == INT64_MIN, late = view->latest_ticks == INT64_MAX;
        int64_t bound = page->lives.items[scout->thread].bound;
        /* the bound if only the reference and this thread had records; it contains the timestamp
         * error four times, for two events at each end */
        int128 direct = (int128)scout->behind + scout->ahead + 4 * added;
        page_row(page, scout->thread);
        page_cell_both(page, bound);
        page_print(page, "<td>%" PRIu64 "</td>", view->records);
        page_cell_ticks(page, scout->behind);
        page_cell_ticks(page, scout->ahead);
        outfile_add(page->out, "<td class=\"why\">");
        if (early || late)
            page_print(page,
                       "no record of {%zu} is known to come before a record of {%zu}, not even "
                       "through other threads, so its time is unlimited on the %s side",
                       early ? tau : scout->thread, early ? scout->thread : tau,
                       early ? "early" : "late");
        else if (scout->behind == BOUND_NONE || scout->ahead == BOUND_NONE)
            page_print(page, "{%zu} has no record %s this thread", tau,
                       scout->behind == BOUND_NONE ? "before" : "after");
        else
            page_print(page, "{%zu} is %s", tau,
                       direct > bound ? "not as close in time as records of other threads"
                                      : "closest in time");
        if (!early && !late && view->records == 1)
            outfile_add(page->out, "; a single record limits both ends");
        else if (!early && !late)
            page_print(page, ", and has %" PRIu64 " record%s in between", scout->amid,
                       text_plural(scout->amid));
        outfile_add(page->out, "</td></tr>\n");
    }
    page_table_end(page);
}

/* List how far each clock is ahead of the reference (output/encode/difference.h). */
static void write_differences(const struct page *page)
{
    char text[DIFFERENCE_TEXT_MAX];
    size_t next = 0;
    const char *end = page->lives.n > READINGS_OPEN ? "</ul>\n</details>\n" : "</ul>\n";
    for (bool first = true; difference_next(page->sync, true, &next, text); first = false) {
        char *line_end = strchr(text, '\n');
        if (line_end)
            *line_end = ' ';
        if (first && page->lives.n > READINGS_OPEN)
            outfile_add(page->out, "<details><summary>Readings of the clocks</summary>\n");
        outfile_add(page->out, first ? "<ul id=\"readings\">\n<li>" : "<li>");
        html_text(page->out, text, SIZE_MAX);
        outfile_add(page->out, "</li>\n");
    }
    outfile_add(page->out, next > 0 ? end : "");
}

static void write_error(const struct page *page, bool bounded, csy_fine error)
{
    char text[CSY_TIME_TEXT_MAX];
    outfile_print(page->out, "<td>%s</td>", bounded ? page_fine_time(page, error, text) : "\u221e");
}

static void write_clocks(const struct page *page, size_t n)
{
    outfile_add(page->out, "<div class=\"wide\" tabindex=\"0\">");
    page_table_begin(page, "clocks",
                     "records|rate, ppm|error at first record|error at last record|mean error|"
                     "greatest error|at record");
    for (size_t t = 0; t < n; t++) {
        const csy_drift_clock *clock = &csy_sync_drift(page->sync)->clocks[t];
        char least[QUOTIENT_TEXT_MAX], greatest[QUOTIENT_TEXT_MAX];
        page_row(page, t);
        page_print(page, "<td>%" PRIu64 "</td><td>%s to %s</td>", page->sync->views[t].records,
                   text_ppm(clock->least_ppb, least), text_ppm(clock->greatest_ppb, greatest));
        write_error(page, clock->bounded,
                    fine_difference(clock->first.latest, clock->first.earliest));
        write_error(page, clock->bounded,
                    fine_difference(clock->last.latest, clock->last.earliest));
        write_error(page, clock->bounded, clock->mean_error);
        write_error(page, clock->bounded, clock->max_error);
        if (clock->bounded)
            page_print(page, "<td>%" PRIu64 "</td></tr>\n", clock->max_record);
        else
            outfile_add(page->out, "<td>\u2013</td></tr>\n");
    }
    page_table_end(page);
    outfile_add(page->out, "</div>\n<p class=\"rest\">Errors of the clocks, without those of "
                           "timestamps; the JSON report has the offsets.</p>\n");
}

void page_threads(const struct page *page)
{
    char columns[400];
    const char *ends = text_event_ends(page->sync);
    size_t n = page->lives.n < THREADS_MAX ? page->lives.n : THREADS_MAX;
    bool members = page_has(page, SECTION_MEMBERS);
    page_heading(page, SECTION_THREADS);
    if (n < page->lives.n)
        page_print(page, "<p>The first %zu of %zu; the JSON report has all.</p>\n", n,
                   page->lives.n);
    write_differences(page);
    if (page->sync->drift) {
        write_clocks(page, n);
        return;
    }
    snprintf(columns, sizeof columns, "records|offset|earliest%s|latest%s|%s|\u00b5s%s", ends, ends,
             text_error(page->sync->imprecision.added_ticks),
             members ? "|name:threads on this clock" : "");
    page_table_begin(page, "threads", columns);
    for (size_t t = 0; t < n; t++) {
        const csy_thread *view = &page->sync->views[t];
        int64_t earliest, latest;
        page_row(page, t);
        page_print(page, "<td>%" PRIu64 "</td><td>%" PRId64 "</td>", view->records,
                   view->offset_ticks);
        solution_event_ends(page->sync, view, &earliest, &latest);
        page_cell_ticks(page, earliest);
        page_cell_ticks(page, latest);
        page_cell_both(page, page->lives.items[t].bound);
        outfile_add(page->out, members ? "<td class=\"name\">" : "");
        for (size_t i = 0; members && i < view->nmembers && i < MEMBERS_MAX; i++) {
            outfile_add(page->out, i ? ", " : "");
            html_text(page->out, view->members[i], HTML_NAME_MAX);
        }
        if (members && view->nmembers > MEMBERS_MAX)
            page_print(page, ", and %zu more", view->nmembers - MEMBERS_MAX);
        outfile_add(page->out, members ? "</td></tr>\n" : "</tr>\n");
    }
    page_table_end(page);
}
