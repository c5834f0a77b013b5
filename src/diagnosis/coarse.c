/*
 * Whether clocks were read in steps of many ticks.
 *
 * Each clock has the greatest common divisor of its stamps: of its first, its last and a few more.
 * That k stamps of a clock without steps have a divisor of d or more has a chance of about d^(1-k).
 * Clocks of few stamps are judged together: by the divisor of all of them, and by powers of ten,
 * which units of time differ by; then the chance is that for any so many of the clocks.
 *
 * If times have a unit, the finest decimals that any row has are a step that needs no chance, in
 * traces of any size.
 *
 * Steps that are no whole number of ticks have no divisor: uneven.h looks for these.  Timestamps
 * that went through floating-point numbers are told by their last digits (floats.h).
 */
#include "base/number.h"
#include "cellsync/cellsync.h"
#include "diagnosis/floats.h"
#include "diagnosis/uneven.h"
#include "sync/events.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    RECORDS_MIN = 12, /* fewer of ticks are made by hand */
    DIVISOR_MIN = 10,
    UNIT_FACTOR = 1000,      /* between units of time: what is rounder may be made by hand */
    CHANCE = 1000000,        /* to one, that clocks without such steps would not look like this */
    CHANCE_GREATER = 100,    /* that clocks of known steps do not have greater ones */
    RECORDS_MAX = 1 << 16,   /* that are looked at */
    UNEVEN_MAX = 1 << 12,    /* of these for uneven steps, and for decimals */
    STAMPS_MAX = 32,         /* of a clock, beside its first and its last */
    POWERS_MAX = 1000000000, /* the greatest power of ten */
    NAME_BYTES = 96
};

struct clock_stamps {
    uint64_t divisor;       /* 0: none, or only 0 */
    int64_t greatest_ticks; /* so far, but for the last one */
    uint32_t stamps;        /* distinct ones that are not 0 */
    uint32_t wanted;        /* more of them are to be looked at */
    uint64_t step;          /* that it was found to have; 1: none */
    struct floats floats;
    bool floating, multiples; /* timestamps went through floating-point numbers, and were printed in
                                 17 digits or fewer, or as they are */
};

struct coarse {
    const csy_sync *sync;
    struct clock_stamps *clocks;
    size_t n;    /* clocks that have stamps other than 0 */
    size_t open; /* that are still to be judged by more stamps */
    bool few;    /* below RECORDS_MIN records: steps are units of time */
    /* Steps of a second, by decimals; 0: times have no unit, or no record was looked at.  In ticks,
     * the step that all stamps are known to have by that; 1: none. */
    uint64_t written_hz, written;
    bool numbers; /* times are numbers of a unit of 10^decimals ticks */
    unsigned decimals;
    struct uneven uneven;
};

/* --- Stamps --------------------------------------------------------------------------------- */

static void take(const struct coarse *coarse, struct clock_stamps *clock, int64_t ticks)
{
    uint64_t size = ticks < 0 ? -(uint64_t)ticks : (uint64_t)ticks;
    clock->stamps += size > 0;
    clock->divisor = (uint64_t)common_divisor(size, clock->divisor);
    if (coarse->numbers)
        floats_take(&clock->floats, ticks, coarse->decimals);
}

static bool is_open(const struct clock_stamps *clock)
{
    return clock->wanted > 0 && clock->divisor >= DIVISOR_MIN;
}

static void take_ends(struct coarse *coarse)
{
    const struct threads *threads = &coarse->sync->survey.threads;
    for (size_t t = 0; t < threads->count; t++) {
        const struct thread *thread = &threads->items[t];
        struct clock_stamps *clock = &coarse->clocks[t];
        *clock = (struct clock_stamps){.greatest_ticks = thread->first_ticks, .step = 1};
        if (thread->records > 0)
            take(coarse, clock, thread->first_ticks);
        if (thread->records > 1 && thread->last_ticks != thread->first_ticks)
            take(coarse, clock, thread->last_ticks);
        clock->wanted = thread->records > 2 ? STAMPS_MAX : 0;
        coarse->open += is_open(clock);
    }
}

/* Stamps that were there before are not counted: those that are not above all. */
static void take_next(struct coarse *coarse, const csy_event *event)
{
    struct clock_stamps *clock = &coarse->clocks[event->thread];
    if (!is_open(clock) || event->local_ticks <= clock->greatest_ticks ||
        event->local_ticks == coarse->sync->survey.threads.items[event->thread].last_ticks)
        return;
    clock->greatest_ticks = event->local_ticks;
    take(coarse, clock, event->local_ticks);
    clock->wanted--;
    coarse->open -= !is_open(clock);
}

/* How the time of the last event is written. */
static void take_written(struct coarse *coarse, const struct csy_trace *trace)
{
    uint64_t hz = trace->source->time_steps ? trace->source->time_steps(trace) : 0;
    coarse->written_hz = hz > coarse->written_hz ? hz : coarse->written_hz;
}

static bool wants_more(const struct coarse *coarse, size_t records)
{
    bool unit =
        records > 0 ? coarse->written_hz > 0 : coarse->sync->trace->source->time_steps != NULL;
    return (coarse->open > 0 && records < RECORDS_MAX) ||
           ((unit || coarse->uneven.open > 0) && records < UNEVEN_MAX);
}

/* What cannot be read is left to those who read all.  Nothing is where a source does not fork: its
 * place would be moved, while others may read. */
static void take_sample(struct coarse *coarse)
{
    csy_error error;
    csy_events *events = NULL;
    csy_event event;
    bool more = true;
    if (!coarse->sync->trace->source->fork || !wants_more(coarse, 0) ||
        csy_events_open(coarse->sync, &events, &error))
        return;
    events->progress = (struct progress){0}; /* it is soon over */
    for (size_t i = 0; wants_more(coarse, i); i++) {
        if (csy_events_next(events, &event, &more, &error) || !more)
            break;
        take_next(coarse, &event);
        if (i < UNEVEN_MAX) {
            uneven_take(&coarse->uneven, event.thread, event.local_ticks);
            take_written(coarse, events->timeline.trace);
        }
    }
    csy_events_free(events);
}

/* --- Judging -------------------------------------------------------------------------------- */

/* Whether it is no chance that so many of the clocks, which were known to step by known, have that
 * many stamps in all that are multiples of step: ratio by power of the stamps, over the ways to
 * choose the clocks.  Factors that are small are taken with great ones, or the product would leave
 * what a double can be. */
static bool is_no_chance(const struct coarse *coarse, uint64_t step, uint64_t known,
                         uint64_t stamps, size_t clocks)
{
    size_t others = coarse->n - clocks, least = 0, most = clocks < others ? clocks : others;
    uint64_t alone = stamps - most; /* factors that are a ratio, the greatest ones */
    double ratio = (double)step / (double)known, odds = 1.000001 / ratio; /* but for rounding */
    double wanted = known == 1 || coarse->few ? CHANCE : CHANCE_GREATER;
    while (least < most) {
        if (odds < 1 && alone > 0) {
            odds *= ratio;
            alone--;
        } else {
            size_t i = odds < 1 ? --most : least++;
            odds *= ratio * (double)(i + 1) / (double)(coarse->n - i);
        }
    }
    for (; alone > 0 && odds < wanted; alone--)
        odds *= ratio;
    return odds >= wanted;
}

static bool belongs(const struct clock_stamps *clock, uint64_t step, uint64_t known)
{
    return clock->stamps > 0 && clock->step == known && clock->divisor % step == 0;
}

/* Whether the clocks that step so, of those that were known to step by known, are no chance; then
 * they are known to. */
static bool judge_together(struct coarse *coarse, uint64_t step, uint64_t known)
{
    uint64_t stamps = 0;
    size_t clocks = 0, count = coarse->sync->survey.threads.count;
    for (size_t t = 0; t < count; t++) {
        bool one = belongs(&coarse->clocks[t], step, known);
        clocks += one;
        stamps += one ? coarse->clocks[t].stamps : 0;
    }
    if (clocks == 0 || !is_no_chance(coarse, step, known, stamps, clocks))
        return false;
    for (size_t t = 0; t < count; t++)
        if (belongs(&coarse->clocks[t], step, known))
            coarse->clocks[t].step = step;
    return true;
}

/* Stamps are whole ticks and whole decimals. */
static void judge_written(struct coarse *coarse, uint64_t all)
{
    uint64_t hz = coarse->sync->trace->timebase_hz;
    uint64_t step = hz / (uint64_t)common_divisor(coarse->written_hz, hz);
    coarse->written = coarse->written_hz > 0 && all % step == 0 ? step : 1;
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++)
        if (coarse->clocks[t].stamps > 0)
            coarse->clocks[t].step = coarse->written;
}

/* Whether doubles are further apart than the clock steps. */
static bool may_float(const struct coarse *coarse, const struct clock_stamps *clock)
{
    csy_fraction spacing = floats_spacing(&clock->floats, coarse->decimals);
    return spacing.num >= DIVISOR_MIN * spacing.den &&
           (int128)spacing.num > (int128)clock->step * spacing.den;
}

/* Whether timestamps are doubles printed as they are: multiples of the spacing. */
static bool is_spacing(const struct coarse *coarse, const struct clock_stamps *clock)
{
    csy_fraction spacing = floats_spacing(&clock->floats, coarse->decimals);
    return clock->step >= DIVISOR_MIN && spacing.den == 1 && (uint64_t)spacing.num == clock->step;
}

/* Find the clocks whose timestamps went through floating-point numbers.  The chance must be below
 * one in a hundred if all clocks agree, and below one in a million for any one clock. */
static void judge_floats(struct coarse *coarse)
{
    double odds = 1;
    bool all = true;
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++) {
        const struct floats *floats = &coarse->clocks[t].floats;
        all = all && !floats->other;
        odds *= floats->printed > 0 && odds < CHANCE ? floats->odds : 1;
    }
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++) {
        struct clock_stamps *clock = &coarse->clocks[t];
        const struct floats *floats = &clock->floats;
        bool alone = !floats->other && floats->printed > 0 &&
                     floats->odds >= (double)CHANCE * (double)coarse->n;
        clock->floating = ((all && odds >= CHANCE_GREATER) || alone) && may_float(coarse, clock);
        clock->multiples = is_spacing(coarse, clock);
    }
}

static void judge(struct coarse *coarse)
{
    uint64_t all = 0, known;
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++) {
        all = (uint64_t)common_divisor(coarse->clocks[t].divisor, all);
        coarse->n += coarse->clocks[t].stamps > 0;
    }
    judge_written(coarse, all);
    known = coarse->written;
    if (!coarse->few && all >= DIVISOR_MIN && all > known && judge_together(coarse, all, known))
        known = all;
    uint64_t factor = coarse->few ? UNIT_FACTOR : DIVISOR_MIN;
    for (uint64_t power = factor; power <= POWERS_MAX; power *= factor)
        if (power > known && power % known == 0 && judge_together(coarse, power, known))
            known = power;
    if (coarse->few)
        return;
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++) {
        struct clock_stamps *clock = &coarse->clocks[t];
        if (clock->stamps > 0 && clock->divisor >= DIVISOR_MIN && clock->divisor > clock->step &&
            is_no_chance(coarse, clock->divisor, clock->step, clock->stamps, 1))
            clock->step = clock->divisor;
    }
    for (size_t t = 0; t < coarse->uneven.count; t++)
        coarse->uneven.clocks[t].unit = coarse->clocks[t].step;
    uneven_judge(&coarse->uneven);
}

/* --- Words ---------------------------------------------------------------------------------- */

/* A step, and how far stamps can be apart that are of one moment: a whole step, or one and what it
 * is rounded to. */
struct step {
    csy_fraction ticks; /* in tenths where it is uneven, else whole */
    uint64_t rounded;
    bool floating; /* it is the spacing of floating-point numbers */
};

struct found {
    size_t first, count;          /* clocks that step */
    size_t first_float, floating; /* of these, timestamps went through floating-point numbers */
    struct step least, greatest;
    bool written; /* decimals alone show the greatest */
};

/* The spacing of floating-point numbers, which may be below a tick. */
static struct step spacing_of(const struct coarse *coarse, const struct clock_stamps *clock)
{
    csy_fraction spacing = floats_spacing(&clock->floats, coarse->decimals);
    if (spacing.den > 1)
        spacing = (csy_fraction){(int64_t)decimal_round(spacing.num, spacing.den, 1), 10};
    return (struct step){spacing, floats_apart(&clock->floats, coarse->decimals), true};
}

static struct step step_of(const struct coarse *coarse, size_t t)
{
    const struct clock_stamps *clock = &coarse->clocks[t];
    uint64_t hz = coarse->sync->trace->timebase_hz, whole = clock->step;
    const struct uneven_clock *uneven = t < coarse->uneven.count ? &coarse->uneven.clocks[t] : NULL;
    if (clock->floating)
        return spacing_of(coarse, clock);
    if (uneven && uneven->tenths > 0 && uneven->tenths / 10 < hz)
        return (struct step){{(int64_t)uneven->tenths, 10}, uneven->rounded, false};
    if (whole == 1 || whole > hz || (coarse->few && coarse->written_hz == 0))
        return (struct step){0};
    return (struct step){{(int64_t)whole, 1}, whole, clock->multiples};
}

static struct found find(const struct coarse *coarse)
{
    struct found found = {0};
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++) {
        struct step step = step_of(coarse, t);
        if (step.rounded == 0)
            continue;
        if (found.count++ == 0)
            found = (struct found){.first = t, .count = 1, .least = step, .greatest = step};
        if (step.floating && found.floating++ == 0)
            found.first_float = t;
        found.least = step.rounded < found.least.rounded ? step : found.least;
        found.greatest = step.rounded > found.greatest.rounded ? step : found.greatest;
    }
    found.written = !found.greatest.floating && found.greatest.rounded == coarse->written;
    return found;
}

/* Name the clocks whose timestamps went through floating-point numbers: all, one, or one and the
 * number of others. */
static size_t name_floating(const struct coarse *coarse, const struct found *found,
                            char text[CSY_WARNING_TEXT_MAX])
{
    char name[NAME_BYTES], whose[NAME_BYTES + 48] = "";
    size_t others = found->floating - 1;
    csy_escape(name, sizeof name, coarse->sync->views[found->first_float].name);
    if (others > 0 && found->floating < coarse->n)
        snprintf(whose, sizeof whose, " of %s and %zu other clock%s", name, others,
                 others == 1 ? "" : "s");
    else if (found->floating < coarse->n)
        snprintf(whose, sizeof whose, " of %s", name);
    return (size_t)snprintf(text, CSY_WARNING_TEXT_MAX,
                            "timestamps%s look as if they went through floating-point numbers, in",
                            whose);
}

/* What has steps: times as they are written; or all clocks, one, or one and how many others. */
static size_t name_clocks(const struct coarse *coarse, const struct found *found,
                          char text[CSY_WARNING_TEXT_MAX])
{
    char name[NAME_BYTES];
    int size;
    csy_escape(name, sizeof name, coarse->sync->views[found->first].name);
    if (found->written)
        size = snprintf(text, CSY_WARNING_TEXT_MAX, "timestamps are written in");
    else if (found->count == coarse->n)
        size = snprintf(text, CSY_WARNING_TEXT_MAX, "clocks look as if they were read in");
    else if (found->count == 1)
        size = snprintf(text, CSY_WARNING_TEXT_MAX, "the clock of %s looks as if it was read in",
                        name);
    else
        size = snprintf(text, CSY_WARNING_TEXT_MAX,
                        "the clocks of %s and %zu other%s look as if they were read in", name,
                        found->count - 1, found->count == 2 ? "" : "s");
    return (size_t)size;
}

static void write_warning(const struct coarse *coarse, const struct found *found,
                          char text[CSY_WARNING_TEXT_MAX])
{
    uint64_t hz = coarse->sync->trace->timebase_hz;
    const struct step *greatest = &found->greatest;
    int64_t twice = (int64_t)greatest->rounded;
    csy_fraction half = twice % 2 == 0 ? (csy_fraction){twice / 2, 1} : (csy_fraction){twice, 2};
    char ticks[QUOTIENT_TEXT_MAX], step[CSY_TIME_TEXT_MAX], delta[CSY_TIME_TEXT_MAX];
    csy_time_text(greatest->ticks, hz, step);
    csy_time_text(half, hz, delta);
    if (greatest->ticks.den > 1)
        decimal_text(greatest->ticks.num, 1, ticks);
    else
        *number_put(ticks, greatest->ticks.num) = '\0';
    size_t size =
        greatest->floating ? name_floating(coarse, found, text) : name_clocks(coarse, found, text);
    snprintf(text + size, CSY_WARNING_TEXT_MAX - size,
             " steps of %s%s%s ticks (%s): %s, bounds hold only with "
             "--delta=%" PRId64 "%s (%s) or more",
             found->least.rounded < greatest->rounded && !greatest->floating ? "up to " : "",
             greatest->ticks.den > 1 ? "about " : "", ticks, step,
             found->written                       ? "unless they are exact"
             : greatest->floating                 ? "if they did"
             : found->count == 1 && coarse->n > 1 ? "if it was"
                                                  : "if they were",
             half.num, half.den == 2 ? "/2" : "", delta);
}

/* Whether delta leaves out what such steps make stamps wrong by; of what was refused, whether they
 * explain that. */
static bool matters(const csy_sync *sync, const struct found *found)
{
    const csy_fraction delta = sync->imprecision.delta, least = sync->witness.least_delta;
    uint64_t step = found->greatest.rounded;
    /* That is enough where one clock alone has steps and rounds to nearest, which may be known. */
    if (sync->imprecision.relax == CSY_RELAX_GIVEN && found->count == 1 && !found->written &&
        !found->greatest.floating)
        return 4 * (int128)delta.num < ((int128)step + 2) * delta.den;
    if (delta.den > 0)
        return 2 * (int128)delta.num < (int128)step * delta.den;
    return least.den > 0 && 2 * (int128)least.num <= (int128)step * least.den;
}

const char *csy_sync_coarse_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    struct coarse coarse = {.sync = sync, .few = sync->survey.records < RECORDS_MIN};
    const struct source *source = sync->trace->source;
    if (sync->survey.threads.count < 2) /* one alone has no bounds */
        return NULL;
    coarse.numbers = !source->time_decimals || source->time_decimals(sync->trace, &coarse.decimals);
    coarse.clocks = calloc(sync->survey.threads.count, sizeof *coarse.clocks);
    if (!coarse.clocks)
        return NULL;
    if (!coarse.few)
        uneven_begin(&coarse.uneven, sync->survey.threads.count);
    take_ends(&coarse);
    take_sample(&coarse);
    judge(&coarse);
    judge_floats(&coarse);
    struct found found = find(&coarse);
    uneven_end(&coarse.uneven);
    free(coarse.clocks);
    if (found.count == 0 || !matters(sync, &found))
        return NULL;
    write_warning(&coarse, &found, text);
    return text;
}
