/* Computes mean times, and least-squares lines of times as a function of bytes. */
#include "analysis/ranges/fits.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "clock/knots.h"

#include <stdlib.h>

enum { PRODUCT_BITS = 125 };

#define MICRO INT64_C(1000000)
#define PICO INT64_C(1000000000000)

struct item_key {
    uint64_t bytes;
    uint32_t group, pair;
    uint32_t back, unused;
};

void fits_fini(struct fits *fits)
{
    free(fits->items);
    free(fits->by_pair);
    free(fits->seen);
    free(fits->touched);
    free(fits->by_clock);
    texts_fini(&fits->keys);
    form_tubes_fini(&fits->tubes);
    clock_pairs_fini(&fits->pairs);
    *fits = (struct fits){0};
}

bool fits_add(struct fits *fits, uint32_t group, uint64_t bytes, const struct moment *begin,
              const struct moment *end, bool loose)
{
    struct item_key key = {
        .bytes = bytes, .group = group, .pair = NO_TEXT, .back = end->clock < begin->clock};
    uint32_t index;
    bool added, one = begin->clock == end->clock;
    if (fits->tubes.places) {
        key.pair = one ? NO_TEXT : 0;
        key.back = 0;
    }
    if ((!one && !fits->tubes.places &&
         !clock_pairs_add(&fits->pairs, begin->clock, end->clock, &key.pair)) ||
        !texts_find(&fits->keys, (const char *)&key, sizeof key, &index, &added) ||
        !ARRAY_RESERVE(fits->items, fits->capacity, fits->keys.count))
        return false;
    if (added)
        fits->items[fits->count++] = (struct fit_item){.bytes = bytes,
                                                       .group = group,
                                                       .pair = key.pair,
                                                       .back = key.back,
                                                       .least_ticks = INT64_MAX,
                                                       .least_lo = INT64_MAX,
                                                       .least_hi = INT64_MAX};
    struct fit_item *item = &fits->items[index];
    int128 ticks = moments_apart(begin, end);
    item->count++;
    item->loose |= loose;
    item->ticks += ticks;
    if (ticks < item->least_ticks)
        item->least_ticks = fits_int64(ticks) ? (int64_t)ticks : INT64_MIN;
    if (!fits->tubes.places)
        return true;
    int64_t less, more;
    places_apart(fits->tubes.places, begin, end, &less, &more);
    int64_t lo = less == PLACE_NONE ? INT64_MIN : nearest_int64(ticks - less);
    int64_t hi = more == PLACE_NONE ? INT64_MAX : nearest_int64(ticks + more);
    item->least_lo = lo < item->least_lo ? lo : item->least_lo;
    item->least_hi = hi < item->least_hi ? hi : item->least_hi;
    if (item->pair != NO_TEXT)
        return form_tubes_add(&fits->tubes, index, begin, end, 1);
    item->up += more;
    item->down += less;
    return true;
}

static int compare_items(const void *a, const void *b)
{
    const struct fit_item *x = a, *y = b;
    return 8 * COMPARE(x->group, y->group) + 4 * COMPARE(x->bytes, y->bytes) +
           2 * COMPARE(x->pair, y->pair) + COMPARE(x->back, y->back);
}

csy_status fits_finish(struct fits *fits, csy_sync *sync, csy_error *error)
{
    texts_fini(&fits->keys);
    if (fits->tubes.places && !form_tubes_settle(&fits->tubes))
        return error_memory(error);
    for (size_t i = 0; fits->tubes.places && i < fits->count; i++) {
        struct fit_item *item = &fits->items[i];
        struct form_drift drift = form_tubes_of(&fits->tubes, i);
        item->up += ceil_div(drift.up, AGE_UNIT);
        item->down += ceil_div(drift.down, AGE_UNIT);
        item->no_up = drift.no_up;
        item->no_down = drift.no_down;
    }
    SORT(fits->items, fits->count, compare_items);
    fits->sync = sync;
    fits->added_ticks = sync->imprecision.added_ticks;
    fits->by_pair = calloc(fits->pairs.count + 1, sizeof *fits->by_pair);
    fits->seen = calloc(fits->pairs.count + 1, sizeof *fits->seen);
    fits->touched = calloc(fits->pairs.count + 1, sizeof *fits->touched);
    fits->by_clock = calloc(sync->survey.threads.count + 1, sizeof *fits->by_clock);
    if (!fits->by_pair || !fits->seen || !fits->touched || !fits->by_clock)
        return error_memory(error);
    return clock_pairs_find(&fits->pairs, sync, error);
}

/* --- Sums with weights --- */

/* The weights of a sum: each time of an item has the weight (a + b * item->bytes) / den. */
struct weights {
    int128 a, b, den;
};

/* A weighted sum of times, and how much more (up) and less (down) the true sum may be. If `good` is
 * false, a number exceeded 127 bits. */
struct weighed {
    int128 estimate, up, down, stamps;
    bool no_up, no_down, crosses, exact, good;
};

/* Returns the least n with -2^n <= number < 2^n. */
static unsigned bits_of(int128 number)
{
    uint128 left = (uint128)number;
    left ^= (uint128)0 - (left >> 127);
    uint64_t high = (uint64_t)(left >> 64), low = (uint64_t)left;
    unsigned n = high > 0 ? 64 : 0;
    for (low = high > 0 ? high : low; low > 0; low >>= 1)
        n++;
    return n;
}

/* Returns a * b. If the product may overflow, returns 0 and sets w->good to false. */
static int128 times(struct weighed *w, int128 a, int128 b)
{
    w->good &= bits_of(a) + bits_of(b) <= PRODUCT_BITS;
    return w->good ? a * b : 0;
}

static int128 sum(struct weighed *w, int128 a, int128 b)
{
    w->good &= bits_of(a) <= PRODUCT_BITS && bits_of(b) <= PRODUCT_BITS;
    return w->good ? a + b : 0;
}

/* Weights are added up for each pair of clocks, so that times in opposite directions cancel. */
static struct weighed weigh(struct fits *fits, const struct fit_item *items, size_t count,
                            const struct weights *weights)
{
    struct weighed w = {.good = true};
    fits->ntouched = 0;
    for (size_t i = 0; i < count; i++) {
        const struct fit_item *item = &items[i];
        int128 weight = sum(&w, weights->a, times(&w, weights->b, item->bytes));
        if (fits->tubes.places && weight != 0) {
            int128 size = weight < 0 ? -weight : weight;
            w.no_up |= weight > 0 ? item->no_up : item->no_down;
            w.no_down |= weight > 0 ? item->no_down : item->no_up;
            w.up = sum(&w, w.up, times(&w, size, weight > 0 ? item->up : item->down));
            w.down = sum(&w, w.down, times(&w, size, weight > 0 ? item->down : item->up));
        }
        w.estimate = sum(&w, w.estimate, times(&w, weight, item->ticks));
        weight = times(&w, weight, item->count);
        w.stamps = sum(&w, w.stamps, times(&w, weight < 0 ? -weight : weight, fits->added_ticks));
        if (item->pair == NO_TEXT)
            continue; /* a time on one clock does not depend on offsets */
        w.crosses = true;
        if (fits->tubes.places)
            continue;
        if (!fits->seen[item->pair])
            fits->touched[fits->ntouched++] = item->pair;
        fits->seen[item->pair] = true;
        int128 *all = &fits->by_pair[item->pair];
        *all = sum(&w, *all, item->back ? -weight : weight);
    }
    return w;
}

/* Narrow the limits of a sum to those of all its clocks together, unless there are too many. */
static void weigh_together(struct fits *fits, struct weighed *w)
{
    csy_range range;
    csy_error error;
    int128 part = 0;
    size_t above = 0, below = 0;
    for (size_t i = 0; i < fits->ntouched; i++) {
        int128 weight = fits->by_pair[fits->touched[i]];
        part = (int128)common_divisor((uint128)part, (uint128)(weight < 0 ? -weight : weight));
    }
    bool good = w->good && part > 0;
    for (size_t i = 0; i < fits->ntouched && good; i++) {
        /* add up the weights of each clock, divided by `part`, their greatest common divisor */
        const struct moving_pair *pair = &fits->pairs.items[fits->touched[i]];
        int64_t *s = &fits->by_clock[pair->s], *t = &fits->by_clock[pair->t];
        int128 weight = fits->by_pair[fits->touched[i]] / part;
        good = fits_int64(weight) && !__builtin_add_overflow(*t, (int64_t)weight, t) &&
               !__builtin_sub_overflow(*s, (int64_t)weight, s);
    }
    for (size_t i = 0; good && i < fits->ntouched; i++) {
        const struct moving_pair *pair = &fits->pairs.items[fits->touched[i]];
        above += (size_t)((fits->by_clock[pair->s] > 0) + (fits->by_clock[pair->t] > 0));
        below += (size_t)((fits->by_clock[pair->s] < 0) + (fits->by_clock[pair->t] < 0));
    }
    if (good && above * below <= FORMS_PAIRS_MAX &&
        csy_sync_bound_sum(fits->sync, fits->by_clock, &range, &error) == CSY_OK) {
        w->exact = range.kind == CSY_RANGE_EXACT;
        w->no_up = range.hi == INT64_MAX;
        w->no_down = range.lo == INT64_MIN;
        w->up = times(w, part, w->no_up ? 0 : (int128)range.hi - range.estimate);
        w->down = times(w, part, w->no_down ? 0 : (int128)range.estimate - range.lo);
    }
    for (size_t i = 0; i < fits->ntouched; i++) {
        const struct moving_pair *pair = &fits->pairs.items[fits->touched[i]];
        fits->by_clock[pair->s] = fits->by_clock[pair->t] = 0;
    }
}

/* Set *out to a weighted sum in 1/unit tick. The lower end is rounded down, the upper end up. */
static void set_weighed(struct fits *fits, const struct fit_item *items, size_t count,
                        const struct weights *weights, int64_t unit, csy_value *out)
{
    struct weighed w = weigh(fits, items, count, weights);
    size_t npairs = 0;
    for (size_t i = 0; fits->pairs.kind != CSY_RANGE_UNKNOWN && i < fits->ntouched; i++) {
        const struct moving_pair *pair = &fits->pairs.items[fits->touched[i]];
        int128 weight = fits->by_pair[fits->touched[i]];
        if (weight == 0)
            continue;
        int64_t up = weight > 0 ? pair->up : pair->down, down = weight > 0 ? pair->down : pair->up;
        int128 size = weight > 0 ? weight : -weight;
        npairs++;
        w.no_up |= up == MOVES_NONE;
        w.no_down |= down == MOVES_NONE;
        w.up = sum(&w, w.up, times(&w, size, up == MOVES_NONE ? 0 : up));
        w.down = sum(&w, w.down, times(&w, size, down == MOVES_NONE ? 0 : down));
    }
    w.exact = npairs <= 1;
    if (npairs > 1 && npairs <= FORMS_PAIRS_MAX && fits->pairs.kind == CSY_RANGE_PROVEN)
        weigh_together(fits, &w);
    for (size_t i = 0; i < fits->ntouched; i++) {
        fits->by_pair[fits->touched[i]] = 0;
        fits->seen[fits->touched[i]] = false;
    }
    w.up = sum(&w, w.up, w.stamps);
    w.down = sum(&w, w.down, w.stamps);
    int128 lo = times(&w, sum(&w, w.estimate, -w.down), unit);
    int128 hi = times(&w, sum(&w, w.estimate, w.up), unit);
    int128 estimate = times(&w, w.estimate, unit);
    *out = (csy_value){.none = true};
    if (!w.good)
        return;
    lo = floor_div(lo, weights->den);
    hi = ceil_div(hi, weights->den);
    estimate = floor_div(estimate, weights->den);
    if (!fits_int64(lo) || !fits_int64(hi) || !fits_int64(estimate))
        return;
    *out = (csy_value){.range = {(int64_t)estimate, w.no_down ? INT64_MIN : (int64_t)lo,
                                 w.no_up ? INT64_MAX : (int64_t)hi,
                                 (!w.crosses                             ? CSY_RANGE_CLOCK
                                  : fits->pairs.kind != CSY_RANGE_PROVEN ? fits->pairs.kind
                                  : w.exact && fits->added_ticks == 0    ? CSY_RANGE_EXACT
                                                                         : CSY_RANGE_PROVEN)}};
    if (out->range.kind == CSY_RANGE_CLOCK)
        out->range.lo = out->range.hi = out->range.estimate;
}

/* --- Figures --- */

/* The ends of the range are the least lower end and the least upper end of all items. */
void fits_least(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out)
{
    csy_range range = {INT64_MAX, INT64_MAX, INT64_MAX, CSY_RANGE_CLOCK};
    bool crosses = false;
    for (size_t i = 0; i < count; i++)
        crosses |= items[i].pair != NO_TEXT;
    for (size_t i = 0; i < count; i++) {
        const struct fit_item *item = &items[i];
        int64_t up = crosses ? fits->added_ticks : 0, down = up, lo, hi;
        if (item->pair != NO_TEXT && !fits->tubes.places)
            moving_pair_apart(&fits->pairs.items[item->pair], item->back, fits->added_ticks, &down,
                              &up);
        if (down == MOVES_NONE || __builtin_sub_overflow(item->least_ticks, down, &lo))
            lo = INT64_MIN;
        if (up == MOVES_NONE || __builtin_add_overflow(item->least_ticks, up, &hi))
            hi = INT64_MAX;
        if (fits->tubes.places && crosses) {
            lo = item->least_lo == INT64_MIN
                     ? INT64_MIN
                     : nearest_int64((int128)item->least_lo - fits->added_ticks);
            hi = item->least_hi == INT64_MAX
                     ? INT64_MAX
                     : nearest_int64((int128)item->least_hi + fits->added_ticks);
        }
        if (!item->loose)
            lo = fits_not_below_0(lo, item->least_ticks);
        range.estimate = item->least_ticks < range.estimate ? item->least_ticks : range.estimate;
        range.lo = lo < range.lo ? lo : range.lo;
        range.hi = hi < range.hi ? hi : range.hi;
        if (item->pair != NO_TEXT)
            range.kind = fits->pairs.kind;
    }
    *out = (csy_value){.range = range};
}

void fits_mean(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out)
{
    struct weights mean = {1, 0, 0};
    bool loose = false;
    for (size_t i = 0; i < count; i++)
        mean.den += items[i].count;
    for (size_t i = 0; i < count; i++)
        loose |= items[i].loose;
    set_weighed(fits, items, count, &mean, MICRO, out);
    if (!out->none && !loose)
        out->range.lo = fits_not_below_0(out->range.lo, out->range.estimate);
}

/* Sums for a least-squares line. If all times have the same bytes, `den` is 0: there is no line. */
struct spread {
    int128 n, bytes, squares, den;
};

static bool find_spread(const struct fit_item *items, size_t count, struct spread *out)
{
    struct weighed w = {.good = true};
    *out = (struct spread){0};
    for (size_t i = 0; i < count; i++) {
        int128 bytes = times(&w, items[i].bytes, items[i].count);
        out->n += items[i].count;
        out->bytes = sum(&w, out->bytes, bytes);
        out->squares = sum(&w, out->squares, times(&w, bytes, items[i].bytes));
    }
    out->den = sum(&w, times(&w, out->n, out->squares), -times(&w, out->bytes, out->bytes));
    return w.good && out->den > 0;
}

void fits_line(struct fits *fits, const struct fit_item *items, size_t count, csy_value *intercept,
               csy_value *slope)
{
    struct spread spread;
    *intercept = *slope = (csy_value){.none = true};
    if (!find_spread(items, count, &spread))
        return;
    const struct weights at_none = {spread.squares, -spread.bytes, spread.den};
    const struct weights rise = {-spread.bytes, spread.n, spread.den};
    set_weighed(fits, items, count, &at_none, MICRO, intercept);
    set_weighed(fits, items, count, &rise, PICO, slope);
}

void fits_on_line(struct fits *fits, const struct fit_item *items, size_t count, uint64_t number,
                  uint64_t bytes, csy_value *out)
{
    struct weighed w = {.good = true};
    struct spread spread;
    *out = (csy_value){.none = true};
    if (!find_spread(items, count, &spread)) {
        const struct weights mean = {number, 0, spread.n};
        if (spread.n > 0 && spread.den == 0)
            set_weighed(fits, items, count, &mean, 1, out);
        return;
    }
    const struct weights weights = {
        sum(&w, times(&w, number, spread.squares), -times(&w, bytes, spread.bytes)),
        sum(&w, times(&w, bytes, spread.n), -times(&w, number, spread.bytes)), spread.den};
    if (w.good)
        set_weighed(fits, items, count, &weights, 1, out);
}
