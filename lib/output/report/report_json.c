/* Writes the JSON report. See cellsync-json(5), JSON REPORT. */
#include "diagnosis/diagnosis.h"
#include "output/encode/difference.h"
#include "output/encode/escape.h"
#include "output/report/report.h"

#include <inttypes.h>

static void put_ticks(struct outfile *out, const char *key, int64_t ticks)
{
    char text[TICKS_TEXT_MAX];
    outfile_print(out, ", \"%s\": %s", key, text_ticks(ticks, "null", "null", text));
}

static void put_error(struct outfile *out, const char *key, int64_t ticks)
{
    put_ticks(out, key, ticks < 0 ? INT64_MAX : ticks);
}

static void put_mean(struct outfile *out, const char *key, csy_mean mean)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ", \"%s\": %s", key,
                  mean.pairs ? quotient_text(mean_sum(mean), (int128)mean.pairs, text) : "null");
}

static void write_member(const struct csy_sync *sync, const char *key, bool known, int128 value,
                         enum rounding rounding, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    known = known && !sync->trace->timebase_assumed;
    if (known)
        decimal_text(difference_in_time(sync, value, rounding), 3, text);
    outfile_print(out, ", \"%s\": %s", key, known ? text : "null");
}

/* Write how far the clock is ahead of the reference at its first or last record, after a comma. */
static void write_difference(const struct csy_sync *sync, size_t t, bool last, struct outfile *out)
{
    if (text_of_cell(sync))
        return;
    const struct difference of = difference_of(sync, t, last);
    write_member(sync, "difference_ns", of.has_estimate, of.estimate, NEAREST, out);
    write_member(sync, "difference_least_ns", of.has_least, of.least, DOWN, out);
    write_member(sync, "difference_greatest_ns", of.has_greatest, of.greatest, UP, out);
}

static void write_delays(const struct csy_sync *sync, struct outfile *out)
{
    outfile_print(out, "  \"delays\": [");
    for (size_t i = 0; i < sync->ndelays; i++) {
        const struct delay *delay = &sync->delays[i];
        bool known = delay->greatest < DELAY_NONE / 2;
        json_member(out,
                    i ? ",\n    {\"from\": " : "\n    {\"from\": ", sync->views[delay->from].name);
        json_member(out, ", \"to\": ", sync->views[delay->to].name);
        outfile_print(out, ", \"messages\": %" PRIu64, delay->messages);
        write_member(sync, "least_delay_ns", known, delay->estimate, NEAREST, out);
        write_member(sync, "least_delay_least_ns", true, delay->least, DOWN, out);
        write_member(sync, "least_delay_greatest_ns", known, delay->greatest, UP, out);
        outfile_print(out, "}");
    }
    outfile_print(out, "%s],\n", sync->ndelays > 0 ? "\n  " : "");
}

static void write_matched(const csy_matched *matched, struct outfile *out)
{
    outfile_print(out,
                  "  \"matched\": {\"locations\": %" PRIu64 ", \"buffers\": %" PRIu64
                  ", \"messages\": %" PRIu64 ", \"synchronous\": %" PRIu64 ", \"groups\": %" PRIu64
                  ", \"enters\": %" PRIu64 ", \"leaves\": %" PRIu64 ", \"afters\": %" PRIu64
                  ", \"blocks\": %" PRIu64 ", \"flushes\": %" PRIu64 ", \"posts\": %" PRIu64
                  ", \"rooms\": %" PRIu64 ", \"handovers\": %" PRIu64 ", \"spawns\": %" PRIu64
                  ", \"joins\": %" PRIu64 ", \"limits\": %" PRIu64 ", \"left_out\": [",
                  matched->locations, matched->buffers, matched->messages, matched->synchronous,
                  matched->groups, matched->enters, matched->leaves, matched->afters,
                  matched->blocks, matched->flushes, matched->posts, matched->rooms,
                  matched->handovers, matched->spawns, matched->joins, matched->limits);
    for (size_t i = 0; i < matched->nunused; i++) {
        const csy_unused *unused = &matched->unused[i];
        outfile_print(
            out, "%s\n    {\"end\": \"%s\", \"why\": \"%s\", \"count\": %" PRIu64 ", \"listed\": [",
            i ? "," : "", text_end_words[unused->end], text_left_out_words[unused->why],
            unused->count);
        for (size_t k = 0; k < unused->nlisted; k++) {
            const csy_unused_end *end = &unused->listed[k];
            outfile_print(out, "%s{\"record\": %" PRIu64 ", \"place\": %" PRIu64, k ? ", " : "",
                          end->record, end->place);
            json_member(out, ", \"key\": ", end->key);
            outfile_add(out, "}");
        }
        outfile_add(out, "]}");
    }
    outfile_print(out, "%s]},\n", matched->nunused ? "\n  " : "");
}

static void write_backward(const char *key, const csy_backward *backward, struct outfile *out)
{
    if (backward->known)
        outfile_print(out, ", \"%s\": {\"count\": %" PRIu64 ", \"largest_ticks\": %" PRId64 "}",
                      key, backward->count, backward->largest_ticks);
    else
        outfile_print(out, ", \"%s\": null", key);
}

static void write_violations(const struct csy_sync *sync, struct outfile *out)
{
    const csy_violations *violations = sync->violations;
    if (!violations)
        return;
    outfile_print(out, "  \"violations\": {\"messages\": %" PRIu64, violations->messages);
    write_backward("raw", &violations->raw, out);
    write_backward("tracer", &violations->tracer, out);
    write_backward("ours", &violations->ours, out);
    outfile_add(out, "},\n");
}

static void write_moment(struct outfile *out, const char *key, const csy_tracer_moment *moment)
{
    outfile_print(out,
                  ", \"%s\": {\"local_ticks\": %" PRId64 ", \"tracer_ticks\": %" PRId64
                  ", \"offset_ticks\": %" PRId64,
                  key, moment->local_ticks, moment->tracer_ticks, moment->offset_ticks);
    put_ticks(out, "earliest_ticks", moment->earliest_ticks);
    put_ticks(out, "latest_ticks", moment->latest_ticks);
    outfile_add(out, "}");
}

static void write_tracer(const struct csy_sync *sync, struct outfile *out)
{
    const char *separator = "\n    {\"name\": ";
    if (!sync->tracer)
        return;
    const csy_tracer *tracer = &sync->tracer->view;
    bool bhh = sync->method == CSY_METHOD_BHH, some = tracer->readings > 0;
    outfile_print(out, "  \"tracer\": {\"readings\": %" PRIu64, tracer->readings);
    put_ticks(out, "inside", bhh && some ? (int64_t)tracer->inside : INT64_MAX);
    put_ticks(out, "outside", bhh && some ? (int64_t)tracer->outside : INT64_MAX);
    put_ticks(out, "unknown", some ? (int64_t)tracer->unknown : INT64_MAX);
    outfile_add(out, ", \"clocks\": [");
    for (size_t t = 0; some && t < tracer->nclocks && !outfile_failed(out); t++) {
        const csy_tracer_clock *clock = &tracer->clocks[t];
        bool bounds = bhh && clock->known;
        if (t == sync->reference)
            continue;
        json_member(out, separator, sync->views[t].name);
        outfile_print(out, ", \"readings\": %" PRIu64 ", \"inside\": %s", clock->readings,
                      bounds ? text_bool(clock->outside_ticks == 0) : "null");
        put_ticks(out, "outside_ticks", bounds ? clock->outside_ticks : INT64_MAX);
        put_ticks(out, "distance_ticks", clock->known ? clock->distance_ticks : INT64_MAX);
        if (clock->known) {
            write_moment(out, "first", &clock->first);
            write_moment(out, "last", &clock->last);
            write_moment(out, "worst", &clock->worst);
            outfile_add(out, "}");
        } else {
            outfile_add(out, ", \"first\": null, \"last\": null, \"worst\": null}");
        }
        separator = ",\n    {\"name\": ";
    }
    outfile_add(out, some && tracer->nclocks > 1 ? "\n  ]},\n" : "]},\n");
}

/* Write a comma and a JSON member with nine decimals. Write null if the value is not known. */
static void put_fine(struct outfile *out, const char *key, bool known, csy_fine value)
{
    char text[QUOTIENT_TEXT_MAX];
    outfile_print(out, ", \"%s\": %s", key, known ? fine_text(value, 9, text) : "null");
}

static void write_drift_moment(const struct csy_sync *sync, size_t t, bool last,
                               struct outfile *out)
{
    const csy_drift_clock *clock = &csy_sync_drift(sync)->clocks[t];
    const csy_drift_moment *moment = last ? &clock->last : &clock->first;
    outfile_print(out, ", \"%s\": {\"local_ticks\": %" PRId64, last ? "last" : "first",
                  moment->local_ticks);
    put_fine(out, "offset_ticks", true, moment->offset);
    put_fine(out, "earliest_ticks", clock->bounded, moment->earliest);
    put_fine(out, "latest_ticks", clock->bounded, moment->latest);
    put_fine(out, "error_ticks", clock->bounded, fine_difference(moment->latest, moment->earliest));
    write_difference(sync, t, last, out);
    outfile_add(out, "}");
}

static void write_drift_pair(const csy_drift_pair *pair, struct outfile *out)
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

static csy_status write_drift(struct csy_sync *sync, struct outfile *out, csy_error *error)
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
    csy_status status = pair_worst(sync, &s, &t, &any, &pair, error);
    outfile_print(out, ", \"unbounded\": %zu, \"moments\": %d, \"worst_pair\": ",
                  sync->summary.unbounded_threads, CSY_DRIFT_MOMENTS);
    if (!status && any) {
        json_member(out, "{\"s\": ", sync->views[s].name);
        json_member(out, ", \"t\": ", sync->views[t].name);
        write_drift_pair(&pair, out);
    }
    outfile_add(out, !status && any ? "}, \"clocks\": [" : "null, \"clocks\": [");
    for (size_t i = 0; i < drift->nclocks && !outfile_failed(out); i++) {
        const csy_drift_clock *clock = &drift->clocks[i];
        json_member(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ", sync->views[i].name);
        outfile_print(out,
                      ", \"bounded\": %s, \"least_ppb\": %" PRId64 ", \"greatest_ppb\": %" PRId64
                      ", \"least_mean_ppb\": %" PRId64 ", \"greatest_mean_ppb\": %" PRId64
                      ", \"knots\": %zu",
                      text_bool(clock->bounded), clock->least_ppb, clock->greatest_ppb,
                      clock->least_mean_ppb, clock->greatest_mean_ppb, clock->knots);
        write_drift_moment(sync, i, false, out);
        write_drift_moment(sync, i, true, out);
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

static void write_explanations(const struct csy_sync *sync, struct outfile *out)
{
    const csy_diagnosis *d = &sync->diagnosis->view;
    char text[FRACTION_TEXT_MAX];
    outfile_add(out, "  \"explanations\": [");
    for (size_t i = 0; i < d->nfits; i++) {
        const csy_fit *row = &d->fits[i];
        outfile_print(out, "%s\n    {\"drift_ppb\": %" PRId64, i ? "," : "", row->drift_ppb);
        put_ticks(out, "wander_ppb", row->wander_ppb == CSY_NO_DRIFT ? INT64_MAX : row->wander_ppb);
        outfile_print(out, ", \"delta_ticks\": \"%s\", \"at_least\": %s, \"plausible\": %s",
                      fraction_text(row->delta, text), text_bool(row->at_least),
                      text_bool(row->plausible));
        json_member(out, ", \"options\": ", row->options);
        if (row->example_ppb != 0) {
            json_member(out, ", \"example\": {\"name\": ", sync->views[row->example_clock].name);
            outfile_print(out, ", \"rate_ppb\": %" PRId64 "}}", row->example_ppb);
        } else {
            outfile_add(out, ", \"example\": null}");
        }
    }
    outfile_add(out, d->nfits ? "\n  ],\n" : "],\n");
    if (d->fits_untried)
        outfile_add(out, "  \"explanations_untried\": true,\n");
}

static void put_fraction(struct outfile *out, const char *key, bool known, csy_fraction value)
{
    char text[FRACTION_TEXT_MAX];
    if (known)
        outfile_print(out, ", \"%s\": \"%s\"", key, fraction_text(value, text));
    else
        outfile_print(out, ", \"%s\": null", key);
}

static void write_diagnosis(const struct csy_sync *sync, struct outfile *out)
{
    const csy_diagnosis *d = &sync->diagnosis->view;
    char text[FRACTION_TEXT_MAX];
    bool drift = d->kind == CSY_DIAGNOSIS_DRIFT, back = d->kind == CSY_DIAGNOSIS_STEPS_BACK;
    outfile_print(out, "  \"diagnosis\": {\"kind\": \"%s\", \"clocks\": [",
                  text_diagnosis_words[d->kind]);
    for (size_t i = 0; i < d->nclocks; i++)
        json_member(out, i ? ", " : "", sync->views[d->clocks[i].thread].name);
    json_member(out, "], \"text\": ", d->text);
    put_fraction(out, "delta_ticks", d->clocks_looked_at > 0, d->delta);
    put_fraction(out, "left_delta_ticks", drift || (d->nclocks > 0 && !back), d->left_delta);
    if (d->enough_drift_ppb > 0)
        outfile_print(out, ", \"enough_drift_ppb\": %" PRId64, d->enough_drift_ppb);
    outfile_print(out, ", \"clocks_looked_at\": %zu, \"stretches\": %zu, \"contradicting\": %zu",
                  d->clocks_looked_at, d->windows, d->contradicting);
    if (drift) {
        json_member(out, ", \"drift\": {\"against\": ", sync->views[d->against].name);
        outfile_add(out, ", \"rates_ppb\": [");
        for (size_t i = 0; i < d->nclocks; i++)
            outfile_print(out, "%s%" PRId64, i ? ", " : "", d->clocks[i].rate_ppb);
    }
    outfile_add(out, drift ? "]}" : ", \"drift\": null");
    if (back || d->kind == CSY_DIAGNOSIS_STEPPED_CLOCK)
        outfile_print(out,
                      ", \"step\": {\"after_record\": %" PRIu64 ", \"before_record\": %" PRIu64
                      ", \"least_ticks\": %" PRId64 ", \"most_ticks\": %" PRId64 "}",
                      d->record_before, d->record_after, d->step_least_ticks, d->step_most_ticks);
    else
        outfile_add(out, ", \"step\": null");
    if (d->kind == CSY_DIAGNOSIS_EARLY_STAMPS)
        outfile_print(out,
                      ", \"early\": {\"records\": %" PRIu64 ", \"median_ticks\": %" PRId64
                      ", \"p90_ticks\": %" PRId64 ", \"max_ticks\": %" PRId64 "}",
                      d->early_records, d->early_median_ticks, d->early_90_ticks,
                      d->early_max_ticks);
    else
        outfile_add(out, ", \"early\": null");
    if (d->kind == CSY_DIAGNOSIS_OTHER_UNIT) {
        json_member(out, ", \"unit\": {\"against\": ", sync->views[d->against].name);
        outfile_add(out, ", \"factors\": [");
        for (size_t i = 0; i < d->nclocks; i++)
            outfile_print(out, "%s\"%s\"", i ? ", " : "",
                          fraction_text(diagnosis_factor(&d->clocks[i]), text));
        outfile_add(out, "]}");
    }
    outfile_add(out, "},\n");
    write_explanations(sync, out);
}

static void write_profile(const struct csy_sync *sync, struct outfile *out)
{
    char text[FRACTION_TEXT_MAX];
    const csy_profile *profile = &sync->profile;
    const uint64_t advised = text_worth_dropping(sync);
    if (profile->count == 0) {
        outfile_add(out, "  \"delta_profile\": null,\n");
        return;
    }
    outfile_print(out, "  \"delta_profile\": {\"cut_short\": %s", text_bool(profile->cut_short));
    put_ticks(out, "advised", advised > 0 ? (int64_t)advised : INT64_MAX);
    outfile_add(out, ", \"entries\": [");
    for (size_t i = 0; i < profile->count; i++)
        outfile_print(out, "%s{\"dropped\": %" PRIu64 ", \"ticks\": \"%s\"}", i ? ", " : "",
                      profile->entries[i].dropped, fraction_text(profile->entries[i].delta, text));
    outfile_add(out, "]},\n");
}

static void write_dropped(const struct csy_sync *sync, struct outfile *out)
{
    const csy_dropped *dropped = &sync->dropped;
    outfile_add(out, "  \"dropped\": [");
    for (size_t i = 0; i < dropped->count; i++) {
        outfile_print(out, "%s\n    {\"record\": %" PRIu64, i ? "," : "",
                      dropped->records[i].record);
        json_member(out, ", \"thread\": ", sync->views[dropped->records[i].thread].name);
        outfile_print(out, ", \"early_ticks\": %" PRId64 "}", dropped->records[i].early_ticks);
    }
    outfile_print(out, "%s],\n", dropped->count ? "\n  " : "");
}

static void write_advice(const struct csy_sync *sync, struct outfile *out)
{
    char text[QUOTIENT_TEXT_MAX];
    if (!sync->advice)
        return;
    const csy_advice *advice = &sync->advice->view;
    bool plans = !sync->partial && !sync->drift && advice->max_ticks >= 0;
    outfile_print(out,
                  "  \"advice\": {\"records\": %" PRIu64 ", \"late_ticks\": %" PRId64
                  ", \"unbounded_threads\": %zu",
                  advice->events, advice->late_ticks, advice->unbounded);
    put_ticks(out, "max_ticks", plans ? advice->max_ticks : INT64_MAX);
    outfile_print(
        out, ", \"mean_ticks\": %s",
        plans ? quotient_text(mean_sum(advice->mean_ticks), (int128)advice->mean_ticks.pairs, text)
              : "null");
    put_ticks(out, "max_spe_ticks",
              plans && advice->max_spe_ticks >= 0 ? advice->max_spe_ticks : INT64_MAX);
    outfile_add(out, ", \"threads\": [");
    for (size_t i = 0; i < advice->count; i++) {
        outfile_add(out, i ? ",\n    " : "\n    ");
        const csy_advised *advised = &advice->threads[i];
        bool bounded = advised->error_ticks >= 0;
        json_member(out, "{\"name\": ", sync->views[advised->thread].name);
        put_error(out, "error_ticks", advised->error_ticks);
        outfile_print(out, ", \"after_reference\": %s, \"before_reference\": %s",
                      text_bool(advised->after_reference), text_bool(advised->before_reference));
        if (advised->begin_ticks <= advised->end_ticks)
            outfile_print(out, ", \"window_ticks\": [%" PRId64 ", %" PRId64 "]",
                          advised->begin_ticks, advised->end_ticks);
        else
            outfile_add(out, ", \"window_ticks\": null");
        if (bounded && !sync->partial && !sync->drift) {
            bool room = advised->room;
            put_ticks(out, "fine_ticks", advised->fine_ticks);
            put_ticks(out, "coarse_ticks", advised->coarse_ticks);
            put_ticks(out, "thread_ticks", room ? advised->thread_ticks : INT64_MAX);
            put_ticks(out, "reference_ticks", room ? advised->reference_ticks : INT64_MAX);
            put_ticks(out, "then_ticks", room ? advised->then_ticks : INT64_MAX);
        }
        outfile_add(out, "}");
    }
    outfile_add(out, advice->count ? "\n  ]" : "]");
    if (sync->drift) {
        outfile_add(out, ", \"gaps\": [");
        for (size_t i = 0; i < advice->ngaps; i++) {
            const csy_advised_gap *gap = &advice->gaps[i];
            json_member(
                out, i ? ",\n    {\"name\": " : "\n    {\"name\": ", sync->views[gap->thread].name);
            outfile_print(out,
                          ", \"local_ticks\": [%" PRId64 ", %" PRId64 "], \"at_end\": %s, "
                          "\"error_ticks\": %" PRId64 ", \"then_ticks\": %" PRId64 "}",
                          gap->begin_local_ticks, gap->end_local_ticks, text_bool(gap->at_end),
                          gap->error_ticks, gap->then_ticks);
        }
        outfile_add(out, advice->ngaps ? "\n  ]" : "]");
    }
    outfile_add(out, "},\n");
}

static void write_head(const struct csy_trace *trace, const struct csy_sync *sync,
                       struct outfile *out)
{
    char text[FRACTION_TEXT_MAX], premise[CSY_WARNING_TEXT_MAX];
    json_member(out, "{\n  \"trace\": ", trace->name);
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
    json_member(out, ",\n  \"reference\": ", sync->views[sync->reference].name);
    outfile_print(out, ",\n  \"alpha\": \"%s\",\n  \"center\": \"%s\",\n",
                  fraction_text(sync->alpha, text), text_center_words[sync->center]);
    if (!csy_sync_premise(sync, premise))
        return;
    json_member(out, "  \"premise\": ", premise);
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
                      text_relax_words[imprecision->relax],
                      fraction_text(imprecision->delta, text));
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
    for (size_t i = 0; csy_sync_step(sync, i, &step); i++) {
        json_member(out, i == 0 ? "  \"steps\": [{\"clock\": " : ", {\"clock\": ", step.clock);
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
        json_member(out, i ? ",\n    {\"s\": " : "\n    {\"s\": ", sync->views[edge->s].name);
        outfile_print(out, ", \"record_s\": %" PRIu64 ", \"time_s\": %" PRId64, edge->record_s,
                      edge->time_s);
        json_member(out, ", \"t\": ", sync->views[edge->t].name);
        outfile_print(
            out, ", \"record_t\": %" PRIu64 ", \"time_t\": %" PRId64 ", \"weight_ticks\": %" PRId64,
            edge->record_t, edge->time_t, edge->weight_ticks);
        if (sync->matched) { /* write why one record precedes the other */
            outfile_print(out, ", \"latency_ticks\": %" PRId64 ", \"by\": [", edge->latency_ticks);
            for (size_t k = 0; k < edge->nsteps; k++) {
                const csy_order_step *step = &edge->steps[k];
                outfile_print(out, "%s{\"order\": \"%s\", \"key\": ", k ? ", " : "",
                              text_step_words[step->kind]);
                if (step->key.bytes) {
                    outfile_add(out, "\"");
                    json_characters(out, step->key.bytes, step->key.size);
                    outfile_add(out, "\"");
                } else {
                    outfile_add(out, "null");
                }
                outfile_print(out, ", \"latency_ticks\": %" PRId64 "}", step->latency_ticks);
            }
            outfile_add(out, "]");
        }
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
    json_member(out, "    {\"name\": ", thread->name);
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
    write_difference(sync, (size_t)(thread - sync->views), false, out);
    for (size_t i = 0; i < thread->nmembers; i++)
        json_member(out, i > 0 ? ", " : ", \"members\": [", thread->members[i]);
    outfile_add(out, thread->nmembers > 0 ? "]}" : "}");
}

static void write_pair(const struct pair_list *list, const struct csy_sync *sync,
                       const struct pair *pair)
{
    struct outfile *out = list->out;
    json_member(out, list->begun ? ",\n    {\"s\": " : "\n    {\"s\": ", sync->views[pair->s].name);
    json_member(out, ", \"t\": ", sync->views[pair->t].name);
    /* If clocks drift, their difference changes, so it has no single limits. */
    put_ticks(out, "lower_ticks", sync->drift ? INT64_MAX : pair->lower_ticks);
    put_ticks(out, "upper_ticks", sync->drift ? INT64_MAX : pair->upper_ticks);
    put_error(out, "error_ticks", pair->error_ticks);
    put_error(out, "event_error_ticks", pair_event_error(sync, pair));
    if (sync->drift)
        write_drift_pair(&pair->drift, out);
    outfile_add(out, "}");
}

csy_status report_json(struct csy_sync *sync, csy_pairs pairs, struct outfile *out,
                       csy_error *error)
{
    const struct csy_trace *trace = sync->trace;
    const csy_cut *cut = csy_sync_cut(sync);
    const csy_damage *damage = csy_sync_damage(sync);
    const csy_order *order = &sync->order;
    static const char *const words[] = {"auto", "all", "live", "reference", "none", "met"};
    bool bounded = sync->method == CSY_METHOD_BHH;
    csy_status status = CSY_OK;
    write_head(trace, sync, out);
    if (cut) {
        outfile_print(out, "  \"salvaged\": {\"records\": %" PRIu64 ", \"place\": %" PRIu64,
                      cut->records, cut->place);
        json_member(out, ", \"cut\": ", cut->text);
    }
    outfile_add(out, cut ? "},\n" : "  \"salvaged\": null,\n");
    /* In a partial order, records have no neighbours. */
    if (sync->matched) {
        outfile_add(out, "  \"order\": null,\n");
        write_matched(sync->matched, out);
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
    if (damage) {
        outfile_print(out,
                      "  \"damage\": {\"distances\": %" PRIu64 ", \"damaged\": %" PRIu64
                      ", \"worst_ticks\": %" PRId64,
                      damage->mean.pairs, damage->damaged, damage->worst_ticks);
        put_mean(out, "mean_ticks", damage->mean);
    }
    outfile_add(out, damage ? "},\n" : "  \"damage\": null,\n");
    write_witness(sync, out);
    write_violations(sync, out);
    if (sync->ndelays > 0)
        write_delays(sync, out);
    write_tracer(sync, out);
    if (sync->drift)
        status = write_drift(sync, out, error);
    write_diagnosis(sync, out);
    if (!sync->drift) {
        write_profile(sync, out);
        write_dropped(sync, out);
    }
    write_advice(sync, out);
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
        outfile_print(out, "  \"pairs_listed\": \"%s\",\n  \"pairs\": [", words[chosen]);
        status = pairs_list(sync, chosen, &list, error);
        outfile_print(out, "%s]\n", list.begun ? "\n  " : "");
    } else {
        outfile_add(out, "  \"pairs_listed\": null,\n  \"pairs\": null\n");
    }
    outfile_add(out, "}\n");
    return status;
}
