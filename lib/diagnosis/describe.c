/* Describes a diagnosis: the cause, the evidence, and what to do next. */
#include "diagnosis/diagnosis.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4096, NAMED_MAX = 4, PARTS_MAX = 8 };
_Static_assert(CSY_TIME_TEXT_MAX <= ERROR_ESCAPED_MAX, "a part can be a time");

struct text {
    const struct csy_sync *sync;
    uint64_t hz;
    size_t length, nparts;
    char parts[PARTS_MAX][ERROR_ESCAPED_MAX]; /* names and times that the next text contains */
    char bytes[TEXT_MAX];
};

static void append(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->bytes + text->length, TEXT_MAX - text->length, format, args);
    va_end(args);
    size_t room = TEXT_MAX - text->length - 1;
    if (n > 0)
        text->length += (size_t)n < room ? (size_t)n : room;
}

/* Returns a buffer for a part of the next text. It is reused after PARTS_MAX further calls. */
static char *part_of(struct text *text)
{
    return text->parts[text->nparts++ % PARTS_MAX];
}

static const char *name_of(struct text *text, size_t thread)
{
    const char *own = text->sync->views[thread].name;
    return error_escape(part_of(text), own, strlen(own));
}

static const char *ticks_of(struct text *text, int128 num, int128 den)
{
    return time_text(num, den, text->hz, part_of(text));
}

static const char *fraction_of(struct text *text, csy_fraction ticks)
{
    return ticks_of(text, ticks.num, ticks.den);
}

/* Returns a rate with two or three significant digits, such as "35 ppm" or "0.213 ppm". */
static const char *rate_of(struct text *text, int64_t ppb)
{
    int64_t most = ppb < 0 ? -ppb : ppb;
    char *part = part_of(text);
    if (most >= 10000)
        snprintf(part, ERROR_ESCAPED_MAX, "%" PRId64 " ppm", (most + 500) / 1000);
    else if (most >= 1000)
        snprintf(part, ERROR_ESCAPED_MAX, "%" PRId64 ".%" PRId64 " ppm", (most + 50) / 1000,
                 (most + 50) % 1000 / 100);
    else
        snprintf(part, ERROR_ESCAPED_MAX, "0.%03" PRId64 " ppm", most);
    return part;
}

static void say_stretches(struct text *text, const csy_diagnosis *d)
{
    if (d->contradicting == 0)
        append(text,
               "In none of %zu short parts of the trace do timestamps contradict the order by more "
               "than 1/2 tick",
               d->windows);
    else
        append(text, "In %zu of %zu short parts of the trace, timestamps contradict the order",
               d->contradicting, d->windows);
}

static void say_left(struct text *text, const csy_diagnosis *d, const char *allowed)
{
    append(text, "; %s, delta falls from %s to %s. ", allowed, fraction_of(text, d->delta),
           fraction_of(text, d->left_delta));
}

static void say_drift(struct text *text, const csy_diagnosis *d)
{
    if (d->nclocks == 0) {
        /* Describe drift if the trace does not show which clock drifts. */
        char enough[QUOTIENT_TEXT_MAX];
        append(
            text,
            "Clocks drift: different rates explain the contradiction, if each rate differs from "
            "the "
            "rate of %s by at most %s ppm at all times. It is unknown which clock has which rate. ",
            name_of(text, d->against), decimal_text(d->enough_drift_ppb, 3, enough));
        say_stretches(text, d);
        say_left(text, d, "with such rates");
        append(text, "Next: choose an explanation below whose limits your clocks never exceed.");
        return;
    }
    append(text, "Clocks drift: ");
    for (size_t i = 0; i < d->nclocks && i < NAMED_MAX; i++) {
        append(text, "%s%s %s about %s", i ? ", " : "", name_of(text, d->clocks[i].thread),
               d->clocks[i].rate_ppb < 0 ? "loses" : "gains", rate_of(text, d->clocks[i].rate_ppb));
    }
    if (d->nclocks > NAMED_MAX)
        append(text, " and %zu more", d->nclocks - NAMED_MAX);
    append(text, " on %s. The contradiction grows with time. ", name_of(text, d->against));
    say_stretches(text, d);
    say_left(text, d, "with these rates");
    char ppm[QUOTIENT_TEXT_MAX], enough[QUOTIENT_TEXT_MAX];
    if (d->enough_drift_ppb > 0) {
        /* Suggest 50 % more than the estimated rates. If a clock exceeded the limit that the user
         * passes, bounds would be false. */
        int64_t most = d->enough_drift_ppb;
        for (size_t i = 0; i < d->nclocks; i++) {
            int64_t by = d->clocks[i].rate_ppb < 0 ? -d->clocks[i].rate_ppb : d->clocks[i].rate_ppb;
            most = by + (by + 1) / 2 > most ? by + (by + 1) / 2 : most;
        }
        append(text,
               "Next: pass --drift=%s, or a larger value if your clocks can drift more; the bounds "
               "are wrong if a clock exceeds the limit. With %s or more, delta is 0. A wander as "
               "the second value makes the bounds narrower.",
               decimal_text(most, 3, ppm), decimal_text(d->enough_drift_ppb, 3, enough));
    } else {
        append(
            text,
            "Next: pass --drift=PPM with the largest drift that your clocks can have. No drift was "
            "found with which delta is 0, so the timestamps are also imprecise: see --delta.");
    }
}

bool diagnosis_goes_back(const struct csy_sync *sync)
{
    return sync->witness.length == 1 && sync->witness.edges->nsteps == 0;
}

/* Name two records of one thread. The later one has an earlier time. */
static void say_back(struct text *text)
{
    const csy_witness_edge *edge = text->sync->witness.edges;
    const struct csy_trace *trace = text->sync->trace;
    char from[CSY_PLACE_TEXT_MAX], to[CSY_PLACE_TEXT_MAX];
    append(text,
           "Time goes back within %s: from %" PRId64 " in record %" PRIu64 " (%s) to %" PRId64
           " in record %" PRIu64 " (%s), by %s",
           name_of(text, edge->s), edge->time_s, edge->record_s,
           csy_trace_place_text(trace, edge->place_s, from), edge->time_t, edge->record_t,
           csy_trace_place_text(trace, edge->place_t, to),
           ticks_of(text, -(int128)text->sync->witness.weight_ticks, 1));
}

static void say_step(struct text *text, const csy_diagnosis *d)
{
    int64_t least = d->step_least_ticks, most = d->step_most_ticks;
    bool back = most < 0;
    append(text, "A clock was set: ");
    for (size_t i = 0; i < d->nclocks; i++) {
        append(text, "%s%s", i ? " or " : "the clock of ", name_of(text, d->clocks[i].thread));
    }
    char from[CSY_TIME_TEXT_MAX], to[CSY_TIME_TEXT_MAX];
    time_text(back ? -most : least, 1, text->hz, from);
    time_text(back ? -least : most, 1, text->hz, to);
    append(text, ", %s by %s", back ? "back" : "forward", from);
    if (strcmp(from, to) != 0)
        append(text, " to %s", to);
    append(text, ", between records %" PRIu64 " and %" PRIu64, d->record_before, d->record_after);
    if (d->nclocks > 1)
        append(
            text,
            " (or the other clock was set in the other direction; the records do not show which)");
    if (diagnosis_goes_back(text->sync)) {
        append(text, ". ");
        say_back(text);
    }
    append(text, ". Before and after this step there is no such contradiction");
    say_left(text, d, "with a step at this place");
    append(text, "Next: synchronize the records before and after the step as two traces, and avoid "
                 "setting clocks during a recording.");
}

/* Name the option or the CSV comment that makes cellsync unwrap a counter of this many bits. */
static void say_continue(struct text *text, size_t clock, unsigned bits)
{
    const struct threads *threads = &text->sync->survey.threads;
    int128 wrap = (int128)csv_counters_unit(&text->sync->trace->lines.counters) << bits;
    bool all = true;
    for (size_t t = 0; t < threads->count; t++)
        all = all && threads->items[t].min_ticks >= 0 && threads->items[t].max_ticks < wrap;
    if (all) {
        append(text, "--counter-bits=%u", bits);
        return;
    }
    append(text, "a line # clock %s wrap_bits=%u above the header", name_of(text, clock), bits);
}

/* Write where a clock was set: " between lines 412 and 413" if the trace is one file, otherwise "
 * between line 7 of a.csv and line 8 of b.csv". */
static void say_between(struct text *text, const char *word, uint64_t before, uint64_t after)
{
    const struct csy_trace *trace = text->sync->trace;
    char first[CSY_PLACE_TEXT_MAX], second[CSY_PLACE_TEXT_MAX];
    if (trace->parts)
        append(text, "%s %s and %s", word, csy_trace_place_text(trace, before, first),
               csy_trace_place_text(trace, after, second));
    else
        append(text, "%s %ss %" PRIu64 " and %" PRIu64, word, trace->source->place, before, after);
}

static bool say_wrap(struct text *text, const struct set_clock *set)
{
    unsigned bits = diagnosis_wrapped_bits(text->sync, set->at->clock, -(int128)set->at->most_ticks,
                                           -(int128)set->at->least_ticks);
    if (bits == 0)
        return false;
    append(text, "%s wrapped at %u bits", name_of(text, set->at->clock), bits);
    say_between(text, " between", set->at->place_before, set->at->place_after);
    append(text, ". Next: unwrap the clock with ");
    say_continue(text, set->at->clock, bits);
    append(text, ".");
    return true;
}

/* Write "host2 was set back by 3 ms (between 2.998 ms and 3.003 ms) between lines 412 and 413". */
static void say_set_place(struct text *text, const struct set_place *at)
{
    bool back = at->most_ticks < 0, sure = back || at->least_ticks > 0;
    int64_t least = back ? -at->most_ticks : at->least_ticks;
    int64_t most = back ? -at->least_ticks : at->most_ticks;
    append(text, "%s was set%s", name_of(text, at->clock),
           !sure  ? ""
           : back ? " back"
                  : " forward");
    if (sure) {
        append(text, " by %s (between %s and %s)", ticks_of(text, (int128)least + most, 2),
               ticks_of(text, least, 1), ticks_of(text, most, 1));
    }
    say_between(text, at->several ? " between the times of" : " between", at->place_before,
                at->place_after);
}

/* List the clocks that were set, or may have been set. */
static void say_set_places(struct text *text, const struct set_clock *set)
{
    bool doubt = false;
    for (size_t i = 0, other = 0; i < set->count; i++) {
        const struct set_place *at = &set->at[i];
        doubt = doubt || at->among > 1;
        append(text, "%s", i == 0 ? "" : other > 0 ? ", or " : ", and ");
        if (other > 0 && set->together == 1)
            append(text, "%s was set in the other direction", name_of(text, at->clock));
        else
            say_set_place(text, at);
        other = other + 1 < at->among ? other + 1 : 0;
    }
    if (doubt)
        append(text, ": the records do not show which clock was set");
}

/* Returns the size of the clock's name without the number of its segment, as in "host2/2". */
static size_t whole_size(const struct csy_sync *sync, const char *name)
{
    for (size_t i = 0; i < sync->steps.count; i++) {
        const struct clock_step *step = &sync->steps.items[i];
        if (strncmp(name, step->clock, step->clock_size) == 0 && name[step->clock_size] == '/' &&
            name[step->clock_size + 1 + strspn(name + step->clock_size + 1, "0123456789")] == '\0')
            return step->clock_size;
    }
    return strlen(name);
}

static void say_set(struct text *text, const struct set_clock *set)
{
    const struct csy_sync *sync = text->sync;
    size_t most = 0;        /* how often the clock that was set most often was set */
    bool reference = false; /* true if the reference was set, which is not cut if it was passed */
    bool several = false, fits = !diagnosis_say_uncut(text->sync->trace);
    if (say_wrap(text, set))
        return;
    for (size_t i = 0; i < set->count; i++) {
        const struct set_place *at = &set->at[i];
        const char *name = sync->views[at->clock].name;
        size_t size = whole_size(sync, name), own = clock_steps_of(&sync->steps, name, size);
        for (size_t k = 0; k < set->count; k++) {
            const char *other = sync->views[set->at[k].clock].name;
            own += whole_size(sync, other) == size && memcmp(other, name, size) == 0;
        }
        reference = reference || (at->among <= 1 && at->clock == sync->reference);
        most = own > most ? own : most;
        several = several || at->several;
        fits = fits && !at->begins && (!at->several || (at->fine && at->fine_least_ticks > 0));
    }
    say_set_places(text, set);
    append(text, ". With %s and rates within 101 ppm, delta falls from %s to at most %s. ",
           set->together > 1 ? "steps at these places" : "a step at this place",
           ticks_of(text, set->twice, 2), ticks_of(text, set->left, 2));
    if (set->nbad > 1) {
        append(text, "Wrong timestamps");
        say_between(text, " in", set->bad_place[0], set->bad_place[1]);
        append(text, " would also explain the contradiction. ");
    }
    const char *each = set->together > 1 ? "each" : "the";
    if (fits)
        append(text, "Next: pass --steps=%zu%s%s%s to cut the clock%s at %s.", most,
               reference ? ", and omit --reference=" : "",
               reference ? name_of(text, (uint32_t)sync->reference) : "",
               reference ? " if you passed it," : "",
               set->together > 1 && most < set->count ? "s" : "",
               set->together > 1 ? "these places" : "this place");
    else
        append(text,
               "Next: synchronize the records before and after %s step as %s traces, or give the "
               "%s another name after %s step.",
               each, set->together > 1 ? "separate" : "two", several ? "clock" : "thread", each);
}

static void say_steps_back(struct text *text, const struct diagnosis_words *words)
{
    say_back(text);
    if (words->overlap) {
        append(
            text,
            ". Spans of this thread overlap repeatedly, so the thread does several things at once, "
            "and the time goes back from the end of one span to the end of the next. Next: give "
            "overlapping spans different threads, with the same name in a column clock.");
        return;
    }
    /* When a counter of n bits wraps, its time decreases by more than half of 2^n ticks. */
    const csy_witness_edge *edge = text->sync->witness.edges;
    int128 fall = -(int128)text->sync->witness.weight_ticks;
    unsigned bits = diagnosis_wrapped_bits(text->sync, edge->s, fall, 2 * fall);
    if (bits > 0) {
        append(text, ". If the counter wrapped at %u bits, unwrap the clock with ", bits);
        say_continue(text, edge->s, bits);
        append(text, ". Otherwise check whether the clock was set at this place.");
        return;
    }
    append(text,
           ", and this alone determines delta. Next: check whether the clock was set at this place "
           "(CLOCK_REALTIME can be set, CLOCK_MONOTONIC cannot); whether the records are in the "
           "order in which they were written; and whether several threads have the same name.");
    if (!text->sync->trace->partial)
        append(text, " To leave out up to K wrong timestamps, pass --drop=K.");
}

static void say_bad(struct text *text, const csy_diagnosis *d)
{
    append(text,
           "One clock contradicts all others: the clock of %s, in many parts of the trace. Neither "
           "one step nor a different rate explains this. ",
           name_of(text, d->clocks[0].thread));
    say_stretches(text, d);
    say_left(text, d, "without the records of this clock");
    append(text, "Next: check which clock this thread reads, its resolution, and when it takes "
                 "timestamps; leave out the records of this thread, or pass --delta=D with the "
                 "largest timestamp error D.");
}

csy_fraction diagnosis_factor(const csy_diagnosed_clock *clock)
{
    int64_t billion = 1000000000, rate = billion + clock->rate_ppb;
    return rate < billion ? (csy_fraction){1, billion / rate} : (csy_fraction){rate / billion, 1};
}

/* Name the unit of a clock's ticks, such as "us". */
static const char *unit_name(uint64_t hz, csy_fraction factor)
{
    static const struct {
        uint64_t hz;
        const char *name;
    } units[] = {{1, "s"}, {1000, "ms"}, {1000000, "us"}, {1000000000, "ns"}};
    bool known = hz == 1 || hz == 1000 || hz == 1000000 || hz == 1000000000;
    for (size_t i = 0; known && i < sizeof units / sizeof *units; i++)
        if ((int128)units[i].hz * factor.den == (int128)hz * factor.num)
            return units[i].name;
    return NULL;
}

static void say_units(struct text *text, const csy_diagnosis *d)
{
    csy_fraction first = diagnosis_factor(d->clocks);
    const char *name = unit_name(text->hz, first), *own = unit_name(text->hz, (csy_fraction){1, 1});
    bool slower = first.den > 1, one = d->nclocks == 1;
    int64_t times = slower ? first.den : first.num;
    append(text, "Clocks count in different units: ");
    for (size_t i = 0; i < d->nclocks && i < NAMED_MAX; i++) {
        csy_fraction factor = diagnosis_factor(&d->clocks[i]);
        append(text, "%s%s runs %" PRId64 " times %s", i ? ", " : "",
               name_of(text, d->clocks[i].thread), factor.den > 1 ? factor.den : factor.num,
               factor.den > 1 ? "slower" : "faster");
    }
    if (d->nclocks > NAMED_MAX)
        append(text, " and %zu more", d->nclocks - NAMED_MAX);
    append(text, " than %s", name_of(text, d->against));
    if (one && name)
        append(text, ", as if this clock counted %s and the others counted %s", name, own);
    say_left(text, d, "after this correction");
    append(text, "Next: convert all times to one unit: ");
    if (one && slower)
        append(text, "multiply the times of this clock by %" PRId64, times);
    else if (one)
        append(text,
               "divide the times of this clock by %" PRId64
               ", or multiply the times of all other clocks by this number",
               times);
    else
        append(text, "multiply the times of the slower clocks by these factors");
    append(text, ". In a CSV, all rows have the same unit: the unit in a column name such as "
                 "time_us, in --time-unit, or in # timebase_hz.");
}

static void say_early(struct text *text, const csy_diagnosis *d)
{
    append(text,
           "Timestamps are taken before records get their places in the buffer: %" PRIu64
           " of %" PRIu64 " records have an earlier time than a record before them, by %s "
           "(median), %s (90 %% quantile), and %s at most, in all parts of the "
           "trace. No step, rate, or single clock explains this. ",
           d->early_records, text->sync->survey.records, ticks_of(text, d->early_median_ticks, 1),
           ticks_of(text, d->early_90_ticks, 1), ticks_of(text, d->early_max_ticks, 1));
    say_stretches(text, d);
    append(
        text,
        ". Next: read the clock under the lock that assigns the places, or pass --delta=D with the "
        "largest timestamp error D. Rows that are not in the order of one buffer look the same.");
}

/* If csy_sync_profile_delta found that a few records cause most of delta, say how to leave them
 * out. */
static void say_few(struct text *text)
{
    const csy_profile *profile = &text->sync->profile;
    for (size_t i = 0; i < profile->count; i++) {
        const csy_profile_entry *entry = &profile->entries[i];
        if (profile->advised == 0 || entry->dropped != profile->advised)
            continue;
        append(text, " A few records cause most of delta: with --drop=%" PRIu64 ", delta is ",
               entry->dropped);
        if (entry->delta.num == 0)
            append(text, "0");
        else
            append(text, "%s", fraction_of(text, entry->delta));
        append(text, "%s, and the bounds hold for the other records.",
               entry->delta.num == 0 ? "" : " at most");
    }
}

static void say_apart(struct text *text)
{
    if (text->sync->order.sorted == CSY_SORTED_BY_TIME)
        append(text, "Not a shared buffer: no timestamp is smaller than the previous one, even "
                     "between different clocks. Either all threads read one clock, and there is "
                     "nothing to synchronize; or the file was sorted by time, the order of writing "
                     "is lost, and these bounds are meaningless. Next: keep the records in the "
                     "order in which they were written.");
    else
        append(text,
               "Not a shared buffer: the records of each thread end before the records of the next "
               "thread begin. If the file was sorted by thread, or if logs were concatenated, "
               "these bounds are meaningless. Next: write all records into one buffer, in the "
               "order of writing. If messages order the records, declare a partial order instead.");
}

/* Describe rates that may be wrong, because a clock that stops between records seems to have
 * another rate. */
static void say_silent(struct text *text, const csy_diagnosis *d,
                       const struct diagnosis_words *words)
{
    append(text,
           "The clocks seem to drift: %s %s about %s on %s. But the threads repeatedly have no "
           "records for a long time. Clocks that stop or are set during this time, such as the "
           "clocks of switched contexts, look the same. ",
           name_of(text, words->looks_like.thread),
           words->looks_like.rate_ppb < 0 ? "loses" : "gains",
           rate_of(text, words->looks_like.rate_ppb), name_of(text, words->against));
    say_stretches(text, d);
    append(
        text,
        ". Next: give each stay of a context its own clock (with switch records in a .pex, or with "
        "a column clock), or check whether the clocks keep running while threads have no records.");
}

/* Returns true if the contradiction is that one clock has two records in the same group of
 * simultaneous records. This happens if several barriers have the same group in the trace. */
static bool repeats_group(const struct csy_sync *sync)
{
    const csy_witness *witness = &sync->witness;
    for (size_t i = 0; i < witness->length; i++)
        for (size_t k = 0; k < witness->edges[i].nsteps; k++)
            if (witness->edges[i].s == witness->edges[i].t &&
                witness->edges[i].steps[k].kind == CSY_ORDER_GROUP)
                return sync->trace->source->named_groups;
    return false;
}

/* Name one or two wrong timestamps that explain nearly the whole contradiction. */
static void say_wrong(struct text *text, const struct set_clock *set)
{
    const struct csy_trace *trace = text->sync->trace;
    char place[CSY_PLACE_TEXT_MAX];
    if (set->nbad == 0)
        return;
    append(text, " Wrong timestamps explain the contradiction: the timestamp of %s",
           csy_trace_place_text(trace, set->bad_place[0], place));
    if (set->nbad > 1)
        append(text, ", and the timestamp of %s",
               csy_trace_place_text(trace, set->bad_place[1], place));
    if (set->count > 0 && set->together <= set->nbad && !set->exhausted) {
        append(text, ". A step of a clock would also explain it: ");
        say_set_places(text, set);
    }
    append(text, ". Next: correct these timestamps, or leave out these records.");
}

static void say_wraps(struct text *text, const struct wraps *wraps)
{
    append(text,
           "Times of %s fall %" PRIu64
           " time%s, by more than half of 2^%u, and no time is above this limit, so this is a "
           "counter of %u bits that wrapped. Next: unwrap the clock with ",
           name_of(text, wraps->clock), wraps->falls, wraps->falls == 1 ? "" : "s", wraps->bits,
           wraps->bits);
    say_continue(text, wraps->clock, wraps->bits);
    append(text, ".");
}

static void say_unknown(struct text *text, const csy_diagnosis *d,
                        const struct diagnosis_words *words)
{
    switch (words->doubt) {
    case DOUBT_METHOD:
        append(text, "The cause was not searched for, because this method computes no bounds.");
        return;
    case DOUBT_PARTIAL:
        if (words->wraps.falls > 0) {
            say_wraps(text, &words->wraps);
            return;
        }
        append(text, "The witness lists the records that contradict each other.");
        say_wrong(text, &words->set);
        if (repeats_group(text->sync))
            append(text, " Check that each group operation has its own name, such as g/1 and g/2; "
                         "unlike channels, groups do not count repetitions.");
        return;
    case DOUBT_TINY:
        append(text, "Each clock has too few records to find a cause.");
        return;
    case DOUBT_WRAPPED:
        append(text, "Timestamps of ");
        append(text,
               "%s fall by more than 2^31, and no timestamp is above 2^32, so this is a counter of "
               "32 bits that wrapped. Next: %s.",
               name_of(text, words->wrapped),
               text->sync->trace->source->shaped &&
                       csv_counters_unit(&text->sync->trace->lines.counters) == 1
                   ? "pass --counter-bits=32"
                   : "unwrap the counter by adding 2^32 to all later timestamps of this clock "
                     "after each fall");
        return;
    case DOUBT_ELSEWHERE:
        append(text, "The clocks that were examined (%zu of %zu) hardly contradict each other.",
               d->clocks_looked_at, text->sync->survey.threads.count);
        return;
    case DOUBT_BOTH_WAYS:
        append(text, "Some timestamps are too early, and others are too late. ");
        say_stretches(text, d);
        append(text, ".");
        break;
    case DOUBT_SILENT:
        say_silent(text, d, words);
        return;
    case DOUBT_LATE:
        append(text, "Timestamps seem too late for the places of their records. ");
        say_stretches(text, d);
        append(text, ".");
        break;
    default:
        append(
            text,
            "No single cause is certain: neither different rates, nor one step, nor one clock. ");
        say_stretches(text, d);
        append(text, ".");
    }
    append(
        text,
        " The rows may not be in the order of one buffer, for example if a partial order was "
        "written as one sequence. Next: %scheck how timestamps are taken, or pass --delta=D with "
        "the largest timestamp error D.",
        words->rates_untried
            ? "try --drift=101, which allows each clock to gain or lose 101 ppm, as crystals can; "
            : "");
}

char *diagnosis_describe(const struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_diagnosis *d, const struct diagnosis_words *words)
{
    struct text *text = calloc(1, sizeof *text);
    if (!text)
        return NULL;
    text->sync = sync;
    text->hz = trace->timebase_hz;
    switch (d->kind) {
    case CSY_DIAGNOSIS_NONE:
        append(text, solution_delta_is_least(sync)
                         ? "The timestamps do not contradict the order of events."
                     : sync->imprecision.conditional
                         ? "The timestamps contradict the order of events by no more than the "
                           "resolution of one tick explains."
                         : "The timestamps do not contradict the order of events by more than the "
                           "given delta allows.");
        break;
    case CSY_DIAGNOSIS_DRIFT:
        say_drift(text, d);
        break;
    case CSY_DIAGNOSIS_STEPPED_CLOCK:
        if (words->set.count > 0)
            say_set(text, &words->set);
        else
            say_step(text, d);
        break;
    case CSY_DIAGNOSIS_BAD_CLOCK:
        say_bad(text, d);
        break;
    case CSY_DIAGNOSIS_EARLY_STAMPS:
        say_early(text, d);
        say_few(text);
        break;
    case CSY_DIAGNOSIS_OTHER_UNIT:
        say_units(text, d);
        break;
    case CSY_DIAGNOSIS_NOT_INTERLEAVED:
        say_apart(text);
        break;
    case CSY_DIAGNOSIS_STEPS_BACK:
        say_steps_back(text, words);
        say_few(text);
        break;
    case CSY_DIAGNOSIS_UNKNOWN:
        say_unknown(text, d, words);
        if (diagnosis_goes_back(sync) && words->doubt != DOUBT_WRAPPED) {
            append(text, " ");
            say_back(text);
            append(text, ".");
        }
        if (words->doubt != DOUBT_WRAPPED && d->enough_drift_ppb == 0)
            say_few(text);
        break;
    }
    if (d->clocks_looked_at > 0 && d->clocks_looked_at < sync->survey.threads.count &&
        words->doubt != DOUBT_ELSEWHERE)
        append(text,
               " (%zu of %zu clocks were examined: the clocks of the witness and the clocks with "
               "the most records.)",
               d->clocks_looked_at, sync->survey.threads.count);
    char *kept = strdup(text->bytes);
    free(text);
    return kept;
}
