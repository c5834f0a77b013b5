/* Writes the text report for terminals. See cellsync-report(7), Text report. */
#include "base/error.h"
#include "base/put.h"
#include "output/encode/caveats.h"
#include "output/encode/difference.h"
#include "output/encode/fine.h"
#include "output/report/report.h"

#include <inttypes.h>
#include <string.h>

/* Limits for the matrix of all pairs. A larger matrix is left out. */
enum { MATRIX_THREADS_MAX = 24, MATRIX_COLUMNS_MAX = 132, NAME_COLUMNS_MIN = 6 };

enum { RECORDS_COLUMNS = 10, TICKS_COLUMNS = 20, TEXT_COLUMNS = 80, LABEL_COLUMNS = 12 };

#define MOMENTS_TEXT "64"
_Static_assert(CSY_DRIFT_MOMENTS == 64, "as MOMENTS_TEXT has it");

static const char *escaped_name(const char *name, char text[ERROR_ESCAPED_MAX])
{
    return error_escape(text, name, strlen(name));
}

/* Write a paragraph in lines broken between words. Lines after the first are indented. */
static void write_wrapped(struct outfile *out, const char *text)
{
    size_t column = LABEL_COLUMNS;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > LABEL_COLUMNS && column + 1 + word > TEXT_COLUMNS) {
            outfile_print(out, "\n%*s", LABEL_COLUMNS, "");
            column = LABEL_COLUMNS;
        } else if (column > LABEL_COLUMNS) {
            outfile_add(out, " ");
            column++;
        }
        outfile_write(out, text, word);
        column += word;
        text += word + strspn(text + word, " ");
    }
    outfile_add(out, "\n");
}

static void write_diagnosis(const struct csy_sync *sync, struct outfile *out)
{
    enum { ERROR_COLUMNS = 16, RATES_COLUMNS = 35 };
    const csy_diagnosis *d = &sync->diagnosis->view;
    char rates[RATES_TEXT_MAX], error[RATES_TEXT_MAX];
    if (d->kind == CSY_DIAGNOSIS_NONE || sync->method != CSY_METHOD_BHH)
        return;
    outfile_print(out, "%-*s%s\n%*s", LABEL_COLUMNS, "diagnosis", text_diagnosis_words[d->kind],
                  LABEL_COLUMNS, "");
    write_wrapped(out, d->text);
    if (d->nfits == 0)
        return;
    outfile_print(out, "explained   %-*s %-*s %s\n", ERROR_COLUMNS, "timestamp error",
                  RATES_COLUMNS, "clock rates", "options");
    for (size_t i = 0; i < d->nfits; i++) {
        const csy_fit *row = &d->fits[i];
        outfile_print(out, "%*s%s %-*s %-*s %s%s\n", LABEL_COLUMNS - 2, "",
                      row->plausible ? "*" : " ", ERROR_COLUMNS, text_fit_error(sync, row, error),
                      RATES_COLUMNS, text_fit_rates(sync, row, false, rates),
                      row->options ? row->options : text_no_options, text_fit_used(sync, row));
    }
    outfile_print(out, "%*s", LABEL_COLUMNS, "");
    write_wrapped(out, text_plausible(d));
}

/* Write delta for several numbers of left-out records, and which records --drop left out. */
static void write_dropped(const struct csy_sync *sync, struct outfile *out)
{
    char text[PARAGRAPH_MAX];
    const csy_dropped *dropped = &sync->dropped;
    if (sync->profile.count >= 2) {
        outfile_print(out, "%-*s", LABEL_COLUMNS, "profile");
        write_wrapped(out, text_profile(sync, text));
    }
    if (dropped->asked == 0)
        return;
    outfile_print(out, "%-*s", LABEL_COLUMNS, "left out");
    write_wrapped(out, text_dropped(sync, text));
    for (size_t i = 0; i < dropped->count; i++)
        outfile_print(out, "%*s%s\n", LABEL_COLUMNS, "",
                      text_dropped_record(sync, &dropped->records[i], true, text));
}

/* Write a comma, a number, and `what`, as in ", 2 locations". Write nothing if the number is 0. */
static void write_count(uint64_t n, const char *what, struct outfile *out)
{
    if (n > 0)
        outfile_print(out, ", %" PRIu64 " %s%s", n, what, text_plural(n));
}

/* Write the number of neighbouring records in wrong order, or the contents of a partial order. */
static void write_order(const struct csy_sync *sync, struct outfile *out)
{
    const struct csy_trace *trace = sync->trace;
    const csy_matched *matched = sync->matched;
    const csy_order *order = &sync->order;
    char time[CSY_TIME_TEXT_MAX];
    if (!matched) {
        outfile_print(out,
                      "order       %" PRIu64 " of %" PRIu64
                      " pairs of neighbouring records are in the wrong order",
                      order->before.wrong, order->neighbours);
        if (order->before.wrong > 0)
            outfile_print(out, " by up to %s",
                          text_time(order->before.largest_ticks, trace->timebase_hz, time));
        outfile_print(out, "; after synchronization: %" PRIu64, order->after.wrong);
        if (order->after.wrong > 0)
            outfile_print(out, " by up to %s",
                          text_time(order->after.largest_ticks, trace->timebase_hz, time));
        outfile_add(out, "\n");
        return;
    }
    char key[ERROR_ESCAPED_MAX], place[CSY_PLACE_TEXT_MAX];
    size_t word = strlen(csy_trace_place_name(trace));
    outfile_print(out, "order       partial: %" PRIu64 " location%s", matched->locations,
                  text_plural(matched->locations));
    write_count(matched->messages, "message", out);
    if (matched->synchronous > 0)
        outfile_print(out, " (%" PRIu64 " synchronous)", matched->synchronous);
    write_count(matched->groups, "group", out);
    if (matched->groups > 0)
        outfile_print(out, " (entered %" PRIu64 " time%s, left %" PRIu64 ")", matched->enters,
                      text_plural(matched->enters), matched->leaves);
    write_count(matched->posts, "post", out);
    if (matched->rooms > 0)
        outfile_print(out, " (%" PRIu64 " waited for a free place)", matched->rooms);
    write_count(matched->handovers, "hand-over", out);
    write_count(matched->spawns, "spawn", out);
    write_count(matched->joins, "join", out);
    write_count(matched->afters, "after relation", out);
    write_count(matched->limits, "limit", out);
    write_count(matched->buffers, "buffer", out);
    write_count(matched->blocks, "block", out);
    if (matched->blocks > 0)
        outfile_print(out, " (%" PRIu64 " with a flush timestamp)", matched->flushes);
    outfile_add(out, "\n");
    /* List records that are matched with no other record, by kind of record and reason. */
    for (size_t i = 0; i < matched->nunused; i++) {
        const csy_unused *unused = &matched->unused[i];
        const char *why = text_left_out_words[unused->why];
        if (text_is_last_of_channel(matched, unused))
            why = unused->end == CSY_END_SEND
                      ? "the channel has fewer receives, so its last sends are left out"
                      : "the channel has fewer waits, so its last posts are left out";
        outfile_print(out, "left out    %" PRIu64 " %s%s: %s; %s", unused->count,
                      text_end_words[unused->end], text_plural(unused->count), why,
                      csy_trace_place_name(trace));
        for (size_t k = 0; k < unused->nlisted; k++)
            outfile_print(out, "%s%s ('%s')", k ? "," : "",
                          csy_trace_place_text(trace, unused->listed[k].place, place) + word,
                          error_escape(key, unused->listed[k].key, strlen(unused->listed[k].key)));
        outfile_add(out, unused->count > unused->nlisted ? ", ...\n" : "\n");
    }
}

static void write_backward(const struct csy_sync *sync, const char *by,
                           const csy_backward *backward, struct outfile *out)
{
    char text[CSY_TIME_TEXT_MAX];
    if (!backward->known)
        return;
    outfile_print(out, "%s %" PRIu64, by, backward->count);
    if (backward->count > 0)
        outfile_print(out, ", by up to %s",
                      text_time(backward->largest_ticks, sync->trace->timebase_hz, text));
}

static void write_violations(const struct csy_sync *sync, struct outfile *out)
{
    const csy_violations *violations = sync->violations;
    if (!violations)
        return;
    outfile_print(out, "violations  among %" PRIu64 " message%s, received before the send",
                  violations->messages, text_plural(violations->messages));
    write_backward(sync, ": raw timestamps", &violations->raw, out);
    write_backward(sync, "; offsets of the tracer", &violations->tracer, out);
    write_backward(sync, violations->raw.known ? "; global times" : ": global times",
                   &violations->ours, out);
    outfile_add(out, "\n");
}

static void write_tracer(const struct csy_sync *sync, struct outfile *out)
{
    if (!sync->tracer)
        return;
    const csy_tracer *tracer = &sync->tracer->view;
    const char *clock = text_clock(sync);
    bool bounds = sync->method == CSY_METHOD_BHH;
    char text[CSY_TIME_TEXT_MAX];
    if (tracer->readings == 0) {
        outfile_add(out, "tracer      no recorded clock offsets (ClockOffset)\n");
        return;
    }
    size_t known = tracer->inside + tracer->outside;
    outfile_print(out, "tracer      the recorded offsets of %zu %s%s are", known, clock,
                  text_plural(known));
    if (bounds && tracer->outside == 0)
        outfile_add(out, " within the bounds");
    else if (bounds)
        outfile_print(out, " %zu within the bounds, %zu outside", tracer->inside, tracer->outside);
    if (bounds && tracer->outside > 0) {
        const csy_tracer_clock *worst = &tracer->clocks[tracer->worst];
        char name[ERROR_ESCAPED_MAX];
        outfile_print(out, ": %s by up to %s, at %" PRId64, text_name(sync, tracer->worst, name),
                      text_time(worst->outside_ticks, sync->trace->timebase_hz, text),
                      worst->worst.local_ticks);
    }
    int64_t most = 0;
    for (size_t t = 0; t < tracer->nclocks; t++)
        if (t != sync->reference && tracer->clocks[t].distance_ticks > most)
            most = tracer->clocks[t].distance_ticks;
    outfile_print(out, "; they differ from the offsets in this report by at most %s",
                  text_time(most, sync->trace->timebase_hz, text));
    if (tracer->unknown > 0)
        outfile_print(out, "; unknown for %zu", tracer->unknown);
    outfile_add(out, "\n");
}

static void write_read(const struct csy_trace *trace, const struct csy_sync *sync,
                       struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], machine[ERROR_ESCAPED_MAX], premise[CSY_WARNING_TEXT_MAX] = "";
    const csy_clock_report *clock = &sync->survey.clock_report;
    const char *called = csy_trace_machine(trace);
    const csy_drift *drift = csy_sync_drift(sync);
    const csy_summary *summary = &sync->summary;
    char time[CSY_TIME_TEXT_MAX], warning[CSY_WARNING_TEXT_MAX];
    size_t n = sync->survey.threads.count;
    outfile_print(out, "trace       %s (%s%s%" PRIu64 " Hz%s)\n", escaped_name(trace->name, name),
                  escaped_name(called, machine), *called ? ", " : "", trace->timebase_hz,
                  trace->timebase_assumed ? ", assumed" : "");
    if (csy_sync_premise(sync, premise))
        outfile_print(out, "premise     %s\n", premise);
    /* Write the greatest error of the time between any two events, if it was computed. */
    if (sync->method == CSY_METHOD_BHH && n >= 2 && (drift || summary->uncomputed_steps == 0)) {
        if (drift ? drift->records == 0 : summary->bounded == 0) {
            outfile_add(out, "error       unlimited: no two clocks have bounds on both sides");
        } else {
            int128 ticks = drift ? fine_units(drift->max_event_error)
                                 : (int128)summary->max_event_error_ticks * FINE_UNIT;
            outfile_print(out, "error       at most %s, for the time between any two events%s%s",
                          time_text_up(ticks, FINE_UNIT, trace->timebase_hz, time),
                          summary->unbounded_threads > 0 ? " of clocks with bounds on both sides"
                                                         : "",
                          *premise ? ", if the premise holds" : "");
            if (*premise && csy_sync_coarse_warning(sync, warning))
                outfile_add(out, ", which a warning below doubts");
            else if (!*premise && sync->imprecision.conditional)
                outfile_print(out, ", if no timestamp is off by more than %s",
                              csy_time_text(sync->imprecision.delta, trace->timebase_hz, time));
        }
        outfile_add(out, "\n");
    }
    outfile_print(out, "records     %" PRIu64 "\n", sync->survey.records);
    if (csy_sync_cut(sync))
        outfile_print(out, "salvaged    cut off: %s\n", csy_sync_cut(sync)->text);
    if (sync->survey.threads.ntracks > n)
        outfile_print(out, "threads     %zu on %zu clock%s", sync->survey.threads.ntracks, n,
                      text_plural(n));
    else
        outfile_print(out, "threads     %zu", n);
    if (sync->survey.threads.ntracks == 0) {
        size_t spe = n - (sync->survey.threads.ppe != NO_THREAD);
        outfile_print(out, ": %s%zu live interval%s of %zu context%s", spe < n ? "the PPE, " : "",
                      spe, text_plural(spe), clock->contexts, text_plural(clock->contexts));
        const uint64_t counts[] = {(uint64_t)clock->wraps, clock->splits, clock->assumed};
        const char *const what[] = {"wrap", "split", "gap"};
        const char *before = "\nunwrapping  ";
        for (size_t i = 0; i < 3; i++) {
            if (counts[i] == 0)
                continue;
            outfile_print(out, "%s%" PRIu64 " %s%s%s", before, counts[i], what[i],
                          text_plural(counts[i]), i == 2 ? " with an assumed number of wraps" : "");
            before = ", ";
        }
    }
    outfile_add(out, "\n");
}

static void write_choices(const struct csy_sync *sync, struct outfile *out)
{
    char text[FRACTION_TEXT_MAX], name[ERROR_ESCAPED_MAX], delta[CSY_TIME_TEXT_MAX];
    const csy_imprecision *imprecision = &sync->imprecision;
    if (sync->method != CSY_METHOD_BHH) {
        outfile_print(out, "method      %s, which gives no bounds\n", text_method(sync->method));
        return;
    }
    outfile_print(out, "reference   %s", text_name(sync, sync->reference, name));
    if (sync->reference_member)
        outfile_print(out, ", the clock of %s", escaped_name(sync->reference_member, name));
    outfile_add(out, "\n");
    bool half = (int128)2 * sync->alpha.num == sync->alpha.den;
    if (!half || sync->center == CSY_CENTER_LOCAL)
        outfile_print(out, "alpha       %s%s\n", fraction_text(sync->alpha, text),
                      sync->center == CSY_CENTER_LOCAL ? ", then adjusted locally" : "");
    outfile_print(out, "delta       %s (%s",
                  csy_time_text(imprecision->delta, sync->trace->timebase_hz, delta),
                  text_delta(sync));
    if (imprecision->delta.num > 0)
        outfile_print(out, "; --delta=%s", fraction_text(imprecision->delta, text));
    outfile_add(out, ")\n");
}

/* Write how far global times contradict the order, and damage: changes of times between records. */
static void write_damage(const struct csy_sync *sync, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    const csy_imprecision *imprecision = &sync->imprecision;
    const csy_damage *damage = csy_sync_damage(sync);
    if (imprecision->inversions > 0)
        outfile_print(out,
                      "inversions  %" PRIu64
                      " record%s with a global time before an earlier record, by up to %" PRId64
                      " tick%s\n",
                      imprecision->inversions, text_plural(imprecision->inversions),
                      imprecision->largest_inversion_ticks,
                      text_plural((uint64_t)imprecision->largest_inversion_ticks));
    if (imprecision->adjacent_steps_back > 0)
        outfile_print(out, "steps back  %" PRIu64 " between neighbouring records of one thread\n",
                      imprecision->adjacent_steps_back);
    if (sync->monotonic || sync->correction.records > 0)
        outfile_print(out, "correction  %" PRIu64 " record%s moved by up to %" PRId64 " tick%s%s\n",
                      sync->correction.records, text_plural(sync->correction.records),
                      sync->correction.largest_ticks,
                      text_plural((uint64_t)sync->correction.largest_ticks),
                      sync->monotonic ? " (monotonic)" : "");
    if (!damage)
        return;
    outfile_print(
        out, "damage      %" PRIu64 " of %" PRIu64 " times between records of one thread changed",
        damage->damaged, damage->mean.pairs);
    if (damage->damaged > 0)
        outfile_print(out, ", by up to %" PRId64 " ticks, by %s on average", damage->worst_ticks,
                      quotient_text(mean_sum(damage->mean), (int128)damage->mean.pairs, text));
    outfile_add(out, "\n");
}

static void write_witness(const struct csy_sync *sync, struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX], steps[CSY_STEPS_TEXT_MAX];
    const csy_witness *witness = &sync->witness;
    if (text_no_witness(sync))
        outfile_print(out, "witness     %s\n", text_no_witness(sync));
    if (witness->length == 0)
        return;
    char delta[CSY_TIME_TEXT_MAX];
    outfile_print(out, "witness     a cycle of %zu constraint%s with a sum of %" PRId64 " ticks",
                  witness->length, text_plural(witness->length), witness->weight_ticks);
    if (witness->least_drift_ppb > 0)
        outfile_print(out, ", which needs a delta of at least %s if the rates are %s",
                      csy_time_text(witness->least_delta, sync->trace->timebase_hz, delta),
                      text_rates(sync));
    outfile_add(out, "\n");
    for (size_t i = 0; i < witness->length; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        bool limit = edge->nsteps == 1 && edge->steps->kind >= CSY_ORDER_LATENCY_MAX;
        /* A measured offset relates two clock readings, not records. Print no record numbers. */
        bool read = limit && edge->steps->kind == CSY_ORDER_OFFSET;
        outfile_add(out, "            ");
        if (!read)
            outfile_print(out, "record %" PRIu64 " of ", edge->record_s);
        outfile_print(out, "%s at %" PRId64, text_name(sync, edge->s, name), edge->time_s);
        if (limit)
            outfile_print(out, ", at most %" PRId64 " after ", -edge->latency_ticks);
        else
            outfile_add(out, ", before ");
        if (!read)
            outfile_print(out, "record %" PRIu64 " of ", edge->record_t);
        outfile_print(out, "%s at %" PRId64, text_name(sync, edge->t, name), edge->time_t);
        if (edge->latency_ticks && !limit)
            outfile_print(out, ", latency %" PRId64, edge->latency_ticks);
        if (edge->nsteps > 0)
            outfile_print(out, ", by %s", csy_steps_text(edge, steps));
        outfile_add(out, "\n");
    }
}

/* Write the errors over pairs of threads, and the conditions under which bounds hold. */
static void write_figures(const struct csy_sync *sync, uint64_t timebase_hz, struct outfile *out)
{
    const csy_summary *summary = &sync->summary;
    int64_t added_ticks = sync->imprecision.added_ticks;
    bool computed = summary->uncomputed_steps == 0 && summary->pairs > 0;
    char head[16], text[UNCOMPUTED_TEXT_MAX], condition[CSY_WARNING_TEXT_MAX];
    struct statistic rows[STATISTICS_MAX];
    if (summary->uncomputed_steps > 0) {
        outfile_print(out, "\n%s\n", text_uncomputed(summary, text));
    } else if (summary->pairs == 0) {
        outfile_add(out, "\nThe trace has only one clock, so there is nothing to synchronize.\n");
    } else {
        snprintf(head, sizeof head, "%ss", text_error(added_ticks));
        outfile_print(out, "\n%-20s %18s %18s\n", head, "ticks", "microseconds");
    }
    for (size_t i = 0, n = text_statistics(sync, rows); i < n; i++) {
        const struct statistic *row = &rows[i];
        const csy_group *group = row->group;
        char micro[QUOTIENT_TEXT_MAX] = "-", of[32] = "", max[32] = "", more[128] = "";
        if (group == &summary->met ? summary->met_uncomputed : !computed)
            continue;
        if (group && group->pairs == 0)
            continue;
        /* After the mean of a group, write its pairs and maximum: "64 of 66 pairs, max 35". */
        if (group && group->mean.pairs < group->pairs)
            snprintf(of, sizeof of, "%" PRIu64 " of ", group->mean.pairs);
        if (group && group->mean.pairs > 0)
            snprintf(max, sizeof max, ", max %" PRId64, group->max_event_error_ticks);
        if (group)
            snprintf(more, sizeof more, "  %s%" PRIu64 " pair%s%s", of, group->pairs,
                     text_plural(group->pairs), max);
        if (row->den > 0)
            microseconds_text(row->num, row->den * (int128)timebase_hz, micro);
        outfile_print(out, "%-20s %18s %18s%s\n", row->label, row->den > 0 ? row->ticks : "-",
                      micro, more);
    }
    if (computed) {
        outfile_print(out, "figures over %" PRIu64 " of %" PRIu64 " pairs%s\n%s;\n%s\n",
                      summary->bounded, summary->pairs,
                      summary->bounded < summary->pairs ? "; the other pairs have no bounds" : "",
                      text_latency, text_order);
        if (added_ticks > 0)
            outfile_add(out, "the clock error excludes the errors of the timestamps\n");
    }
    for (size_t i = 0; csy_sync_condition_at(sync, i, condition); i++)
        outfile_print(out, "bounds hold if %s\n", condition);
}

/* Append a blank and a text that is right-aligned in `columns` characters. */
static char *put_right(char *at, size_t columns, const char *text)
{
    size_t length = strlen(text), blanks = 1 + (columns > length ? columns - length : 0);
    memset(at, ' ', blanks);
    return put_bytes(at + blanks, text, length);
}

static csy_status write_matrix(struct csy_sync *sync, int columns, struct outfile *out,
                               csy_error *error)
{
    char name[ERROR_ESCAPED_MAX], text[TICKS_TEXT_MAX];
    size_t n = sync->survey.threads.count;
    int64_t greatest = sync->summary.max_event_error_ticks;
    struct pair pair = {.s = 0};
    csy_status status = CSY_OK;
    for (size_t s = 0; sync->drift && s < n && n <= MATRIX_THREADS_MAX && !status; s++)
        for (size_t t = 0; t < n && !status; t++) {
            status = s == t ? CSY_OK : pair_find(sync, s, t, false, &pair, error);
            int64_t one = s == t || status ? -1 : pair_event_error(sync, &pair);
            greatest = one > greatest ? one : greatest;
        }
    int digits = (int)strlen(text_ticks(greatest < 0 ? 0 : greatest, "", "", text));
    int column = (digits > columns ? digits : columns) + 1;
    if (status || n < 2 || n > MATRIX_THREADS_MAX || columns + (int)n * column > MATRIX_COLUMNS_MAX)
        return CSY_OK;
    if (sync->drift)
        outfile_add(out, "\nwidth of the range of each pair at the worst of " MOMENTS_TEXT
                         " moments, ticks\n");
    else
        outfile_print(out, "\n%s of each pair, ticks\n", text_error(sync->imprecision.added_ticks));
    outfile_print(out, "%-*s", columns, "");
    for (size_t t = 0; t < n; t++)
        outfile_print_name(out, column, text_name(sync, t, name));
    outfile_add(out, "\n");
    for (size_t s = 0; s < n && !status; s++) {
        outfile_print_name(out, -columns, text_name(sync, s, name));
        for (size_t t = 0; t < n && !status; t++) {
            status = s == t ? CSY_OK : pair_find(sync, s, t, false, &pair, error);
            outfile_print(out, "%*s", column,
                          s == t ? "." : text_bound(pair_event_error(sync, &pair), text));
        }
        outfile_add(out, "\n");
    }
    return status;
}

/* Find the pair of clocks with the greatest error. *any becomes false if no pair has bounds. */
csy_status pair_worst(struct csy_sync *sync, size_t *s, size_t *t, bool *any, csy_drift_pair *pair,
                      csy_error *error)
{
    csy_status status = csy_sync_drift_worst(sync, s, t, any, error);
    return status || !*any ? status : csy_sync_drift_pair(sync, *s, *t, false, pair, error);
}

/* --- Clocks that drift: ppm and ticks with three decimals --- */

static void write_error(struct outfile *out, bool bounded, csy_fine error)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, " %16s", bounded ? fine_text(error, 3, text) : "inf");
}

static void write_figure(const struct csy_sync *sync, const char *name, csy_fine figure,
                         struct outfile *out)
{
    char ticks[QUOTIENT_TEXT_MAX], micro[QUOTIENT_TEXT_MAX];
    const int128 hz = (int128)sync->trace->timebase_hz * FINE_UNIT;
    outfile_print(out, "%-20s %18s %18s", name, fine_text(figure, 3, ticks),
                  microseconds_text(fine_units(figure), hz, micro));
}

/* Write the errors of drifting clocks, first over all clocks, then with the rates of each. */
static csy_status write_drift(struct csy_sync *sync, int columns, struct outfile *out,
                              csy_error *error)
{
    csy_status status = CSY_OK;
    const csy_drift *drift = csy_sync_drift(sync);
    char head[16], condition[CSY_WARNING_TEXT_MAX], least[QUOTIENT_TEXT_MAX];
    char name[ERROR_ESCAPED_MAX], second[ERROR_ESCAPED_MAX], greatest[QUOTIENT_TEXT_MAX];
    csy_drift_pair pair;
    size_t first = 0, other = 0;
    bool any = false, assumed = true;
    snprintf(head, sizeof head, "%ss", text_error(sync->imprecision.added_ticks));
    outfile_print(out, "\n%-20s %18s %18s\n", head, "ticks", "microseconds");
    if (drift->records == 0) {
        outfile_print(out, "%-20s %18s %18s\n", "max error", "inf", "inf");
    } else {
        write_figure(sync, "max error", drift->max_event_error, out);
        outfile_print(out, "  %s, record %" PRIu64 "\n", text_name(sync, drift->max_clock, name),
                      drift->clocks[drift->max_clock].max_record);
        write_figure(sync, "mean error", drift->mean_event_error, out);
        outfile_print(out, "  over %" PRIu64 " record%s\n", drift->records,
                      text_plural(drift->records));
        if (fine_units(drift->max_event_error) != fine_units(drift->max_error)) {
            write_figure(sync, "max clock error", drift->max_error, out);
            outfile_add(out, "\n");
        }
        if (sync->imprecision.added_ticks > 0) {
            write_figure(sync, "mean clock error", drift->mean_error, out);
            outfile_add(out, "\n");
        }
        status = pair_worst(sync, &first, &other, &any, &pair, error);
        if (!status && any) {
            write_figure(sync, "worst pair", fine_rounded_up(pair.worst_event, 3), out);
            outfile_print(out, "  %s and %s, at global time %" PRId64 "\n",
                          text_name(sync, first, name), text_name(sync, other, second),
                          pair.worst_moment_ticks);
        }
        outfile_add(
            out, "max error: a written time between two events is off by at most this, in either "
                 "direction\nworst pair: the time between these two clocks has a range of this "
                 "width, at the worst of " MOMENTS_TEXT
                 " moments;\nit is wide at a moment without events, and as a full width it can "
                 "exceed the max error\n");
    }
    outfile_print(out, "errors are relative to the clock of the reference and change with time%s\n",
                  drift->wander_ppb == CSY_NO_DRIFT
                      ? ""
                      : ";\nwith a wander, they are proven, but not always the smallest possible");
    for (size_t i = 0; csy_sync_condition_at(sync, i, condition); i++)
        outfile_print(out, "bounds hold if %s\n", condition);
    outfile_print(out, "\n%-*s %10s %12s %12s %16s %16s %12s\n", columns, text_clock(sync),
                  "records", "least ppm", "greatest ppm", "mean clock error", "max clock error",
                  "worst record");
    for (size_t t = 0; t < drift->nclocks && !outfile_failed(out); t++) {
        const csy_drift_clock *clock = &drift->clocks[t];
        outfile_print_name(out, -columns, text_name(sync, t, name));
        outfile_print(out, " %10" PRIu64 " %12s %12s", sync->views[t].records,
                      decimal_text(clock->least_ppb, 3, least),
                      decimal_text(clock->greatest_ppb, 3, greatest));
        write_error(out, clock->bounded, clock->mean_error);
        write_error(out, clock->bounded, clock->max_error);
        if (clock->bounded && t != sync->reference)
            outfile_print(out, " %12" PRIu64 "\n", clock->max_record);
        else
            outfile_print(out, " %12s\n", "-");
        assumed &= t == sync->reference ||
                   (clock->least_ppb == -drift->rate_ppb && clock->greatest_ppb == drift->rate_ppb);
    }
    if (assumed)
        outfile_add(out, "these rates are the assumed limits, which the trace does not narrow\n");
    if (!text_of_cell(sync)) /* for a Cell machine, the offsets are printed elsewhere */
        return status;
    outfile_print(out, "\n%-*s %22s %16s %22s %16s\n", columns, text_clock(sync),
                  "offset at first record", "clock error", "offset at last record", "clock error");
    for (size_t t = 0; t < drift->nclocks && !outfile_failed(out); t++) {
        const csy_drift_clock *clock = &drift->clocks[t];
        const csy_drift_moment *const moments[] = {&clock->first, &clock->last};
        outfile_print_name(out, -columns, text_name(sync, t, name));
        for (size_t i = 0; i < 2; i++) {
            outfile_print(out, " %22s", fine_text(moments[i]->offset, 3, least));
            write_error(out, clock->bounded,
                        fine_difference(moments[i]->latest, moments[i]->earliest));
        }
        outfile_add(out, "\n");
    }
    return status;
}

/* Write which further records would reduce the errors. Names are padded to `columns` characters. */
static void write_advice(const struct csy_sync *sync, int columns, struct outfile *out)
{
    enum { LISTED_MAX = 10, COLUMNS = 20 };
    char text[SENTENCE_MAX], name[ERROR_ESCAPED_MAX], ticks[TICKS_TEXT_MAX];
    if (!sync->advice)
        return;
    const csy_advice *advice = &sync->advice->view;
    if (advice->count == 0) {
        outfile_print(out, "\nadvice      none: there is no other %s\n", text_clock(sync));
        return;
    }
    outfile_print(out, "\nadvice      %s\n", text_advice(sync, text));
    if (sync->drift) {
        /* List clocks without bounds, then the longest gaps between clock readings with bounds. */
        outfile_print(out, "%-*s %*s %*s %*s %*s\n", columns, text_clock(sync), COLUMNS,
                      "local from", COLUMNS, "to", COLUMNS, "error in the gap", COLUMNS,
                      "resulting error");
        for (size_t i = 0; i < advice->unbounded && i < LISTED_MAX; i++) {
            outfile_print_name(out, -columns, text_name(sync, advice->threads[i].thread, name));
            outfile_print(out, "  %s\n", text_lack(sync, &advice->threads[i], text));
        }
        for (size_t i = 0; i < advice->ngaps; i++) {
            const csy_advised_gap *gap = &advice->gaps[i];
            outfile_print_name(out, -columns, text_name(sync, gap->thread, name));
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
    for (size_t i = 0; i < advice->count && i < LISTED_MAX; i++) {
        const csy_advised *advised = &advice->threads[i];
        char window[2 * TICKS_TEXT_MAX + 8] = "-";
        bool bounded = advised->error_ticks >= 0;
        if (advised->begin_ticks <= advised->end_ticks)
            snprintf(window, sizeof window, "%" PRId64 "..%" PRId64, advised->begin_ticks,
                     advised->end_ticks);
        outfile_print_name(out, -columns, text_name(sync, advised->thread, name));
        outfile_print(out, " %*s %*s", COLUMNS, text_bound(advised->error_ticks, ticks),
                      2 * COLUMNS, window);
        if (!bounded || sync->partial)
            outfile_print(out, "  %s\n", text_lack(sync, advised, text));
        else
            outfile_print(
                out, " %*" PRId64 " %*" PRId64 " %*s\n", COLUMNS, advised->fine_ticks, COLUMNS,
                advised->coarse_ticks, COLUMNS,
                text_ticks(advised->room ? advised->then_ticks : INT64_MAX, "", "no room", ticks));
    }
    const char *sum = text_advice_sum(sync, text);
    outfile_print(out, "%s%s", sum, *sum ? "\n" : "");
}

csy_status report_text(struct csy_sync *sync, struct outfile *out, csy_error *error)
{
    char name[ERROR_ESCAPED_MAX], text[DIFFERENCE_TEXT_MAX];
    const struct csy_trace *trace = sync->trace;
    const csy_drift *drift = csy_sync_drift(sync); /* NULL if clocks do not drift */
    size_t next = 0;
    int columns = NAME_COLUMNS_MIN;
    outfile_show_text(out);
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        int length = (int)outfile_columns(out, text_name(sync, t, name));
        columns = length > columns ? length : columns;
    }
    write_read(trace, sync, out);
    write_order(sync, out);
    write_choices(sync, out);
    if (drift) {
        outfile_print(out, "drift       at most %s ppm", decimal_text(drift->rate_ppb, 3, text));
        if (drift->wander_ppb != CSY_NO_DRIFT)
            outfile_print(out, ", within %s ppm of a constant",
                          decimal_text(drift->wander_ppb, 3, text));
        outfile_add(out, "\n");
    }
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p) && !p.condition;)
        outfile_print(out, "warning     %s%s%s\n", p.text, p.see ? "; see " : "",
                      p.see ? p.see : "");
    write_damage(sync, out);
    write_violations(sync, out);
    write_tracer(sync, out);
    write_witness(sync, out);
    write_diagnosis(sync, out);
    if (!sync->drift)
        write_dropped(sync, out);
    for (bool first = true; difference_next(sync, false, &next, text); first = false)
        outfile_print(out, "%s%s\n", first ? "\n" : "", text);
    if (sync->drift) {
        csy_status status = write_drift(sync, columns, out, error);
        write_advice(sync, columns, out);
        return status ? status : write_matrix(sync, columns, out, error);
    }
    if (sync->method == CSY_METHOD_BHH)
        write_figures(sync, trace->timebase_hz, out);
    write_advice(sync, columns, out);
    const char *head = text_event_ends(sync);
    outfile_print(out, "\n%-*s %*s %*s %*s%s %*s%s\n", columns, text_clock(sync), RECORDS_COLUMNS,
                  "records", TICKS_COLUMNS, "offset", TICKS_COLUMNS - (int)strlen(head), "earliest",
                  head, TICKS_COLUMNS - (int)strlen(head), "latest", head);
    for (size_t t = 0; t < sync->survey.threads.count && !outfile_failed(out); t++) {
        /* Build lines with base/put.h, because printf would be too slow for many threads. */
        int64_t earliest, latest;
        const csy_thread *thread = &sync->views[t];
        char ticks[TICKS_TEXT_MAX], row[2 * ERROR_ESCAPED_MAX + 5 * TICKS_TEXT_MAX], *at;
        size_t shown = outfile_columns(out, escaped_name(thread->name, name));
        size_t blanks = (size_t)columns > shown ? (size_t)columns - shown : 0;
        at = put_text(row, name);
        memset(at, ' ', blanks);
        *number_put_unsigned(ticks, thread->records) = 0;
        at = put_right(at + blanks, RECORDS_COLUMNS, ticks);
        at = put_right(at, TICKS_COLUMNS, text_ticks(thread->offset_ticks, "-", "", ticks));
        solution_event_ends(sync, thread, &earliest, &latest);
        at = put_right(at, TICKS_COLUMNS, text_ticks(earliest, "-inf", "inf", ticks));
        at = put_right(at, TICKS_COLUMNS, text_ticks(latest, "-inf", "inf", ticks));
        memcpy(at, "\n", sizeof "\n");
        outfile_print_made(out, row, (size_t)(at + 1 - row));
    }
    return sync->method == CSY_METHOD_BHH ? write_matrix(sync, columns, out, error) : CSY_OK;
}
