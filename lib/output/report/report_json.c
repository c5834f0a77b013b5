/* Writes the JSON report. See cellsync-json(5), JSON REPORT. */
#include "base/number.h"
#include "output/encode/difference.h"
#include "output/encode/escape.h"
#include "output/report/report.h"

#include <inttypes.h>

void put_string(struct outfile *out, const char *before, const char *string)
{
    outfile_add(out, before);
    if (string)
        json_string(out, string);
    else
        outfile_add(out, "null");
}

void put_ticks(struct outfile *out, const char *key, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    outfile_print(out, ", \"%s\": %s", key, text_ticks(ticks, "null", "null", text));
}

void put_error(struct outfile *out, const char *key, int64_t ticks)
{
    put_ticks(out, key, ticks < 0 ? INT64_MAX : ticks);
}

static void put_mean(struct outfile *out, const char *key, csy_mean mean)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ", \"%s\": %s", key,
                  mean.pairs ? quotient_text(mean_sum(mean), (int128)mean.pairs, text) : "null");
}

static void write_head(const struct csy_trace *trace, const struct csy_sync *sync,
                       struct outfile *out)
{
    char text[FRACTION_TEXT_MAX], premise[CSY_WARNING_TEXT_MAX];
    put_string(out, "{\n  \"trace\": ", trace->name);
    outfile_print(out,
                  ",\n  \"timebase_hz\": %" PRIu64
                  ",\n  \"timebase_assumed\": %s,\n  \"records\": %" PRIu64
                  ",\n  \"method\": \"%s\"",
                  trace->timebase_hz, text_bool(trace->timebase_assumed), sync->survey.records,
                  text_method(sync->method));
    if (sync->method != CSY_METHOD_BHH) {
        outfile_add(out, ",\n  \"reference\": null,\n  \"alpha\": null,\n  \"center\": null,\n");
        return;
    }
    put_string(out, ",\n  \"reference\": ", sync->views[sync->reference].name);
    outfile_print(out, ",\n  \"alpha\": \"%s\",\n  \"center\": \"%s\",\n",
                  fraction_text(sync->alpha, text), text_center(sync->center));
    if (!csy_sync_premise(sync, premise))
        return;
    put_string(out, "  \"premise\": ", premise);
    outfile_add(out, ",\n");
}

static void write_clocks(const struct csy_sync *sync, struct outfile *out)
{
    char text[FRACTION_TEXT_MAX];
    const csy_imprecision *imprecision = &sync->imprecision;
    const csy_clock_report *clock = &sync->survey.clock_report;
    csy_step step;
    if (sync->method == CSY_METHOD_BHH)
        outfile_print(out, "  \"delta\": {\"mode\": \"%s\", \"ticks\": \"%s\", ",
                      text_relax(imprecision->relax), fraction_text(imprecision->delta, text));
    else
        outfile_add(out, "  \"delta\": {\"mode\": null, \"ticks\": null, ");
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
    outfile_add(out, ",\n  \"conditions\": ");
    json_caveats(out, caveats_of(sync, NULL), JSON_CONDITIONS);
    outfile_add(out, ",\n");
    /* List the places where clocks were set, and were therefore cut into segments. */
    for (size_t i = 0; csy_sync_step(sync, i, &step); i++) {
        put_string(out, i == 0 ? "  \"steps\": [{\"clock\": " : ", {\"clock\": ", step.clock);
        outfile_print(out, ", \"record_before\": %" PRIu64 ", \"record_after\": %" PRIu64,
                      step.record_before, step.record_after);
        put_ticks(out, "least_ticks", step.sized ? step.least_ticks : INT64_MAX);
        put_ticks(out, "most_ticks", step.sized ? step.most_ticks : INT64_MAX);
        outfile_print(out, ", \"among\": %zu}%s", step.among,
                      i + 1 == sync->steps.count ? "],\n" : "");
    }
    outfile_print(out,
                  "  \"unwrapping\": {\"wraps\": %" PRId64 ", \"splits\": %" PRIu64
                  ", \"assumed\": %" PRIu64 "},\n",
                  clock->wraps, clock->splits, clock->assumed);
    outfile_print(out,
                  "  \"switches\": {\"lost_outs\": %" PRIu64 ", \"lost_ins\": %" PRIu64
                  ", \"stragglers\": %" PRIu64 "},\n",
                  clock->lost_outs, clock->lost_ins, clock->stragglers);
}

static void write_witness(const struct csy_sync *sync, struct outfile *out)
{
    const csy_witness *witness = &sync->witness;
    if (witness->length == 0) {
        outfile_add(out, "  \"witness\": null,\n");
        return;
    }
    outfile_print(out, "  \"witness\": {\"weight_ticks\": %" PRId64, witness->weight_ticks);
    put_ticks(out, "least_drift_ppb",
              witness->least_drift_ppb ? witness->least_drift_ppb : INT64_MAX);
    outfile_print(out, ", \"length\": %zu, \"edges\": [", witness->length);
    for (size_t i = 0; i < witness->length; i++) {
        const csy_witness_edge *edge = &witness->edges[i];
        put_string(out, i ? ",\n    {\"s\": " : "\n    {\"s\": ", sync->views[edge->s].name);
        outfile_print(out, ", \"record_s\": %" PRIu64 ", \"time_s\": %" PRId64, edge->record_s,
                      edge->time_s);
        put_string(out, ", \"t\": ", sync->views[edge->t].name);
        outfile_print(
            out, ", \"record_t\": %" PRIu64 ", \"time_t\": %" PRId64 ", \"weight_ticks\": %" PRId64,
            edge->record_t, edge->time_t, edge->weight_ticks);
        if (sync->matched)
            steps_json(edge, out);
        outfile_add(out, "}");
    }
    outfile_add(out, "\n  ]},\n");
}

/* Write a JSON member with a number of pairs. Write null if the number was not computed. */
static void write_count(const char *key, uint64_t uncomputed, uint64_t count, struct outfile *out)
{
    if (uncomputed > 0)
        outfile_print(out, "\"%s\": null", key);
    else
        outfile_print(out, "\"%s\": %" PRIu64, key, count);
}

static void write_group(const char *key, uint64_t uncomputed, const csy_group *group,
                        struct outfile *out)
{
    outfile_print(out, ", \"%s\": {", key);
    write_count("pairs", uncomputed, group->pairs, out);
    outfile_add(out, ", ");
    write_count("bounded", uncomputed, group->mean.pairs, out);
    put_error(out, "max_error_ticks", group->max_error_ticks);
    put_mean(out, "mean_error_ticks", group->mean);
    put_error(out, "max_event_error_ticks", group->max_event_error_ticks);
    put_mean(out, "mean_event_error_ticks", group->event_mean);
    outfile_add(out, "}");
}

static void write_summary(const struct csy_sync *sync, struct outfile *out)
{
    const csy_summary *summary = &sync->summary;
    outfile_print(out, "  \"summary\": {\"pairs\": %" PRIu64 ", ", summary->pairs);
    write_count("bounded", summary->uncomputed_steps, summary->bounded, out);
    if (summary->uncomputed_steps > 0)
        outfile_print(out, ", \"uncomputed_steps\": %" PRIu64, summary->uncomputed_steps);
    put_error(out, "max_error_ticks", summary->max_error_ticks);
    put_error(out, "max_error_spe_ticks", summary->max_error_spe_ticks);
    put_mean(out, "mean_error_ppe_ticks", summary->error_ppe);
    put_mean(out, "mean_error_spe_ticks", summary->error_spe);
    put_error(out, "max_event_error_ticks", summary->max_event_error_ticks);
    put_error(out, "max_event_error_spe_ticks", summary->max_event_error_spe_ticks);
    put_mean(out, "mean_event_error_ppe_ticks", summary->event_error_ppe);
    put_mean(out, "mean_event_error_spe_ticks", summary->event_error_spe);
    write_group("live", summary->uncomputed_steps, &summary->live, out);
    write_group("successive", summary->uncomputed_steps, &summary->successive, out);
    if (sync->matched)
        write_group("met", summary->met_uncomputed, &summary->met, out);
    outfile_print(out, ", \"unbounded_threads\": %zu},\n", summary->unbounded_threads);
}

static void write_thread(const struct csy_sync *sync, const csy_thread *thread, struct outfile *out)
{
    const char *other = text_of_cell(sync) ? "spe" : "clock";
    int64_t earliest, latest;
    put_string(out, "    {\"name\": ", thread->name);
    outfile_print(out, ", \"kind\": \"%s\"", thread->kind == CSY_KIND_PPE ? "ppe" : other);
    put_error(out, "context", thread->context);
    outfile_print(out, ", \"first_record\": %" PRIu64 ", \"records\": %" PRIu64,
                  thread->first_record, thread->records);
    put_ticks(out, "offset_ticks", thread->offset_ticks);
    put_ticks(out, "earliest_ticks", thread->earliest_ticks);
    put_ticks(out, "latest_ticks", thread->latest_ticks);
    solution_event_ends(sync, thread, &earliest, &latest);
    put_ticks(out, "earliest_event_ticks", earliest);
    put_ticks(out, "latest_event_ticks", latest);
    if (!text_of_cell(sync)) {
        struct difference difference = difference_of(sync, (size_t)(thread - sync->views), false);
        difference_json(sync, &difference, out);
    }
    for (size_t i = 0; i < thread->nmembers; i++)
        put_string(out, i > 0 ? ", " : ", \"members\": [", thread->members[i]);
    outfile_add(out, thread->nmembers > 0 ? "]}" : "}");
}

static void write_pair(const struct pair_list *list, const struct csy_sync *sync,
                       const struct pair *pair)
{
    struct outfile *out = list->out;
    put_string(out, list->begun ? ",\n    {\"s\": " : "\n    {\"s\": ", sync->views[pair->s].name);
    put_string(out, ", \"t\": ", sync->views[pair->t].name);
    /* If clocks drift, their difference changes, so it has no single limits. */
    put_ticks(out, "lower_ticks", sync->drift ? INT64_MAX : pair->lower_ticks);
    put_ticks(out, "upper_ticks", sync->drift ? INT64_MAX : pair->upper_ticks);
    put_error(out, "error_ticks", pair->error_ticks);
    put_error(out, "event_error_ticks", pair_event_error(sync, pair));
    if (sync->drift)
        drift_json_pair(&pair->drift, out);
    outfile_add(out, "}");
}

csy_status report_json(const struct csy_trace *trace, struct csy_sync *sync, csy_pairs pairs,
                       struct outfile *out, csy_error *error)
{
    const csy_cut *cut = csy_sync_cut(sync);
    const csy_damage *damage = csy_sync_damage(sync);
    const csy_order *order = &sync->order;
    bool bounded = sync->method == CSY_METHOD_BHH;
    csy_status status = CSY_OK;
    write_head(trace, sync, out);
    if (cut) {
        outfile_print(out, "  \"salvaged\": {\"records\": %" PRIu64 ", \"place\": %" PRIu64,
                      cut->records, cut->place);
        put_string(out, ", \"cut\": ", cut->text);
    }
    outfile_add(out, cut ? "},\n" : "  \"salvaged\": null,\n");
    /* In a partial order, records have no neighbours. */
    if (sync->matched) {
        outfile_add(out, "  \"order\": null,\n");
        matched_json(sync->matched, out);
    } else {
        outfile_print(out,
                      "  \"order\": {\"neighbours\": %" PRIu64 ", \"before\": {\"wrong\": %" PRIu64
                      ", \"largest_ticks\": %" PRId64 "}, \"after\": {\"wrong\": %" PRIu64
                      ", \"largest_ticks\": %" PRId64 "}, \"doubted\": %s},\n",
                      order->neighbours, order->before.wrong, order->before.largest_ticks,
                      order->after.wrong, order->after.largest_ticks,
                      text_bool(caveats_doubt_order(sync)));
    }
    write_clocks(sync, out);
    outfile_print(out,
                  "  \"correction\": {\"monotonic\": %s, \"records\": %" PRIu64
                  ", \"largest_ticks\": %" PRId64 "},\n",
                  text_bool(sync->monotonic), sync->correction.records,
                  sync->correction.largest_ticks);
    if (damage) { /* true if changes of times in threads were measured */
        outfile_print(out,
                      "  \"damage\": {\"distances\": %" PRIu64 ", \"damaged\": %" PRIu64
                      ", \"worst_ticks\": %" PRId64,
                      damage->mean.pairs, damage->damaged, damage->worst_ticks);
        put_mean(out, "mean_ticks", damage->mean);
    }
    outfile_add(out, damage ? "},\n" : "  \"damage\": null,\n");
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
        outfile_add(out, "  \"summary\": null,\n");
    outfile_add(out, "  \"threads\": [");
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        outfile_add(out, t ? ",\n" : "\n");
        write_thread(sync, &sync->views[t], out);
    }
    outfile_add(out, "\n  ],\n");
    if (bounded && !status) {
        csy_pairs chosen = pairs_chosen(sync, pairs);
        struct pair_list list = {.out = out, .write = write_pair};
        outfile_print(out, "  \"pairs_listed\": \"%s\",\n  \"pairs\": [", text_pairs(chosen));
        status = pairs_list(sync, chosen, &list, error);
        outfile_print(out, "%s]\n", list.begun ? "\n  " : "");
    } else {
        outfile_add(out, "  \"pairs_listed\": null,\n  \"pairs\": null\n");
    }
    outfile_add(out, "}\n");
    return status;
}
