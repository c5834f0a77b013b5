/* The JSON report. See cellsync-json(5), JSON REPORT. */
#include "base/number.h"
#include "output/encode/difference.h"
#include "output/encode/json.h"
#include "output/report/report.h"
#include "output/report/report_advice.h"
#include "output/report/report_diagnosis.h"
#include "output/report/report_drift.h"
#include "output/report/report_order.h"
#include "output/report/report_tracer.h"

#include <inttypes.h>

static const char *number_or_null(int64_t ticks, char text[TICKS_TEXT_MAX])
{
    return text_ticks(ticks, "null", "null", text);
}

static const char *max_or_null(int64_t ticks, char text[TICKS_TEXT_MAX])
{
    return number_or_null(ticks < 0 ? INT64_MAX : ticks, text);
}

static const char *mean_or_null(csy_mean mean, char text[QUOTIENT_TEXT_MAX])
{
    return mean.pairs ? quotient_text(mean_sum(mean), (int128)mean.pairs, text) : "null";
}

static void write_head(const struct csy_trace *trace, const struct csy_sync *sync,
                       struct outfile *out)
{
    char text[FRACTION_TEXT_MAX], premise[CSY_WARNING_TEXT_MAX];
    outfile_print(out, "{\n  \"trace\": ");
    json_string(out, trace->name);
    outfile_print(out,
                  ",\n  \"timebase_hz\": %" PRIu64
                  ",\n  \"timebase_assumed\": %s,\n  \"records\": %" PRIu64,
                  trace->timebase_hz, text_bool(trace->timebase_assumed), sync->survey.records);
    outfile_print(out, ",\n  \"method\": \"%s\",\n  \"reference\": ", text_method(sync->method));
    if (sync->method != CSY_METHOD_BHH) {
        outfile_print(out, "null,\n  \"alpha\": null,\n  \"center\": null,\n");
        return;
    }
    json_string(out, sync->views[sync->reference].name);
    outfile_print(out, ",\n  \"alpha\": \"%s\",\n  \"center\": \"%s\",\n",
                  fraction_text(sync->alpha, text), text_center(sync->center));
    if (!csy_sync_premise(sync, premise))
        return;
    outfile_print(out, "  \"premise\": ");
    json_string(out, premise);
    outfile_print(out, ",\n");
}

/* Write where a damaged trace was cut, or null if it is complete. */
static void write_salvaged(const struct csy_sync *sync, struct outfile *out)
{
    const csy_cut *cut = csy_sync_cut(sync);
    if (!cut) {
        outfile_print(out, "  \"salvaged\": null,\n");
        return;
    }
    outfile_print(out,
                  "  \"salvaged\": {\"records\": %" PRIu64 ", \"place\": %" PRIu64 ", \"cut\": ",
                  cut->records, cut->place);
    json_string(out, cut->text);
    outfile_print(out, "},\n");
}

/* Write the places where clocks were cut, if any was. */
static void write_steps(struct outfile *out, const struct csy_sync *sync)
{
    csy_step step;
    for (size_t i = 0; csy_sync_step(sync, i, &step); i++) {
        outfile_print(out, "%s{\"clock\": ", i == 0 ? "  \"steps\": [" : ", ");
        json_string(out, step.clock);
        outfile_print(out, ", \"record_before\": %" PRIu64 ", \"record_after\": %" PRIu64,
                      step.record_before, step.record_after);
        if (step.sized)
            outfile_print(out, ", \"least_ticks\": %" PRId64 ", \"most_ticks\": %" PRId64,
                          step.least_ticks, step.most_ticks);
        else
            outfile_print(out, ", \"least_ticks\": null, \"most_ticks\": null");
        outfile_print(out, ", \"among\": %zu}%s", step.among,
                      i + 1 == sync->steps.count ? "],\n" : "");
    }
}

static void write_clocks(const struct csy_sync *sync, struct outfile *out)
{
    char text[FRACTION_TEXT_MAX];
    const csy_imprecision *imprecision = &sync->imprecision;
    const csy_clock_report *clock = &sync->survey.clock_report;
    if (sync->method == CSY_METHOD_BHH)
        outfile_print(out, "  \"delta\": {\"mode\": \"%s\", \"ticks\": \"%s\", ",
                      text_relax(imprecision->relax), fraction_text(imprecision->delta, text));
    else
        outfile_print(out, "  \"delta\": {\"mode\": null, \"ticks\": null, ");
    if (sync->premises.stamps)
        outfile_print(out, "\"floor_ticks\": \"%s\", ",
                      fraction_text(csy_sync_delta_floor(sync), text));
    outfile_print(out,
                  "\"inversions\": %" PRIu64 ", \"largest_inversion_ticks\": %" PRId64
                  ", \"adjacent_steps_back\": %" PRIu64
                  "},\n  \"conditional\": %s,\n  \"warnings\": ",
                  imprecision->inversions, imprecision->largest_inversion_ticks,
                  imprecision->adjacent_steps_back, text_bool(imprecision->conditional));
    json_caveats(out, caveats_of(sync, NULL), JSON_WARNINGS);
    outfile_print(out, ",\n  \"conditions\": ");
    json_caveats(out, caveats_of(sync, NULL), JSON_CONDITIONS);
    outfile_print(out, ",\n");
    write_steps(out, sync);
    outfile_print(out,
                  "  \"unwrapping\": {\"wraps\": %" PRId64 ", \"splits\": %" PRIu64
                  ", \"assumed\": %" PRIu64 "},\n",
                  clock->wraps, clock->splits, clock->assumed);
    outfile_print(out,
                  "  \"switches\": {\"lost_outs\": %" PRIu64 ", \"lost_ins\": %" PRIu64
                  ", \"stragglers\": %" PRIu64 "},\n",
                  clock->lost_outs, clock->lost_ins, clock->stragglers);
}

/* Write inversions of neighbouring records before and after; null without a common buffer. */
static void write_neighbours(const struct csy_sync *sync, struct outfile *out)
{
    const csy_order *order = &sync->order;
    if (sync->matched) {
        outfile_print(out, "  \"order\": null,\n");
        return;
    }
    outfile_print(out,
                  "  \"order\": {\"neighbours\": %" PRIu64 ", \"before\": {\"wrong\": %" PRIu64
                  ", \"largest_ticks\": %" PRId64 "}, \"after\": {\"wrong\": %" PRIu64
                  ", \"largest_ticks\": %" PRId64 "}, \"doubted\": %s},\n",
                  order->neighbours, order->before.wrong, order->before.largest_ticks,
                  order->after.wrong, order->after.largest_ticks,
                  text_bool(caveats_doubt_order(sync)));
}

/* Write the damage to distances within threads, or null if it was not measured. */
static void write_damage(const struct csy_sync *sync, struct outfile *out)
{
    const csy_damage *damage = csy_sync_damage(sync);
    char mean[QUOTIENT_TEXT_MAX];
    if (!damage) {
        outfile_print(out, "  \"damage\": null,\n");
        return;
    }
    outfile_print(out,
                  "  \"damage\": {\"distances\": %" PRIu64 ", \"damaged\": %" PRIu64
                  ", \"worst_ticks\": %" PRId64 ", \"mean_ticks\": %s},\n",
                  damage->mean.pairs, damage->damaged, damage->worst_ticks,
                  mean_or_null(damage->mean, mean));
}

/* Write the cycle that determined delta, or null. */
static void write_witness(const struct csy_sync *sync, struct outfile *out)
{
    const csy_witness *witness = &sync->witness;
    char text[TICKS_TEXT_MAX];
    if (witness->length == 0) {
        outfile_print(out, "  \"witness\": null,\n");
        return;
    }
    outfile_print(
        out,
        "  \"witness\": {\"weight_ticks\": %" PRId64 ", \"least_drift_ppb\": %s"
        ", \"length\": %zu, \"edges\": [",
        witness->weight_ticks,
        number_or_null(witness->least_drift_ppb ? witness->least_drift_ppb : INT64_MAX, text),
        witness->length);
    for (size_t i = 0; i < witness->length; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        outfile_print(out, "%s\n    {\"s\": ", i ? "," : "");
        json_string(out, sync->views[edge->s].name);
        outfile_print(out, ", \"record_s\": %" PRIu64 ", \"time_s\": %" PRId64 ", \"t\": ",
                      edge->record_s, edge->time_s);
        json_string(out, sync->views[edge->t].name);
        outfile_print(
            out, ", \"record_t\": %" PRIu64 ", \"time_t\": %" PRId64 ", \"weight_ticks\": %" PRId64,
            edge->record_t, edge->time_t, edge->weight_ticks);
        if (sync->matched)
            steps_json(edge, out);
        outfile_print(out, "}");
    }
    outfile_print(out, "\n  ]},\n");
}

static void write_count(const char *key, const csy_summary *summary, uint64_t count,
                        struct outfile *out)
{
    if (summary->uncomputed_steps > 0)
        outfile_print(out, "\"%s\": null", key);
    else
        outfile_print(out, "\"%s\": %" PRIu64, key, count);
}

static void write_group(const char *key, const csy_summary *summary, const csy_group *group,
                        struct outfile *out)
{
    char ticks[TICKS_TEXT_MAX], mean[QUOTIENT_TEXT_MAX];
    outfile_print(out, ", \"%s\": {", key);
    write_count("pairs", summary, group->pairs, out);
    outfile_print(out, ", ");
    write_count("bounded", summary, group->mean.pairs, out);
    outfile_print(out, ", \"max_error_ticks\": %s", max_or_null(group->max_error_ticks, ticks));
    outfile_print(out, ", \"mean_error_ticks\": %s", mean_or_null(group->mean, mean));
    outfile_print(out, ", \"max_event_error_ticks\": %s",
                  max_or_null(group->max_event_error_ticks, ticks));
    outfile_print(out, ", \"mean_event_error_ticks\": %s}", mean_or_null(group->event_mean, mean));
}

static void write_summary(const struct csy_sync *sync, struct outfile *out)
{
    const csy_summary *summary = &sync->summary;
    char ticks[TICKS_TEXT_MAX], mean[QUOTIENT_TEXT_MAX];
    outfile_print(out, "  \"summary\": {\"pairs\": %" PRIu64 ", ", summary->pairs);
    write_count("bounded", summary, summary->bounded, out);
    if (summary->uncomputed_steps > 0)
        outfile_print(out, ", \"uncomputed_steps\": %" PRIu64, summary->uncomputed_steps);
    outfile_print(out, ", \"max_error_ticks\": %s", max_or_null(summary->max_error_ticks, ticks));
    outfile_print(out, ", \"max_error_spe_ticks\": %s",
                  max_or_null(summary->max_error_spe_ticks, ticks));
    outfile_print(out, ", \"mean_error_ppe_ticks\": %s", mean_or_null(summary->error_ppe, mean));
    outfile_print(out, ", \"mean_error_spe_ticks\": %s", mean_or_null(summary->error_spe, mean));
    outfile_print(out, ", \"max_event_error_ticks\": %s",
                  max_or_null(summary->max_event_error_ticks, ticks));
    outfile_print(out, ", \"max_event_error_spe_ticks\": %s",
                  max_or_null(summary->max_event_error_spe_ticks, ticks));
    outfile_print(out, ", \"mean_event_error_ppe_ticks\": %s",
                  mean_or_null(summary->event_error_ppe, mean));
    outfile_print(out, ", \"mean_event_error_spe_ticks\": %s",
                  mean_or_null(summary->event_error_spe, mean));
    write_group("live", summary, &summary->live, out);
    write_group("successive", summary, &summary->successive, out);
    if (sync->matched) {
        csy_summary own = {.uncomputed_steps = summary->met_uncomputed};
        write_group("met", &own, &summary->met, out);
    }
    outfile_print(out, ", \"unbounded_threads\": %zu},\n", summary->unbounded_threads);
}

static void write_thread(const struct csy_sync *sync, const csy_thread *thread, struct outfile *out)
{
    const char *other = text_of_cell(sync) ? "spe" : "clock";
    char text[TICKS_TEXT_MAX];
    int64_t earliest, latest;
    outfile_print(out, "    {\"name\": ");
    json_string(out, thread->name);
    outfile_print(out, ", \"kind\": \"%s\"", thread->kind == CSY_KIND_PPE ? "ppe" : other);
    outfile_print(out, ", \"context\": %s",
                  number_or_null(thread->context < 0 ? INT64_MAX : thread->context, text));
    outfile_print(
        out, ", \"first_record\": %" PRIu64 ", \"records\": %" PRIu64 ", \"offset_ticks\": %s",
        thread->first_record, thread->records, number_or_null(thread->offset_ticks, text));
    outfile_print(out, ", \"earliest_ticks\": %s", number_or_null(thread->earliest_ticks, text));
    outfile_print(out, ", \"latest_ticks\": %s", number_or_null(thread->latest_ticks, text));
    solution_event_ends(sync, thread, &earliest, &latest);
    outfile_print(out, ", \"earliest_event_ticks\": %s", number_or_null(earliest, text));
    outfile_print(out, ", \"latest_event_ticks\": %s", number_or_null(latest, text));
    if (!text_of_cell(sync)) {
        struct difference difference = difference_of(sync, (size_t)(thread - sync->views), false);
        difference_json(sync, &difference, out);
    }
    for (size_t i = 0; i < thread->nmembers; i++) {
        outfile_print(out, i > 0 ? ", " : ", \"members\": [");
        json_string(out, thread->members[i]);
    }
    outfile_write(out, "]", thread->nmembers > 0);
    outfile_print(out, "}");
}

static void write_pair(const struct pair_list *list, const struct csy_sync *sync,
                       const struct pair *pair)
{
    char text[TICKS_TEXT_MAX];
    struct outfile *out = list->out;
    outfile_print(out, "%s\n    {\"s\": ", list->begun ? "," : "");
    json_string(out, sync->views[pair->s].name);
    outfile_print(out, ", \"t\": ");
    json_string(out, sync->views[pair->t].name);
    bool steady = !sync->drift; /* the difference of offsets is then one number */
    outfile_print(out, ", \"lower_ticks\": %s",
                  number_or_null(steady ? pair->lower_ticks : INT64_MAX, text));
    outfile_print(out, ", \"upper_ticks\": %s",
                  number_or_null(steady ? pair->upper_ticks : INT64_MAX, text));
    outfile_print(out, ", \"error_ticks\": %s", max_or_null(pair->error_ticks, text));
    outfile_print(out, ", \"event_error_ticks\": %s",
                  max_or_null(pair_event_error(sync, pair), text));
    if (sync->drift)
        drift_json_pair(&pair->drift, out);
    outfile_print(out, "}");
}

csy_status report_json(const struct csy_trace *trace, struct csy_sync *sync, csy_pairs pairs,
                       struct outfile *out, csy_error *error)
{
    bool bounded = sync->method == CSY_METHOD_BHH;
    csy_status status = CSY_OK;
    write_head(trace, sync, out);
    write_salvaged(sync, out);
    write_neighbours(sync, out);
    if (sync->matched)
        matched_json(sync->matched, out);
    write_clocks(sync, out);
    outfile_print(out,
                  "  \"correction\": {\"monotonic\": %s, \"records\": %" PRIu64
                  ", \"largest_ticks\": %" PRId64 "},\n",
                  text_bool(sync->monotonic), sync->correction.records,
                  sync->correction.largest_ticks);
    write_damage(sync, out);
    write_witness(sync, out);
    violations_json(sync, out);
    if (sync->ndelays > 0)
        delays_json(sync, out);
    tracer_json(sync, out);
    if (sync->drift)
        status = drift_json(sync, out, error);
    diagnosis_json(sync, out);
    if (!sync->drift) {
        profile_json(sync, out);
        dropped_json(sync, out);
    }
    advice_json(sync, out);
    if (bounded && !sync->drift)
        write_summary(sync, out);
    else
        outfile_print(out, "  \"summary\": null,\n");
    outfile_print(out, "  \"threads\": [");
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        outfile_print(out, t ? ",\n" : "\n");
        write_thread(sync, &sync->views[t], out);
    }
    outfile_print(out, "\n  ],\n");
    if (bounded && !status) {
        csy_pairs chosen = pairs_chosen(sync, pairs);
        struct pair_list list = {.out = out, .write = write_pair};
        outfile_print(out, "  \"pairs_listed\": \"%s\",\n  \"pairs\": [", text_pairs(chosen));
        status = pairs_list(sync, chosen, &list, error);
        outfile_print(out, "%s]\n", list.begun ? "\n  " : "");
    } else {
        outfile_print(out, "  \"pairs_listed\": null,\n  \"pairs\": null\n");
    }
    outfile_print(out, "}\n");
    return status;
}
