/* The HTML report: the verdict, the input, and the row of Table 1. */
#include "output/encode/caveats.h"
#include "output/page/page.h"

#include <inttypes.h>
#include <string.h>

enum { NAMED_MAX = 4 };

static void say_precision(const struct page *page)
{
    const csy_summary *summary = &page->sync->summary;
    struct outfile *out = page->out;
    bool events = page->sync->imprecision.added_ticks > 0;
    if (summary->pairs == 0)
        outfile_print(out, "There is one clock only, and nothing to synchronize");
    else if (summary->uncomputed_steps > 0)
        page_print(page,
                   "How well the %zu clocks are known against one another is not computed over all "
                   "pairs",
                   page->lives.n);
    else if (summary->bounded == 0)
        page_print(page, "No two of the %zu clocks are bounded against each other on both sides",
                   page->lives.n);
    else if (summary->bounded == summary->pairs)
        page_print(page,
                   events ? "The time between any two events of the %zu clocks is off by "
                            "at most "
                          : "Any two of the %zu clocks are known against each other to "
                            "within ",
                   page->lives.n);
    else
        page_print(page,
                   events ? "For %" PRIu64 " of %" PRIu64 " pairs of clocks the time between two "
                            "events is off by at most "
                          : "%" PRIu64 " of %" PRIu64 " pairs of clocks are known to within ",
                   summary->bounded, summary->pairs);
    if (summary->bounded > 0) {
        outfile_print(out, "<strong>");
        page_ticks(page, summary->max_event_error_ticks);
        outfile_print(out, "</strong>");
    }
}

/* Name the records of the witness: "record 281 of ppe at 15, before its record 282 at 8". */
static void say_records(const struct page *page)
{
    const csy_witness *witness = &page->sync->witness;
    for (size_t i = 0; i < witness->length && i < NAMED_MAX; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        page_print(page, "%srecord %" PRIu64 " of ", i ? "; " : "", edge->record_s);
        page_name(page, edge->s);
        page_print(page, " at %" PRId64 " comes before record %" PRIu64 " of ", edge->time_s,
                   edge->record_t);
        page_name(page, edge->t);
        page_print(page, " at %" PRId64, edge->time_t);
    }
    if (witness->length > NAMED_MAX)
        page_print(page, "; and %zu more", witness->length - NAMED_MAX);
}

static void say_delta(const struct page *page)
{
    static const char *const source[] = {"the least that explains the order",
                                         "what the paper\u2019s relaxation came to",
                                         "nothing else was allowed", "as was given"};
    char text[CSY_TIME_TEXT_MAX];
    const csy_imprecision *imprecision = &page->sync->imprecision;
    struct outfile *out = page->out;
    if (imprecision->delta.num == 0) {
        outfile_print(out,
                      ", provided that timestamps are exact (delta 0, which order and clocks do "
                      "not contradict)");
        return;
    }
    outfile_print(out, ", provided that every timestamp is good to \u00b1%s (delta, %s",
                  page_time(page, imprecision->delta, text), source[imprecision->relax]);
    if (page->sync->witness.length > 0) {
        outfile_print(out, ": ");
        say_records(page);
    }
    outfile_print(out, ")");
}

static void list_conditions(const struct page *page)
{
    size_t n = 0;
    for (struct caveats p = caveats_of(page->sync, NULL); caveats_next(&p);)
        if (p.condition) {
            outfile_print(page->out, "%s<li>",
                          n++ > 0 ? "" : "<p>The bounds hold if</p>\n<ul id=\"conditions\">\n");
            html_text(page->out, p.text, SIZE_MAX);
            outfile_print(page->out, "</li>\n");
        }
    outfile_print(page->out, "%s", n > 0 ? "</ul>\n" : "");
}

void page_warnings(const struct page *page)
{
    char premise[CSY_WARNING_TEXT_MAX];
    if (csy_sync_premise(page->sync, premise)) {
        outfile_print(page->out, "<p id=\"premise\"><strong>Premise:</strong> ");
        html_text(page->out, premise, SIZE_MAX);
        outfile_print(page->out, ".</p>\n");
    }
    for (struct caveats p = caveats_of(page->sync, NULL); caveats_next(&p) && !p.condition;) {
        bool delta = strcmp(p.key, "delta") == 0;
        outfile_print(page->out, "<p id=\"%s%swarning\"><strong>Warning:</strong> ",
                      delta ? "" : p.key, delta ? "" : "-");
        html_text(page->out, p.text, SIZE_MAX);
        outfile_print(page->out, "%s%s.</p>\n", p.see ? "; see " : "", p.see ? p.see_html : "");
    }
    list_conditions(page);
}

static void say_unbounded(const struct page *page)
{
    const struct spans *lives = &page->lives;
    size_t n = lives->n - lives->nbounded;
    if (n == 0)
        return;
    page_print(page, "; %zu %s%s not bounded to ", n, text_clock(page->sync),
               n == 1 ? " is" : "s are");
    page_name(page, page->sync->reference);
    for (size_t i = 0; i < n && i < NAMED_MAX; i++) {
        outfile_print(page->out, "%s", i ? ", " : " on both sides (");
        page_name(page, lives->order[lives->nbounded + i]);
    }
    outfile_print(page->out, "%s", n > NAMED_MAX ? ", \u2026)" : ")");
}

/* Tell, from neighbouring records, how synchronization changes the order. */
static void say_order(const struct page *page)
{
    const csy_order *order = &page->sync->order;
    char text[CSY_TIME_TEXT_MAX];
    outfile_print(page->out, "<p id=\"order\">By the threads\u2019 own clocks, each set when it is "
                             "first read, ");
    page_print(page, "%" PRIu64, order->before.wrong);
    outfile_print(page->out, " of ");
    page_print(page, "%" PRIu64, order->neighbours);
    outfile_print(page->out, " pair%s of neighbouring records of two threads %s in the wrong order",
                  text_plural(order->neighbours), order->before.wrong == 1 ? "is" : "are");
    if (order->before.wrong)
        outfile_print(page->out, ", by up to <strong>%s</strong>",
                      page_whole_time(page, order->before.largest_ticks, text));
    outfile_print(page->out, "; in global time, ");
    if (order->after.wrong)
        page_print(page, "%" PRIu64, order->after.wrong);
    else
        outfile_print(page->out, "<strong>none</strong>");
    if (order->after.wrong)
        outfile_print(page->out, ", by up to %s",
                      page_whole_time(page, order->after.largest_ticks, text));
    outfile_print(page->out, ".</p>\n");
}

static void say_count(const struct page *page, uint64_t n, const char *what)
{
    if (n == 0)
        return;
    outfile_print(page->out, ", ");
    page_print(page, "%" PRIu64, n);
    outfile_print(page->out, " %s%s", what, text_plural(n));
}

/* Describe a partial order and the ends without a partner. */
static void say_matched(const struct page *page)
{
    const csy_matched *matched = page->sync->matched;
    outfile_print(page->out, "<p id=\"order\">The order is partial: ");
    page_print(page, "%" PRIu64, matched->locations);
    outfile_print(page->out, " location%s", text_plural(matched->locations));
    say_count(page, matched->messages, "message");
    say_count(page, matched->groups, "group");
    say_count(page, matched->posts, "post");
    say_count(page, matched->handovers, "hand-over");
    say_count(page, matched->spawns, "spawn");
    say_count(page, matched->joins, "join");
    say_count(page, matched->afters, "named record");
    say_count(page, matched->buffers, "buffer");
    say_count(page, matched->blocks, "block");
    for (size_t i = 0; i < matched->nunused; i++) {
        const csy_unused *unused = &matched->unused[i];
        outfile_print(page->out, "%s ", i ? "," : ". Left out:");
        page_print(page, "%" PRIu64, unused->count);
        outfile_print(page->out, " %s%s (%s)", text_end(unused->end), text_plural(unused->count),
                      text_left_out(unused->why));
    }
    outfile_print(page->out, ".</p>\n");
}

static void say_backward(const struct page *page, const char *by, const csy_backward *backward)
{
    char text[CSY_TIME_TEXT_MAX];
    if (!backward->known)
        return;
    outfile_print(page->out, "%s ", by);
    page_print(page, "%" PRIu64, backward->count);
    if (backward->count > 0)
        outfile_print(page->out, ", by up to %s",
                      page_whole_time(page, backward->largest_ticks, text));
}

void page_violations(const struct page *page)
{
    const csy_violations *violations = page->sync->violations;
    if (!violations)
        return;
    page_print(page,
               "<p id=\"violations\">Of %" PRIu64 " message%s, received before they were sent",
               violations->messages, text_plural(violations->messages));
    say_backward(page, ": by raw timestamps", &violations->raw);
    say_backward(page, "; by the tracer\u2019s own offsets", &violations->tracer);
    say_backward(page, violations->raw.known ? "; by global times" : ": by global times",
                 &violations->ours);
    outfile_print(page->out, ".</p>\n");
}

void page_verdict(const struct page *page)
{
    uint64_t assumed = page->sync->survey.clock_report.assumed;
    outfile_print(page->out, "<p id=\"verdict\">");
    say_precision(page);
    say_delta(page);
    if (assumed > 0)
        outfile_print(page->out, ", if %" PRIu64 " assumed number%s of wraps %s right", assumed,
                      assumed == 1 ? "" : "s", assumed == 1 ? "is" : "are");
    /* Bounds depend on the order of lines, even if delta is 0. */
    if (page->sync->summary.bounded > 0 &&
        page->sync->diagnosis->view.kind == CSY_DIAGNOSIS_NOT_INTERLEAVED)
        outfile_print(page->out, ", only if the order of the records is that of writing, which the "
                                 "<a href=\"#diagnosis\">diagnosis</a> doubts");
    say_unbounded(page);
    outfile_print(page->out, ".</p>\n");
    page_warnings(page);
    if (page->sync->matched)
        say_matched(page);
    else
        say_order(page);
    page_violations(page);
}

void page_next(const struct page *page)
{
    outfile_print(page->out, "<p id=\"next\"><strong>Next:</strong> to see the events in global "
                             "time, pass <code>-o synced.pftrace</code>, and open this file in "
                             "Perfetto.</p>\n");
}

static void item(const struct page *page, const char *label)
{
    outfile_print(page->out, "<dt>%s</dt><dd>", label);
}

static void end_item(const struct page *page)
{
    outfile_print(page->out, "</dd>\n");
}

static void read_trace(const struct page *page)
{
    const csy_clock_report *clock = &page->sync->survey.clock_report;
    struct outfile *out = page->out;
    const char *machine = csy_trace_machine(page->trace);
    size_t n = page->lives.n, spe = n - (page->sync->survey.threads.ppe != NO_THREAD);
    item(page, "Trace");
    html_text(out, page->trace->name, HTML_PATH_MAX);
    end_item(page);
    item(page, "Clock");
    html_text(out, machine, HTML_PATH_MAX);
    page_print(page, "%s%" PRIu64 " Hz%s", *machine ? ", " : "", page->trace->timebase_hz,
               page->trace->timebase_assumed ? " (assumed)" : "");
    end_item(page);
    item(page, "Records");
    page_print(page, "%" PRIu64, page->sync->survey.records);
    end_item(page);
    item(page, "Threads");
    if (page->sync->survey.threads.ntracks > n)
        page_print(page, "%zu on ", page->sync->survey.threads.ntracks);
    page_print(page, "%zu", n);
    if (page->sync->survey.threads.ntracks > n)
        page_print(page, " clock%s", text_plural(n));
    if (page->sync->survey.threads.ntracks == 0)
        page_print(page, ": %s%zu live interval%s of %zu SPE context%s", spe < n ? "the PPE, " : "",
                   spe, text_plural(spe), clock->contexts, text_plural(clock->contexts));
    end_item(page);
}

static void read_choices(const struct page *page)
{
    char text[FRACTION_TEXT_MAX], delta[CSY_TIME_TEXT_MAX];
    const csy_imprecision *imprecision = &page->sync->imprecision;
    item(page, "Reference");
    page_name(page, page->sync->reference);
    outfile_print(page->out, ", alpha %s%s", fraction_text(page->sync->alpha, text),
                  page->sync->center == CSY_CENTER_LOCAL ? ", then moved locally" : "");
    end_item(page);
    item(page, "Delta");
    outfile_print(page->out, "%s (%s)", page_time(page, imprecision->delta, delta),
                  text_delta(page->sync));
    if (imprecision->added_ticks > 0)
        page_print(page, ", %" PRId64 " tick%s added to each constraint", imprecision->added_ticks,
                   text_plural((uint64_t)imprecision->added_ticks));
    end_item(page);
    item(page, "Inversions");
    page_print(page, "%" PRIu64, imprecision->inversions);
    if (imprecision->inversions > 0)
        page_print(page, ", the largest %" PRId64 " ticks", imprecision->largest_inversion_ticks);
    end_item(page);
}

void page_read(const struct page *page)
{
    const csy_clock_report *clock = &page->sync->survey.clock_report;
    const csy_damage *damage = csy_sync_damage(page->sync);
    page_heading(page, SECTION_READ);
    outfile_print(page->out, "<dl>\n");
    read_trace(page);
    if (page->sync->survey.threads.ntracks == 0) {
        item(page, "Unwrapping");
        page_print(page, "%" PRId64 " wrap%s, %" PRIu64 " split%s, %" PRIu64 " gap%s assumed",
                   clock->wraps, text_plural((uint64_t)clock->wraps), clock->splits,
                   text_plural(clock->splits), clock->assumed, text_plural(clock->assumed));
        end_item(page);
        item(page, "Switches");
        page_print(page, "%" PRIu64 " OUT lost, %" PRIu64 " IN lost, %" PRIu64 " straggler%s",
                   clock->lost_outs, clock->lost_ins, clock->stragglers,
                   text_plural(clock->stragglers));
        end_item(page);
    }
    read_choices(page);
    if (damage) { /* how global times change distances within threads */
        item(page, "Damage");
        page_print(page, "%" PRIu64 " of %" PRIu64 " distances in a thread", damage->damaged,
                   damage->mean.pairs);
        end_item(page);
    }
    outfile_print(page->out, "</dl>\n");
}

static void write_figure(const struct page *page, const char *id, const char *label,
                         const char *ticks, int128 num, int128 den, uint64_t pairs)
{
    char text[QUOTIENT_TEXT_MAX] = "\u2013";
    if (den)
        microseconds_text(num, den * (int128)page->trace->timebase_hz, text);
    page_print(page,
               "<tr id=\"%s\"><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%" PRIu64
               "</td></tr>\n",
               id, label, den ? ticks : "\u2013", text, pairs);
}

static void write_max(const struct page *page, const char *id, const char *label, int64_t ticks,
                      uint64_t pairs)
{
    char text[TICKS_TEXT_MAX];
    write_figure(page, id, label, text_ticks(ticks, "", "", text), ticks, ticks < 0 ? 0 : 1, pairs);
}

static void write_mean(const struct page *page, const char *id, const char *label, csy_mean mean)
{
    char text[QUOTIENT_TEXT_MAX] = "";
    if (mean.pairs)
        quotient_text(mean_sum(mean), (int128)mean.pairs, text);
    write_figure(page, id, label, text, mean_sum(mean), (int128)mean.pairs, mean.pairs);
}

void page_table(const struct page *page)
{
    const csy_summary *summary = &page->sync->summary;
    bool events = page->sync->imprecision.added_ticks > 0;
    page_heading(page, SECTION_BOUNDS);
    if (summary->uncomputed_steps > 0) {
        char text[UNCOMPUTED_TEXT_MAX];
        page_print(page, "<p>The %s.</p>\n", text_uncomputed(summary, text));
        return;
    }
    outfile_print(page->out, "<table class=\"booktabs\">\n<caption>");
    if (events)
        outfile_print(
            page->out,
            "How far the time between two events of two threads can be off at most, an "
            "upper limit that is not always attained; the clock error leaves out the errors "
            "of the timestamps");
    else
        outfile_print(page->out, "The width of the range of offsets that the order of the records "
                                 "allows");
    page_print(page,
               ", over %" PRIu64 " of %" PRIu64
               " pairs of %ss%s. What it is for: %s; %s.</caption>\n",
               summary->bounded, summary->pairs, text_clock(page->sync),
               summary->bounded < summary->pairs ? "; the others are unbounded" : "", text_latency,
               text_order);
    outfile_print(page->out, "<thead><tr><th scope=\"col\">Statistic</th><th scope=\"col\">ticks"
                             "</th><th scope=\"col\">\u00b5s</th><th scope=\"col\">pairs</th></tr>"
                             "</thead>\n<tbody>\n");
    write_max(page, "max-error", "max error", summary->max_event_error_ticks, summary->bounded);
    if (text_of_cell(page->sync)) {
        write_max(page, "max-error-spe", "max error SPEs", summary->max_event_error_spe_ticks,
                  summary->error_spe.pairs);
        write_mean(page, "mean-error-ppe", "mean error SPE\u2013PPE", summary->event_error_ppe);
        write_mean(page, "mean-error-spe", "mean error SPE\u2013SPE", summary->event_error_spe);
    } else {
        write_mean(page, "mean-error", "mean error", summary->event_error_spe);
    }
    if (page->sync->matched) {
        write_mean(page, "mean-met", "mean of pairs met", summary->met.event_mean);
    } else {
        write_mean(page, "mean-live", "mean live together", summary->live.event_mean);
        write_mean(page, "mean-successive", "mean successive", summary->successive.event_mean);
    }
    if (events)
        write_max(page, "max-clock-error", "max clock error", summary->max_error_ticks,
                  summary->bounded);
    outfile_print(page->out, "</tbody>\n</table>\n");
}
