/* Writes the parts of reports about clocks that drift. */
#include "base/error.h"
#include "output/encode/difference.h"
#include "output/encode/escape.h"
#include "output/encode/fine.h"
#include "output/report/report.h"

#include <inttypes.h>

/* --- Text: ppm and ticks with three decimals --- */

void drift_text_line(const csy_drift *drift, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, "drift       at most %s ppm", decimal_text(drift->rate_ppb, 3, text));
    if (drift->wander_ppb != CSY_NO_DRIFT)
        outfile_print(out, ", within %s ppm of a constant",
                      decimal_text(drift->wander_ppb, 3, text));
    outfile_add(out, "\n");
}

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

/* Find the pair of clocks with the greatest error. *any becomes false if no pair has bounds. */
static csy_status find_worst(struct csy_sync *sync, size_t *s, size_t *t, bool *any,
                             csy_drift_pair *pair, csy_error *error)
{
    csy_status status = csy_sync_drift_worst(sync, s, t, any, error);
    return status || !*any ? status : csy_sync_drift_pair(sync, *s, *t, false, pair, error);
}

csy_status drift_text(struct csy_sync *sync, int columns, struct outfile *out, csy_error *error)
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
        outfile_print(out, "  %s, record %" PRIu64 "\n", report_name(sync, drift->max_clock, name),
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
        status = find_worst(sync, &first, &other, &any, &pair, error);
        if (!status && any) {
            write_figure(sync, "worst pair", fine_rounded_up(pair.worst_event, 3), out);
            outfile_print(out, "  %s and %s, at global time %" PRId64 "\n",
                          report_name(sync, first, name), report_name(sync, other, second),
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
        outfile_print_name(out, -columns, report_name(sync, t, name));
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
        outfile_print_name(out, -columns, report_name(sync, t, name));
        for (size_t i = 0; i < 2; i++) {
            outfile_print(out, " %22s", fine_text(moments[i]->offset, 3, least));
            write_error(out, clock->bounded,
                        fine_difference(moments[i]->latest, moments[i]->earliest));
        }
        outfile_add(out, "\n");
    }
    return status;
}

/* --- JSON: all nine decimals --- */

/* Write a comma and a JSON member with nine decimals. Write null if the value is not known. */
static void put_fine(struct outfile *out, const char *key, bool known, csy_fine value)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ", \"%s\": %s", key, known ? fine_text(value, 9, text) : "null");
}

static void write_moment_json(const struct csy_sync *sync, size_t t, bool last, struct outfile *out)
{
    const csy_drift_clock *clock = &csy_sync_drift(sync)->clocks[t];
    const csy_drift_moment *moment = last ? &clock->last : &clock->first;
    outfile_print(out, ", \"%s\": {\"local_ticks\": %" PRId64, last ? "last" : "first",
                  moment->local_ticks);
    put_fine(out, "offset_ticks", true, moment->offset);
    put_fine(out, "earliest_ticks", clock->bounded, moment->earliest);
    put_fine(out, "latest_ticks", clock->bounded, moment->latest);
    put_fine(out, "error_ticks", clock->bounded, fine_difference(moment->latest, moment->earliest));
    if (!text_of_cell(sync)) {
        struct difference difference = difference_of(sync, t, last);
        difference_json(sync, &difference, out);
    }
    outfile_add(out, "}");
}

void drift_json_pair(const csy_drift_pair *pair, struct outfile *out)
{
    put_fine(out, "best_error_ticks", pair->bounded, pair->best);
    put_fine(out, "median_error_ticks", pair->bounded, pair->median);
    put_fine(out, "worst_error_ticks", pair->bounded, pair->worst);
    put_fine(out, "worst_event_error_ticks", pair->bounded, pair->worst_event);
    if (pair->bounded)
        outfile_print(out, ", \"worst_moment_ticks\": %" PRId64 ", \"by\": \"%s\"",
                      pair->worst_moment_ticks, pair->by_walks ? "walks" : "reference");
    else
        outfile_add(out, ", \"worst_moment_ticks\": null, \"by\": null");
}

csy_status drift_json(struct csy_sync *sync, struct outfile *out, csy_error *error)
{
    const csy_drift *drift = csy_sync_drift(sync);
    bool some = drift->records > 0, any = false;
    csy_drift_pair pair = {.bounded = false};
    size_t s = 0, t = 0;
    outfile_print(out, "  \"drift\": {\"rate_ppb\": %" PRId64, drift->rate_ppb);
    put_ticks(out, "wander_ppb", drift->wander_ppb == CSY_NO_DRIFT ? INT64_MAX : drift->wander_ppb);
    outfile_print(out, ", \"records\": %" PRIu64, drift->records);
    put_fine(out, "mean_error_ticks", some, drift->mean_error);
    put_fine(out, "max_error_ticks", some, drift->max_error);
    put_fine(out, "mean_event_error_ticks", some, drift->mean_event_error);
    put_fine(out, "max_event_error_ticks", some, drift->max_event_error);
    csy_status status = find_worst(sync, &s, &t, &any, &pair, error);
    outfile_print(out, ", \"unbounded\": %zu, \"moments\": %d, \"worst_pair\": ",
                  sync->summary.unbounded_threads, CSY_DRIFT_MOMENTS);
    if (!status && any) {
        put_string(out, "{\"s\": ", sync->views[s].name);
        put_string(out, ", \"t\": ", sync->views[t].name);
        drift_json_pair(&pair, out);
    }
    outfile_add(out, !status && any ? "}, \"clocks\": [" : "null, \"clocks\": [");
    for (size_t i = 0; i < drift->nclocks && !outfile_failed(out); i++) {
        const csy_drift_clock *clock = &drift->clocks[i];
        put_string(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ", sync->views[i].name);
        outfile_print(out,
                      ", \"bounded\": %s, \"least_ppb\": %" PRId64 ", \"greatest_ppb\": %" PRId64
                      ", \"least_mean_ppb\": %" PRId64 ", \"greatest_mean_ppb\": %" PRId64
                      ", \"knots\": %zu",
                      text_bool(clock->bounded), clock->least_ppb, clock->greatest_ppb,
                      clock->least_mean_ppb, clock->greatest_mean_ppb, clock->knots);
        write_moment_json(sync, i, false, out);
        write_moment_json(sync, i, true, out);
        put_fine(out, "mean_error_ticks", clock->bounded, clock->mean_error);
        put_fine(out, "max_error_ticks", clock->bounded, clock->max_error);
        if (clock->bounded)
            outfile_print(out, ", \"max_record\": %" PRIu64 "}", clock->max_record);
        else
            outfile_add(out, ", \"max_record\": null}");
    }
    outfile_add(out, "\n  ]},\n");
    return status;
}
