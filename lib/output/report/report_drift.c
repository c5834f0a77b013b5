/* Drifting clocks in reports. */
#include "output/report/report_drift.h"

#include "base/error.h"
#include "output/encode/difference.h"
#include "output/encode/fine.h"
#include "output/encode/json.h"

#include <inttypes.h>
#include <string.h>

/* --- Text: ppm and ticks with three decimals --- */

void drift_text_line(const csy_drift *drift, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, "drift       at most %s ppm", decimal_text(drift->rate_ppb, 3, text));
    if (drift->wander_ppb != CSY_NO_DRIFT)
        outfile_print(out, ", within %s ppm of a constant",
                      decimal_text(drift->wander_ppb, 3, text));
    outfile_print(out, "\n");
}

static void write_error(struct outfile *out, bool bounded, csy_fine error)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, " %16s", bounded ? fine_text(error, 3, text) : "inf");
}

static void write_name(const struct csy_sync *sync, size_t t, int columns, struct outfile *out)
{
    char name[ERROR_ESCAPED_MAX];
    const char *called = sync->views[t].name;
    outfile_print_name(out, -columns, error_escape(name, called, strlen(called)));
}

static void write_rates(const struct csy_sync *sync, int columns, struct outfile *out)
{
    char least[QUOTIENT_TEXT_MAX], greatest[QUOTIENT_TEXT_MAX];
    const csy_drift *drift = csy_sync_drift(sync);
    outfile_print(out, "\n%-*s %10s %12s %12s %16s %16s %12s\n", columns, text_clock(sync),
                  "records", "least ppm", "greatest ppm", "mean clock error", "max clock error",
                  "worst record");
    for (size_t t = 0; t < drift->nclocks && !outfile_failed(out); t++) {
        const csy_drift_clock *clock = &drift->clocks[t];
        write_name(sync, t, columns, out);
        outfile_print(out, " %10" PRIu64 " %12s %12s", sync->views[t].records,
                      decimal_text(clock->least_ppb, 3, least),
                      decimal_text(clock->greatest_ppb, 3, greatest));
        write_error(out, clock->bounded, clock->mean_error);
        write_error(out, clock->bounded, clock->max_error);
        if (clock->bounded)
            outfile_print(out, " %12" PRIu64 "\n", clock->max_record);
        else
            outfile_print(out, " %12s\n", "-");
    }
}

static void write_moment(struct outfile *out, bool bounded, const csy_drift_moment *moment)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, " %22s", fine_text(moment->offset, 3, text));
    write_error(out, bounded, fine_difference(moment->latest, moment->earliest));
}

static void write_offsets(const struct csy_sync *sync, int columns, struct outfile *out)
{
    const csy_drift *drift = csy_sync_drift(sync);
    outfile_print(out, "\n%-*s %22s %16s %22s %16s\n", columns, text_clock(sync),
                  "offset at first record", "clock error", "offset at last record", "clock error");
    for (size_t t = 0; t < drift->nclocks && !outfile_failed(out); t++) {
        const csy_drift_clock *clock = &drift->clocks[t];
        write_name(sync, t, columns, out);
        write_moment(out, clock->bounded, &clock->first);
        write_moment(out, clock->bounded, &clock->last);
        outfile_print(out, "\n");
    }
}

static void write_figure(const struct csy_sync *sync, const char *name, csy_fine figure,
                         struct outfile *out)
{
    char ticks[QUOTIENT_TEXT_MAX], micro[QUOTIENT_TEXT_MAX];
    const int128 hz = (int128)sync->trace->timebase_hz * FINE_UNIT;
    outfile_print(out, "%-20s %18s %18s", name, fine_text(figure, 3, ticks),
                  microseconds_text(fine_units(figure), hz, micro));
}

static csy_status write_worst_pair(struct csy_sync *sync, struct outfile *out, csy_error *error)
{
    size_t s, t;
    bool any;
    csy_drift_pair pair;
    char first[ERROR_ESCAPED_MAX], second[ERROR_ESCAPED_MAX];
    csy_status status = csy_sync_drift_worst(sync, &s, &t, &any, error);
    if (!status && any)
        status = csy_sync_drift_pair(sync, s, t, false, &pair, error);
    if (status || !any)
        return status;
    const char *called[] = {sync->views[s].name, sync->views[t].name};
    write_figure(sync, "worst pair", fine_rounded_up(pair.worst_event, 3), out);
    outfile_print(out, "  %s and %s, at global %" PRId64 "\n",
                  error_escape(first, called[0], strlen(called[0])),
                  error_escape(second, called[1], strlen(called[1])), pair.worst_moment_ticks);
    return CSY_OK;
}

csy_status drift_text(struct csy_sync *sync, int columns, struct outfile *out, csy_error *error)
{
    csy_status status = CSY_OK;
    const csy_drift *drift = csy_sync_drift(sync);
    char head[16], condition[CSY_WARNING_TEXT_MAX];
    snprintf(head, sizeof head, "%ss", text_error(sync->imprecision.added_ticks));
    outfile_print(out, "\n%-20s %18s %18s\n", head, "ticks", "microseconds");
    if (drift->records == 0) {
        outfile_print(out, "%-20s %18s %18s\n", "max error", "-", "-");
    } else {
        char name[ERROR_ESCAPED_MAX];
        const char *called = sync->views[drift->max_clock].name;
        write_figure(sync, "max error", drift->max_event_error, out);
        outfile_print(out, "  %s, record %" PRIu64 "\n", error_escape(name, called, strlen(called)),
                      drift->clocks[drift->max_clock].max_record);
        write_figure(sync, "mean error", drift->mean_event_error, out);
        outfile_print(out, "  over %" PRIu64 " record%s\n", drift->records,
                      text_plural(drift->records));
        if (fine_units(drift->max_event_error) != fine_units(drift->max_error)) {
            write_figure(sync, "max clock error", drift->max_error, out);
            outfile_print(out, "\n");
        }
        if (sync->imprecision.added_ticks > 0) {
            write_figure(sync, "mean clock error", drift->mean_error, out);
            outfile_print(out, "\n");
        }
        status = write_worst_pair(sync, out, error);
        outfile_print(
            out, "The max error limits the error of the written time between any two events of "
                 "bounded clocks.\nThe error of a pair is the width of a range instead: the range "
                 "of the time between two clocks,\nat " MOMENTS_TEXT
                 " moments of the trace, is at most as wide as the range of the worst pair.\n");
    }
    outfile_print(out,
                  "Errors are relative to the clock of the reference and change with time%s.\n",
                  drift->wander_ppb == CSY_NO_DRIFT
                      ? ""
                      : ";\nwith a wander, they are proven, but not always the smallest possible");
    for (size_t i = 0; csy_sync_condition_at(sync, i, condition); i++)
        outfile_print(out, "bounds hold if %s\n", condition);
    write_rates(sync, columns, out);
    write_offsets(sync, columns, out);
    return status;
}

/* --- JSON: all nine decimals --- */

static void write_fine(struct outfile *out, const char *key, bool known, csy_fine value)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, "\"%s\": %s", key, known ? fine_text(value, 9, text) : "null");
}

static void write_moment_json(const struct csy_sync *sync, size_t t, bool last, struct outfile *out)
{
    const csy_drift_clock *clock = &csy_sync_drift(sync)->clocks[t];
    const csy_drift_moment *moment = last ? &clock->last : &clock->first;
    const char *key = last ? "last" : "first";
    bool bounded = clock->bounded;
    outfile_print(out, ", \"%s\": {\"local_ticks\": %" PRId64 ", ", key, moment->local_ticks);
    write_fine(out, "offset_ticks", true, moment->offset);
    outfile_print(out, ", ");
    write_fine(out, "earliest_ticks", bounded, moment->earliest);
    outfile_print(out, ", ");
    write_fine(out, "latest_ticks", bounded, moment->latest);
    outfile_print(out, ", ");
    write_fine(out, "error_ticks", bounded, fine_difference(moment->latest, moment->earliest));
    if (!text_of_cell(sync)) {
        struct difference difference = difference_of(sync, t, last);
        difference_json(sync, &difference, out);
    }
    outfile_print(out, "}");
}

static void write_clock_json(const struct csy_sync *sync, size_t t, struct outfile *out)
{
    const csy_drift_clock *clock = &csy_sync_drift(sync)->clocks[t];
    outfile_print(out, "%s\n    {\"name\": ", t ? "," : "");
    json_string(out, sync->views[t].name);
    outfile_print(out,
                  ", \"bounded\": %s, \"least_ppb\": %" PRId64 ", \"greatest_ppb\": %" PRId64
                  ", \"least_mean_ppb\": %" PRId64 ", \"greatest_mean_ppb\": %" PRId64
                  ", \"knots\": %zu",
                  text_bool(clock->bounded), clock->least_ppb, clock->greatest_ppb,
                  clock->least_mean_ppb, clock->greatest_mean_ppb, clock->knots);
    write_moment_json(sync, t, false, out);
    write_moment_json(sync, t, true, out);
    outfile_print(out, ", ");
    write_fine(out, "mean_error_ticks", clock->bounded, clock->mean_error);
    outfile_print(out, ", ");
    write_fine(out, "max_error_ticks", clock->bounded, clock->max_error);
    if (clock->bounded)
        outfile_print(out, ", \"max_record\": %" PRIu64 "}", clock->max_record);
    else
        outfile_print(out, ", \"max_record\": null}");
}

void drift_json_pair(const csy_drift_pair *pair, struct outfile *out)
{
    outfile_print(out, ", ");
    write_fine(out, "best_error_ticks", pair->bounded, pair->best);
    outfile_print(out, ", ");
    write_fine(out, "median_error_ticks", pair->bounded, pair->median);
    outfile_print(out, ", ");
    write_fine(out, "worst_error_ticks", pair->bounded, pair->worst);
    outfile_print(out, ", ");
    write_fine(out, "worst_event_error_ticks", pair->bounded, pair->worst_event);
    if (pair->bounded)
        outfile_print(out, ", \"worst_moment_ticks\": %" PRId64 ", \"by\": \"%s\"",
                      pair->worst_moment_ticks, pair->by_walks ? "walks" : "reference");
    else
        outfile_print(out, ", \"worst_moment_ticks\": null, \"by\": null");
}

static csy_status write_worst_pair_json(struct csy_sync *sync, struct outfile *out,
                                        csy_error *error)
{
    size_t s = 0, t = 0;
    bool any = false;
    csy_drift_pair pair = {.bounded = false};
    csy_status status = csy_sync_drift_worst(sync, &s, &t, &any, error);
    if (!status && any)
        status = csy_sync_drift_pair(sync, s, t, false, &pair, error);
    outfile_print(out, ", \"moments\": %d, \"worst_pair\": ", CSY_DRIFT_MOMENTS);
    if (status || !any) {
        outfile_print(out, "null");
        return status;
    }
    outfile_print(out, "{\"s\": ");
    json_string(out, sync->views[s].name);
    outfile_print(out, ", \"t\": ");
    json_string(out, sync->views[t].name);
    drift_json_pair(&pair, out);
    outfile_print(out, "}");
    return CSY_OK;
}

csy_status drift_json(struct csy_sync *sync, struct outfile *out, csy_error *error)
{
    const csy_drift *drift = csy_sync_drift(sync);
    outfile_print(out, "  \"drift\": {\"rate_ppb\": %" PRId64, drift->rate_ppb);
    if (drift->wander_ppb == CSY_NO_DRIFT)
        outfile_print(out, ", \"wander_ppb\": null");
    else
        outfile_print(out, ", \"wander_ppb\": %" PRId64, drift->wander_ppb);
    outfile_print(out, ", \"records\": %" PRIu64 ", ", drift->records);
    write_fine(out, "mean_error_ticks", drift->records > 0, drift->mean_error);
    outfile_print(out, ", ");
    write_fine(out, "max_error_ticks", drift->records > 0, drift->max_error);
    outfile_print(out, ", ");
    write_fine(out, "mean_event_error_ticks", drift->records > 0, drift->mean_event_error);
    outfile_print(out, ", ");
    write_fine(out, "max_event_error_ticks", drift->records > 0, drift->max_event_error);
    outfile_print(out, ", \"unbounded\": %zu", sync->summary.unbounded_threads);
    csy_status status = write_worst_pair_json(sync, out, error);
    outfile_print(out, ", \"clocks\": [");
    for (size_t t = 0; t < drift->nclocks && !outfile_failed(out); t++)
        write_clock_json(sync, t, out);
    outfile_print(out, "\n  ]},\n");
    return status;
}
