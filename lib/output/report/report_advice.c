/* Writes the part of reports about further records that would reduce the errors. */
#include "base/number.h"
#include "output/page/page.h"
#include "output/report/report.h"

#include <inttypes.h>

enum { LISTED_MAX = 10, SENTENCE_MAX = 2 * ERROR_ESCAPED_MAX + 240, COLUMNS = 20, LATE_MAX = 120 };

/* Write the sentence that introduces the list of threads. */
static const char *head_words(const struct csy_sync *sync, char text[SENTENCE_MAX])
{
    const csy_advice *advice = &sync->advice->view;
    char tau[ERROR_ESCAPED_MAX], late[LATE_MAX] = "";
    if (sync->drift) {
        snprintf(text, SENTENCE_MAX,
                 "%" PRIu64 " more exchange%s in each of the longest gaps, if each is as good as "
                 "the best exchange of the clock",
                 advice->events, text_plural(advice->events));
    } else if (sync->partial) {
        snprintf(text, SENTENCE_MAX,
                 "messages between a thread and %s, directly or through other threads",
                 report_name(sync, sync->reference, tau));
    } else {
        if (advice->late_ticks > 0)
            snprintf(late, LATE_MAX,
                     ", or to the %" PRId64
                     " tick%s by which a record may be late, if %s larger, plus twice %s",
                     advice->late_ticks, text_plural((uint64_t)advice->late_ticks),
                     advice->late_ticks == 1 ? "this is" : "these are",
                     advice->late_ticks == 1 ? "this" : "these");
        snprintf(text, SENTENCE_MAX,
                 "%" PRIu64 " more record%s of a thread and %" PRIu64
                 " more of %s reduce the error bound of the thread to at most 1/%" PRIu64 "%s",
                 advice->events, text_plural(advice->events), advice->events,
                 report_name(sync, sync->reference, tau), advice->events * advice->events + 1,
                 late);
    }
    return text;
}

/* Write what a thread without bounds lacks, or what limits the error of a thread with bounds. */
static const char *lack_words(const struct csy_sync *sync, const csy_advised *advised,
                              char text[SENTENCE_MAX])
{
    char tau[ERROR_ESCAPED_MAX], own[ERROR_ESCAPED_MAX];
    const char *what = sync->partial ? "message" : "record";
    report_name(sync, sync->reference, tau);
    report_name(sync, advised->thread, own);
    if (advised->after_reference && advised->before_reference)
        snprintf(text, SENTENCE_MAX,
                 "a round trip limits the error to its duration minus two latencies");
    else if (!advised->after_reference && !advised->before_reference)
        snprintf(text, SENTENCE_MAX, "no %s from %s to %s, and none back", what, own, tau);
    else if (sync->partial)
        snprintf(text, SENTENCE_MAX, "no message from %s to %s",
                 advised->before_reference ? tau : own, advised->before_reference ? own : tau);
    else
        snprintf(text, SENTENCE_MAX, "no record of %s is %s a record of this thread", tau,
                 advised->before_reference ? "before" : "after");
    return text;
}

/* Write the errors to expect if every thread gets the further records, or "" if unknown. */
static const char *sum_words(const struct csy_sync *sync, char text[SENTENCE_MAX])
{
    const csy_advice *advice = &sync->advice->view;
    char mean[QUOTIENT_TEXT_MAX], pair[64] = "";
    if (sync->partial || sync->drift || advice->max_ticks < 0) {
        text[0] = '\0';
        return text;
    }
    char tau[ERROR_ESCAPED_MAX];
    if (advice->max_spe_ticks >= 0)
        snprintf(pair, sizeof pair, "; between two other threads at most %" PRId64,
                 advice->max_spe_ticks);
    snprintf(text, SENTENCE_MAX,
             "error if every thread has these records: to %s at most %" PRId64 ", mean %s%s",
             report_name(sync, sync->reference, tau), advice->max_ticks,
             quotient_text(mean_sum(advice->mean_ticks), (int128)advice->mean_ticks.pairs, mean),
             pair);
    return text;
}

static size_t listed(const csy_advice *advice)
{
    return advice->count < LISTED_MAX ? advice->count : LISTED_MAX;
}

void advice_text(const struct csy_sync *sync, int columns, struct outfile *out)
{
    char text[SENTENCE_MAX], name[ERROR_ESCAPED_MAX], ticks[TICKS_TEXT_MAX];
    if (!sync->advice)
        return;
    const csy_advice *advice = &sync->advice->view;
    if (advice->count == 0) {
        outfile_print(out, "\nadvice      none: there is no other %s\n", text_clock(sync));
        return;
    }
    outfile_print(out, "\nadvice      %s\n", head_words(sync, text));
    if (sync->drift) {
        /* List clocks without bounds. For other clocks, list the longest gaps between exchanges. */
        outfile_print(out, "%-*s %*s %*s %*s %*s\n", columns, text_clock(sync), COLUMNS,
                      "local from", COLUMNS, "to", COLUMNS, "error in the gap", COLUMNS,
                      "resulting error");
        for (size_t i = 0; i < advice->unbounded && i < LISTED_MAX; i++) {
            outfile_print_name(out, -columns, report_name(sync, advice->threads[i].thread, name));
            outfile_print(out, "  %s\n", lack_words(sync, &advice->threads[i], text));
        }
        for (size_t i = 0; i < advice->ngaps; i++) {
            const csy_advised_gap *gap = &advice->gaps[i];
            outfile_print_name(out, -columns, report_name(sync, gap->thread, name));
            outfile_print(out, " %*" PRId64 " %*" PRId64 " %*" PRId64 " %*" PRId64 "%s\n", COLUMNS,
                          gap->begin_local_ticks, COLUMNS, gap->end_local_ticks, COLUMNS,
                          gap->error_ticks, COLUMNS, gap->then_ticks,
                          gap->at_end ? "  after the last exchange" : "");
        }
        return;
    }
    outfile_print(out, "%-*s %*s %*s", columns, text_clock(sync), COLUMNS,
                  text_error(sync->imprecision.added_ticks), 2 * COLUMNS, "window");
    if (sync->partial)
        outfile_add(out, "  what is missing\n");
    else
        outfile_print(out, " %*s %*s %*s\n", COLUMNS, "own record every", COLUMNS,
                      "reference every", COLUMNS, "resulting error");
    for (size_t i = 0; i < listed(advice); i++) {
        const csy_advised *advised = &advice->threads[i];
        char window[2 * TICKS_TEXT_MAX + 8] = "-";
        bool bounded = advised->error_ticks >= 0;
        if (advised->begin_ticks <= advised->end_ticks)
            snprintf(window, sizeof window, "%" PRId64 "..%" PRId64, advised->begin_ticks,
                     advised->end_ticks);
        outfile_print_name(out, -columns, report_name(sync, advised->thread, name));
        outfile_print(out, " %*s %*s", COLUMNS, text_bound(advised->error_ticks, ticks),
                      2 * COLUMNS, window);
        if (!bounded || sync->partial)
            outfile_print(out, "  %s\n", lack_words(sync, advised, text));
        else
            outfile_print(
                out, " %*" PRId64 " %*" PRId64 " %*s\n", COLUMNS, advised->fine_ticks, COLUMNS,
                advised->coarse_ticks, COLUMNS,
                text_ticks(advised->room ? advised->then_ticks : INT64_MAX, "", "no room", ticks));
    }
    if (*sum_words(sync, text))
        outfile_print(out, "%s\n", text);
}

void advice_json(const struct csy_sync *sync, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    if (!sync->advice)
        return;
    const csy_advice *advice = &sync->advice->view;
    bool plans = !sync->partial && !sync->drift && advice->max_ticks >= 0;
    outfile_print(out,
                  "  \"advice\": {\"records\": %" PRIu64 ", \"late_ticks\": %" PRId64
                  ", \"unbounded_threads\": %zu",
                  advice->events, advice->late_ticks, advice->unbounded);
    put_ticks(out, "max_ticks", plans ? advice->max_ticks : INT64_MAX);
    outfile_print(
        out, ", \"mean_ticks\": %s",
        plans ? quotient_text(mean_sum(advice->mean_ticks), (int128)advice->mean_ticks.pairs, text)
              : "null");
    put_ticks(out, "max_spe_ticks",
              plans && advice->max_spe_ticks >= 0 ? advice->max_spe_ticks : INT64_MAX);
    outfile_add(out, ", \"threads\": [");
    for (size_t i = 0; i < advice->count; i++) {
        outfile_add(out, i ? ",\n    " : "\n    ");
        const csy_advised *advised = &advice->threads[i];
        bool bounded = advised->error_ticks >= 0;
        put_string(out, "{\"name\": ", sync->views[advised->thread].name);
        put_error(out, "error_ticks", advised->error_ticks);
        outfile_print(out, ", \"after_reference\": %s, \"before_reference\": %s",
                      text_bool(advised->after_reference), text_bool(advised->before_reference));
        if (advised->begin_ticks <= advised->end_ticks)
            outfile_print(out, ", \"window_ticks\": [%" PRId64 ", %" PRId64 "]",
                          advised->begin_ticks, advised->end_ticks);
        else
            outfile_add(out, ", \"window_ticks\": null");
        if (bounded && !sync->partial && !sync->drift) {
            bool room = advised->room;
            put_ticks(out, "fine_ticks", advised->fine_ticks);
            put_ticks(out, "coarse_ticks", advised->coarse_ticks);
            put_ticks(out, "thread_ticks", room ? advised->thread_ticks : INT64_MAX);
            put_ticks(out, "reference_ticks", room ? advised->reference_ticks : INT64_MAX);
            put_ticks(out, "then_ticks", room ? advised->then_ticks : INT64_MAX);
        }
        outfile_add(out, "}");
    }
    outfile_add(out, advice->count ? "\n  ]" : "]");
    if (sync->drift) {
        outfile_add(out, ", \"gaps\": [");
        for (size_t i = 0; i < advice->ngaps; i++) {
            const csy_advised_gap *gap = &advice->gaps[i];
            put_string(
                out, i ? ",\n    {\"name\": " : "\n    {\"name\": ", sync->views[gap->thread].name);
            outfile_print(out,
                          ", \"local_ticks\": [%" PRId64 ", %" PRId64 "], \"at_end\": %s, "
                          "\"error_ticks\": %" PRId64 ", \"then_ticks\": %" PRId64 "}",
                          gap->begin_local_ticks, gap->end_local_ticks, text_bool(gap->at_end),
                          gap->error_ticks, gap->then_ticks);
        }
        outfile_add(out, advice->ngaps ? "\n  ]" : "]");
    }
    outfile_add(out, "},\n");
}

void advice_html(const struct page *page)
{
    const struct csy_sync *sync = page->sync;
    struct outfile *out = page->out;
    char text[SENTENCE_MAX];
    if (!sync->advice || sync->advice->view.count == 0)
        return;
    const csy_advice *advice = &sync->advice->view;
    outfile_add(out, "<section id=\"advice\">\n<h2>Advice</h2>\n<p>");
    html_text(out, head_words(sync, text), SENTENCE_MAX);
    outfile_add(out, "; in ticks.</p>\n");
    snprintf(text, sizeof text, "%s|own record every|reference every|resulting error",
             text_error(sync->imprecision.added_ticks));
    page_table_begin(page, "advised",
                     sync->drift ? "local from|to|error in the gap|resulting error" : text);
    for (size_t i = 0; sync->drift && i < advice->ngaps; i++) {
        const csy_advised_gap *gap = &advice->gaps[i];
        page_row(page, gap->thread);
        page_cell_ticks(page, gap->begin_local_ticks);
        page_cell_ticks(page, gap->end_local_ticks);
        page_cell_ticks(page, gap->error_ticks);
        page_cell_ticks(page, gap->then_ticks);
        outfile_add(out, "</tr>\n");
    }
    for (size_t i = 0; !sync->drift && i < listed(advice); i++) {
        const csy_advised *advised = &advice->threads[i];
        bool bounded = advised->error_ticks >= 0;
        page_row(page, advised->thread);
        page_cell_ticks(page, bounded ? advised->error_ticks : INT64_MAX);
        if (!bounded || sync->partial) {
            outfile_add(out, "<td colspan=\"3\">");
            html_text(out, lack_words(sync, advised, text), SENTENCE_MAX);
            outfile_add(out, "</td></tr>\n");
            continue;
        }
        page_cell_ticks(page, advised->fine_ticks);
        page_cell_ticks(page, advised->coarse_ticks);
        if (advised->room)
            page_cell_ticks(page, advised->then_ticks);
        outfile_add(out, advised->room ? "</tr>\n" : "<td>no room</td></tr>\n");
    }
    page_table_end(page);
    if (*sum_words(sync, text)) {
        outfile_add(out, "<p>Ticks ");
        html_text(out, text, SENTENCE_MAX);
        outfile_add(out, ".</p>\n");
    }
    outfile_add(out, "</section>\n");
}
