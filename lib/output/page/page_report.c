/* Writes the HTML report, which is one page without other files: its sentences and tables. The
 * drawings are in other files. Errors are shown as in Table 1 of [BHH08]. */
#include "output/encode/caveats.h"
#include "output/encode/difference.h"
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
    /* List the constraints that contradict each other: which record precedes which. */
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
        html_between(page->out, "<p id=\"premise\"><strong>Premise:</strong> ", premise, SIZE_MAX,
                     ".</p>\n");
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
                   text_end_words[unused->end], text_plural(unused->count),
                   text_left_out_words[unused->why]);
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

static void write_violations(const struct page *page)
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

static void write_verdict(const struct page *page)
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
    /* The diagnosis doubts that the lines of the trace are in the order of writing. If they are
     * not, the bounds are wrong even with exact timestamps. */
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
    write_violations(page);
}

static csy_status write_drift_verdict(const struct page *page, csy_error *error)
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
                      "The time between any two events%s is off by at most <strong>%s</strong>",
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

static void write_next(const struct page *page)
{
    const struct diagnosis *diagnosis = page->sync->diagnosis;
    if (diagnosis && diagnosis->view.kind != CSY_DIAGNOSIS_NONE)
        return;
    outfile_add(page->out, "<p id=\"next\"><strong>Next:</strong> to see the events in global "
                           "time, pass <code>-o synced.pftrace</code>, and open this file in "
                           "Perfetto.</p>\n");
}

static void write_read(const struct page *page)
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
    html_between(out, "<dl>\n<dt>Trace</dt><dd>", page->trace->name, HTML_PATH_MAX,
                 "</dd>\n<dt>Clock</dt><dd>");
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
    if (damage) /* `damage` is NULL if it was not measured */
        page_print(page,
                   "</dd>\n<dt>Damage</dt><dd>%" PRIu64 " of %" PRIu64
                   " times between records of one thread changed",
                   damage->damaged, damage->mean.pairs);
    outfile_add(out, "</dd>\n</dl>\n");
}

static void write_statistics(const struct page *page)
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

enum {
    EDGES_MAX = 40,
    CHAIN_EDGES_MAX = 20,
    THREADS_MAX = 200,
    MEMBERS_MAX = 6,
    STEPS_SHOWN_MAX = 200,
    ADVISED_MAX = 10,
    DROPPED_MAX = 100,
    READINGS_OPEN = 8 /* longer lists of clocks are collapsed at first */
};

/* Write the last cell of a row, which only partial orders have: why a record precedes another. */
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

static void write_witness(const struct page *page)
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

/* Returns for how many of the widest pairs of threads the report shows the constraints that limit
 * them. Each pair needs a pass over the trace. */
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

static void write_widest(const struct page *page)
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
        /* Compare the error of the pair with the sum of the error bounds that its two threads have
         * relative to the reference. First subtract the part that comes from timestamp errors,
         * `events`, from all of them. */
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

/* Write the rows of a table: a chain of constraints that together limit how late one thread can be
 * relative to another. */
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

static csy_status write_chains(const struct page *page, csy_error *error)
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

static void write_loosest(const struct page *page)
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
        /* Bound from the records of the reference and of this thread alone. Each of the two
         * distances is between two events, and the timestamp error of each event adds `added`. */
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

static void write_threads(const struct page *page)
{
    char columns[400], text[DIFFERENCE_TEXT_MAX];
    const char *ends = text_event_ends(page->sync);
    size_t n = page->lives.n < THREADS_MAX ? page->lives.n : THREADS_MAX;
    bool members = page_has(page, SECTION_MEMBERS);
    page_heading(page, SECTION_THREADS);
    if (n < page->lives.n)
        page_print(page, "<p>The first %zu of %zu; the JSON report has all.</p>\n", n,
                   page->lives.n);
    /* List how far each clock is ahead of the reference (output/encode/difference.h). */
    size_t next = 0;
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
    const char *end = page->lives.n > READINGS_OPEN ? "</ul>\n</details>\n" : "</ul>\n";
    outfile_add(page->out, next > 0 ? end : "");
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

static void write_advice(const struct page *page)
{
    const struct csy_sync *sync = page->sync;
    struct outfile *out = page->out;
    char text[SENTENCE_MAX];
    if (!sync->advice || sync->advice->view.count == 0)
        return;
    const csy_advice *advice = &sync->advice->view;
    html_between(out, "<section id=\"advice\">\n<h2>Advice</h2>\n<p>", text_advice(sync, text),
                 SENTENCE_MAX, "; in ticks.</p>\n");
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
    for (size_t i = 0; !sync->drift && i < advice->count && i < ADVISED_MAX; i++) {
        const csy_advised *advised = &advice->threads[i];
        bool bounded = advised->error_ticks >= 0;
        page_row(page, advised->thread);
        page_cell_ticks(page, bounded ? advised->error_ticks : INT64_MAX);
        if (!bounded || sync->partial) {
            html_between(out, "<td colspan=\"3\">", text_lack(sync, advised, text), SENTENCE_MAX,
                         "</td></tr>\n");
            continue;
        }
        page_cell_ticks(page, advised->fine_ticks);
        page_cell_ticks(page, advised->coarse_ticks);
        if (advised->room)
            page_cell_ticks(page, advised->then_ticks);
        outfile_add(out, advised->room ? "</tr>\n" : "<td>no room</td></tr>\n");
    }
    page_table_end(page);
    const char *sum = text_advice_sum(sync, text);
    if (*sum) {
        html_between(out, "<p>Ticks ", sum, SENTENCE_MAX, ".</p>\n");
    }
    outfile_add(out, "</section>\n");
}

/* Write how delta falls as more records are left out, and the records that --drop left out. */
static void write_dropped(const struct page *page)
{
    char text[PARAGRAPH_MAX];
    struct outfile *out = page->out;
    const csy_dropped *dropped = &page->sync->dropped;
    if (page->sync->profile.count >= 2) {
        html_between(out, "<section id=\"delta-profile\">\n<h2>The profile of delta</h2>\n<p>",
                     text_profile(page->sync, text), PARAGRAPH_MAX, "</p>\n</section>\n");
    }
    if (dropped->asked == 0)
        return;
    outfile_print(out, "<section id=\"left-out\">\n<h2>Left out</h2>\n<p>%s</p>\n",
                  text_dropped(page->sync, text));
    for (size_t i = 0; i < dropped->count && i < DROPPED_MAX; i++) {
        outfile_print(out, "%s<li>", i ? "" : "<ul>\n");
        html_text(out, text_dropped_record(page->sync, &dropped->records[i], false, text),
                  PARAGRAPH_MAX);
        outfile_add(out, "</li>\n");
    }
    if (dropped->count > DROPPED_MAX)
        outfile_print(out, "<li>and %zu more</li>\n", dropped->count - DROPPED_MAX);
    outfile_print(out, "%s</section>\n", dropped->count ? "</ul>\n" : "");
}

static void write_diagnosis(const struct page *page)
{
    const struct csy_sync *sync = page->sync;
    struct outfile *out = page->out;
    const csy_diagnosis *d = &sync->diagnosis->view;
    char rates[RATES_TEXT_MAX], error[RATES_TEXT_MAX];
    if (d->kind == CSY_DIAGNOSIS_NONE)
        return;
    outfile_print(out, "<section id=\"diagnosis\">\n<h2>Diagnosis: %s</h2>\n<p>",
                  text_diagnosis_words[d->kind]);
    html_text(out, d->text, PARAGRAPH_MAX);
    outfile_add(out, "</p>\n");
    if (d->nfits > 0)
        outfile_print(out,
                      "<table>\n<caption>Limits that explain the trace. %s</caption>\n"
                      "<tr><th></th><th>timestamp error</th><th>rates of clocks</th>"
                      "<th>options</th></tr>\n",
                      text_plausible(d));
    for (size_t i = 0; i < d->nfits; i++) {
        const csy_fit *row = &d->fits[i];
        outfile_print(out, "<tr><td>%s</td><td>%s</td><td>", row->plausible ? "*" : "",
                      text_fit_error(sync, row, error));
        html_text(out, text_fit_rates(sync, row, true, rates), RATES_TEXT_MAX);
        outfile_print(out, "</td><td>%s%s%s%s</td></tr>\n", row->options ? "<code>" : "",
                      row->options ? row->options : text_no_options, row->options ? "</code>" : "",
                      text_fit_used(sync, row));
    }
    outfile_add(out, d->nfits > 0 ? "</table>\n</section>\n" : "</section>\n");
}

static csy_status write_sections(const struct page *page, csy_error *error)
{
    write_verdict(page);
    write_diagnosis(page);
    write_dropped(page);
    write_advice(page);
    write_next(page);
    page_contents(page);
    outfile_add(page->out, "<div class=\"columns\">\n<section>\n");
    write_read(page);
    outfile_add(page->out, "</section>\n<section>\n");
    write_statistics(page);
    outfile_add(page->out, "</section>\n</div>\n");
    page_messages(page);
    page_legend(page);
    csy_status status = page_tracer(page, error);
    status = status ? status : page_timeline(page, error);
    page_members(page);
    status = status ? status : page_precision(page, error);
    page_distribution(page);
    status = status ? status : page_map(page, error);
    status = status ? status : page_peers(page, error);
    write_widest(page);
    status = status ? status : write_chains(page, error);
    write_loosest(page);
    write_witness(page);
    write_threads(page);
    return status;
}

static csy_status write_drift(const struct page *page, csy_error *error)
{
    csy_status status = write_drift_verdict(page, error);
    if (status)
        return status;
    write_diagnosis(page);
    write_violations(page);
    write_advice(page);
    write_next(page);
    page_contents(page);
    write_read(page);
    page_messages(page);
    status = page_tracer(page, error);
    status = status ? status : page_precision(page, error);
    if (!status) {
        write_threads(page);
        write_witness(page);
    }
    return status;
}

csy_status page_report(struct csy_sync *sync, struct outfile *out, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct page page = {.trace = trace, .sync = sync, .out = out};
    csy_status status = page_init(&page, trace, error);
    if (!status) {
        outfile_print(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-"
            "width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<meta name=\"generator\" content=\"cellsync %s\">\n<title>",
            csy_version());
        html_text(out, trace->name, HTML_PATH_MAX);
        outfile_print(
            out,
            " \u2013 clock synchronization</title>\n<style>\n%s%s%s</style>\n</head>\n<body>\n<svg "
            "class=\"nothing\" width=\"0\" height=\"0\" "
            "aria-hidden=\"true\">%s</svg>\n<main>\n<h1>Clock synchronization of <bdi>",
            page_colours, page_drawing, page_style, page_hatch);
        html_text(out, trace->name, HTML_PATH_MAX);
        outfile_add(out, "</bdi></h1>\n");
        status = sync->drift ? write_drift(&page, error) : write_sections(&page, error);
        outfile_print(out,
                      "</main>\n<footer>cellsync %s. What the figures mean is in "
                      "cellsync-model(7).</footer>\n</body>\n</html>\n",
                      csy_version());
    }
    page_fini(&page);
    return status;
}
