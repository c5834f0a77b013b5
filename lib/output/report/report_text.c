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

enum { RECORDS_COLUMNS = 10, TICKS_COLUMNS = 20 };

static const char *escaped_name(const char *name, char text[ERROR_ESCAPED_MAX])
{
    return error_escape(text, name, strlen(name));
}

const char *report_name(const struct csy_sync *sync, size_t t, char text[ERROR_ESCAPED_MAX])
{
    return escaped_name(sync->views[t].name, text);
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
        if (clock->wraps || clock->splits || clock->assumed)
            outfile_print(out,
                          "\nunwrapping  %" PRId64 " wrap%s, %" PRIu64 " split%s, %" PRIu64
                          " gap%s with an assumed number of wraps",
                          clock->wraps, text_plural((uint64_t)clock->wraps), clock->splits,
                          text_plural(clock->splits), clock->assumed, text_plural(clock->assumed));
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
    outfile_print(out, "reference   %s", report_name(sync, sync->reference, name));
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

/* Write how far global times contradict the order, and how far times in threads were changed. */
static void write_order(const struct csy_sync *sync, struct outfile *out)
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
    if (damage)
        outfile_print(out,
                      "damage      %" PRIu64 " of %" PRIu64
                      " times between records of one thread changed",
                      damage->damaged, damage->mean.pairs);
    if (damage && damage->damaged > 0)
        outfile_print(out, ", by up to %" PRId64 " ticks, by %s on average", damage->worst_ticks,
                      quotient_text(mean_sum(damage->mean), (int128)damage->mean.pairs, text));
    if (damage)
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
        /* A measured offset relates readings of two clocks that do not belong to records. */
        bool read = limit && edge->steps->kind == CSY_ORDER_OFFSET;
        outfile_add(out, "            ");
        if (!read)
            outfile_print(out, "record %" PRIu64 " of ", edge->record_s);
        outfile_print(out, "%s at %" PRId64, report_name(sync, edge->s, name), edge->time_s);
        if (limit)
            outfile_print(out, ", at most %" PRId64 " after ", -edge->latency_ticks);
        else
            outfile_add(out, ", before ");
        if (!read)
            outfile_print(out, "record %" PRIu64 " of ", edge->record_t);
        outfile_print(out, "%s at %" PRId64, report_name(sync, edge->t, name), edge->time_t);
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
    /* Print conditions even without bounds, because they also apply to limits on one side. */
    for (size_t i = 0; csy_sync_condition_at(sync, i, condition); i++)
        outfile_print(out, "bounds hold if %s\n", condition);
}

static char *put_blanks(char *at, size_t n)
{
    memset(at, ' ', n);
    return at + n;
}

/* Append a blank and a text that is right-aligned in `columns` characters. */
static char *put_right(char *at, size_t columns, const char *text, size_t length)
{
    at = put_blanks(at, 1 + (columns > length ? columns - length : 0));
    return put_bytes(at, text, length);
}

static char *put_column(char *at, int64_t ticks, const char *minus_inf, const char *inf)
{
    char text[TICKS_TEXT_MAX];
    const char *word = ticks == INT64_MIN ? minus_inf : inf;
    if (ticks == INT64_MIN || ticks == INT64_MAX)
        return put_right(at, TICKS_COLUMNS, word, strlen(word));
    return put_right(at, TICKS_COLUMNS, text, (size_t)(number_put(text, ticks) - text));
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
        outfile_print_name(out, column, report_name(sync, t, name));
    outfile_add(out, "\n");
    for (size_t s = 0; s < n && !status; s++) {
        outfile_print_name(out, -columns, report_name(sync, s, name));
        for (size_t t = 0; t < n && !status; t++) {
            status = s == t ? CSY_OK : pair_find(sync, s, t, false, &pair, error);
            outfile_print(out, "%*s", column,
                          s == t ? "." : text_bound(pair_event_error(sync, &pair), text));
        }
        outfile_add(out, "\n");
    }
    return status;
}

csy_status report_text(const struct csy_trace *trace, struct csy_sync *sync, struct outfile *out,
                       csy_error *error)
{
    char name[ERROR_ESCAPED_MAX], time[CSY_TIME_TEXT_MAX], text[DIFFERENCE_TEXT_MAX];
    const csy_order *order = &sync->order;
    size_t next = 0;
    int columns = NAME_COLUMNS_MIN;
    outfile_show_text(out);
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        int length = (int)outfile_columns(out, report_name(sync, t, name));
        columns = length > columns ? length : columns;
    }
    write_read(trace, sync, out);
    if (sync->matched) {
        matched_text(trace, sync->matched, out);
    } else { /* count neighbouring records in the wrong order */
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
    }
    write_choices(sync, out);
    if (sync->drift)
        drift_text_line(csy_sync_drift(sync), out);
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p) && !p.condition;)
        outfile_print(out, "warning     %s%s%s\n", p.text, p.see ? "; see " : "",
                      p.see ? p.see : "");
    write_order(sync, out);
    violations_text(sync, out);
    tracer_text(sync, out);
    write_witness(sync, out);
    diagnosis_text(sync, out);
    if (!sync->drift) {
        profile_text(trace, sync, out);
        dropped_text(trace, sync, out);
    }
    for (bool first = true; difference_next(sync, false, &next, text); first = false)
        outfile_print(out, "%s%s\n", first ? "\n" : "", text);
    if (sync->drift) {
        csy_status status = drift_text(sync, columns, out, error);
        advice_text(sync, columns, out);
        return status ? status : write_matrix(sync, columns, out, error);
    }
    if (sync->method == CSY_METHOD_BHH)
        write_figures(sync, trace->timebase_hz, out);
    advice_text(sync, columns, out);
    const char *head = text_event_ends(sync);
    outfile_print(out, "\n%-*s %*s %*s %*s%s %*s%s\n", columns, text_clock(sync), RECORDS_COLUMNS,
                  "records", TICKS_COLUMNS, "offset", TICKS_COLUMNS - (int)strlen(head), "earliest",
                  head, TICKS_COLUMNS - (int)strlen(head), "latest", head);
    for (size_t t = 0; t < sync->survey.threads.count && !outfile_failed(out); t++) {
        /* Build lines with base/put.h, because printf would be too slow for many threads. */
        int64_t earliest, latest;
        const csy_thread *thread = &sync->views[t];
        char records[TICKS_TEXT_MAX], *at, *end;
        char row[2 * ERROR_ESCAPED_MAX + 5 * TICKS_TEXT_MAX];
        size_t shown = outfile_columns(out, escaped_name(thread->name, name));
        at = put_blanks(put_text(row, name), (size_t)columns > shown ? (size_t)columns - shown : 0);
        end = number_put_unsigned(records, thread->records);
        at = put_right(at, RECORDS_COLUMNS, records, (size_t)(end - records));
        at = put_column(at, thread->offset_ticks, "-", "");
        solution_event_ends(sync, thread, &earliest, &latest);
        at = put_column(at, earliest, "-inf", "inf");
        at = put_column(at, latest, "-inf", "inf");
        memcpy(at, "\n", sizeof "\n");
        outfile_print_made(out, row, (size_t)(at + 1 - row));
    }
    return sync->method == CSY_METHOD_BHH ? write_matrix(sync, columns, out, error) : CSY_OK;
}
