/* Words that several formats share. */
#include "output/encode/words.h"

#include "base/error.h"
#include "base/number.h"
#include "sync/method.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <string.h>

const char words_latency[] =
    "a latency from one thread to another, counted in ticks, is off by no more than their error";
const char words_order[] = "events of the two that are further apart than that are ordered by time";

const char *words_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                        char text[TICKS_TEXT_MAX])
{
    if (ticks == INT64_MIN)
        return minus_inf;
    if (ticks == INT64_MAX)
        return inf;
    *number_put(text, ticks) = 0;
    return text;
}

const char *words_time(int64_t ticks, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX])
{
    return csy_time_text((csy_fraction){ticks, 1}, timebase_hz, text);
}

const char *words_grouped(const char *text, char *out, size_t size)
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

const char *words_relax(csy_relax relax)
{
    static const char *const words[] = {"exact", "paper", "none", "given"};
    return words[relax];
}

const char *words_uncomputed(const csy_summary *summary, char text[UNCOMPUTED_TEXT_MAX])
{
    snprintf(text, UNCOMPUTED_TEXT_MAX,
             "figures over %" PRIu64 " pairs are not computed: they would take %" PRIu64
             " steps; --statistics=all computes them",
             summary->pairs, summary->uncomputed_steps);
    return text;
}

const char *words_clock_per(csy_clock_per per)
{
    return per == CSY_CLOCK_PER_NODE ? "node" : per == CSY_CLOCK_PER_LOCATION ? "location" : NULL;
}

const char *words_center(csy_center center)
{
    static const char *const words[] = {"reference", "local"};
    return words[center];
}

const char *words_pairs(csy_pairs pairs)
{
    static const char *const words[] = {"auto", "all", "live", "reference", "none", "met"};
    return words[pairs];
}

const char *words_method(csy_method method)
{
    return method_of(method)->word;
}

const char *words_step(csy_order_kind kind)
{
    static const char *const words[] = {"message", "sync", "group", "named", "buffer",
                                        "room",    "lock", "spawn", "join"};
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
            step->kind == CSY_ORDER_NAMED   ? "a record that is named"
            : step->kind == CSY_ORDER_SYNC  ? "the receive that is waited for of message"
            : step->kind == CSY_ORDER_ROOM  ? "the room made in channel"
            : step->kind == CSY_ORDER_SPAWN ? "a spawn"
            : step->kind == CSY_ORDER_JOIN  ? "a join"
                                            : words_step(step->kind),
            named ? "" : " '", named ? "" : error_escape(key, step->key.bytes, step->key.size),
            named ? "" : "'");
        if (step->latency_ticks > 0)
            size += (size_t)snprintf(text + size, CSY_STEPS_TEXT_MAX - size,
                                     " (latency %" PRId64 ")", step->latency_ticks);
    }
    if (edge->nsteps > STEPS_MAX)
        snprintf(text + size, CSY_STEPS_TEXT_MAX - size, " and %zu more", edge->nsteps - STEPS_MAX);
    return text;
}

const char *words_end(csy_end end)
{
    static const char *const words[] = {"send", "receive", "sync",    "enter",   "leave", "post",
                                        "wait", "room",    "release", "acquire", "spawn", "join"};
    return words[end];
}

const char *words_left_out(csy_left_out why)
{
    static const char *const words[] = {
        "nothing at the other end",
        "no begin",
        "more receives than sends, and which sends are missing is not known",
        "locations on several clocks share the channel",
        "several locations share the channel, so which receive it waits for is not known",
        "its record is too short for its key",
        "no turn",
        "not as often as most members",
        "members differ in kind or root",
        "several are of one location",
        "one before it was never completed",
        "more sends than receives, and which messages are missing is not known",
        "closer than 2 delta to others, so which came first is not known"};
    return words[why];
}

bool words_is_last_of_channel(const csy_matched *matched, const csy_unused *unused)
{
    return unused->why == CSY_LEFT_UNMATCHED && matched->several > 0 &&
           (unused->end == CSY_END_SEND || unused->end == CSY_END_POST);
}

const char *words_delta(const csy_sync *sync)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    if (imprecision->delta.num > 0 && solution_delta_is_least(sync))
        return "of clocks that step apart";
    if (imprecision->relax != CSY_RELAX_EXACT)
        return words_relax(imprecision->relax);
    return imprecision->delta.num > 0 ? "the least that fits" : "none needed";
}

const char *words_no_witness(const csy_sync *sync)
{
    return sync->witness.length == 0 && sync->partial && sync->partial->least_added > 0
               ? "There is none: at a smaller delta, timestamps would put more records in order, "
                 "and that order contradicts itself."
               : NULL;
}

bool words_of_cell(const csy_sync *sync)
{
    return sync->trace->source->contexts || sync->survey.threads.ppe != NO_THREAD;
}

/* Whether one oscillator drives all clocks: those of one Cell machine, which the trace is known to
 * be of if one buffer has its records, and they say which cores they are of.  Several may be of
 * nodes of a cluster, and any thread can be called ppe. */
static bool is_of_one_machine(const csy_sync *sync)
{
    const csy_trace *trace = sync->trace;
    return trace->source->contexts ? trace->nrecord_files <= 1
                                   : sync->survey.threads.cores && !trace->partial;
}

bool words_may_step_apart(const csy_sync *sync)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    bool found = imprecision->relax == CSY_RELAX_EXACT || imprecision->relax == CSY_RELAX_PAPER;
    return found && 2 * (int128)imprecision->delta.num < imprecision->delta.den &&
           sync->survey.threads.count > 1 && !is_of_one_machine(sync) && !sync->trace->independent;
}

bool words_may_run_apart(const csy_sync *sync)
{
    return !sync->drift && !sync->imprecision.conditional && sync->survey.threads.count > 1 &&
           !is_of_one_machine(sync);
}

/* What a millionth of the longest time of a clock is: " (1 ppm comes to 2.47 ms in this trace)", or
 * nothing where times are not known, or too short for it. */
static const char *say_millionth(const csy_sync *sync, char *text, size_t size)
{
    char time[CSY_TIME_TEXT_MAX];
    int64_t longest = solution_longest_ticks(sync);
    text[0] = 0;
    if (longest >= 1000) /* less would be no time at all */
        snprintf(text, size, " (1 ppm comes to %s in this trace)",
                 csy_time_text((csy_fraction){longest, 1000000}, sync->trace->timebase_hz, time));
    return text;
}

/* That stamps are as good as delta says; nothing where a warning says so. */
static const char *say_stamps(const csy_sync *sync, char *text, size_t size)
{
    char time[CSY_TIME_TEXT_MAX];
    const csy_imprecision *imprecision = &sync->imprecision;
    const char *called = sync->drift ? "timestamp" : "stamp";
    text[0] = 0;
    if (!imprecision->conditional && imprecision->delta.num == 0)
        snprintf(text, size, "every %s is exact to the tick", called);
    else if (!imprecision->conditional)
        snprintf(text, size, "every %s is good to %s", called,
                 csy_time_text(imprecision->delta, sync->trace->timebase_hz, time));
    return text;
}

/* Add a part of a sentence, and what is between it and the one before, if there is one. */
static void add_part(char text[CSY_WARNING_TEXT_MAX], const char *between, const char *part)
{
    size_t size = strlen(text);
    snprintf(text + size, CSY_WARNING_TEXT_MAX - size, "%s%s", size > 0 ? between : "", part);
}

/* Parts of a million, without the zeros that end them: "101", "0.02". */
static const char *ppm_text(int64_t ppb, char text[QUOTIENT_TEXT_MAX])
{
    decimal_text(ppb, 3, text);
    size_t size = strlen(text);
    while (text[size - 1] == '0')
        size--;
    text[text[size - 1] == '.' ? size - 1 : size] = '\0';
    return text;
}

/* The condition of clocks that drift: the limits of their rates come first. */
static void say_drifting(const csy_sync *sync, bool step, const char *stamps,
                         char text[CSY_WARNING_TEXT_MAX])
{
    char part[CSY_WARNING_TEXT_MAX], ppm[QUOTIENT_TEXT_MAX];
    const csy_drift *drift = csy_sync_drift(sync);
    bool wander = drift->wander_ppb != CSY_NO_DRIFT;
    const char *last = wander || (step && stamps[0]) ? ", and " : " and ";
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "no clock runs more than %s ppm faster or slower than the reference",
             ppm_text(drift->rate_ppb, ppm));
    snprintf(part, sizeof part, "each keeps its rate to within %s ppm of a constant",
             ppm_text(drift->wander_ppb, ppm));
    if (wander)
        add_part(text, step || stamps[0] ? ", " : " and ", part);
    if (step)
        add_part(text, stamps[0] ? ", " : last, "all clocks step at the same instants");
    if (stamps[0])
        add_part(text, last, stamps);
    add_part(text, "; otherwise pass ",
             wander ? "greater limits with --drift" : "a greater --drift");
    if (step || stamps[0])
        add_part(text, ", ",
                 step                              ? "--delta=1/2 or more, or both"
                 : sync->imprecision.delta.num > 0 ? "a greater --delta, or both"
                                                   : "--delta, or both");
}

const char *csy_sync_condition(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    char millionth[CSY_TIME_TEXT_MAX + 40], stamps[CSY_TIME_TEXT_MAX + 40];
    bool run = words_may_run_apart(sync), step = words_may_step_apart(sync);
    say_stamps(sync, stamps, sizeof stamps);
    if (sync->method != CSY_METHOD_BHH || sync->survey.threads.count < 2 ||
        (!step && !stamps[0] && !sync->drift))
        return NULL;
    if (sync->drift) {
        say_drifting(sync, step, stamps, text);
        return text;
    }
    text[0] = 0;
    if (run) {
        add_part(text, "", "all clocks run at one rate");
        add_part(text, "", say_millionth(sync, millionth, sizeof millionth));
    }
    if (step)
        add_part(text, " and ",
                 run ? "step at the same instants" : "all clocks step at the same instants");
    if (stamps[0])
        add_part(text, run && step ? ", and " : " and ", stamps);
    add_part(text, "; else say ", run ? "--drift, " : "");
    add_part(text, "",
             step                              ? "--delta=1/2 or more"
             : sync->imprecision.delta.num > 0 ? "a greater --delta"
                                               : "--delta");
    add_part(text, "", run ? ", or both" : "");
    return text;
}

bool words_doubt_order(const csy_sync *sync)
{
    return sync->order.sorted != CSY_SORTED_NOT || sync->perhaps_sorted;
}

/* The condition of few rows; more rows have a warning. */
static const char *say_order(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    if (!sync->perhaps_sorted)
        return NULL;
    snprintf(
        text, CSY_WARNING_TEXT_MAX,
        "the rows are in the order of writing; they may have been sorted by time, and then the "
        "bounds are false");
    return text;
}

bool words_need_both_ends(const csy_sync *sync)
{
    return sync->method == CSY_METHOD_BHH && sync->survey.threads.count > 1 && sync->matched &&
           sync->matched->several > 0;
}

static const char *say_both_ends(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    if (!words_need_both_ends(sync))
        return NULL;
    const csy_matched *matched = sync->matched;
    bool lacks = false; /* receives, which the trace may lack if no send is missing */
    for (size_t i = 0; i < matched->nunused && sync->trace->sends != SENDS_UNKNOWN; i++)
        lacks |= words_is_last_of_channel(matched, &matched->unused[i]);
    snprintf(text, CSY_WARNING_TEXT_MAX, "%s",
             !lacks               ? "every message of a channel was recorded at both ends"
             : matched->rooms > 0 ? "every send and every wait of a channel were recorded"
                                  : "every send of a channel was recorded");
    return text;
}

const char *csy_sync_condition_at(const csy_sync *sync, size_t index,
                                  char text[CSY_WARNING_TEXT_MAX])
{
    static const char *(*const conditions[])(const csy_sync *, char *) = {csy_sync_condition,
                                                                          say_order, say_both_ends};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (conditions[i](sync, text) && index-- == 0)
            return text;
    return NULL;
}

const char *words_ready(const csy_sync *sync)
{
    return words_of_cell(sync) ? "ready for an SPE" : "ready to run";
}

const char *words_clock(const csy_sync *sync)
{
    return csy_sync_ntracks(sync) > csy_sync_nthreads(sync) ? "clock" : "thread";
}

const char *words_error(int64_t added_ticks)
{
    return added_ticks > 0 ? "event error" : "error bound";
}

const char *words_event_ends(const csy_sync *sync)
{
    return sync->imprecision.added_ticks > 0 ? " event" : "";
}

const char *words_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *words_bool(bool is)
{
    return is ? "true" : "false";
}

const char *words_unread(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    if (!sync->trace->unread_order)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "columns %s order nothing without a line # order=partial above the header: %s hold "
             "only if the rows are in the order of writing",
             sync->trace->unread_order, sync->method == CSY_METHOD_BHH ? "bounds" : "global times");
    return text;
}

const char *words_warning(const csy_sync *sync, size_t index, char text[CSY_WARNING_TEXT_MAX])
{
    static const char *(*const warnings[WORDS_WARNINGS])(const csy_sync *, char *) = {
        csy_sync_delta_warning,     csy_sync_assumed_warning,
        csy_sync_dropped_warning,   csy_sync_order_warning,
        csy_sync_unbounded_warning, csy_sync_messages_warning,
        csy_sync_channels_warning,  csy_sync_coarse_warning,
        csy_sync_rates_warning,     words_unread};
    return warnings[index](sync, text);
}
