/* The HTML report: the records that determine the widths of the widest pairs. */
#include "output/page/page.h"

#include <inttypes.h>

enum { CHAIN_EDGES_MAX = 20 };

size_t page_nchains(const struct page *page)
{
    size_t most = page->sync->survey.records <= CHAINS_RECORDS_MAX ? CHAINS_MAX : 1;
    return page->widest.n < most ? page->widest.n : most;
}

/* Write the chain that determines how late the first thread may be relative to the second. */
static void write_chain(const struct page *page, const csy_chain *chain)
{
    for (size_t i = 0; i < chain->length && i < CHAIN_EDGES_MAX; i++) {
        const csy_chain_edge *edge = &chain->edges[i];
        const csy_witness_edge *of = &edge->constraint;
        outfile_print(page->out, "<tr><th scope=\"row\">");
        page_name(page, of->s);
        page_print(page, "</th><td>%" PRIu64 "</td><td>%" PRId64 "</td><td class=\"name\">",
                   of->record_s, edge->global_s);
        page_name(page, of->t);
        page_print(page, "</td><td>%" PRIu64 "</td><td>%" PRId64 "</td>", of->record_t,
                   edge->global_t);
        page_cell_both(page, edge->slack_ticks);
        page_steps(page, of);
        outfile_print(page->out, "</tr>\n");
    }
    if (chain->length > CHAIN_EDGES_MAX)
        page_print(page, "<tr><td colspan=\"8\">and %zu more</td></tr>\n",
                   chain->length - CHAIN_EDGES_MAX);
}

static csy_status write_pair(const struct page *page, size_t i, csy_error *error)
{
    const struct wide_pair *pair = &page->widest.pairs[i];
    csy_explanation *explanation;
    csy_status status = csy_sync_explain(page->sync, pair->s, pair->t, &explanation, error);
    if (status)
        return status;
    outfile_print(page->out, "<h3 id=\"chain-%zu\">", i + 1);
    page_name(page, pair->s);
    outfile_print(page->out, " and ");
    page_name(page, pair->t);
    outfile_print(page->out, ": ");
    page_ticks(page, pair->error - csy_sync_event_error(page->sync, 0));
    outfile_print(page->out,
                  "</h3>\n<table id=\"chain-%zu-records\" class=\"booktabs\">\n<thead><tr>"
                  "<th scope=\"col\">%s</th><th scope=\"col\">record</th><th scope=\"col\">"
                  "global time</th><th scope=\"col\" class=\"name\">before</th><th scope=\"col\">"
                  "record</th><th scope=\"col\">global time</th><th scope=\"col\">slack</th>"
                  "<th scope=\"col\">\u00b5s</th>%s</tr></thead>\n<tbody>\n",
                  i + 1, text_clock(page->sync), page->sync->matched ? STEPS_COLUMN : "");
    write_chain(page, &explanation->upper);
    write_chain(page, &explanation->lower);
    outfile_print(page->out, "</tbody>\n</table>\n");
    csy_explanation_free(explanation);
    return CSY_OK;
}

csy_status page_chains(const struct page *page, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t n = page_nchains(page);
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
    for (size_t i = 0; i < n && !status; i++)
        status = write_pair(page, i, error);
    return status;
}
