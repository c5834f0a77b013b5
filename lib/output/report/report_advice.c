/* The effect of more records on the bounds, in reports. */
#include "output/report/report_advice.h"

#include "base/error.h"
#include "base/number.h"
#include "output/encode/html.h"
#include "output/encode/json.h"
#include "output/encode/text.h"

#include <inttypes.h>
#include <string.h>

enum { LISTED_MAX = 10, SENTENCE_MAX = 2 * ERROR_ESCAPED_MAX + 240, COLUMNS = 20, LATE_MAX = 120 };

static const char *name_of(const struct csy_sync *sync, size_t t, char text[ERROR_ESCAPED_MAX])
{
    const char *name = sync->views[t].name;
    return error_escape(text, name, strlen(name));
}

/* The sentence that introduces the list. */
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
                 name_of(sync, sync->reference, tau));
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
                 name_of(sync, sync->reference, tau), advice->events * advice->events + 1, late);
    }
    return text;
}

/* Tell what a thread lacks that is not bounded on both sides, or how to improve its bound best. */
static const char *lack_words(const struct csy_sync *sync, const csy_advised *advised,
                              char text[SENTENCE_MAX])
{
    char tau[ERROR_ESCAPED_MAX], own[ERROR_ESCAPED_MAX];
    const char *what = sync->partial ? "message" : "record";
    name_of(sync, sync->reference, tau);
    name_of(sync, advised->thread, own);
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

/* Sum up the effect over all threads. */
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
             name_of(sync, sync->reference, tau), advice->max_ticks,
             quotient_text(mean_sum(advice->mean_ticks), (int128)advice->mean_ticks.pairs, mean),
             pair);
    return text;
}

static size_t listed(const csy_advice *advice)
{
    return advice->count < LISTED_MAX ? advice->count : LISTED_MAX;
}

static void write_text_row(const struct csy_sync *sync, const csy_advised *advised,
                           struct outfile *out)
{
    char text[SENTENCE_MAX], window[2 * TICKS_TEXT_MAX + 8] = "-", ticks[TICKS_TEXT_MAX];
    outfile_print(
        out, " %*s", COLUMNS,
        text_ticks(advised->error_ticks < 0 ? INT64_MAX : advised->error_ticks, "", "inf", ticks));
    if (advised->begin_ticks <= advised->end_ticks)
        snprintf(window, sizeof window, "%" PRId64 "..%" PRId64, advised->begin_ticks,
                 advised->end_ticks);
    outfile_print(out, " %*s", 2 * COLUMNS, window);
    if (advised->error_ticks < 0 || sync->partial) {
        outfile_print(out, "  %s\n", lack_words(sync, advised, text));
        return;
    }
    outfile_print(out, " %*" PRId64 " %*" PRId64, COLUMNS, advised->fine_ticks, COLUMNS,
                  advised->coarse_ticks);
    if (advised->room)
        outfile_print(out, " %*" PRId64 "\n", COLUMNS, advised->then_ticks);
    else
        outfile_print(out, " %*s\n", COLUMNS, "no room");
}

/* Write the drifting clocks that have no bounds, and the gaps of those that have. */
static void write_text_gaps(const struct csy_sync *sync, int columns, struct outfile *out)
{
    char text[SENTENCE_MAX], name[ERROR_ESCAPED_MAX];
    const csy_advice *advice = &sync->advice->view;
    outfile_print(out, "%-*s %*s %*s %*s %*s\n", columns, text_clock(sync), COLUMNS, "local from",
                  COLUMNS, "to", COLUMNS, "error in the gap", COLUMNS, "resulting error");
    for (size_t i = 0; i < advice->unbounded && i < LISTED_MAX; i++) {
        outfile_print_name(out, -columns, name_of(sync, advice->threads[i].thread, name));
        outfile_print(out, "  %s\n", lack_words(sync, &advice->threads[i], text));
    }
    for (size_t i = 0; i < advice->ngaps; i++) {
        const csy_advised_gap *gap = &advice->gaps[i];
        outfile_print_name(out, -columns, name_of(sync, gap->thread, name));
        outfile_print(out, " %*" PRId64 " %*" PRId64 " %*" PRId64 " %*" PRId64 "%s\n", COLUMNS,
                      gap->begin_local_ticks, COLUMNS, gap->end_local_ticks, COLUMNS,
                      gap->error_ticks, COLUMNS, gap->then_ticks,
                      gap->at_end ? "  after the last exchange" : "");
    }
}

void advice_text(const struct csy_sync *sync, int columns, struct outfile *out)
{
    char text[SENTENCE_MAX], tau[ERROR_ESCAPED_MAX];
    if (!sync->advice)
        return;
    const csy_advice *advice = &sync->advice->view;
    if (advice->count == 0) {
        outfile_print(out, "\nadvice      none: there is no other %s\n", text_clock(sync));
        return;
    }
    outfile_print(out, "\nadvice      %s\n", head_words(sync, text));
    if (sync->drift) {
        write_text_gaps(sync, columns, out);
        return;
    }
    outfile_print(out, "%-*s %*s %*s", columns, text_clock(sync), COLUMNS,
                  text_error(sync->imprecision.added_ticks), 2 * COLUMNS, "window");
    if (sync->partial)
        outfile_print(out, "  what is missing\n");
    else
        outfile_print(out, " %*s %*s %*s\n", COLUMNS, "own record every", COLUMNS,
                      "reference every", COLUMNS, "resulting error");
    for (size_t i = 0; i < listed(advice); i++) {
        outfile_print_name(out, -columns, name_of(sync, advice->threads[i].thread, tau));
        write_text_row(sync, &advice->threads[i], out);
    }
    if (*sum_words(sync, text))
        outfile_print(out, "%s\n", text);
}

static void write_json_thread(const struct csy_sync *sync, const csy_advised *advised,
                              struct outfile *out)
{
    char ticks[TICKS_TEXT_MAX];
    bool bounded = advised->error_ticks >= 0;
    outfile_print(out, "{\"name\": ");
    json_string(out, sync->views[advised->thread].name);
    outfile_print(out, ", \"error_ticks\": %s, \"after_reference\": %s, \"before_reference\": %s",
                  text_ticks(bounded ? advised->error_ticks : INT64_MAX, "", "null", ticks),
                  text_bool(advised->after_reference), text_bool(advised->before_reference));
    if (advised->begin_ticks <= advised->end_ticks)
        outfile_print(out, ", \"window_ticks\": [%" PRId64 ", %" PRId64 "]", advised->begin_ticks,
                      advised->end_ticks);
    else
        outfile_print(out, ", \"window_ticks\": null");
    if (bounded && !sync->partial && !sync->drift) {
        outfile_print(out, ", \"fine_ticks\": %" PRId64 ", \"coarse_ticks\": %" PRId64,
                      advised->fine_ticks, advised->coarse_ticks);
        if (advised->room)
            outfile_print(out,
                          ", \"thread_ticks\": %" PRId64 ", \"reference_ticks\": %" PRId64
                          ", \"then_ticks\": %" PRId64,
                          advised->thread_ticks, advised->reference_ticks, advised->then_ticks);
        else
            outfile_print(
                out, ", \"thread_ticks\": null, \"reference_ticks\": null, \"then_ticks\": null");
    }
    outfile_print(out, "}");
}

void advice_json(const struct csy_sync *sync, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX], max[TICKS_TEXT_MAX], pair[TICKS_TEXT_MAX];
    if (!sync->advice)
        return;
    const csy_advice *advice = &sync->advice->view;
    bool plans = !sync->partial && !sync->drift && advice->max_ticks >= 0;
    const char *mean =
        plans ? quotient_text(mean_sum(advice->mean_ticks), (int128)advice->mean_ticks.pairs, text)
              : "null";
    outfile_print(out,
                  "  \"advice\": {\"records\": %" PRIu64 ", \"late_ticks\": %" PRId64
                  ", \"unbounded_threads\": %zu",
                  advice->events, advice->late_ticks, advice->unbounded);
    outfile_print(
        out, ", \"max_ticks\": %s, \"mean_ticks\": %s, \"max_spe_ticks\": %s, \"threads\": [",
        text_ticks(plans ? advice->max_ticks : INT64_MAX, "", "null", max), mean,
        text_ticks(plans && advice->max_spe_ticks >= 0 ? advice->max_spe_ticks : INT64_MAX, "",
                   "null", pair));
    for (size_t i = 0; i < advice->count; i++) {
        outfile_print(out, i ? ",\n    " : "\n    ");
        write_json_thread(sync, &advice->threads[i], out);
    }
    outfile_print(out, "%s]", advice->count ? "\n  " : "");
    if (sync->drift) {
        outfile_print(out, ", \"gaps\": [");
        for (size_t i = 0; i < advice->ngaps; i++) {
            const csy_advised_gap *gap = &advice->gaps[i];
            outfile_print(out, "%s\n    {\"name\": ", i ? "," : "");
            json_string(out, sync->views[gap->thread].name);
            outfile_print(out,
                          ", \"local_ticks\": [%" PRId64 ", %" PRId64 "], \"at_end\": %s, "
                          "\"error_ticks\": %" PRId64 ", \"then_ticks\": %" PRId64 "}",
                          gap->begin_local_ticks, gap->end_local_ticks, text_bool(gap->at_end),
                          gap->error_ticks, gap->then_ticks);
        }
        outfile_print(out, "%s]", advice->ngaps ? "\n  " : "");
    }
    outfile_print(out, "},\n");
}

static void write_html_cell(struct outfile *out, int64_t ticks)
{
    char number[TICKS_TEXT_MAX], grouped[GROUPED_TEXT_MAX];
    outfile_print(out, "<td>%s</td>",
                  text_grouped(text_ticks(ticks, "", "no room", number), grouped, sizeof grouped));
}

static void write_html_row(const struct csy_sync *sync, const csy_advised *advised,
                           struct outfile *out)
{
    char text[SENTENCE_MAX];
    outfile_print(out, "<tr><th scope=\"row\">");
    html_text(out, sync->views[advised->thread].name, SENTENCE_MAX);
    outfile_print(out, "</th>");
    if (advised->error_ticks < 0)
        outfile_print(out, "<td>\u221e</td>");
    else
        write_html_cell(out, advised->error_ticks);
    if (advised->error_ticks < 0 || sync->partial) {
        outfile_print(out, "<td colspan=\"3\">");
        html_text(out, lack_words(sync, advised, text), SENTENCE_MAX);
        outfile_print(out, "</td></tr>\n");
        return;
    }
    write_html_cell(out, advised->fine_ticks);
    write_html_cell(out, advised->coarse_ticks);
    write_html_cell(out, advised->room ? advised->then_ticks : INT64_MAX);
    outfile_print(out, "</tr>\n");
}

void advice_html(const struct csy_sync *sync, struct outfile *out)
{
    char text[SENTENCE_MAX];
    if (!sync->advice)
        return;
    const csy_advice *advice = &sync->advice->view;
    if (advice->count == 0)
        return;
    outfile_print(out, "<section id=\"advice\">\n<h2>Advice</h2>\n<p>");
    html_text(out, head_words(sync, text), SENTENCE_MAX);
    if (sync->drift) {
        outfile_print(out, "; in ticks.</p>\n");
        outfile_print(out,
                      "<table class=\"booktabs\">\n<thead><tr><th scope=\"col\">%s</th><th "
                      "scope=\"col\">local from</th><th scope=\"col\">to</th><th "
                      "scope=\"col\">error at most</th><th scope=\"col\">error "
                      "then</th></tr></thead>\n<tbody>\n",
                      text_clock(sync));
        for (size_t i = 0; i < advice->ngaps; i++) {
            const csy_advised_gap *gap = &advice->gaps[i];
            outfile_print(out, "<tr><th scope=\"row\">");
            html_text(out, sync->views[gap->thread].name, SENTENCE_MAX);
            outfile_print(out, "</th>");
            write_html_cell(out, gap->begin_local_ticks);
            write_html_cell(out, gap->end_local_ticks);
            write_html_cell(out, gap->error_ticks);
            write_html_cell(out, gap->then_ticks);
            outfile_print(out, "</tr>\n");
        }
        outfile_print(out, "</tbody>\n</table>\n</section>\n");
        return;
    }
    outfile_print(out,
                  "; in ticks.</p>\n<table class=\"booktabs\">\n<thead><tr><th "
                  "scope=\"col\">%s</th><th scope=\"col\">%s</th><th scope=\"col\">its records "
                  "every</th><th scope=\"col\">the reference\u2019s every</th><th "
                  "scope=\"col\">error then</th></tr></thead>\n<tbody>\n",
                  text_clock(sync), text_error(sync->imprecision.added_ticks));
    for (size_t i = 0; i < listed(advice); i++)
        write_html_row(sync, &advice->threads[i], out);
    outfile_print(out, "</tbody>\n</table>\n");
    if (*sum_words(sync, text)) {
        outfile_print(out, "<p>Ticks ");
        html_text(out, text, SENTENCE_MAX);
        outfile_print(out, ".</p>\n");
    }
    outfile_print(out, "</section>\n");
}
