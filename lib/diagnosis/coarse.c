/* Tests whether clocks were read in steps of many ticks.
 *
 * All timestamps of a clock with steps are multiples of the step. So the test computes the greatest
 * common divisor of the first, the last, and a few other timestamps of each clock. For k timestamps
 * without steps, the divisor is at least d with a probability of about d^(1-k). Clocks with few
 * timestamps are judged together.
 *
 * If times have a unit, the row with the most decimals shows a step, even in small traces.
 *
 * Steps that are not whole numbers of ticks have no divisor; see struct uneven below. Timestamps
 * that were converted to floating-point numbers are recognized by their last digits; see struct
 * floats. */
#include "base/number.h"
#include "base/sort.h"
#include "cellsync/cellsync.h"
#include "sync/events.h"
#include "sync/solution.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Timestamps that were converted to doubles, for example by JavaScript or jq 1.6.
 *
 * Doubles near 1.7e18 are 256 apart. They are printed with 17 digits, or with as few as identify
 * the double, so they look like multiples of 100. A timestamp of 17 digits was probably a double if
 * one is within half a unit of its 17th digit; other numbers rarely are so near to a double.
 *
 * A printed timestamp is wrong by half the distance between doubles, plus an error of printing.
 * This is half a unit of the 17th digit, or with fewer digits, at most half the distance between
 * doubles. */

struct floats {
    double odds;   /* odds (to one) against a coincidence */
    uint64_t step; /* greatest number of ticks that one unit of the 17th digit stands for */
    int exponent;  /* neighbouring doubles are at most 2^exponent units apart */
    bool begun;
    bool other; /* true if some timestamp cannot be a printed double */
    /* true if some timestamp has 17 digits although fewer would identify its double */
    bool all_digits;
    uint64_t printed; /* number of timestamps with 17 digits */
};

enum { MANTISSA_BITS = 53 };

#define DIGITS_17 UINT64_C(10000000000000000) /* smallest number that has 17 digits */

/* The distance between neighbouring doubles, num / den ticks. */
struct spacing {
    uint128 num, den;
};

static struct spacing float_spacing(int exponent, unsigned decimals)
{
    struct spacing spacing = {1, 1};
    for (unsigned i = 0; i < decimals; i++)
        spacing.num *= 10;
    for (int i = 0; i < exponent; i++)
        spacing.num *= 2;
    for (int i = 0; i > exponent; i--)
        spacing.den *= 2;
    return spacing;
}

static uint128 nearest(uint128 num, uint128 den)
{
    return (num + den / 2) / den;
}

static uint128 apart(uint128 a, uint128 b)
{
    return a > b ? a - b : b - a;
}

/* Add a timestamp that was written in units of 10^decimals ticks. `decimals` is at most 18. */
static void floats_take(struct floats *floats, int64_t ticks, unsigned decimals)
{
    uint64_t size = ticks < 0 ? -(uint64_t)ticks : (uint64_t)ticks, digits = size, step = 1;
    if (size == 0)
        return;
    /* Find the exponent e for which size / (10^decimals 2^e) is from 2^52 to 2^53. A double of this
     * size is a multiple of 2^e. */
    uint128 unit = float_spacing(0, decimals).num, scaled = size;
    int exponent = 0;
    for (; scaled < unit << (MANTISSA_BITS - 1); exponent--)
        scaled *= 2;
    for (; scaled >= unit << MANTISSA_BITS; exponent++)
        unit *= 2;
    floats->odds = floats->begun ? floats->odds : 1;
    floats->exponent = floats->begun && floats->exponent > exponent ? floats->exponent : exponent;
    floats->begun = true;
    for (; digits % 10 == 0; digits /= 10)
        step *= 10;
    if (digits < DIGITS_17)
        return;
    /* The timestamp has 17 digits or more. One unit of the last digit stands for `step` ticks.
     * `written`, `value`, and `digit` are in units of 1/spacing.den tick. */
    struct spacing spacing = float_spacing(exponent, decimals);
    uint128 written = size * spacing.den, digit = step * spacing.den;
    uint128 value = nearest(written, spacing.num) * spacing.num;
    uint128 shorter = nearest(value, 10 * digit) * 10 * digit;
    if (digits >= 10 * DIGITS_17 || 2 * apart(written, value) > digit) {
        floats->other = true;
        return;
    }
    floats->printed++;
    floats->odds *= (double)spacing.num / (double)digit;
    floats->all_digits = floats->all_digits || 2 * apart(shorter, value) < spacing.num;
    floats->step = step > floats->step ? step : floats->step;
}

/* Returns the greatest distance between neighbouring doubles near these timestamps, in ticks.
 * Returns 0 if there are no timestamps, or if the fraction does not fit. */
static csy_fraction floats_spacing(const struct floats *floats, unsigned decimals)
{
    csy_fraction out = {0, 1};
    struct spacing spacing = float_spacing(floats->exponent, decimals);
    if (floats->begun && fits_int64((int128)spacing.num) && fits_int64((int128)spacing.den))
        fraction_make((int128)spacing.num, (int128)spacing.den, &out);
    return out;
}

/* Steps that are not whole numbers of ticks, for example of a 14.318 MHz counter printed in ns.
 *
 * Timestamps of such a clock are multiples of a step p, rounded to ticks. So each gap between two
 * timestamps is within a tick of a multiple of p. The result is the greatest p of at least 10 ticks
 * for which this holds, unless it may be a coincidence. */

enum { UNEVEN_GAPS_MAX = 32 };

/* The time from one timestamp of a clock to the next. */
struct uneven_gap {
    uint64_t ticks;
    int64_t end_ticks;
};

struct uneven_clock {
    /* lengths of gaps; each differs by more than a tick from all earlier ones */
    struct uneven_gap gaps[UNEVEN_GAPS_MAX];
    int64_t last_ticks;
    uint64_t unit; /* a number of ticks that divides all timestamps */
    uint32_t count;
    /* how many timestamps exceed the previous timestamp, and how many equal it */
    uint32_t seen, equal;
    uint32_t early_seen, early_count;
    bool begun; /* true if last_ticks is set */
    bool fine;
    uint64_t tenths;  /* the step found (unit of timestamps), in tenths of a tick, or 0 for none */
    uint64_t rounded; /* two timestamps of the same moment differ by fewer ticks than this */
};

struct uneven {
    struct uneven_clock *clocks;
    size_t count; /* number of examined clocks: the first ones of the trace */
    size_t open;  /* number of clocks that need more timestamps */
};

enum {
    STEP_MIN = 10,
    KINDS_MIN = 8,        /* number of different gaps needed if several clocks are tested */
    KINDS_ALONE_MIN = 16, /* the same if one clock is tested alone */
    EQUAL = 32,           /* fewer than one of 32 timestamps may equal the previous one */
    CHANCE = 1000000,     /* the probability of a coincidence must be below 1/CHANCE */
    RANGES_MAX = 64,      /* greatest number of items in each array of search.ways */
    WORK_MAX = 1 << 17,
    CLOCKS_MAX = 128,
    /* Greatest number of items of one clock in search.times. There are up to six for each gap: its
     * length, and the times since the timestamps 1, 2, 4, 8, and 16 places before its end. */
    TIMES_MAX = UNEVEN_GAPS_MAX * 6,
    TIME_MAX = INT32_MAX
};

/* A range of possible steps: between the fractions `least` and `most`, both excluded. Times,
 * numerators, and denominators are below 2^31, so that products fit 64 bits. */
struct range {
    uint64_t least_num, least_den, most_num, most_den;
};

struct search {
    /* Times between two timestamps of a clock, in ascending order. Each is stored as 2 * units,
     * plus 1 if the two timestamps are neighbours. */
    uint64_t *times;
    size_t count;
    uint64_t unit;
    /* sums of these members of struct uneven_clock, over all clocks that are searched together */
    uint64_t seen, equal, early_seen, early_count;
    /* number of examined clocks; the more there are, the likelier is a coincidence */
    size_t clocks;
    uint64_t kinds_min;
    uint64_t work; /* number of loop rounds after which the search gives up */
    /* One of the two arrays has the steps that are possible with the times examined so far. The
     * other one receives those that are possible with the next time, too. */
    struct range ways[2][RANGES_MAX];
};

/* --- Gaps ----------------------------------------------------------------------------------- */

/* Add the gap between the previous timestamp of clock t and this one. */
static void uneven_take(struct uneven *uneven, size_t t, int64_t ticks)
{
    if (t >= uneven->count || uneven->clocks[t].fine || uneven->clocks[t].count == UNEVEN_GAPS_MAX)
        return;
    struct uneven_clock *clock = &uneven->clocks[t];
    bool forward = clock->begun && ticks > clock->last_ticks;
    uint64_t gap = forward ? (uint64_t)ticks - (uint64_t)clock->last_ticks : 0;
    clock->equal += clock->begun && ticks == clock->last_ticks;
    clock->begun = true;
    clock->last_ticks = ticks;
    if (gap == 0)
        return;
    bool new = true, early = clock->seen++ < UNEVEN_GAPS_MAX;
    for (uint32_t i = 0; i < clock->count && new; i++)
        new = gap + 1 < clock->gaps[i].ticks || gap > clock->gaps[i].ticks + 1;
    clock->early_seen += early;
    clock->early_count += early && new;
    if (!new)
        return;
    clock->fine = gap < STEP_MIN;
    clock->gaps[clock->count++] = (struct uneven_gap){gap, ticks};
    uneven->open -= clock->fine || clock->count == UNEVEN_GAPS_MAX;
}

static void add_time(struct search *search, uint64_t ticks, bool neighbours)
{
    uint64_t units = ticks / search->unit;
    if (units < TIME_MAX && units > 0)
        search->times[search->count++] = 2 * units + neighbours;
}

/* --- Ranges --------------------------------------------------------------------------------- */

/* Returns how many whole steps a time contains at least, if the step is in this range. */
static uint64_t steps_of(const struct range *range, uint64_t time)
{
    return (time - 1) * range->most_den / range->most_num + 1;
}

/* Find the steps of a range that divide a time. Write them as smaller ranges, greatest steps first.
 * Returns the number of these ranges, or 0 if `out` has no room for them. */
static size_t narrow(const struct range *range, uint64_t time, struct range *out, size_t room)
{
    size_t n = 0;
    uint64_t above = (time + 1) * range->least_den;
    for (uint64_t k = steps_of(range, time); k * range->least_num < above; k++) {
        if (n == room)
            return 0;
        struct range *left = &out[n++];
        *left = *range;
        if ((time - 1) * range->least_den > k * range->least_num) {
            left->least_num = time - 1;
            left->least_den = k;
        }
        if ((time + 1) * range->most_den < k * range->most_num) {
            left->most_num = time + 1;
            left->most_den = k;
        }
    }
    return n;
}

/* Returns false if no step in the range divides all times of the search, up to a tick. Otherwise
 * *range becomes the range of the greatest steps that do. The first time is known to fit. */
static bool follow(struct search *search, struct range *range)
{
    struct range(*ways)[RANGES_MAX] = search->ways;
    size_t n = 1;
    ways[0][0] = *range;
    for (size_t i = 1; i < search->count && n > 0; i++) {
        const struct range *from = ways[(i + 1) % 2];
        struct range *to = ways[i % 2];
        size_t before = n;
        if (search->work < n)
            return false;
        search->work -= n;
        n = 0;
        for (size_t w = 0; w < before; w++)
            n += narrow(&from[w], search->times[i] / 2, to + n, RANGES_MAX - n);
    }
    *range = ways[(search->count + 1) % 2][0];
    return n > 0;
}

/* Returns true if gaps of random lengths would hardly have a common step in this range. */
static bool is_no_chance_of(const struct search *search, const struct range *range)
{
    double odds = 1 / (double)search->clocks;
    double ratio = (double)range->least_num / (3 * (double)range->least_den);
    uint64_t sum = 0, kinds = 0, last = 0;
    for (size_t i = 0; i < search->count; i++) {
        uint64_t steps = steps_of(range, search->times[i] / 2);
        bool counts = search->times[i] % 2 > 0 && steps > last;
        sum += search->times[i] / 2;
        kinds += counts;
        last = counts ? steps : last;
    }
    double wanted = CHANCE * (double)sum;
    for (uint64_t i = 0; i < kinds && odds < wanted; i++)
        odds *= ratio;
    return kinds >= search->kinds_min && odds >= wanted;
}

/* Find the greatest step that divides all times of the search. Steps of whole ticks are ignored,
 * because judge_clocks finds them. */
static bool find_step(struct search *search, struct range *out)
{
    uint64_t whole = 0;
    for (size_t i = 0; i < search->count && (i == 0 || whole >= STEP_MIN); i++)
        whole = (uint64_t)common_divisor(search->times[i] / 2, whole);
    /* If few gaps have different lengths, and timestamps are rarely equal, records were made at
     * regular times, and the clock has no large step. */
    bool regular =
        2 * search->early_count < search->early_seen && EQUAL * search->equal < search->seen;
    if (search->count < search->kinds_min || whole >= STEP_MIN || regular)
        return false;
    sort_numbers(search->times, search->count);
    uint64_t gap = search->times[0] / 2;
    for (uint64_t k = 1; k * STEP_MIN <= gap && search->work > 0; k++) {
        bool above = gap - 1 > k * STEP_MIN;
        *out = (struct range){above ? gap - 1 : STEP_MIN, above ? k : 1, gap + 1, k};
        search->work--;
        if (!follow(search, out))
            continue;
        uint64_t greatest_whole = out->most_num / out->most_den;
        if (greatest_whole * out->least_den < out->least_num && is_no_chance_of(search, out))
            return true;
    }
    return false;
}

/* --- Clocks --------------------------------------------------------------------------------- */

static bool may_step(const struct uneven_clock *clock)
{
    for (uint32_t i = 0; i < clock->count; i++)
        if (clock->gaps[i].ticks % clock->unit > 0)
            return false;
    return clock->count > 0 && !clock->fine && clock->tenths == 0;
}

/* Find a common step of the clocks from `first` to `last`. Skip clocks without steps, and clocks
 * with another unit than the first clock. */
static void judge_some(struct uneven *uneven, size_t first, size_t last, const struct search *empty)
{
    struct search search = *empty;
    struct range range;
    for (size_t t = first; t < last; t++) {
        const struct uneven_clock *clock = &uneven->clocks[t];
        if (!may_step(clock))
            continue;
        search.unit = search.unit > 0 ? search.unit : clock->unit;
        if (clock->unit == search.unit) {
            /* Test longer times, too, not only single gaps between timestamps. Regular work may
             * have equal gaps, but its longer times are then no multiples of a step. */
            for (uint32_t i = 0; i < clock->count; i++) {
                int64_t end = clock->gaps[i].end_ticks;
                add_time(&search, clock->gaps[i].ticks, true);
                for (uint32_t apart = 1; apart <= i; apart *= 2) {
                    int64_t before = clock->gaps[i - apart].end_ticks;
                    if (end > before)
                        add_time(&search, (uint64_t)end - (uint64_t)before, false);
                }
            }
            search.seen += clock->seen;
            search.equal += clock->equal;
            search.early_seen += clock->early_seen;
            search.early_count += clock->early_count;
        }
    }
    if (!find_step(&search, &range))
        return;
    for (size_t t = first; t < last; t++) {
        struct uneven_clock *clock = &uneven->clocks[t];
        if (!may_step(clock) || clock->unit != search.unit)
            continue;
        uint128 dens = (uint128)range.least_den * range.most_den;
        uint128 twice =
            (uint128)range.least_num * range.most_den + (uint128)range.most_num * range.least_den;
        int128 tenths = decimal_round((int128)(twice * clock->unit), 2 * (int128)dens, 1);
        int128 most =
            ceil_div((int128)range.most_num * (int128)clock->unit, (int128)range.most_den) +
            (int128)clock->unit;
        if (fits_int64(tenths) && fits_int64(most)) {
            clock->tenths = (uint64_t)tenths;
            clock->rounded = (uint64_t)most;
        }
    }
}

/* --- Coarse clocks ------------------------------------------------------------------------- */

enum {
    RECORDS_MIN = 12, /* a trace in ticks with fewer records was probably typed by hand */
    DIVISOR_MIN = 10,
    /* In a trace with few records, only powers of this number are tested as steps. People type
     * other round numbers, too. */
    UNIT_FACTOR = 1000,
    CHANCE_GREATER = 100,  /* odds (to one) against a coincidence that are needed to replace a
                            * clock's step by a greater one */
    RECORDS_MAX = 1 << 16, /* greatest number of records read */
    UNEVEN_MAX = 1 << 12,  /* greatest number of records read to find uneven steps and decimals */
    STAMPS_MAX = 32, /* number of timestamps read of each clock besides its first and last one */
    POWERS_MAX = 1000000000, /* greatest power of ten that is tested as the step */
    NAME_BYTES = 96
};

struct clock_stamps {
    /* greatest common divisor of the timestamps, or 0 if all of them are 0 */
    uint64_t divisor;
    /* greatest timestamp except the clock's last one */
    int64_t greatest_ticks;
    uint32_t stamps; /* number of distinct timestamps other than 0 */
    uint32_t wanted; /* number of timestamps still to be read */
    uint64_t step;   /* timestamps are multiples of this many ticks; 1 if no step was found */
    struct floats floats;
    /* floating: true if the timestamps were converted to floating-point numbers. multiples: true if
     * all timestamps are multiples of the distance between doubles. */
    bool floating, multiples;
};

struct coarse {
    const csy_sync *sync;
    struct clock_stamps *clocks;
    size_t n; /* number of clocks that have a timestamp other than 0 */
    size_t open;
    bool few; /* true if the trace has few records, so only powers of 1000 ticks are tested */
    /* written_hz: if times are written with a unit, the number of these units per second, otherwise
     * 0. written: the unit in ticks if all timestamps are multiples of it, otherwise 1. */
    uint64_t written_hz, written;
    bool numbers; /* true if times are integers in units of 10^decimals ticks */
    unsigned decimals;
    struct uneven uneven;
};

/* --- Timestamps ------------------------------------------------------------------------------ */

static void add_timestamp(const struct coarse *coarse, struct clock_stamps *clock, int64_t ticks)
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

static bool wants_more(const struct coarse *coarse, size_t records)
{
    bool unit =
        records > 0 ? coarse->written_hz > 0 : coarse->sync->trace->source->time_steps != NULL;
    return (coarse->open > 0 && records < RECORDS_MAX) ||
           ((unit || coarse->uneven.open > 0) && records < UNEVEN_MAX);
}

/* Read the first records of the trace. Errors end the sample silently, because the pass over the
 * whole trace reports them. A source that cannot be forked is not read, because reading would
 * disturb its other readers. */
static void take_sample(struct coarse *coarse)
{
    csy_error error;
    csy_events *events = NULL;
    csy_event event;
    bool more = true;
    if (!coarse->sync->trace->source->fork || !wants_more(coarse, 0) ||
        csy_events_open(coarse->sync, &events, &error))
        return;
    events->progress = (struct progress){0}; /* the pass is short, so it reports no progress */
    for (size_t i = 0; wants_more(coarse, i); i++) {
        if (csy_events_next(events, &event, &more, &error) || !more)
            break;
        struct clock_stamps *clock = &coarse->clocks[event.thread];
        if (is_open(clock) && event.local_ticks > clock->greatest_ticks &&
            event.local_ticks != coarse->sync->survey.threads.items[event.thread].last_ticks) {
            clock->greatest_ticks = event.local_ticks;
            add_timestamp(coarse, clock, event.local_ticks);
            clock->wanted--;
            coarse->open -= !is_open(clock);
        }
        if (i < UNEVEN_MAX) {
            uneven_take(&coarse->uneven, event.thread, event.local_ticks);
            struct csy_trace *trace = events->timeline.trace;
            uint64_t hz = trace->source->time_steps ? trace->source->time_steps(trace) : 0;
            coarse->written_hz = hz > coarse->written_hz ? hz : coarse->written_hz;
        }
    }
    csy_events_free(events);
}

/* --- Judging -------------------------------------------------------------------------------- */

/* Returns true if it is no coincidence that `stamps` timestamps of `clocks` clocks, all multiples
 * of `known`, are also multiples of `step`. The probability is (known / step)^stamps, times the
 * number of ways to choose the clocks. Small factors alternate with large ones, so that the product
 * fits a double. */
static bool is_no_chance(const struct coarse *coarse, uint64_t step, uint64_t known,
                         uint64_t stamps, size_t clocks)
{
    size_t others = coarse->n - clocks, least = 0, most = clocks < others ? clocks : others;
    uint64_t alone = stamps - most;
    double ratio = (double)step / (double)known,
           odds = 1.000001 / ratio; /* with a margin for rounding */
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

/* Find the clocks that have the step `known` and only multiples of `step` as timestamps. If this is
 * no coincidence, `step` becomes their step. */
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

/* Find the clocks with timestamps that were floating-point numbers. The probability of a
 * coincidence must be below 1 in 100 for these clocks together, and 1 in a million for each. */
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
        csy_fraction spacing = floats_spacing(floats, coarse->decimals);
        bool coarser = spacing.num >= DIVISOR_MIN * spacing.den &&
                       (int128)spacing.num > (int128)clock->step * spacing.den;
        clock->floating = ((all && odds >= CHANCE_GREATER) || alone) && coarser;
        clock->multiples =
            clock->step >= DIVISOR_MIN && spacing.den == 1 && (uint64_t)spacing.num == clock->step;
    }
}

static void judge_clocks(struct coarse *coarse)
{
    uint64_t all = 0, hz = coarse->sync->trace->timebase_hz;
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++) {
        all = (uint64_t)common_divisor(coarse->clocks[t].divisor, all);
        coarse->n += coarse->clocks[t].stamps > 0;
    }
    /* If times were printed with a unit, timestamps are multiples of the last printed decimal. */
    uint64_t step = hz / (uint64_t)common_divisor(coarse->written_hz, hz);
    coarse->written = coarse->written_hz > 0 && all % step == 0 ? step : 1;
    for (size_t t = 0; t < coarse->sync->survey.threads.count; t++)
        if (coarse->clocks[t].stamps > 0)
            coarse->clocks[t].step = coarse->written;
    uint64_t known = coarse->written;
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
    struct search search = {.work = WORK_MAX / 2, .kinds_min = KINDS_MIN};
    for (size_t t = 0; t < coarse->uneven.count; t++)
        search.clocks += may_step(&coarse->uneven.clocks[t]);
    if (search.clocks == 0 ||
        !(search.times = malloc(coarse->uneven.count * TIMES_MAX * sizeof *search.times)))
        return;
    judge_some(&coarse->uneven, 0, coarse->uneven.count, &search);
    search.work /= search.clocks;
    search.kinds_min = KINDS_ALONE_MIN;
    for (size_t t = 0; t < coarse->uneven.count; t++)
        judge_some(&coarse->uneven, t, t + 1, &search);
    free(search.times);
}

/* --- Words ---------------------------------------------------------------------------------- */

/* The step of a clock: its timestamps are multiples of the step. Two timestamps of the same time
 * differ by at most `rounded` ticks: the step, plus a tick if timestamps were rounded to ticks. */
struct step {
    csy_fraction ticks; /* the denominator is 10 if the step is no whole number of ticks */
    uint64_t rounded;
    bool floating; /* true if the step is the distance between neighbouring floating-point
                    * numbers */
};

struct found {
    size_t first, count; /* the first clock with multiples of a step as timestamps, and the number
                          * of such clocks */
    /* the first clock that showed floating-point numbers, and the number of such clocks */
    size_t first_float, floating;
    struct step least, greatest;
    bool written; /* true if the greatest step is only the unit of the written decimals */
};

static struct step step_of(const struct coarse *coarse, size_t t)
{
    const struct clock_stamps *clock = &coarse->clocks[t];
    uint64_t hz = coarse->sync->trace->timebase_hz, whole = clock->step;
    const struct uneven_clock *uneven = t < coarse->uneven.count ? &coarse->uneven.clocks[t] : NULL;
    if (clock->floating) {
        csy_fraction spacing = floats_spacing(&clock->floats, coarse->decimals);
        if (spacing.den > 1)
            spacing = (csy_fraction){(int64_t)decimal_round(spacing.num, spacing.den, 1), 10};
        /* The error is half the distance between doubles plus an error of printing; round it up. */
        struct spacing exact = float_spacing(clock->floats.exponent, coarse->decimals);
        uint128 printing = clock->floats.all_digits ? clock->floats.step * exact.den : exact.num;
        uint128 delta = (exact.num + printing + 2 * exact.den - 1) / (2 * exact.den);
        return (struct step){spacing, 2 * (uint64_t)delta, true};
    }
    if (uneven && uneven->tenths > 0 && uneven->tenths / 10 < hz)
        return (struct step){{(int64_t)uneven->tenths, 10}, uneven->rounded, false};
    if (whole == 1 || whole > hz || (coarse->few && coarse->written_hz == 0))
        return (struct step){0};
    return (struct step){{(int64_t)whole, 1}, whole, clock->multiples};
}

static struct found find_coarse(const struct coarse *coarse)
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
    /* The warning is about all clocks, one clock, or one clock and a number of others. */
    size_t count = greatest->floating ? found->floating : found->count;
    bool all = count == coarse->n;
    char name[NAME_BYTES], whose[NAME_BYTES + 64] = "";
    csy_escape(name, sizeof name,
               coarse->sync->views[greatest->floating ? found->first_float : found->first].name);
    if (greatest->floating && count > 1)
        snprintf(whose, sizeof whose, "%s and %zu other clock%s", name, count - 1,
                 count == 2 ? "" : "s");
    else if (count > 1)
        snprintf(whose, sizeof whose, "the clocks of %s and %zu other%s", name, count - 1,
                 count == 2 ? "" : "s");
    else
        snprintf(whose, sizeof whose, "%s%s", greatest->floating ? "" : "the clock of ", name);
    int size;
    if (greatest->floating)
        size = snprintf(text, CSY_WARNING_TEXT_MAX,
                        "timestamps%s%s seem to have been converted through floating-point "
                        "numbers, in",
                        all ? "" : " of ", all ? "" : whose);
    else if (found->written)
        size = snprintf(text, CSY_WARNING_TEXT_MAX, "timestamps are written in");
    else
        size = snprintf(text, CSY_WARNING_TEXT_MAX, "%s seem%s to advance in",
                        all ? "all clocks" : whose, all || count > 1 ? "" : "s");
    snprintf(text + size, CSY_WARNING_TEXT_MAX - (size_t)size,
             " steps of %s%s%s ticks (%s). %s, pass --delta=%" PRId64
             "%s (%s) or more; with a smaller "
             "delta, bounds may be false",
             found->least.rounded < greatest->rounded && !greatest->floating ? "up to " : "",
             greatest->ticks.den > 1 ? "about " : "", ticks, step,
             found->written ? "Unless they are exact" : "If so", half.num,
             half.den == 2 ? "/2" : "", delta);
}

/* Returns true if half of the greatest step exceeds the solution's delta. If no delta was found,
 * returns true if half of the step would be enough. */
static bool matters(const csy_sync *sync, const struct found *found)
{
    const csy_fraction delta = sync->imprecision.delta, least = sync->witness.least_delta;
    uint64_t step = found->greatest.rounded;
    /* If only one clock has a step, and it rounds to the nearest multiple, a timestamp error
     * (delta) of a quarter of the step is enough if the user passed it. */
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
    if (sync->survey.threads.count < 2) /* a single clock is compared with no other clock */
        return NULL;
    coarse.numbers = !source->time_decimals || source->time_decimals(sync->trace, &coarse.decimals);
    coarse.clocks = calloc(sync->survey.threads.count, sizeof *coarse.clocks);
    if (!coarse.clocks)
        return NULL;
    if (!coarse.few) { /* without memory, uneven steps are not searched for */
        size_t count =
            sync->survey.threads.count < CLOCKS_MAX ? sync->survey.threads.count : CLOCKS_MAX;
        coarse.uneven.clocks = calloc(count, sizeof *coarse.uneven.clocks);
        coarse.uneven.count = coarse.uneven.open = coarse.uneven.clocks ? count : 0;
    }
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        struct clock_stamps *clock = &coarse.clocks[t];
        *clock = (struct clock_stamps){.greatest_ticks = thread->first_ticks, .step = 1};
        if (thread->records > 0)
            add_timestamp(&coarse, clock, thread->first_ticks);
        if (thread->records > 1 && thread->last_ticks != thread->first_ticks)
            add_timestamp(&coarse, clock, thread->last_ticks);
        clock->wanted = thread->records > 2 ? STAMPS_MAX : 0;
        coarse.open += is_open(clock);
    }
    take_sample(&coarse);
    judge_clocks(&coarse);
    judge_floats(&coarse);
    struct found found = find_coarse(&coarse);
    free(coarse.uneven.clocks);
    free(coarse.clocks);
    if (found.count == 0 || !matters(sync, &found))
        return NULL;
    write_warning(&coarse, &found, text);
    return text;
}
