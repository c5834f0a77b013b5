/* Writes the warnings about a solution. */
#include "base/error.h"
#include "sync/drift_clocks.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A timestamp error (delta) counts as large if 2 delta is above 1/GREAT_PER_SECOND seconds. */
enum { GREAT_PER_SECOND = 100 };

/* Returns the likely cause of a large timestamp error (delta), or "" if delta is small. */
static const char *say_great(const struct csy_sync *sync)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    if (imprecision->beyond_unwrapping)
        return "; with such a delta, unwrapping may mistake imprecision for a written decrementer";
    bool great = (int128)imprecision->added_ticks * GREAT_PER_SECOND > sync->trace->timebase_hz;
    if (!sync->tracks || !great)
        return "";
    const struct diagnosis *diagnosis = sync->diagnosis;
    static const char *const causes[] = {
        [CSY_DIAGNOSIS_DRIFT] = "; diagnosis: clocks run at different rates",
        [CSY_DIAGNOSIS_EARLY_STAMPS] = "; diagnosis: timestamps are early",
        [CSY_DIAGNOSIS_STEPPED_CLOCK] = "; diagnosis: a clock was set",
        [CSY_DIAGNOSIS_BAD_CLOCK] = "; diagnosis: one clock contradicts all others",
        [CSY_DIAGNOSIS_STEPS_BACK] = "; diagnosis: time goes back within one thread",
        [CSY_DIAGNOSIS_OTHER_UNIT] = "; diagnosis: clocks count in different units"};
    const char *cause = diagnosis ? causes[diagnosis->view.kind] : NULL;
    return cause ? cause
                 : "; such a large delta may mean a wrapped clock, another unit, or rows in the "
                   "wrong order";
}

const char *csy_sync_delta_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_imprecision *imprecision = &sync->imprecision;
    uint64_t hz = sync->trace->timebase_hz;
    char twice[CSY_TIME_TEXT_MAX], delta[CSY_TIME_TEXT_MAX];
    if (!imprecision->conditional)
        return NULL;
    time_text(2 * (int128)imprecision->delta.num, imprecision->delta.den, hz, twice);
    csy_time_text(imprecision->delta, hz, delta);
    bool paper = imprecision->relax == CSY_RELAX_PAPER;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "the timestamps contradict the order of events%s%s%s: bounds hold only if no "
             "timestamp is off by more than %s%s",
             paper ? ", and --relax=paper added " : " by up to ", twice,
             paper ? " to each constraint" : "", delta, say_great(sync));
    return text;
}

const char *csy_sync_assumed_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    uint64_t assumed = sync->survey.clock_report.assumed;
    if (assumed == 0)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "all times and bounds hold only if %" PRIu64 " assumed number%s of wraps %s correct",
             assumed, assumed == 1 ? "" : "s", assumed == 1 ? "is" : "are");
    return text;
}

const char *csy_sync_dropped_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_dropped *dropped = &sync->dropped;
    bool one = dropped->count == 1;
    if (dropped->count == 0)
        return NULL;
    if (dropped->count < dropped->asked)
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "%zu record%s left out (at most %" PRIu64
                 " allowed): delta is 0 without %s, and the bounds hold for the other records",
                 dropped->count, one ? " is" : "s are", dropped->asked, one ? "it" : "them");
    else
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "%zu record%s left out: the bounds hold for the other records", dropped->count,
                 one ? " is" : "s are");
    return text;
}

enum { CLOCK_BYTES = 64 };

/* The clocks that a warning is about: the first one, and their number. */
struct at_fault {
    size_t first, count;
};

static void add_clock(struct at_fault *clocks, size_t t)
{
    clocks->first = clocks->count == 0 ? t : clocks->first;
    clocks->count++;
}

/* Write "the clock of A", or "the clocks of A and 2 others", to `text`. Returns `text`. */
static const char *say_clocks(const struct csy_sync *sync, const struct at_fault *clocks,
                              char text[2 * CLOCK_BYTES])
{
    char name[CLOCK_BYTES];
    csy_escape(name, sizeof name, sync->views[clocks->first].name);
    if (clocks->count == 1)
        snprintf(text, (size_t)2 * CLOCK_BYTES, "the clock of %s", name);
    else
        snprintf(text, (size_t)2 * CLOCK_BYTES, "the clocks of %s and %zu other%s", name,
                 clocks->count - 1, clocks->count == 2 ? "" : "s");
    return text;
}

/* Say how clocks were placed that no event connects to the reference. */
static const char *say_placed(const struct csy_sync *sync, bool one)
{
    if (threads_keep_times(&sync->survey.threads, sync->trace->loose))
        return one ? "it keeps its own times" : "they keep their own times";
    return one ? "its offset is arbitrary" : "their offsets are arbitrary";
}

const char *csy_sync_unbounded_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    struct at_fault untied = {0}, one_sided = {0};
    char clocks[2 * CLOCK_BYTES], reference[CLOCK_BYTES], name[CLOCK_BYTES];
    const char *lacking = "";
    size_t n = sync->summary.unbounded_threads;
    if (n == 0)
        return NULL;
    if (sync->method != CSY_METHOD_BHH) {
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "no %s connect %zu clock%s to the other clocks: %s at the same global time as the "
                 "others",
                 sync->method == CSY_METHOD_NTP    ? "messages both ways"
                 : sync->method == CSY_METHOD_ENDS ? "operations"
                                                   : "messages",
                 n, n == 1 ? "" : "s", n == 1 ? "it begins" : "they begin");
        return text;
    }
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        bool follows = sync->views[t].earliest_ticks != INT64_MIN;
        bool precedes = sync->views[t].latest_ticks != INT64_MAX;
        const struct one_sided *sides = sync->drift ? &sync->drift->one_sided[t] : NULL;
        if (sides && (sides->before || sides->after)) {
            follows = sides->after;
            precedes = sides->before;
        }
        if (follows != precedes)
            add_clock(&one_sided, t);
        else if (!follows)
            add_clock(&untied, t);
        if (follows != precedes && one_sided.count == 1)
            lacking = follows ? "precede" : "follow";
    }
    csy_escape(reference, sizeof reference, sync->views[sync->reference].name);
    text[0] = '\0';
    if (untied.count > 0)
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "no event connects %s to the clock of %s: %s, and %s global times cannot be "
                 "compared with the times of %s",
                 say_clocks(sync, &untied, clocks), reference, say_placed(sync, untied.count == 1),
                 untied.count == 1 ? "its" : "their", reference);
    size_t size = strlen(text);
    if (one_sided.count > 0)
        snprintf(text + size, CSY_WARNING_TEXT_MAX - size,
                 "%sthe offset%s of %s from the clock of %s %s limited on one side only",
                 size > 0 ? "; " : "", one_sided.count == 1 ? "" : "s",
                 say_clocks(sync, &one_sided, clocks), reference,
                 one_sided.count == 1 ? "is" : "are");
    size = strlen(text);
    csy_escape(name, sizeof name, sync->views[one_sided.first].name);
    if (one_sided.count == 1)
        snprintf(text + size, CSY_WARNING_TEXT_MAX - size,
                 ", because no event of %s is known to %s an event of %s", name, lacking,
                 reference);
    return text[0] ? text : NULL;
}

const char *csy_sync_order_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    bool by_thread = sync->order.sorted == CSY_SORTED_BY_THREAD;
    if (sync->order.sorted == CSY_SORTED_NOT)
        return NULL;
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "%s: %s hold only if the records are in the order in which they were written",
             by_thread ? "the rows look sorted by thread" : "the rows look sorted by time",
             sync->method == CSY_METHOD_BHH ? "bounds" : "global times");
    return text;
}

/* Greatest difference of two crystals' rates, and greatest correction of a rate by chronyd. */
enum { CRYSTALS_PPM = 100, CHRONY_PPM = 83333, MILLION = 1000000 };

const char *csy_sync_rates_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    char cost[CSY_TIME_TEXT_MAX];
    int128 longest = solution_longest_ticks(sync);
    bool bounds = sync->method == CSY_METHOD_BHH && sync->survey.threads.count > 1;
    if (!bounds || sync->drift || sync->trace->hosts < 2 || longest * CRYSTALS_PPM < MILLION)
        return NULL;
    time_text(longest * CRYSTALS_PPM, MILLION, sync->trace->timebase_hz, cost);
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "bounds assume that the clocks of all %zu hosts run at equal rates; a difference of "
             "%d ppm, which is common between crystals, adds up to %s in this trace; pass "
             "--drift=101 to allow for this difference",
             sync->trace->hosts, CRYSTALS_PPM, cost);
    return text;
}

/* Lengths of parts of a warning that leave room for the rest. */
enum { NAME_BYTES = 40, NAMES_BYTES = 240, MORE_BYTES = 32 };

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *csy_sync_channels_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_matched *matched = sync->matched;
    char names[NAMES_BYTES];
    if (!matched || matched->nuneven == 0 || sync->trace->sends == SENDS_COUNTED)
        return NULL;
    bool one = matched->nuneven == 1;
    bool lost = sync->trace->source->folder; /* true for a recorded run, which may lack events */
    /* Explain how to state that no send is missing, unless a channel has fewer sends than
     * receives. */
    const char *complete = lost ? NULL : sync->trace->source->complete;
    if (!lost && !complete)
        complete = "add sends=\"complete\" to <order>";
    for (size_t i = 0; i < matched->nuneven && i < CSY_UNUSED_LISTED; i++)
        if (matched->uneven[i].sends < matched->uneven[i].receives)
            complete = NULL;
    /* List as many channels as fit, then the number of the others. */
    char named[NAMES_BYTES - MORE_BYTES];
    size_t used = 0;
    uint64_t n = 0;
    for (; n < matched->nuneven && n < CSY_UNUSED_LISTED; n++) {
        const csy_uneven *uneven = &matched->uneven[n];
        char name[ERROR_ESCAPED_MAX];
        size_t length = strlen(uneven->channel);
        bool whole = length <= NAME_BYTES;
        error_escape(name, uneven->channel, whole ? length : NAME_BYTES);
        snprintf(named, sizeof named, "'%s%s' (%" PRIu64 " %s%s, %" PRIu64 " %s%s)", name,
                 whole ? "" : "...", uneven->sends, uneven->tokens ? "post" : "send",
                 plural(uneven->sends), uneven->receives, uneven->tokens ? "wait" : "receive",
                 plural(uneven->receives));
        if (n > 0 && used + strlen(named) + MORE_BYTES > NAMES_BYTES)
            break;
        used +=
            (size_t)snprintf(names + used, NAMES_BYTES - used, "%s%s", n > 0 ? ", " : "", named);
    }
    if (n < matched->nuneven)
        snprintf(names + used, NAMES_BYTES - used, " and %" PRIu64 " more", matched->nuneven - n);
    snprintf(text, CSY_WARNING_TEXT_MAX,
             "channel%s %s %s left out because messages are missing%s%s%s%s", one ? "" : "s", names,
             one ? "is" : "are", lost ? "; records were lost" : "; give each message its own key",
             complete ? ", or " : "", complete ? complete : "",
             complete ? " if no send is missing" : "");
    return text;
}

/* --- Premises that no option set --- */

static void say_rates(const struct csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    static const char *const reasons[] = {
        [RATES_PASSED] = "",
        [RATES_OF_MACHINE] = ", as on one machine",
        [RATES_OF_FACTS] = ", as stated when the trace was synchronized",
        [RATES_OF_HOST] = ", as on the only host in the trace",
        [RATES_ASKED] = ", because an option or the output format requires that"};
    enum premise_rates rates = sync->premises.rates;
    char ppm[QUOTIENT_TEXT_MAX], cost[CSY_TIME_TEXT_MAX];
    if (sync->drift) {
        char slews[128] = "";
        if (rates == RATES_STEERED)
            snprintf(slews, sizeof slews,
                     ", as with ntpd (for chronyd, which may adjust a clock by %d ppm, pass "
                     "--drift=%d),",
                     CHRONY_PPM, CHRONY_PPM + 1);
        else if (rates == RATES_OF_FACTS)
            snprintf(slews, sizeof slews, "%s,", reasons[rates]);
        decimal_text(sync->drift->view.rate_ppb, 3, ppm);
        ppm[strcspn(ppm, ".")] = sync->drift->view.rate_ppb % 1000 == 0 ? '\0' : '.';
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "the clocks run within %s ppm of each other%s and were %s,", ppm, slews,
                 sync->steps.count > 0 ? "set only at the steps shown"
                                       : "not set during the trace");
        return;
    }
    int64_t longest = solution_longest_ticks(sync);
    int size =
        snprintf(text, CSY_WARNING_TEXT_MAX, "all clocks run at the same rate%s", reasons[rates]);
    if (longest >= 1000 && rates != RATES_PASSED)
        snprintf(text + size, CSY_WARNING_TEXT_MAX - (size_t)size,
                 " (a difference of 1 ppm adds up to %s in this trace)",
                 csy_time_text((csy_fraction){longest, MILLION}, sync->trace->timebase_hz, cost));
}

const char *csy_sync_premise(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const struct premises *premises = &sync->premises;
    char time[CSY_TIME_TEXT_MAX];
    bool rates = premises->rates != RATES_PASSED, stated = premises->stamps_of_facts;
    bool stamps = premises->stamps || stated;
    if ((!rates && !stamps) || sync->survey.threads.count < 2 || sync->method != CSY_METHOD_BHH)
        return NULL;
    uint64_t hz = sync->trace->timebase_hz;
    csy_fraction delta = sync->imprecision.delta, step = {premises->step_ticks, 1};
    bool rounded = premises->stamps && !sync->imprecision.conditional;
    say_rates(sync, text);
    size_t size = strlen(text);
    snprintf(text + size, CSY_WARNING_TEXT_MAX - size,
             "%s and timestamps are %s%s%s%s%s%s; if not, pass %s%s%s",
             !sync->drift && strpbrk(text, ",(") ? "," : "",
             rounded         ? "rounded to "
             : delta.num > 0 ? "off by at most "
                             : "exact",
             rounded || delta.num > 0 ? csy_time_text(rounded ? step : delta, hz, time) : "",
             sync->imprecision.conditional ? ", the smallest value that fits" : "",
             rounded && *premises->step_clock ? ", like the timestamps of " : "",
             rounded ? premises->step_clock : "",
             !stated                             ? ""
             : premises->rates == RATES_OF_FACTS ? ", as stated then"
                                                 : ", as stated when the trace was synchronized",
             rates ? "--drift" : "", rates && stamps ? " or " : "", stamps ? "--delta" : "");
    return text;
}

bool csy_sync_rates_asked(const csy_sync *sync)
{
    return sync->premises.rates == RATES_ASKED;
}

csy_fraction csy_sync_delta_floor(const csy_sync *sync)
{
    int64_t twice = solution_least_twice(sync);
    return twice % 2 == 0 ? (csy_fraction){twice / 2, 1} : (csy_fraction){twice, 2};
}
