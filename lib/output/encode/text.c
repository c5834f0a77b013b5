/* Phrases shared by several formats. */
#include "output/encode/text.h"

#include "base/error.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

#include <inttypes.h>
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

const char *text_relax(csy_relax relax)
{
    static const char *const words[] = {"exact", "paper", "none", "given"};
    return words[relax];
}

const char *text_uncomputed(const csy_summary *summary, char text[UNCOMPUTED_TEXT_MAX])
{
    snprintf(text, UNCOMPUTED_TEXT_MAX,
             "figures over %" PRIu64 " pairs are not computed, because they need %" PRIu64
             " steps; to compute them, pass --statistics=all",
             summary->pairs, summary->uncomputed_steps);
    return text;
}

const char *text_clock_per(csy_clock_per per)
{
    return per == CSY_CLOCK_PER_NODE ? "node" : per == CSY_CLOCK_PER_LOCATION ? "location" : NULL;
}

const char *text_center(csy_center center)
{
    static const char *const words[] = {"reference", "local"};
    return words[center];
}

const char *text_pairs(csy_pairs pairs)
{
    static const char *const words[] = {"auto", "all", "live", "reference", "none", "met"};
    return words[pairs];
}

const char *text_method(csy_method method)
{
    return method_of(method)->word;
}

const char *text_step(csy_order_kind kind)
{
    static const char *const words[] = {"message", "sync",        "group", "named",
                                        "buffer",  "room",        "lock",  "spawn",
                                        "join",    "latency_max", "same",  "offset"};
    return words[kind];
}

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
                                                  : text_step(step->kind),
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

const char *text_end(csy_end end)
{
    static const char *const words[] = {"send", "receive", "sync",    "enter",   "leave", "post",
                                        "wait", "room",    "release", "acquire", "spawn", "join"};
    return words[end];
}

const char *text_left_out(csy_left_out why)
{
    static const char *const words[] = {
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
    return words[why];
}

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
        return text_relax(imprecision->relax);
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
    /* `max` is NULL for a mean. For a maximum, `mean` has only the number of pairs. */
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
        /* without a PPE, event_error_spe has the errors of all pairs */
        {!cell, "mean-error", "mean error", "mean error", NULL, summary->event_error_spe, NULL},
        {!matched, "mean-live", "mean, live together", "mean live together", NULL,
         summary->live.event_mean, &summary->live},
        {!matched, "mean-successive", "mean, successive", "mean successive", NULL,
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
