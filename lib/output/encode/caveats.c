/* The table of caveats (warnings and conditions of a solution), and the texts of many of them. */
#include "output/encode/caveats.h"

#include "analysis/run/sheets.h"
#include "base/number.h"
#include "output/encode/text.h"
#include "sync/solution.h"
#include "trace/offsets.h"

#include <inttypes.h>
#include <string.h>

/* Returns true if one oscillator drives all clocks, as in a Cell machine. Such a trace has a single
 * buffer with records that name their cores. Other traces may come from several machines. */
static bool is_of_one_machine(const csy_sync *sync)
{
    const csy_trace *trace = sync->trace;
    return trace->nrecord_files == 1 ||
           (trace->nrecord_files == 0 && sync->survey.threads.cores && !trace->partial);
}

/* Returns true if bounds assume that all clocks tick at the same instants, but nothing shows it. */
static bool may_step_apart(const csy_sync *sync)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    bool found = imprecision->relax == CSY_RELAX_EXACT || imprecision->relax == CSY_RELAX_PAPER;
    return found && 2 * (int128)imprecision->delta.num < imprecision->delta.den &&
           sync->survey.threads.count > 1 && !is_of_one_machine(sync) && !sync->trace->independent;
}

/* Returns true if bounds assume that all clocks run at one rate. Returns false if the timestamp
 * error was estimated, because another warning then states that bounds may not hold at all. */
static bool may_run_apart(const csy_sync *sync)
{
    return !sync->drift && !sync->imprecision.conditional && sync->survey.threads.count > 1 &&
           !is_of_one_machine(sync);
}

/* Append a part of a sentence to text. The separator `between` comes first unless text is empty. */
static void add_part(char text[CSY_WARNING_TEXT_MAX], const char *between, const char *part)
{
    size_t size = strlen(text);
    snprintf(text + size, CSY_WARNING_TEXT_MAX - size, "%s%s", size > 0 ? between : "", part);
}

const char *csy_sync_condition(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    char time[CSY_TIME_TEXT_MAX], millionth[CSY_TIME_TEXT_MAX + 40];
    char stamps[CSY_TIME_TEXT_MAX + 40] = ""; /* condition on timestamps, or "" if delta was
                                               * estimated */
    bool run = may_run_apart(sync), step = may_step_apart(sync);
    const csy_imprecision *imprecision = &sync->imprecision;
    if (!imprecision->conditional && imprecision->delta.num == 0)
        snprintf(stamps, sizeof stamps, "every timestamp is exact to the tick");
    else if (!imprecision->conditional)
        snprintf(stamps, sizeof stamps, "every timestamp is correct to within %s",
                 csy_time_text(imprecision->delta, sync->trace->timebase_hz, time));
    if (sync->method != CSY_METHOD_BHH || sync->survey.threads.count < 2 ||
        (!step && !stamps[0] && !sync->drift))
        return NULL;
    const char *larger = step                              ? "--delta=1/2 or more"
                         : sync->imprecision.delta.num > 0 ? "a larger --delta"
                                                           : "--delta";
    if (sync->drift) {
        char part[CSY_WARNING_TEXT_MAX], ppm[QUOTIENT_TEXT_MAX];
        const csy_drift *drift = csy_sync_drift(sync);
        bool wander = drift->wander_ppb != CSY_NO_DRIFT, more = step || stamps[0];
        bool set = sync->steps.count > 0;
        const char *last = wander || !set || (step && stamps[0]) ? ", and " : " and ";
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "%s%sno clock runs more than %s ppm faster or slower than the reference",
                 set ? "" : "no clock was set",
                 set              ? ""
                 : wander || more ? ", "
                                  : " and ",
                 text_ppm(drift->rate_ppb, ppm));
        snprintf(part, sizeof part, "the rate of each clock stays within %s ppm of a constant",
                 text_ppm(drift->wander_ppb, ppm));
        if (wander)
            add_part(text, more ? ", " : set ? " and " : ", and ", part);
        if (step)
            add_part(text, stamps[0] ? ", " : last, "all clocks tick at the same instants");
        if (stamps[0])
            add_part(text, last, stamps);
        add_part(text, "; if not, pass ",
                 wander ? "larger limits with --drift" : "a larger --drift");
        if (more)
            add_part(text, ", ", larger);
        if (more)
            add_part(text, ", ", "or both");
        return text;
    }
    text[0] = 0;
    if (run) {
        add_part(text, "", "all clocks run at the same rate");
        int64_t longest = solution_longest_ticks(sync);
        snprintf(millionth, sizeof millionth,
                 " (a difference of 1 ppm adds up to %s in this trace)",
                 csy_time_text((csy_fraction){longest, 1000000}, sync->trace->timebase_hz, time));
        /* for a shorter trace, the difference would be printed as 0 */
        if (longest >= 1000)
            add_part(text, "", millionth);
    }
    if (step)
        add_part(text, " and ",
                 run ? "tick at the same instants" : "all clocks tick at the same instants");
    if (stamps[0])
        add_part(text, run && step ? ", and " : " and ", stamps);
    add_part(text, "; if not, pass ", run ? "--drift, " : "");
    add_part(text, "", larger);
    add_part(text, "", run ? ", or both" : "");
    return text;
}

bool caveats_doubt_order(const csy_sync *sync)
{
    return sync->order.sorted != CSY_SORTED_NOT || sync->perhaps_sorted;
}

/* Returns true if the results need an assumption that cellsync has made because no option states
 * it. */
static bool has_premise(const csy_sync *sync)
{
    char text[CSY_WARNING_TEXT_MAX];
    return csy_sync_premise(sync, text) != NULL;
}

/* Write the condition that rows are in the order they were written. It is left out if rows are
 * known to be sorted by time, because csy_sync_order_warning then warns. */
static const char *say_order(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    bool rows = !sync->trace->source->buffer && !sync->trace->partial &&
                sync->order.sorted == CSY_SORTED_NOT;
    if (!sync->perhaps_sorted && !(rows && has_premise(sync)))
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX, "the rows are in the order in which they were written%s",
             sync->perhaps_sorted ? "; if they were sorted by time, the bounds are wrong" : "");
    return text;
}

/* Write the condition that the keys in the trace identify messages. A program may reuse keys. */
static const char *say_keys(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const struct source *source = sync->trace->source;
    const csy_matched *matched = sync->matched;
    if (!matched || !source->keys || !has_premise(sync) ||
        matched->messages + (source->named_groups ? 0 : matched->groups) == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX, "%s", source->keys(sync->trace));
    return text;
}

/* Returns true if bounds assume that both ends of all messages of a channel were recorded. */
static bool need_both_ends(const csy_sync *sync)
{
    return sync->method == CSY_METHOD_BHH && sync->survey.threads.count > 1 && sync->matched &&
           sync->matched->several > 0;
}

static const char *say_both_ends(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    if (!need_both_ends(sync))
        return NULL;
    const csy_matched *matched = sync->matched;
    bool lacks = false; /* true if unmatched sends may be the last ones of their channels */
    for (size_t i = 0; i < matched->nunused && sync->trace->sends != SENDS_UNKNOWN; i++)
        lacks |= text_is_last_of_channel(matched, &matched->unused[i]);
    snprintf(text, CSY_WARNING_TEXT_MAX, "%s",
             !lacks ? "the send and the receive of every message of a channel were recorded"
             : matched->rooms > 0 ? "every send and every wait of a channel were recorded"
                                  : "every send of a channel was recorded");
    return text;
}

static const char *say_converted(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    size_t n = sync->trace->converted;
    if (n == 0 || sync->method != CSY_METHOD_BHH || sync->survey.threads.count < 2)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "the tracer converted the timestamps of %zu accelerator location%s to the clock%s of "
             "%s without error; if not, pass --clock-per=location",
             n, text_plural(n), text_plural(n), n == 1 ? "its process" : "their processes");
    return text;
}

static const char *say_measured(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const struct measured_offsets *offsets = sync->trace->offsets;
    char name[ERROR_ESCAPED_MAX];
    if (!offsets || sync->method != CSY_METHOD_BHH || sync->survey.threads.count < 2)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX, "the offset%s in %s %s correct to within the stated error",
             text_plural(offsets->count), error_escape(name, offsets->name, strlen(offsets->name)),
             offsets->count == 1 ? "is" : "are");
    return text;
}

/* Write "no message took less than 120 us (--latency=120000) or more than 1 ms ...". */
static void add_latencies(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    bool least = sync->latency_ticks > 0, most = sync->latency_max_ticks < INT64_MAX;
    char part[2 * CSY_TIME_TEXT_MAX + 64], time[CSY_TIME_TEXT_MAX];
    if (!least && !most)
        return;
    add_part(text, ", and ",
             sync->trace->stated & (STATED_LATENCY | STATED_LATENCY_MAX) ? "no other message took "
                                                                         : "no message took ");
    if (least) {
        csy_fraction ticks = {sync->latency_ticks, 1};
        snprintf(part, sizeof part, "less than %s (--latency=%" PRId64 ")",
                 csy_time_text(ticks, sync->trace->timebase_hz, time), sync->latency_ticks);
        add_part(text, "", part);
    }
    if (most) {
        csy_fraction ticks = {sync->latency_max_ticks, 1};
        snprintf(part, sizeof part, "more than %s (--max-latency=%" PRId64 ")",
                 csy_time_text(ticks, sync->trace->timebase_hz, time), sync->latency_max_ticks);
        add_part(text, least ? " or " : "", part);
    }
}

/* Write the condition that the latencies and clock readings stated by options or the trace are
 * correct. Offsets from a file have a condition of their own. */
static const char *say_stated(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_sync *solved = sync->again ? sync->again : sync;
    const csy_matched *matched = solved->matched;
    unsigned stated = sync->trace->stated, latency = stated & STATED_LATENCY;
    if (!matched || sync->method != CSY_METHOD_BHH || sync->survey.threads.count < 2)
        return NULL;
    text[0] = 0;
    if (latency && stated & STATED_LATENCY_MAX)
        add_part(text, "", "the values of latency and latency_max in the trace are correct");
    else if (latency || stated & STATED_LATENCY_MAX)
        add_part(text, "",
                 latency ? "the values of latency in the trace are correct"
                         : "the values of latency_max in the trace are correct");
    if (matched->messages + matched->posts > 0)
        add_latencies(solved, text);
    bool latencies = text[0] != 0;
    if (stated & STATED_SAME)
        add_part(text, ", and ",
                 "records with equal values of same show one moment to within the stated error");
    if (stated & STATED_OTHER_TIME)
        add_part(text, ", and ", "the values of other_time are correct to within the stated error");
    if (!text[0])
        return NULL;
    if (sync->drift) {
        bool errors = stated & (STATED_SAME | STATED_OTHER_TIME);
        add_part(text, "; ",
                 !errors     ? "latencies are measured"
                 : latencies ? "latencies and stated errors are measured"
                             : "stated errors are measured");
        add_part(text, " ", "by the clock of the reference");
    }
    return text;
}

static const char *say_counters(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    enum { NAMED_MAX = 3 };
    const struct csv_counters *counters = &sync->trace->lines.counters;
    char list[CSY_WARNING_TEXT_MAX / 2] = "", part[64], name[ERROR_ESCAPED_MAX];
    size_t n = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < counters->count; i++) {
        const struct csv_counter *counter = &counters->items[i];
        const struct text_item *item = &counters->clocks.items[i];
        if (counter->line == 0 || counter->bits == 0 || n++ >= NAMED_MAX)
            continue;
        error_escape(name, counters->clocks.bytes + item->at, item->size < 40 ? item->size : 40);
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", n > 1 ? ", " : "", name);
        bits = n == 1 || bits == counter->bits ? counter->bits : 0;
    }
    if (n == 0 && counters->bits == 0)
        return NULL;
    if (n > NAMED_MAX)
        snprintf(part, sizeof part, " and %zu more", n - NAMED_MAX);
    else
        snprintf(part, sizeof part, "%s", counters->bits > 0 && n > 0 ? " and of all others" : "");
    bool one = n == 1 && counters->bits == 0;
    if (n == 0 || (counters->bits > 0 && bits != counters->bits))
        bits = n == 0 ? counters->bits : 0;
    snprintf(text, CSY_WARNING_TEXT_MAX, "the counter%s of %s%s wrap%s", one ? "" : "s",
             n > 0 ? list : "all clocks", part, one ? "s" : "");
    size_t used = strlen(text);
    if (bits > 0)
        used += (size_t)snprintf(text + used, CSY_WARNING_TEXT_MAX - used, " at %u bits", bits);
    snprintf(text + used, CSY_WARNING_TEXT_MAX - used,
             " and %s unwrapped: the rows of each clock are in order of time to within 1/4 of a "
             "wrap, and less than 3/4 of a wrap apart",
             one ? "was" : "were");
    return text;
}

/* Write "B was set back by 3.000 ms (2.998 to 3.003) between lines 412 and 413". */
static void say_step(const csy_sync *sync, const struct clock_step *step, char *text, size_t size)
{
    static const struct {
        const char *name;
        unsigned digits; /* number of decimals that show a picosecond */
        int64_t ps;
    } units[] = {
        {"s", 12, 1000000000000}, {"ms", 9, 1000000000}, {"us", 6, 1000000}, {"ns", 3, 1000}};
    enum { LONGEST_S = 1000000 };
    char name[ERROR_ESCAPED_MAX];
    bool back = step->most_ticks < 0, known = step->sized && (back || step->least_ticks > 0);
    int64_t low = back ? -step->most_ticks : step->least_ticks;
    int64_t high = back ? -step->least_ticks : step->most_ticks;
    uint64_t hz = sync->trace->timebase_hz;
    error_escape(name, step->clock, step->clock_size);
    size_t used = (size_t)snprintf(text, size, "%s was set", name);
    if (known && high / LONGEST_S < (int128)hz) {
        /* Round `least` down and `most` up; the last digit is worth (most - least) / 10 or less. */
        int128 least = floor_div(low * (int128)units[0].ps, hz), last = 1;
        int128 most = ceil_div(high * (int128)units[0].ps, hz);
        size_t unit = 0;
        while (unit < 3 && most < units[unit].ps)
            unit++;
        unsigned digits = units[unit].digits;
        for (; digits > 1 && 10 * last * 10 <= most - least; digits--)
            last *= 10;
        char middle[QUOTIENT_TEXT_MAX], from[QUOTIENT_TEXT_MAX], to[QUOTIENT_TEXT_MAX];
        decimal_text((int64_t)floor_div(least + most + last, 2 * last), digits, middle);
        decimal_text((int64_t)floor_div(least, last), digits, from);
        decimal_text((int64_t)ceil_div(most, last), digits, to);
        used += (size_t)snprintf(text + used, size - used, " %s by %s %s (%s to %s)",
                                 back ? "back" : "forward", middle, units[unit].name, from, to);
    }
    uint64_t before = step->place_before, after = step->place_after;
    csy_trace_place(sync->trace, &before);
    csy_trace_place(sync->trace, &after);
    const char *word = step->timed ? "between the times of" : "between";
    if (step->found)
        snprintf(text + used, size - used, " %s %ss %" PRIu64 " and %" PRIu64, word,
                 sync->trace->source->place, before, after);
    else
        snprintf(text + used, size - used, " %s records %" PRIu64 " and %" PRIu64, word,
                 step->before, step->after);
}

/* List the clocks that were cut into segments because they were set, and the places of the cuts. */
static const char *say_steps(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const struct clock_steps *steps = &sync->steps;
    char part[CSY_WARNING_TEXT_MAX / 4];
    size_t told = 0;
    bool several = false;
    if (steps->count == 0)
        return NULL;
    for (size_t i = 0; i < steps->count; i++)
        several |= steps->items[i].among > 1;
    const size_t most = several ? 2 : 3; /* number of set clocks that the text lists */
    text[0] = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const struct clock_step *step = &steps->items[i];
        bool first = true;
        for (size_t k = 0; k < i && step->among > 1; k++)
            first = first && steps->items[k].choice != step->choice;
        /* If it is unknown which of several clocks was set, list all possible places together. */
        for (size_t k = i; k < steps->count && first && told < most; k++) {
            if (k > i && (step->among < 2 || steps->items[k].choice != step->choice))
                continue;
            say_step(sync, &steps->items[k], part, sizeof part);
            add_part(text, k > i ? ", or " : several ? ", and " : ", ", part);
            told++;
        }
    }
    if (steps->count > told) {
        snprintf(part, sizeof part, "%zu more step%s", steps->count - told,
                 text_plural(steps->count - told));
        add_part(text, ", and ", part);
    }
    add_part(text, ", ", "and no clock was set at any other place");
    if (several)
        add_part(text, "; ",
                 "the records do not show which of these clocks was set, so all of them are cut; "
                 "pass --reference with a clock that was not set");
    return text;
}

static const char *say_unread(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    if (!sync->trace->unread_order)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "columns %s are ignored, because the line # order=partial above the header is "
             "missing: add this line, or # order=buffer if the rows are in the order in which they "
             "were written; otherwise %s are wrong",
             sync->trace->unread_order, sync->method == CSY_METHOD_BHH ? "bounds" : "global times");
    return text;
}

/* Write "2 context switches are missing in the trace: SPE_SWITCH_OUT". */
static const char *say_lost(uint64_t n, const char *event, char text[CSY_WARNING_TEXT_MAX])
{
    if (n == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "%" PRIu64 " context switch%s missing in the trace: %s; cellsync infers from the "
             "records of a context where it ran",
             n, n == 1 ? " is" : "es are", event);
    return text;
}

static const char *say_stragglers(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    uint64_t n = sync->survey.clock_report.stragglers;
    if (n == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "%" PRIu64 " record%s between a switch out and the next switch in; each of these "
             "records gets a separate clock",
             n, n == 1 ? " is" : "s are");
    return text;
}

static const char *say_lost_outs(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    return say_lost(sync->survey.clock_report.lost_outs, "SPE_SWITCH_OUT", text);
}

static const char *say_lost_ins(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    return say_lost(sync->survey.clock_report.lost_ins, "SPE_SWITCH_IN", text);
}

static const char *say_parts(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    if (sync->steps.count == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "the parts of a thread before and after a step of its clock, and each record between, "
             "count as separate actors; no figure covers the time between these parts");
    return text;
}

static const char *say_drift(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    bool asked = sync->ranges != CSY_RANGES_NONE;
    if (!sync->drift || (asked && csy_sync_ranges(sync) != CSY_RANGES_NONE))
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "because clocks drift, figures that compare several clocks have no range");
    return text;
}

/* All caveats, in the order of every output format. If you add a key, see doc/architecture.md,
 * "Where a new thing goes", for other files to change. Caveats of the class FIGURES are only for
 * analyses. Those of the class UNRANGED are only for analyses with figures without ranges. */
enum class { WARNING, FIGURES, UNRANGED, CONDITION };
static const struct {
    const char *key;
    enum class class;
    const char *(*say)(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX]);
    const char *see, *see_html;
} sayers[] = {
    {"delta", WARNING, csy_sync_delta_warning, "the diagnosis below", "the explanation below"},
    {"assumed", WARNING, csy_sync_assumed_warning, NULL, NULL},
    {"dropped", WARNING, csy_sync_dropped_warning, "the list of records left out",
     "<a href=\"#left-out\">which</a>"},
    {"order", WARNING, csy_sync_order_warning, "diagnosis",
     "the <a href=\"#diagnosis\">diagnosis</a>"},
    {"unbounded", WARNING, csy_sync_unbounded_warning, NULL, NULL},
    {"messages", WARNING, csy_sync_messages_warning, NULL, NULL},
    {"channels", WARNING, csy_sync_channels_warning, NULL, NULL},
    {"coarse", WARNING, csy_sync_coarse_warning, NULL, NULL},
    {"rates", WARNING, csy_sync_rates_warning, NULL, NULL},
    {"unread", WARNING, say_unread, NULL, NULL},
    {"lost_outs", FIGURES, say_lost_outs, NULL, NULL},
    {"lost_ins", FIGURES, say_lost_ins, NULL, NULL},
    {"stragglers", FIGURES, say_stragglers, NULL, NULL},
    {"parts", FIGURES, say_parts, NULL, NULL},
    {"drift", UNRANGED, say_drift, NULL, NULL},
    {"stamps", CONDITION, csy_sync_condition, NULL, NULL},
    {"order", CONDITION, say_order, NULL, NULL},
    {"both_ends", CONDITION, say_both_ends, NULL, NULL},
    {"keys", CONDITION, say_keys, NULL, NULL},
    {"converted", CONDITION, say_converted, NULL, NULL},
    {"measured", CONDITION, say_measured, NULL, NULL},
    {"stated", CONDITION, say_stated, NULL, NULL},
    {"counters", CONDITION, say_counters, NULL, NULL},
    {"steps", CONDITION, say_steps, NULL, NULL},
};
enum { SAYERS = sizeof sayers / sizeof *sayers };

struct caveats caveats_of(const csy_sync *sync, const csy_analysis *analysis)
{
    const unsigned known = 1U << CSY_RANGE_EXACT | 1U << CSY_RANGE_PROVEN | 1U << CSY_RANGE_STAR;
    struct caveats p = {.sync = sync, .analysis = analysis, .ranged = true};
    if (analysis) {
        csy_range_kind kind = csy_analysis_kind(analysis);
        p.ranged = (kind != CSY_RANGE_CLOCK && kind != CSY_RANGE_UNKNOWN) ||
                   (sync->drift && (sheets_facts(analysis).kinds & known) != 0);
        p.stamped =
            (sync->imprecision.delta.num > 0 || sync->drift) && sheets_facts(analysis).stamped;
    }
    return p;
}

bool caveats_next(struct caveats *p)
{
    const char *of_trace = csy_trace_warning(p->sync->trace, p->warned);
    if (of_trace) {
        p->warned++;
        p->key = "trace";
        p->see = p->see_html = NULL;
        p->condition = false;
        snprintf(p->text, sizeof p->text, "%s", of_trace);
        return true;
    }
    while (p->next < SAYERS) {
        size_t i = p->next++;
        enum class class = sayers[i].class;
        if (class == CONDITION  ? !p->ranged
            : class == UNRANGED ? p->ranged
                                : class == FIGURES && !p->analysis)
            continue;
        if (!sayers[i].say(p->sync, p->text))
            continue;
        /* if clocks drift, the report has no section to refer to, except for
         * csy_sync_delta_warning */
        bool see = !p->sync->drift || sayers[i].say == csy_sync_delta_warning;
        p->key = sayers[i].key;
        p->see = see ? sayers[i].see : NULL;
        p->see_html = see ? sayers[i].see_html : NULL;
        p->condition = class == CONDITION;
        return true;
    }
    const char *own = NULL;
    if (p->stamped)
        own = !p->sync->drift ? "figures from a single clock are only as exact as its timestamps, "
                                "each of which can be off by delta"
              : p->sync->imprecision.delta.num > 0
                  ? "figures from a single clock are in seconds of that clock, and each of its "
                    "timestamps can be off by delta"
                  : "figures from a single clock are in seconds of that clock";
    else if (p->analysis && p->own < p->analysis->nconditions)
        own = p->analysis->conditions[p->own++];
    p->stamped = p->condition = false;
    snprintf(p->text, sizeof p->text, "%s", own ? own : "");
    return own;
}

bool csy_sync_next_caveat(const csy_sync *sync, size_t *next, csy_caveat *caveat)
{
    struct caveats p = caveats_of(sync, NULL);
    p.warned = sync->trace->nwarnings; /* skip the trace's warnings, which csy_trace_warning
                                        * returns */
    p.next = *next;
    bool more = caveats_next(&p);
    *next = p.next;
    caveat->key = p.key;
    caveat->condition = p.condition;
    memcpy(caveat->text, p.text, sizeof p.text);
    return more;
}

const char *csy_sync_condition_at(const csy_sync *sync, size_t index,
                                  char text[CSY_WARNING_TEXT_MAX])
{
    for (size_t i = 0; i < SAYERS; i++)
        if (sayers[i].class == CONDITION && sayers[i].say(sync, text) && index-- == 0)
            return text;
    return NULL;
}

const char *csy_analysis_condition(const csy_analysis *analysis, const csy_sync *sync, size_t index,
                                   char text[CSY_WARNING_TEXT_MAX])
{
    for (struct caveats p = caveats_of(sync, analysis); caveats_next(&p);)
        if (index-- == 0)
            return memcpy(text, p.text, sizeof p.text);
    return NULL;
}

struct caveat_columns caveats_columns(const csy_sync *sync)
{
    struct caveat_columns out = {.assumed = sync->survey.clock_report.assumed,
                                 .dropped = sync->dropped.count,
                                 .conditional = sync->imprecision.conditional,
                                 .order_doubted = caveats_doubt_order(sync),
                                 .one_rate = may_run_apart(sync),
                                 .one_step = may_step_apart(sync),
                                 .both_ends = need_both_ends(sync)};
    for (struct caveats p = caveats_of(sync, NULL); caveats_next(&p);) {
        char *keys = out.keys[p.condition];
        snprintf(keys + strlen(keys), CAVEAT_KEYS_MAX - strlen(keys), "%s%s", *keys ? " " : "",
                 p.key);
    }
    snprintf(out.first, sizeof out.first, "%s,%" PRIu64 ",%zu,%s", text_bool(out.conditional),
             out.assumed, out.dropped, text_bool(out.order_doubted));
    snprintf(out.last, sizeof out.last, "%s,%s,%s,%s,%s", text_bool(out.one_rate),
             text_bool(out.one_step), text_bool(out.both_ends), out.keys[0], out.keys[1]);
    return out;
}
