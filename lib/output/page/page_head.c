/* Writes the begin of the HTML report: verdict, input, and errors as in Table 1 of [BHH08]. */
#include "output/encode/caveats.h"
#include "output/page/page.h"

#include <inttypes.h>
#include <string.h>

enum { NAMED_MAX = 4 };

static void say_delta(const struct page *page)
{
    static const char *const source[] = {"the smallest value that explains the order",
                                         "the result of the paper\u2019s relaxation",
                                         "no larger value was allowed", "as given"};
    char text[CSY_TIME_TEXT_MAX];
    const csy_imprecision *imprecision = &page->sync->imprecision;
    const csy_witness *witness = &page->sync->witness;
    struct outfile *out = page->out;
    if (imprecision->delta.num == 0) {
        outfile_add(out, ", provided that timestamps are exact (delta 0, which the order of "
                         "events does not contradict)");
        return;
    }
    outfile_print(out, ", provided that every timestamp is correct to within \u00b1%s (delta, %s",
                  page_time(page, imprecision->delta, text), source[imprecision->relax]);
    /* Name the records of the cycle of contradicting constraints. */
    for (size_t i = 0; i < witness->length && i < NAMED_MAX; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        page_print(page,
                   "%srecord %" PRIu64 " of {%zu} at %" PRId64 " comes before record %" PRIu64
                   " of {%zu} at %" PRId64,
                   i ? "; " : ": ", edge->record_s, edge->s, edge->time_s, edge->record_t, edge->t,
                   edge->time_t);
    }
    if (witness->length > NAMED_MAX)
        page_print(page, "; and %zu more", witness->length - NAMED_MAX);
    outfile_add(out, ")");
}

/* Write the chosen assumptions, all warnings, and the conditions of bounds. */
static void write_warnings(const struct page *page)
{
    char premise[CSY_WARNING_TEXT_MAX];
    if (csy_sync_premise(page->sync, premise)) {
        outfile_add(page->out, "<p id=\"premise\"><strong>Premise:</strong> ");
        html_text(page->out, premise, SIZE_MAX);
        outfile_add(page->out, ".</p>\n");
    }
    for (struct caveats p = caveats_of(page->sync, NULL); caveats_next(&p) && !p.condition;) {
        bool delta = strcmp(p.key, "delta") == 0;
        outfile_print(page->out, "<p id=\"%s%swarning\"><strong>Warning:</strong> ",
                      delta ? "" : p.key, delta ? "" : "-");
        html_text(page->out, p.text, SIZE_MAX);
        outfile_print(page->out, "%s%s.</p>\n", p.see ? "; see " : "", p.see ? p.see_html : "");
    }
    size_t n = 0;
    for (struct caveats p = caveats_of(page->sync, NULL); caveats_next(&p);)
        if (p.condition) {
            outfile_print(page->out, "%s<li>",
                          n++ > 0 ? "" : "<p>The bounds hold if</p>\n<ul id=\"conditions\">\n");
            html_text(page->out, p.text, SIZE_MAX);
            outfile_add(page->out, "</li>\n");
        }
    outfile_add(page->out, n > 0 ? "</ul>\n" : "");
}

static void say_order(const struct page *page)
{
    const csy_order *order = &page->sync->order;
    char text[CSY_TIME_TEXT_MAX];
    page_print(page,
               "<p id=\"order\">By the threads\u2019 own clocks, each set when it is first read, "
               "%" PRIu64 " of %" PRIu64
               " pair%s of neighbouring records of two threads %s in the wrong order",
               order->before.wrong, order->neighbours, text_plural(order->neighbours),
               order->before.wrong == 1 ? "is" : "are");
    if (order->before.wrong)
        outfile_print(page->out, ", by up to <strong>%s</strong>",
                      page_whole_time(page, order->before.largest_ticks, text));
    outfile_add(page->out, "; in global time, ");
    if (order->after.wrong) {
        page_print(page, "%" PRIu64, order->after.wrong);
        outfile_print(page->out, ", by up to %s",
                      page_whole_time(page, order->after.largest_ticks, text));
    } else {
        outfile_add(page->out, "<strong>none</strong>");
    }
    outfile_add(page->out, ".</p>\n");
}

static void say_matched(const struct page *page)
{
    const csy_matched *matched = page->sync->matched;
    const struct {
        uint64_t n;
        const char *what;
    } counts[] = {{matched->messages, "message"},    {matched->groups, "group"},
                  {matched->posts, "post"},          {matched->handovers, "hand-over"},
                  {matched->spawns, "spawn"},        {matched->joins, "join"},
                  {matched->afters, "named record"}, {matched->buffers, "buffer"},
                  {matched->blocks, "block"}};
    page_print(page, "<p id=\"order\">The order is partial: %" PRIu64 " location%s",
               matched->locations, text_plural(matched->locations));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].n > 0)
            page_print(page, ", %" PRIu64 " %s%s", counts[i].n, counts[i].what,
                       text_plural(counts[i].n));
    for (size_t i = 0; i < matched->nunused; i++) {
        const csy_unused *unused = &matched->unused[i];
        page_print(page, "%s %" PRIu64 " %s%s (%s)", i ? "," : ". Left out:", unused->count,
                   text_end(unused->end), text_plural(unused->count), text_left_out(unused->why));
    }
    outfile_add(page->out, ".</p>\n");
}

static void say_backward(const struct page *page, const char *by, const csy_backward *backward)
{
    char text[CSY_TIME_TEXT_MAX];
    if (!backward->known)
        return;
    page_print(page, "%s %" PRIu64, by, backward->count);
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
    say_backward(page, ": with raw timestamps", &violations->raw);
    say_backward(page, "; with the offsets of the tracer", &violations->tracer);
    say_backward(page, violations->raw.known ? "; with global times" : ": with global times",
                 &violations->ours);
    outfile_add(page->out, ".</p>\n");
}

void page_verdict(const struct page *page)
{
    const csy_summary *summary = &page->sync->summary;
    uint64_t assumed = page->sync->survey.clock_report.assumed;
    bool events = page->sync->imprecision.added_ticks > 0;
    outfile_add(page->out, "<p id=\"verdict\">");
    if (summary->pairs == 0)
        page_print(page, "The trace has only one clock, so there is nothing to synchronize");
    else if (summary->uncomputed_steps > 0)
        page_print(page, "The errors between the %zu clocks are not computed over all pairs",
                   page->lives.n);
    else if (summary->bounded == 0)
        page_print(page, "No pair of the %zu clocks has bounds on both sides", page->lives.n);
    else if (summary->bounded == summary->pairs)
        page_print(page,
                   events ? "The time between any two events of the %zu clocks is wrong by at most "
                          : "The offset between any two of the %zu clocks is known to within ",
                   page->lives.n);
    else
        page_print(page, "For %" PRIu64 " of %" PRIu64 " pairs of clocks, the %s", summary->bounded,
                   summary->pairs,
                   events ? "time between two events is wrong by at most "
                          : "offset is known to within ");
    if (summary->bounded > 0)
        page_print(page, "<strong>{=%" PRId64 "}</strong>", summary->max_event_error_ticks);
    say_delta(page);
    if (assumed > 0)
        outfile_print(page->out, ", if %" PRIu64 " assumed number%s of wraps %s correct", assumed,
                      assumed == 1 ? "" : "s", assumed == 1 ? "is" : "are");
    /* Even if timestamps are exact, the bounds depend on the order of the lines of the trace. */
    if (summary->bounded > 0 && page->sync->diagnosis->view.kind == CSY_DIAGNOSIS_NOT_INTERLEAVED)
        outfile_add(page->out, ", only if the order of the records is that of writing, which the "
                               "<a href=\"#diagnosis\">diagnosis</a> doubts");
    const struct spans *lives = &page->lives;
    size_t n = lives->n - lives->nbounded;
    if (n > 0) {
        page_print(page, "; %zu %s%s not bounded to {%zu}", n, text_clock(page->sync),
                   n == 1 ? " is" : "s are", page->sync->reference);
        for (size_t i = 0; i < n && i < NAMED_MAX; i++)
            page_print(page, "%s{%zu}", i ? ", " : " on both sides (",
                       lives->order[lives->nbounded + i]);
        outfile_print(page->out, "%s", n > NAMED_MAX ? ", \u2026)" : ")");
    }
    outfile_add(page->out, ".</p>\n");
    write_warnings(page);
    if (page->sync->matched)
        say_matched(page);
    else
        say_order(page);
    page_violations(page);
}

csy_status page_drift_verdict(const struct page *page, csy_error *error)
{
    csy_status status = CSY_OK;
    const csy_drift *drift = csy_sync_drift(page->sync);
    const csy_imprecision *imprecision = &page->sync->imprecision;
    size_t unbounded = page->sync->summary.unbounded_threads;
    char events[CSY_TIME_TEXT_MAX], clocks[CSY_TIME_TEXT_MAX];
    csy_drift_pair pair = {.bounded = false};
    size_t s = 0, t = 0;
    bool any = false;
    outfile_add(page->out, "<p id=\"verdict\">");
    if (drift->records == 0) {
        outfile_add(page->out, "No clock is bounded to the clock of the reference on both sides");
    } else {
        outfile_print(page->out,
                      "The time between any two events%s is off by at most <strong>%s"
                      "</strong>",
                      unbounded > 0 ? " of bounded clocks" : "",
                      page_fine_time(page, drift->max_event_error, events));
        if (imprecision->conditional)
            outfile_print(page->out, ", if no timestamp is off by more than %s",
                          page_time(page, imprecision->delta, clocks));
    }
    if (unbounded > 0)
        page_print(page, "; %zu %s%s not bounded on both sides", unbounded, text_clock(page->sync),
                   unbounded == 1 ? " is" : "s are");
    outfile_add(page->out, ".</p>\n");
    if (drift->records > 0) {
        outfile_print(page->out, "<p id=\"details\">The mean error is %s",
                      page_fine_time(page, drift->mean_event_error, events));
        page_print(page,
                   ". The greatest error is at record %" PRIu64
                   " of {%zu}. Errors are measured against the clock of {%zu}.",
                   drift->clocks[drift->max_clock].max_record, drift->max_clock,
                   page->sync->reference);
        page_fine_time(page, drift->max_event_error, events);
        if (strcmp(page_fine_time(page, drift->max_error, clocks), events) != 0)
            outfile_print(page->out,
                          " Clocks cause at most %s of the greatest error, and timestamps cause "
                          "the rest.",
                          clocks);
        status = csy_sync_drift_worst(page->sync, &s, &t, &any, error);
        if (!status && any)
            status = csy_sync_drift_pair(page->sync, s, t, false, &pair, error);
        if (!status && any) {
            page_print(page,
                       " The worst pair of clocks is {%zu} and {%zu}: the range of the time "
                       "between their events is up to ",
                       s, t);
            outfile_print(page->out, "%s wide, at %d moments of the trace.",
                          page_fine_time(page, pair.worst_event, events), CSY_DRIFT_MOMENTS);
        }
        outfile_print(page->out, "%s</p>\n",
                      drift->wander_ppb == CSY_NO_DRIFT
                          ? ""
                          : " With a wander, bounds are proven, but not always the narrowest.");
    }
    write_warnings(page);
    return status;
}

void page_next(const struct page *page)
{
    const struct diagnosis *diagnosis = page->sync->diagnosis;
    if (diagnosis && diagnosis->view.kind != CSY_DIAGNOSIS_NONE)
        return;
    outfile_add(page->out, "<p id=\"next\"><strong>Next:</strong> to see the events in global "
                           "time, pass <code>-o synced.pftrace</code>, and open this file in "
                           "Perfetto.</p>\n");
}

void page_read(const struct page *page)
{
    const struct csy_sync *sync = page->sync;
    const csy_clock_report *clock = &sync->survey.clock_report;
    const csy_imprecision *imprecision = &sync->imprecision;
    const csy_damage *damage = csy_sync_damage(sync);
    const struct threads *threads = &sync->survey.threads;
    const char *machine = csy_trace_machine(page->trace);
    char text[FRACTION_TEXT_MAX], delta[CSY_TIME_TEXT_MAX];
    size_t n = page->lives.n, spe = n - (threads->ppe != NO_THREAD);
    struct outfile *out = page->out;
    page_heading(page, SECTION_READ);
    outfile_add(out, "<dl>\n<dt>Trace</dt><dd>");
    html_text(out, page->trace->name, HTML_PATH_MAX);
    outfile_add(out, "</dd>\n<dt>Clock</dt><dd>");
    html_text(out, machine, HTML_PATH_MAX);
    page_print(
        page, "%s%" PRIu64 " Hz%s</dd>\n<dt>Records</dt><dd>%" PRIu64 "</dd>\n<dt>Threads</dt><dd>",
        *machine ? ", " : "", page->trace->timebase_hz,
        page->trace->timebase_assumed ? " (assumed)" : "", sync->survey.records);
    if (threads->ntracks > n)
        page_print(page, "%zu on %zu clock%s", threads->ntracks, n, text_plural(n));
    else
        page_print(page, "%zu", n);
    if (threads->ntracks == 0) {
        page_print(page, ": %s%zu live interval%s of %zu SPE context%s", spe < n ? "the PPE, " : "",
                   spe, text_plural(spe), clock->contexts, text_plural(clock->contexts));
        page_print(page,
                   "</dd>\n<dt>Unwrapping</dt><dd>%" PRId64 " wrap%s, %" PRIu64 " split%s, %" PRIu64
                   " gap%s with an assumed number of wraps</dd>\n<dt>Switches</dt><dd>%" PRIu64
                   " OUT lost, %" PRIu64 " IN lost, %" PRIu64 " straggler%s",
                   clock->wraps, text_plural((uint64_t)clock->wraps), clock->splits,
                   text_plural(clock->splits), clock->assumed, text_plural(clock->assumed),
                   clock->lost_outs, clock->lost_ins, clock->stragglers,
                   text_plural(clock->stragglers));
    }
    page_print(page, "</dd>\n<dt>Reference</dt><dd>{%zu}", sync->reference);
    outfile_print(out, ", alpha %s%s</dd>\n<dt>Delta</dt><dd>", fraction_text(sync->alpha, text),
                  sync->center == CSY_CENTER_LOCAL ? ", then adjusted locally" : "");
    outfile_print(out, "%s (%s)", page_time(page, imprecision->delta, delta), text_delta(sync));
    if (imprecision->added_ticks > 0)
        page_print(page, ", %" PRId64 " tick%s added to each constraint", imprecision->added_ticks,
                   text_plural((uint64_t)imprecision->added_ticks));
    page_print(page, "</dd>\n<dt>Inversions</dt><dd>%" PRIu64, imprecision->inversions);
    if (imprecision->inversions > 0)
        page_print(page, ", the largest %" PRId64 " ticks", imprecision->largest_inversion_ticks);
    if (damage) /* true if changes of times in threads were measured */
        page_print(page,
                   "</dd>\n<dt>Damage</dt><dd>%" PRIu64 " of %" PRIu64
                   " times between records of one thread changed",
                   damage->damaged, damage->mean.pairs);
    outfile_add(out, "</dd>\n</dl>\n");
}

void page_statistics(const struct page *page)
{
    const csy_summary *summary = &page->sync->summary;
    bool events = page->sync->imprecision.added_ticks > 0;
    struct statistic rows[STATISTICS_MAX];
    page_heading(page, SECTION_BOUNDS);
    if (summary->uncomputed_steps > 0) {
        char text[UNCOMPUTED_TEXT_MAX];
        page_print(page, "<p>The %s.</p>\n", text_uncomputed(summary, text));
        return;
    }
    outfile_add(page->out, "<table class=\"booktabs\">\n<caption>");
    if (events)
        outfile_add(page->out,
                    "An upper limit for the error of the time between two events of different "
                    "threads; the clock error excludes the errors of the timestamps");
    else
        outfile_add(page->out,
                    "The width of the range of offsets that the order of the records allows");
    page_print(page,
               ", over %" PRIu64 " of %" PRIu64
               " pairs of %ss%s. What it is for: %s; %s.</caption>\n"
               "<thead><tr><th scope=\"col\">Statistic</th><th scope=\"col\">ticks</th>"
               "<th scope=\"col\">\u00b5s</th><th scope=\"col\">pairs</th></tr></thead>\n<tbody>\n",
               summary->bounded, summary->pairs, text_clock(page->sync),
               summary->bounded < summary->pairs ? "; the other pairs have no bounds" : "",
               text_latency, text_order);
    for (size_t i = 0, n = text_statistics(page->sync, rows); i < n; i++) {
        char text[QUOTIENT_TEXT_MAX] = "\u2013";
        bool known = rows[i].den > 0;
        if (known)
            microseconds_text(rows[i].num, rows[i].den * (int128)page->trace->timebase_hz, text);
        page_print(page,
                   "<tr id=\"%s\"><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%" PRIu64
                   "</td></tr>\n",
                   rows[i].id, rows[i].page_label, known ? rows[i].ticks : "\u2013", text,
                   rows[i].pairs);
    }
    page_table_end(page);
}
