/* Writes about contradictions between order and timestamps, and about records left out. */
#include "base/number.h"
#include "diagnosis/diagnosis.h"
#include "output/encode/escape.h"
#include "output/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_COLUMNS = 80, LABEL_COLUMNS = 12, PARAGRAPH_MAX = 4096, HTML_LISTED_MAX = 100 };

static const char *diagnosis_kind(csy_diagnosis_kind kind)
{
    static const char *const kinds[] = {"none",          "drift",      "early_stamps",
                                        "stepped_clock", "bad_clock",  "not_interleaved",
                                        "unknown",       "steps_back", "other_unit"};
    return kinds[kind];
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

/* Returns how many records to leave out: 0 if clocks drift, because then it does not help. */
static uint64_t worth_dropping(const struct csy_sync *sync)
{
    const csy_diagnosis *d = sync->diagnosis ? &sync->diagnosis->view : NULL;
    bool drift = d && (d->kind == CSY_DIAGNOSIS_DRIFT ||
                       (d->enough_drift_ppb > 0 && d->enough_drift_ppb <= CRYSTAL_PPB));
    return drift ? 0 : sync->profile.advised;
}

/* Write timestamp errors by records left out, "0 left out: 2.47 ms; 10: 3.1 us", and advice. */
static const char *profile_words(const struct csy_trace *trace, const struct csy_sync *sync,
                                 char text[PARAGRAPH_MAX])
{
    char time[CSY_TIME_TEXT_MAX];
    const csy_profile *profile = &sync->profile;
    const uint64_t advised = worth_dropping(sync);
    size_t length = 0;
    for (size_t i = 0; i < profile->count && length < PARAGRAPH_MAX - 2 * CSY_TIME_TEXT_MAX; i++) {
        const csy_profile_entry *entry = &profile->entries[i];
        bool none = entry->delta.num == 0;
        length +=
            (size_t)snprintf(text + length, PARAGRAPH_MAX - length, "%s%" PRIu64 "%s: %s",
                             i ? "; " : "", entry->dropped, i ? "" : " left out",
                             none ? "0" : csy_time_text(entry->delta, trace->timebase_hz, time));
    }
    snprintf(text + length, PARAGRAPH_MAX - length,
             " (upper limits for delta if the given number of the most contradicting records is "
             "left out%s)",
             profile->cut_short ? "; larger numbers would take too long" : "");
    length = strlen(text);
    if (advised > 0)
        snprintf(text + length, PARAGRAPH_MAX - length,
                 ". Next: pass --drop=%" PRIu64
                 ", which leaves out few records and makes delta much smaller; the bounds hold for "
                 "the other records",
                 advised);
    return text;
}

/* --- Explanations --- */

enum { RATES_TEXT_MAX = 96 + ERROR_ESCAPED_MAX, ERROR_COLUMNS = 16, RATES_COLUMNS = 35 };

/* Write the rates of an explanation: "constant, e.g. can2 43.010 ppm fast" or "changing, within 101
 * ppm". The name of the clock is escaped unless `raw`. */
static const char *rates_words(const struct csy_sync *sync, const csy_fit *row, bool raw,
                               char text[RATES_TEXT_MAX])
{
    const char *name = sync->views[row->example_clock].name;
    char shown[ERROR_ESCAPED_MAX];
    char ppm[QUOTIENT_TEXT_MAX];
    bool whole = row->drift_ppb % 1000 == 0;
    bool limit = row->drift_ppb == CRYSTAL_PPB || row->drift_ppb == STEERED_PPB;
    const char *number = decimal_text(row->drift_ppb, 3, ppm);
    int digits = (int)strlen(number) - (whole ? 4 : 0);
    if (row->drift_ppb == 0)
        snprintf(text, RATES_TEXT_MAX, "equal rates");
    else if (row->example_ppb != 0)
        snprintf(text, RATES_TEXT_MAX, "constant, e.g. %.*s %s ppm %s", ERROR_ESCAPED_MAX - 1,
                 raw ? name : error_escape(shown, name, strlen(name)),
                 decimal_text(llabs(row->example_ppb), 3, ppm),
                 row->example_ppb < 0 ? "fast" : "slow");
    else
        snprintf(text, RATES_TEXT_MAX, "%s, %s %.*s ppm",
                 row->wander_ppb == 0 ? "constant" : "changing", limit ? "within" : "at least",
                 digits, number);
    return text;
}

/* Write the timestamp error of an explanation: "19.1 us" or "at least 19.1 us". */
static const char *error_words(const struct csy_sync *sync, const csy_fit *row,
                               char text[RATES_TEXT_MAX])
{
    char time[CSY_TIME_TEXT_MAX];
    snprintf(text, RATES_TEXT_MAX, "%s%s", row->at_least ? "at least " : "",
             csy_time_text(row->delta, sync->trace->timebase_hz, time));
    return text;
}

static const char *const no_options = "none, because clocks do not differ this much";

static const char used[] = " (used in this report)";

/* Returns true if the solution uses the limits of this explanation. */
static bool is_used(const struct csy_sync *sync, const csy_fit *row)
{
    const csy_drift *drift = csy_sync_drift(sync);
    return drift ? drift->rate_ppb == row->drift_ppb && drift->wander_ppb == row->wander_ppb
                 : row->drift_ppb == 0;
}

static const char *plausible_words(const csy_diagnosis *d)
{
    for (size_t i = 0; i < d->nfits; i++)
        if (d->fits[i].plausible)
            return "* physically plausible. The timestamp error is the smallest value that fits; "
                   "if you know that it is larger, pass that value with --delta.";
    if (d->fits_untried)
        return "Different rates were not tried, because the trace is too long. If each clock has "
               "its own crystal, pass --drift=101.";
    return d->kind == CSY_DIAGNOSIS_UNKNOWN
               ? "None of these explanations is plausible: look for records in the wrong order, a "
                 "wrong unit of time, or a clock that was set."
               : "None of these explanations is plausible. The diagnosis names another cause.";
}

static void explanations_json(const struct csy_sync *sync, struct outfile *out)
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
        put_string(out, ", \"options\": ", row->options);
        if (row->example_ppb != 0) {
            put_string(out, ", \"example\": {\"name\": ", sync->views[row->example_clock].name);
            outfile_print(out, ", \"rate_ppb\": %" PRId64 "}}", row->example_ppb);
        } else {
            outfile_add(out, ", \"example\": null}");
        }
    }
    outfile_add(out, d->nfits ? "\n  ],\n" : "],\n");
    if (d->fits_untried)
        outfile_add(out, "  \"explanations_untried\": true,\n");
}

/* --- Diagnosis --- */

void diagnosis_text(const struct csy_sync *sync, struct outfile *out)
{
    const csy_diagnosis *d = &sync->diagnosis->view;
    char rates[RATES_TEXT_MAX], error[RATES_TEXT_MAX];
    if (d->kind == CSY_DIAGNOSIS_NONE || sync->method != CSY_METHOD_BHH)
        return;
    outfile_print(out, "%-*s%s\n%*s", LABEL_COLUMNS, "diagnosis", diagnosis_kind(d->kind),
                  LABEL_COLUMNS, "");
    write_wrapped(out, d->text);
    if (d->nfits == 0)
        return;
    outfile_print(out, "explained   %-*s %-*s %s\n", ERROR_COLUMNS, "timestamp error",
                  RATES_COLUMNS, "clock rates", "options");
    for (size_t i = 0; i < d->nfits; i++) {
        const csy_fit *row = &d->fits[i];
        outfile_print(out, "%*s%s %-*s %-*s %s%s\n", LABEL_COLUMNS - 2, "",
                      row->plausible ? "*" : " ", ERROR_COLUMNS, error_words(sync, row, error),
                      RATES_COLUMNS, rates_words(sync, row, false, rates),
                      row->options ? row->options : no_options, is_used(sync, row) ? used : "");
    }
    outfile_print(out, "%*s", LABEL_COLUMNS, "");
    write_wrapped(out, plausible_words(d));
}

void profile_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out)
{
    char paragraph[PARAGRAPH_MAX];
    if (sync->profile.count < 2)
        return;
    outfile_print(out, "%-*s", LABEL_COLUMNS, "profile");
    write_wrapped(out, profile_words(trace, sync, paragraph));
}

static void put_fraction(struct outfile *out, const char *key, bool known, csy_fraction value)
{
    char text[FRACTION_TEXT_MAX];
    if (known)
        outfile_print(out, ", \"%s\": \"%s\"", key, fraction_text(value, text));
    else
        outfile_print(out, ", \"%s\": null", key);
}

void diagnosis_json(const struct csy_sync *sync, struct outfile *out)
{
    const csy_diagnosis *d = &sync->diagnosis->view;
    char text[FRACTION_TEXT_MAX];
    bool drift = d->kind == CSY_DIAGNOSIS_DRIFT, back = d->kind == CSY_DIAGNOSIS_STEPS_BACK;
    outfile_print(out, "  \"diagnosis\": {\"kind\": \"%s\", \"clocks\": [",
                  diagnosis_kind(d->kind));
    for (size_t i = 0; i < d->nclocks; i++)
        put_string(out, i ? ", " : "", sync->views[d->clocks[i].thread].name);
    put_string(out, "], \"text\": ", d->text);
    put_fraction(out, "delta_ticks", d->clocks_looked_at > 0, d->delta);
    put_fraction(out, "left_delta_ticks", drift || (d->nclocks > 0 && !back), d->left_delta);
    if (d->enough_drift_ppb > 0)
        outfile_print(out, ", \"enough_drift_ppb\": %" PRId64, d->enough_drift_ppb);
    outfile_print(out, ", \"clocks_looked_at\": %zu, \"stretches\": %zu, \"contradicting\": %zu",
                  d->clocks_looked_at, d->windows, d->contradicting);
    if (drift) {
        put_string(out, ", \"drift\": {\"against\": ", sync->views[d->against].name);
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
        put_string(out, ", \"unit\": {\"against\": ", sync->views[d->against].name);
        outfile_add(out, ", \"factors\": [");
        for (size_t i = 0; i < d->nclocks; i++)
            outfile_print(out, "%s\"%s\"", i ? ", " : "",
                          fraction_text(diagnosis_factor(&d->clocks[i]), text));
        outfile_add(out, "]}");
    }
    outfile_add(out, "},\n");
    explanations_json(sync, out);
}

void profile_json(const struct csy_sync *sync, struct outfile *out)
{
    char text[FRACTION_TEXT_MAX];
    const csy_profile *profile = &sync->profile;
    const uint64_t advised = worth_dropping(sync);
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

/* Write "3 records: the bounds hold for the other records". */
static const char *dropped_words(const struct csy_sync *sync, char text[PARAGRAPH_MAX])
{
    const csy_dropped *dropped = &sync->dropped;
    if (dropped->count == 0)
        snprintf(text, PARAGRAPH_MAX, "0 records: no record contradicts the clocks");
    else if (dropped->count < dropped->asked)
        snprintf(text, PARAGRAPH_MAX,
                 "%zu record%s, which bring%s delta to 0 (at most %" PRIu64
                 " allowed): the bounds hold for the other records",
                 dropped->count, text_plural(dropped->count), dropped->count == 1 ? "s" : "",
                 dropped->asked);
    else
        snprintf(text, PARAGRAPH_MAX, "%zu record%s: the bounds hold for the other records",
                 dropped->count, text_plural(dropped->count));
    return text;
}

/* Describe a record: "record 12 (line 14) of t1, 5 us early". */
static const char *dropped_record(const struct csy_trace *trace, const struct csy_sync *sync,
                                  const csy_dropped_record *record, bool escaped,
                                  char text[PARAGRAPH_MAX])
{
    char name[ERROR_ESCAPED_MAX], time[CSY_TIME_TEXT_MAX], place[CSY_PLACE_TEXT_MAX];
    const char *plain = sync->views[record->thread].name;
    int64_t early = record->early_ticks;
    text_time(early < 0 ? -early : early, trace->timebase_hz, time);
    snprintf(text, PARAGRAPH_MAX, "record %" PRIu64 " (%s) of %s, %s%s", record->record,
             csy_trace_place_text(trace, record->place, place),
             escaped ? error_escape(name, plain, strlen(plain)) : plain,
             early == 0 ? "contradicts no other record" : time,
             early == 0  ? ""
             : early > 0 ? " early"
                         : " late");
    return text;
}

void dropped_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out)
{
    char text[PARAGRAPH_MAX];
    const csy_dropped *dropped = &sync->dropped;
    if (dropped->asked == 0)
        return;
    outfile_print(out, "%-*s", LABEL_COLUMNS, "left out");
    write_wrapped(out, dropped_words(sync, text));
    for (size_t i = 0; i < dropped->count; i++)
        outfile_print(out, "%*s%s\n", LABEL_COLUMNS, "",
                      dropped_record(trace, sync, &dropped->records[i], true, text));
}

void dropped_json(const struct csy_sync *sync, struct outfile *out)
{
    const csy_dropped *dropped = &sync->dropped;
    outfile_add(out, "  \"dropped\": [");
    for (size_t i = 0; i < dropped->count; i++) {
        outfile_print(out, "%s\n    {\"record\": %" PRIu64, i ? "," : "",
                      dropped->records[i].record);
        put_string(out, ", \"thread\": ", sync->views[dropped->records[i].thread].name);
        outfile_print(out, ", \"early_ticks\": %" PRId64 "}", dropped->records[i].early_ticks);
    }
    outfile_print(out, "%s],\n", dropped->count ? "\n  " : "");
}

void dropped_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out)
{
    char text[PARAGRAPH_MAX];
    const csy_dropped *dropped = &sync->dropped;
    if (dropped->asked == 0)
        return;
    outfile_print(out, "<section id=\"left-out\">\n<h2>Left out</h2>\n<p>%s</p>\n",
                  dropped_words(sync, text));
    for (size_t i = 0; i < dropped->count && i < HTML_LISTED_MAX; i++) {
        outfile_print(out, "%s<li>", i ? "" : "<ul>\n");
        html_text(out, dropped_record(trace, sync, &dropped->records[i], false, text),
                  PARAGRAPH_MAX);
        outfile_add(out, "</li>\n");
    }
    if (dropped->count > HTML_LISTED_MAX)
        outfile_print(out, "<li>and %zu more</li>\n", dropped->count - HTML_LISTED_MAX);
    outfile_print(out, "%s</section>\n", dropped->count ? "</ul>\n" : "");
}

void profile_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out)
{
    char paragraph[PARAGRAPH_MAX];
    if (sync->profile.count < 2)
        return;
    outfile_add(out, "<section id=\"delta-profile\">\n<h2>The profile of delta</h2>\n<p>");
    html_text(out, profile_words(trace, sync, paragraph), PARAGRAPH_MAX);
    outfile_add(out, "</p>\n</section>\n");
}

void diagnosis_html(const struct csy_sync *sync, struct outfile *out)
{
    const csy_diagnosis *d = &sync->diagnosis->view;
    char rates[RATES_TEXT_MAX], error[RATES_TEXT_MAX];
    if (d->kind == CSY_DIAGNOSIS_NONE)
        return;
    outfile_print(out, "<section id=\"diagnosis\">\n<h2>Diagnosis: %s</h2>\n<p>",
                  diagnosis_kind(d->kind));
    html_text(out, d->text, PARAGRAPH_MAX);
    outfile_add(out, "</p>\n");
    if (d->nfits > 0)
        outfile_print(out,
                      "<table>\n<caption>Limits that explain the trace. %s</caption>\n"
                      "<tr><th></th><th>timestamp error</th><th>rates of clocks</th>"
                      "<th>options</th></tr>\n",
                      plausible_words(d));
    for (size_t i = 0; i < d->nfits; i++) {
        const csy_fit *row = &d->fits[i];
        outfile_print(out, "<tr><td>%s</td><td>%s</td><td>", row->plausible ? "*" : "",
                      error_words(sync, row, error));
        html_text(out, rates_words(sync, row, true, rates), RATES_TEXT_MAX);
        outfile_print(out, "</td><td>%s%s%s%s</td></tr>\n", row->options ? "<code>" : "",
                      row->options ? row->options : no_options, row->options ? "</code>" : "",
                      is_used(sync, row) ? used : "");
    }
    outfile_add(out, d->nfits > 0 ? "</table>\n</section>\n" : "</section>\n");
}
