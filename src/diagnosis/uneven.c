/*
 * Uneven steps of clocks.
 *
 * A time d of k steps says that the step is between (d - 1)/k and (d + 1)/k.  The least one gives a
 * range for each k that it can have, and each greater one narrows ranges and splits them, until
 * hardly one is left that is not true.  By n random gaps between neighbours, of sum S, about
 * S/2 (2/p)^n ranges are left near p.  What is done at regular times looks like steps, too, but
 * most of its gaps are of the same few k: gaps of one k count as one, and must be of many.
 *
 * All clocks that may have such steps are first taken for clocks of one step, then each by itself.
 */
#include "diagnosis/uneven.h"

#include "base/number.h"

#include <stdlib.h>

enum {
    STEP_MIN = 10,
    KINDS_MIN = 8,        /* of gaps, by how many steps they are, of several clocks */
    KINDS_ALONE_MIN = 16, /* and of one */
    EQUAL = 32,           /* one stamp of so many is equal to the one before */
    CHANCE = 1000000,     /* to one, that clocks without such steps would not look like this */
    RANGES_MAX = 64,      /* at a time */
    WORK_MAX = 1 << 17,
    CLOCKS_MAX = 128,
    TIMES_MAX = UNEVEN_GAPS_MAX * 6, /* of a clock: to stamps 1, 2, 4, 8 and 16 before, and gaps */
    TIME_MAX = INT32_MAX
};

/* Steps between two fractions, without these.  Times are below 2^31, and parts of fractions not
 * above: all products fit. */
struct range {
    uint64_t least_num, least_den, most_num, most_den;
};

struct search {
    /* Times between stamps in units, in ascending order: twice that, and 1 between neighbours. */
    uint64_t *times;
    size_t count;
    uint64_t unit;
    uint64_t seen, equal, early_seen, early_count; /* of all its clocks */
    size_t clocks;                                 /* of which these may have been chosen */
    uint64_t kinds_min;
    uint64_t work;                    /* that is left */
    struct range ways[2][RANGES_MAX]; /* what is left before a time, and after it */
};

/* --- Gaps ----------------------------------------------------------------------------------- */

void uneven_begin(struct uneven *uneven, size_t clocks)
{
    size_t count = clocks < CLOCKS_MAX ? clocks : CLOCKS_MAX;
    *uneven = (struct uneven){.clocks = calloc(count, sizeof *uneven->clocks)};
    if (uneven->clocks)
        uneven->count = uneven->open = count;
}

void uneven_end(struct uneven *uneven)
{
    free(uneven->clocks);
}

static bool is_new(const struct uneven_clock *clock, uint64_t gap)
{
    for (uint32_t i = 0; i < clock->count; i++)
        if (gap + 1 >= clock->gaps[i].ticks && gap <= clock->gaps[i].ticks + 1)
            return false;
    return true;
}

void uneven_take(struct uneven *uneven, size_t t, int64_t ticks)
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
    bool new = is_new(clock, gap), early = clock->seen++ < UNEVEN_GAPS_MAX;
    clock->early_seen += early;
    clock->early_count += early && new;
    if (!new)
        return;
    clock->fine = gap < STEP_MIN;
    clock->gaps[clock->count++] = (struct uneven_gap){gap, ticks};
    uneven->open -= clock->fine || clock->count == UNEVEN_GAPS_MAX;
}

/* One that is too great to tell much is left out. */
static void add_time(struct search *search, uint64_t ticks, bool neighbours)
{
    uint64_t units = ticks / search->unit;
    if (units < TIME_MAX && units > 0)
        search->times[search->count++] = 2 * units + neighbours;
}

/* Gaps, and times between stamps that are further apart: what is done at regular times, but takes
 * some time itself, leaves the multiples of a step the more the longer it lasts. */
static void add_clock(struct search *search, const struct uneven_clock *clock)
{
    for (uint32_t i = 0; i < clock->count; i++) {
        int64_t end = clock->gaps[i].end_ticks;
        add_time(search, clock->gaps[i].ticks, true);
        for (uint32_t apart = 1; apart <= i; apart *= 2) {
            int64_t before = clock->gaps[i - apart].end_ticks;
            if (end > before)
                add_time(search, (uint64_t)end - (uint64_t)before, false);
        }
    }
    search->seen += clock->seen;
    search->equal += clock->equal;
    search->early_seen += clock->early_seen;
    search->early_count += clock->early_count;
}

/* --- Ranges --------------------------------------------------------------------------------- */

/* The least number of steps that a time can be. */
static uint64_t steps_of(const struct range *range, uint64_t time)
{
    return (time - 1) * range->most_den / range->most_num + 1;
}

/* What a time leaves of a range, the greatest steps first; 0, too, where there is no room. */
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

/* Whether some of a range is left by all times but the first; then it is the greatest such. */
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

/* Whether a whole step may be meant, and some stamps are a tick late. */
static bool may_be_whole(const struct range *range)
{
    return range->most_num / range->most_den * range->least_den >= range->least_num;
}

/* By what is said above, with 3 in place of 2 and all times in S: gaps are no random numbers. */
static bool is_no_chance(const struct search *search, const struct range *range)
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

static int compare_times(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether gaps are mostly the same few, and hardly two stamps are equal, as they would be where
 * steps are that great. */
static bool is_regular(const struct search *search)
{
    return 2 * search->early_count < search->early_seen && EQUAL * search->equal < search->seen;
}

/* The greatest step of all these times.  Those that are multiples of a whole number are left to
 * those who look for such steps: what begins at some other instant is rather what is done at
 * regular times. */
static bool find_step(struct search *search, struct range *out)
{
    uint64_t whole = 0;
    for (size_t i = 0; i < search->count && (i == 0 || whole >= STEP_MIN); i++)
        whole = (uint64_t)common_divisor(search->times[i] / 2, whole);
    if (search->count < search->kinds_min || whole >= STEP_MIN || is_regular(search))
        return false;
    qsort(search->times, search->count, sizeof *search->times, compare_times);
    uint64_t gap = search->times[0] / 2;
    for (uint64_t k = 1; k * STEP_MIN <= gap && search->work > 0; k++) {
        bool above = gap - 1 > k * STEP_MIN;
        *out = (struct range){above ? gap - 1 : STEP_MIN, above ? k : 1, gap + 1, k};
        search->work--;
        if (follow(search, out) && !may_be_whole(out) && is_no_chance(search, out))
            return true;
    }
    return false;
}

/* --- Clocks --------------------------------------------------------------------------------- */

static void set_step(struct uneven_clock *clock, const struct range *range)
{
    uint128 dens = (uint128)range->least_den * range->most_den;
    uint128 twice =
        (uint128)range->least_num * range->most_den + (uint128)range->most_num * range->least_den;
    int128 tenths = decimal_round((int128)(twice * clock->unit), 2 * (int128)dens, 1);
    int128 most = ceil_div((int128)range->most_num * (int128)clock->unit, (int128)range->most_den) +
                  (int128)clock->unit;
    if (fits_int64(tenths) && fits_int64(most)) {
        clock->tenths = (uint64_t)tenths;
        clock->rounded = (uint64_t)most;
    }
}

static bool may_step(const struct uneven_clock *clock)
{
    for (uint32_t i = 0; i < clock->count; i++)
        if (clock->gaps[i].ticks % clock->unit > 0)
            return false;
    return clock->count > 0 && !clock->fine && clock->tenths == 0;
}

/* Those clocks from first to last that have the unit of the first of them and may step, as if they
 * had one step. */
static void judge_some(struct uneven *uneven, size_t first, size_t last, const struct search *empty)
{
    struct search search = *empty;
    struct range range;
    for (size_t t = first; t < last; t++) {
        const struct uneven_clock *clock = &uneven->clocks[t];
        if (!may_step(clock))
            continue;
        search.unit = search.unit > 0 ? search.unit : clock->unit;
        if (clock->unit == search.unit)
            add_clock(&search, clock);
    }
    if (!find_step(&search, &range))
        return;
    for (size_t t = first; t < last; t++)
        if (may_step(&uneven->clocks[t]) && uneven->clocks[t].unit == search.unit)
            set_step(&uneven->clocks[t], &range);
}

void uneven_judge(struct uneven *uneven)
{
    struct search search = {.work = WORK_MAX / 2, .kinds_min = KINDS_MIN};
    for (size_t t = 0; t < uneven->count; t++)
        search.clocks += may_step(&uneven->clocks[t]);
    if (search.clocks == 0 ||
        !(search.times = malloc(uneven->count * TIMES_MAX * sizeof *search.times)))
        return;
    judge_some(uneven, 0, uneven->count, &search);
    search.work /= search.clocks;
    search.kinds_min = KINDS_ALONE_MIN;
    for (size_t t = 0; t < uneven->count; t++)
        judge_some(uneven, t, t + 1, &search);
    free(search.times);
}
