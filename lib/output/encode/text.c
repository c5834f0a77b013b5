/* Phrases shared by several formats. */
#include "output/encode/text.h"

#include "base/error.h"
#include "diagnosis/diagnosis.h"
#include "sync/options.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char text_latency[] =
    "the time between events of two clocks is wrong by at most the error of this pair of clocks";
const char text_order[] = "events that are further apart than this error are in the correct order";

const char *text_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                       char text[TICKS_TEXT_MAX])
{
    if (ticks == INT64_MIN)
        return minus_inf;
    if (ticks == INT64_MAX)
        return inf;
    *number_put(text, ticks) = 0;
    return text;
}

const char *text_bound(int64_t ticks, char text[TICKS_TEXT_MAX])
{
    return text_ticks(ticks < 0 ? INT64_MAX : ticks, "", "inf", text);
}

const char *text_time(int64_t ticks, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX])
{
    return csy_time_text((csy_fraction){ticks, 1}, timebase_hz, text);
}

const char *text_grouped(const char *text, char *out, size_t size)
{
    static const char space[] = "\u202f";
    size_t used = 0, i = 0;
    while (text[i] && used + sizeof space < size) {
        size_t digits = strspn(text + i, "0123456789");
        bool grouped = digits > 0 && (i == 0 || text[i - 1] != '.');
        size_t end = i + (digits > 0 ? digits : 1);
        for (size_t begin = i; i < end && used + sizeof space < size; i++) {
            if (grouped && i > begin && (end - i) % 3 == 0) {
                memcpy(out + used, space, sizeof space - 1);
                used += sizeof space - 1;
            }
            out[used++] = text[i];
        }
    }
    out[used] = '\0';
    return out;
}

const char *const text_relax_words[] = {"exact", "paper", "none", "given"};

const char *text_uncomputed(const csy_summary *summary, char text[UNCOMPUTED_TEXT_MAX])
{
    snprintf(text, UNCOMPUTED_TEXT_MAX,
             "figures over %" PRIu64 " pairs are not computed, because they need %" PRIu64
             " steps; to compute them, pass --statistics=all",
             summary->pairs, summary->uncomputed_steps);
    return text;
}

const char *const text_center_words[] = {"reference", "local"};

const char *text_method(csy_method method)
{
    return method_of(method)->word;
}

const char *const text_step_words[] = {"message", "sync",        "group", "named",
                                       "buffer",  "room",        "lock",  "spawn",
                                       "join",    "latency_max", "same",  "offset"};

const char *csy_steps_text(const csy_witness_edge *edge, char text[CSY_STEPS_TEXT_MAX])
{
    enum { STEPS_MAX = 4 };
    char key[ERROR_ESCAPED_MAX];
    size_t size = 0;
    text[0] = 0;
    for (size_t i = 0; i < edge->nsteps && i < STEPS_MAX; i++) {
        const csy_order_step *step = &edge->steps[i];
        bool named = step->key.size == 0;
        size += (size_t)snprintf(
            text + size, CSY_STEPS_TEXT_MAX - size, "%s%s%s%s%s", i ? ", " : "",
            step->kind == CSY_ORDER_NAMED         ? "the record named by after"
            : step->kind == CSY_ORDER_SYNC        ? "the awaited receive of message"
            : step->kind == CSY_ORDER_ROOM        ? "the free place in channel"
            : step->kind == CSY_ORDER_SPAWN       ? "a spawn"
            : step->kind == CSY_ORDER_JOIN        ? "a join"
            : step->kind == CSY_ORDER_LATENCY_MAX ? "the maximum latency of message"
            : step->kind == CSY_ORDER_SAME        ? "the same moment"
            : step->kind == CSY_ORDER_OFFSET      ? "the offset measured to clock"
                                                  : text_step_words[step->kind],
            named ? "" : " '", named ? "" : error_escape(key, step->key.bytes, step->key.size),
            named ? "" : "'");
        if (step->latency_ticks > 0)
            size += (size_t)snprintf(text + size, CSY_STEPS_TEXT_MAX - size,
                                     " (latency %" PRId64 ")", step->latency_ticks);
        else if (step->kind >= CSY_ORDER_LATENCY_MAX)
            size += (size_t)snprintf(text + size, CSY_STEPS_TEXT_MAX - size,
                                     " (within %" PRId64 ")", -step->latency_ticks);
    }
    if (edge->nsteps > STEPS_MAX)
        snprintf(text + size, CSY_STEPS_TEXT_MAX - size, " and %zu more", edge->nsteps - STEPS_MAX);
    return text;
}

const char *const text_end_words[] = {"send", "receive", "sync",    "enter",   "leave", "post",
                                      "wait", "room",    "release", "acquire", "spawn", "join"};

const char *const text_left_out_words[] = {
    "the other end is missing",
    "the begin is missing",
    "more receives than sends, and it is unknown which sends are missing",
    "locations on several clocks share the channel",
    "several locations share the channel, so it is unknown for which receive the send waits",
    "the record is too short to contain the key",
    "no turn",
    "fewer than from most members",
    "members disagree about the kind or the root of the operation",
    "several members belong to one location",
    "an earlier one was never completed",
    "more sends than receives, and it is unknown which messages are missing",
    "less than 2 delta from others, so it is unknown which came first"};

bool text_is_last_of_channel(const csy_matched *matched, const csy_unused *unused)
{
    return unused->why == CSY_LEFT_UNMATCHED && matched->several > 0 &&
           (unused->end == CSY_END_SEND || unused->end == CSY_END_POST);
}

const char *text_delta(const csy_sync *sync)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    if (imprecision->delta.num > 0 && solution_delta_is_least(sync))
        return sync->premises.stamps ? "half a step of the timestamps"
                                     : "of clocks that tick at different instants";
    if (imprecision->relax != CSY_RELAX_EXACT)
        return text_relax_words[imprecision->relax];
    return imprecision->delta.num > 0 ? "the smallest value that fits" : "none needed";
}

const char *text_no_witness(const csy_sync *sync)
{
    return sync->witness.length == 0 && sync->partial && sync->partial->least_added > 0
               ? "There is no witness: with a smaller delta, the timestamps would order more "
                 "records, and this order would contradict itself."
               : NULL;
}

const char *text_rates(const csy_sync *sync)
{
    return sync->drift ? "within these limits" : "equal";
}

bool text_of_cell(const csy_sync *sync)
{
    return !sync->tracks || sync->survey.threads.ppe != NO_THREAD;
}

const char *text_ready(const csy_sync *sync)
{
    return text_of_cell(sync) ? "ready for an SPE" : "ready to run";
}

const char *text_clock(const csy_sync *sync)
{
    return csy_sync_ntracks(sync) > csy_sync_nthreads(sync) ? "clock" : "thread";
}

const char *text_error(int64_t added_ticks)
{
    return added_ticks > 0 ? "event error" : "error bound";
}

size_t text_statistics(const csy_sync *sync, struct statistic out[STATISTICS_MAX])
{
    const csy_summary *summary = &sync->summary;
    const csy_mean all = {.pairs = summary->bounded};
    bool cell = text_of_cell(sync), matched = sync->matched != NULL;
    size_t n = 0;
    /* `max` is NULL if the row is a mean. If it is a maximum, only mean->pairs is used. */
    const struct {
        bool shown;
        const char *id, *label, *page_label;
        const int64_t *max;
        csy_mean mean;
        const csy_group *group;
    } rows[] = {
        {true, "max-error", "max error", "max error", &summary->max_event_error_ticks, all, NULL},
        {cell, "max-error-spe", "max, SPE to SPE", "max error, SPE to SPE",
         &summary->max_event_error_spe_ticks, summary->error_spe, NULL},
        {cell, "mean-error-ppe", "mean, SPE to PPE", "mean error SPE\u2013PPE", NULL,
         summary->event_error_ppe, NULL},
        {cell, "mean-error-spe", "mean, SPE to SPE", "mean error SPE\u2013SPE", NULL,
         summary->event_error_spe, NULL},
        /* without a PPE, event_error_spe covers all pairs of threads */
        {!cell, "mean-error", "mean error", "mean error", NULL, summary->event_error_spe, NULL},
        {!matched, "mean-live", "mean, live together", "mean live together", NULL,
         summary->live.event_mean, &summary->live},
        {!matched, "mean-successive", "mean, one context", "mean of one context", NULL,
         summary->successive.event_mean, &summary->successive},
        {matched, "mean-met", "mean, direct pairs", "mean of direct pairs", NULL,
         summary->met.event_mean, &summary->met},
        {sync->imprecision.added_ticks > 0, "max-clock-error", "max clock error", "max clock error",
         &summary->max_error_ticks, all, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[QUOTIENT_TEXT_MAX];
        const int64_t *max = rows[i].max;
        if (!rows[i].shown)
            continue;
        struct statistic *row = &out[n++];
        *row = (struct statistic){.id = rows[i].id,
                                  .label = rows[i].label,
                                  .page_label = rows[i].page_label,
                                  .num = max ? *max : mean_sum(rows[i].mean),
                                  .den = max ? *max >= 0 : (int128)rows[i].mean.pairs,
                                  .pairs = rows[i].mean.pairs,
                                  .group = rows[i].group};
        if (row->den > 0)
            (void)snprintf(row->ticks, sizeof row->ticks, "%s",
                           max ? text_ticks(*max, "", "", text)
                               : quotient_text(row->num, row->den, text));
    }
    return n;
}

const char *text_event_ends(const csy_sync *sync)
{
    return sync->imprecision.added_ticks > 0 ? " event" : "";
}

const char *text_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *text_bool(bool is)
{
    return is ? "true" : "false";
}

const char *text_ppm(int64_t ppb, char text[QUOTIENT_TEXT_MAX])
{
    decimal_text(ppb, 3, text);
    size_t size = strlen(text);
    while (text[size - 1] == '0')
        size--;
    text[text[size - 1] == '.' ? size - 1 : size] = '\0';
    return text;
}

/* --- Advice, diagnosis, and dropped records --- */

const char *text_name(const csy_sync *sync, size_t t, char text[ERROR_ESCAPED_MAX])
{
    return error_escape(text, sync->views[t].name, strlen(sync->views[t].name));
}

const char *text_advice(const csy_sync *sync, char text[SENTENCE_MAX])
{
    const csy_advice *advice = &sync->advice->view;
    char tau[ERROR_ESCAPED_MAX], late[120] = "";
    if (sync->drift) {
        snprintf(text, SENTENCE_MAX,
                 "%" PRIu64 " more exchange%s in each of the longest gaps, if each is as good as "
                 "the best exchange of the clock",
                 advice->events, text_plural(advice->events));
    } else if (sync->partial) {
        snprintf(text, SENTENCE_MAX,
                 "messages between a thread and %s, directly or through other threads",
                 text_name(sync, sync->reference, tau));
    } else {
        if (advice->late_ticks > 0)
            snprintf(late, sizeof late,
                     ", or to the %" PRId64
                     " tick%s by which a record may be late, if %s larger, plus twice %s",
                     advice->late_ticks, text_plural((uint64_t)advice->late_ticks),
                     advice->late_ticks == 1 ? "this is" : "these are",
                     advice->late_ticks == 1 ? "this" : "these");
        snprintf(text, SENTENCE_MAX,
                 "%" PRIu64 " more record%s of a thread and %" PRIu64
                 " more of %s reduce the error bound of the thread to at most 1/%" PRIu64 "%s",
                 advice->events, text_plural(advice->events), advice->events,
                 text_name(sync, sync->reference, tau), advice->events * advice->events + 1, late);
    }
    return text;
}

const char *text_lack(const csy_sync *sync, const csy_advised *advised, char text[SENTENCE_MAX])
{
    char tau[ERROR_ESCAPED_MAX], own[ERROR_ESCAPED_MAX];
    const char *what = sync->partial ? "message" : "record";
    text_name(sync, sync->reference, tau);
    text_name(sync, advised->thread, own);
    if (advised->after_reference && advised->before_reference)
        snprintf(text, SENTENCE_MAX,
                 "a round trip limits the error to its duration minus two latencies");
    else if (!advised->after_reference && !advised->before_reference)
        snprintf(text, SENTENCE_MAX, "no %s from %s to %s, and none back", what, own, tau);
    else if (sync->partial)
        snprintf(text, SENTENCE_MAX, "no message from %s to %s",
                 advised->before_reference ? tau : own, advised->before_reference ? own : tau);
    else
        snprintf(text, SENTENCE_MAX, "no record of %s is %s a record of this thread", tau,
                 advised->before_reference ? "before" : "after");
    return text;
}

const char *text_advice_sum(const csy_sync *sync, char text[SENTENCE_MAX])
{
    const csy_advice *advice = &sync->advice->view;
    char tau[ERROR_ESCAPED_MAX], mean[QUOTIENT_TEXT_MAX], pair[64] = "";
    if (sync->partial || sync->drift || advice->max_ticks < 0)
        return "";
    if (advice->max_spe_ticks >= 0)
        snprintf(pair, sizeof pair, "; between two other threads at most %" PRId64,
                 advice->max_spe_ticks);
    snprintf(text, SENTENCE_MAX,
             "error if every thread has these records: to %s at most %" PRId64 ", mean %s%s",
             text_name(sync, sync->reference, tau), advice->max_ticks,
             quotient_text(mean_sum(advice->mean_ticks), (int128)advice->mean_ticks.pairs, mean),
             pair);
    return text;
}

const char text_no_options[] = "none, because clocks do not differ this much";

const char *const text_diagnosis_words[] = {"none",          "drift",      "early_stamps",
                                            "stepped_clock", "bad_clock",  "not_interleaved",
                                            "unknown",       "steps_back", "other_unit"};

uint64_t text_worth_dropping(const csy_sync *sync)
{
    const csy_diagnosis *d = sync->diagnosis ? &sync->diagnosis->view : NULL;
    bool drift = d && (d->kind == CSY_DIAGNOSIS_DRIFT ||
                       (d->enough_drift_ppb > 0 && d->enough_drift_ppb <= CRYSTAL_PPB));
    return drift ? 0 : sync->profile.advised;
}

const char *text_profile(const csy_sync *sync, char text[PARAGRAPH_MAX])
{
    char time[CSY_TIME_TEXT_MAX];
    const csy_profile *profile = &sync->profile;
    const uint64_t advised = text_worth_dropping(sync);
    size_t length = 0;
    for (size_t i = 0; i < profile->count && length < PARAGRAPH_MAX - 2 * CSY_TIME_TEXT_MAX; i++) {
        const csy_profile_entry *entry = &profile->entries[i];
        bool none = entry->delta.num == 0;
        length += (size_t)snprintf(
            text + length, PARAGRAPH_MAX - length, "%s%" PRIu64 "%s: %s", i ? "; " : "",
            entry->dropped, i ? "" : " left out",
            none ? "0" : csy_time_text(entry->delta, sync->trace->timebase_hz, time));
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

const char *text_fit_rates(const csy_sync *sync, const csy_fit *row, bool raw,
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

const char *text_fit_error(const csy_sync *sync, const csy_fit *row, char text[RATES_TEXT_MAX])
{
    char time[CSY_TIME_TEXT_MAX];
    snprintf(text, RATES_TEXT_MAX, "%s%s", row->at_least ? "at least " : "",
             csy_time_text(row->delta, sync->trace->timebase_hz, time));
    return text;
}

const char *text_fit_used(const csy_sync *sync, const csy_fit *row)
{
    const csy_drift *drift = csy_sync_drift(sync);
    bool used = drift ? drift->rate_ppb == row->drift_ppb && drift->wander_ppb == row->wander_ppb
                      : row->drift_ppb == 0;
    return used ? " (used in this report)" : "";
}

#define PLAUSIBLE                                                                                  \
    "* physically plausible. The timestamp error is the smallest value that fits; if you know "    \
    "that it is larger, pass that value with --delta."
#define UNTRIED "Some limits on rates were not tried, because that would take too long."

const char *text_plausible(const csy_diagnosis *d)
{
    for (size_t i = 0; i < d->nfits; i++)
        if (d->fits[i].plausible)
            return d->fits_untried ? PLAUSIBLE " " UNTRIED : PLAUSIBLE;
    if (d->fits_untried)
        return UNTRIED " If each clock has its own crystal, pass --drift=101.";
    return d->kind == CSY_DIAGNOSIS_UNKNOWN
               ? "None of these explanations is plausible: look for records in the wrong order, a "
                 "wrong unit of time, or a clock that was set."
               : "None of these explanations is plausible. The diagnosis names another cause.";
}

const char *text_dropped(const csy_sync *sync, char text[PARAGRAPH_MAX])
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

const char *text_dropped_record(const csy_sync *sync, const csy_dropped_record *record,
                                bool escaped, char text[PARAGRAPH_MAX])
{
    char name[ERROR_ESCAPED_MAX], time[CSY_TIME_TEXT_MAX], place[CSY_PLACE_TEXT_MAX];
    const char *plain = sync->views[record->thread].name;
    int64_t early = record->early_ticks;
    text_time(early < 0 ? -early : early, sync->trace->timebase_hz, time);
    snprintf(text, PARAGRAPH_MAX, "record %" PRIu64 " (%s) of %s, %s%s", record->record,
             csy_trace_place_text(sync->trace, record->place, place),
             escaped ? error_escape(name, plain, strlen(plain)) : plain,
             early == 0 ? "contradicts no other record" : time,
             early == 0  ? ""
             : early > 0 ? " early"
                         : " late");
    return text;
}
