/* Computes sums of durations (forms), and means and least-squares lines (fits), with ranges. */
#include "analysis/ranges/forms.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "clock/knots.h"

#include <stdlib.h>
#include <string.h>

/* --- Tubes of forms -------------------------------------------------------------------------- */

static void free_tubes(struct form_tubes *tubes)
{
    for (size_t i = 0; i < tubes->ntubes; i++) {
        tube_fini(&tubes->tubes[i].up);
        tube_fini(&tubes->tubes[i].down);
        free(tubes->tubes[i].waiting);
    }
    free(tubes->tubes);
    keys_fini(&tubes->keys);
    tubes->tubes = NULL;
    tubes->ntubes = tubes->tubes_capacity = 0;
}

static void form_tubes_fini(struct form_tubes *tubes)
{
    free_tubes(tubes);
    free(tubes->forms);
    *tubes = (struct form_tubes){.places = NULL};
}

static bool reserve(struct form_tubes *tubes, size_t count)
{
    return ARRAY_EXTEND_ZERO(tubes->forms, tubes->nforms, tubes->forms_capacity, count);
}

static void add_product(int128 *sum, bool *none, int128 a, int128 b)
{
    int128 product;
    if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*sum, product, sum))
        *none = true;
}

/* If `times` is negative, of->up widens to->down, and of->down widens to->up. */
static void add_slack(struct slack *to, const struct slack *of, int128 times)
{
    bool back = times < 0;
    int128 size = back ? -times : times;
    to->no_up |= back ? of->no_down : of->no_up;
    to->no_down |= back ? of->no_up : of->no_down;
    if (!to->no_up)
        add_product(&to->up, &to->no_up, size, back ? of->down : of->up);
    if (!to->no_down)
        add_product(&to->down, &to->no_down, size, back ? of->up : of->down);
}

/* PLACE_NONE: no limit in this direction */
static struct slack slack_of(int64_t up, int64_t down)
{
    return (struct slack){up, down, up == PLACE_NONE, down == PLACE_NONE};
}

/* Give the waiting event with the earliest local time to both tubes. */
static bool flush_one(const struct form_tubes *tubes, struct clock_tube *tube)
{
    const struct tube_waiting at = tube->waiting[0];
    int128 by = (int128)at.local_ticks - tube->local_ticks;
    int128 shown = ((int128)at.global_ticks - tube->global_ticks - by) * AGE_UNIT;
    int128 rate = by * tubes->places->rate_ppb;
    struct tube_instant instant = {.least = -(int128)at.early * AGE_UNIT,
                                   .greatest = (int128)at.late * AGE_UNIT,
                                   .slow = tube->begun ? -rate - shown : 0,
                                   .fast = tube->begun ? rate - shown : 0,
                                   .c = at.c};
    if (!tube_add(&tube->up, &instant))
        return false;
    instant.c = -at.c;
    if (!tube_add(&tube->down, &instant))
        return false;
    tube->begun = true;
    tube->local_ticks = at.local_ticks;
    tube->global_ticks = at.global_ticks;
    tube->nwaiting--;
    memmove(tube->waiting, tube->waiting + 1, tube->nwaiting * sizeof at);
    return true;
}

static bool add_instant(struct form_tubes *tubes, size_t form, const struct moment *at, int64_t c)
{
    struct tube_waiting instant = {at->local_ticks, at->global_ticks, 0, 0, c};
    uint32_t index;
    bool added;
    if (!reserve(tubes, form + 1))
        return false;
    struct form_drift *of = &tubes->forms[form];
    places_at(tubes->places, at, &instant.early, &instant.late);
    const struct slack alone = slack_of(instant.late, instant.early);
    of->crosses = true;
    if (tubes->ntubes >= FORM_TUBES_MAX || instant.early == PLACE_NONE ||
        instant.late == PLACE_NONE || c == INT64_MIN) {
        add_slack(&of->slack, &alone, (int128)c * AGE_UNIT);
        return true;
    }
    if (!keys_find(&tubes->keys, (uint64_t)form << 32 | at->clock, &index, &added) ||
        (added && !ARRAY_PUSH(tubes->tubes, tubes->ntubes, tubes->tubes_capacity, {.form = form})))
        return false;
    struct clock_tube *tube = &tubes->tubes[index];
    if (tube->begun && at->local_ticks < tube->local_ticks) {
        add_slack(&of->slack, &alone, (int128)c * AGE_UNIT);
        return true;
    }
    size_t place = tube->nwaiting;
    while (place > 0 && tube->waiting[place - 1].local_ticks > instant.local_ticks)
        place--;
    struct tube_waiting *before = place > 0 ? &tube->waiting[place - 1] : NULL;
    int64_t sum;
    if (before && before->local_ticks == instant.local_ticks &&
        before->global_ticks == instant.global_ticks &&
        !__builtin_add_overflow(before->c, instant.c, &sum)) {
        before->c = sum;
        return true;
    }
    if (!ARRAY_RESERVE(tube->waiting, tube->waiting_capacity, tube->nwaiting + 1))
        return false;
    memmove(tube->waiting + place + 1, tube->waiting + place,
            (tube->nwaiting - place) * sizeof *tube->waiting);
    tube->waiting[place] = instant;
    tube->nwaiting++;
    return tube->nwaiting <= TUBE_WAITING_MAX || flush_one(tubes, tube);
}

static bool form_tubes_add(struct form_tubes *tubes, size_t form, const struct moment *begin,
                           const struct moment *end, int64_t times)
{
    int64_t less, more;
    if (!reserve(tubes, form + 1))
        return false;
    places_apart(tubes->places, begin, end, &less, &more);
    const struct slack each = slack_of(more, less);
    add_slack(&tubes->forms[form].each, &each, times);
    return add_instant(tubes, form, begin, -times) && add_instant(tubes, form, end, times);
}

static void settle_end(const struct tube *tube, int128 *end, bool *none)
{
    int128 greatest;
    if (!tube_greatest(tube, &greatest) || __builtin_add_overflow(*end, greatest, end))
        *none = true;
}

/* Set *parts to the limit `ticks` if that is lower. *parts is in 1/AGE_UNIT tick. *none and
 * no_ticks are true if there is no limit. */
static void take_less(int128 *parts, bool *none, int128 ticks, bool no_ticks)
{
    int128 limit;
    if (no_ticks || __builtin_mul_overflow(ticks, (int128)AGE_UNIT, &limit) ||
        (!*none && limit >= *parts))
        return;
    *parts = limit;
    *none = false;
}

/* The tubes limit the error of each sum. Set form_drift.slack to this limit or, if it is lower, to
 * form_drift.each. Call after the last duration was added. */
static bool form_tubes_settle(struct form_tubes *tubes)
{
    for (size_t i = 0; i < tubes->ntubes; i++) {
        struct clock_tube *tube = &tubes->tubes[i];
        struct slack *slack = &tubes->forms[tube->form].slack;
        while (tube->nwaiting > 0)
            if (!flush_one(tubes, tube))
                return false;
        settle_end(&tube->up, &slack->up, &slack->no_up);
        settle_end(&tube->down, &slack->down, &slack->no_down);
    }
    free_tubes(tubes);
    for (size_t i = 0; i < tubes->nforms; i++) {
        struct slack *slack = &tubes->forms[i].slack, *each = &tubes->forms[i].each;
        take_less(&slack->up, &slack->no_up, each->up, each->no_up);
        take_less(&slack->down, &slack->no_down, each->down, each->no_down);
        each->no_up = each->no_down = true;
    }
    return true;
}

static struct form_drift form_tubes_of(const struct form_tubes *tubes, size_t form)
{
    return form < tubes->nforms ? tubes->forms[form] : (struct form_drift){.own = 0};
}

/* --- Sums of times --------------------------------------------------------------------------- */

void forms_fini(struct forms *forms)
{
    keys_fini(&forms->keys);
    form_tubes_fini(&forms->tubes);
    FREE_ALL(forms->items, forms->parts);
    *forms = (struct forms){0};
}

static bool add_part(struct forms *forms, uint64_t key, int64_t c)
{
    uint32_t index;
    bool added;
    if (!keys_find(&forms->keys, key, &index, &added) ||
        (added && !ARRAY_PUSH(forms->parts, forms->nparts, forms->parts_capacity, {key, 0})))
        return false;
    forms->parts[index].c += c;
    return true;
}

static bool forms_reserve(struct forms *forms, size_t count)
{
    return ARRAY_EXTEND_ZERO(forms->items, forms->count, forms->capacity, count);
}

bool forms_add_any(struct forms *forms, size_t form, const struct moment *begin,
                   const struct moment *end, int64_t times)
{
    uint64_t key = (uint64_t)form << 32;
    if (!forms_reserve(forms, form + 1))
        return false;
    struct form *item = &forms->items[form];
    if (forms->whole || begin->clock != end->clock)
        item->crossings += (uint64_t)(times < 0 ? -times : times);
    if (begin->clock == end->clock) {
        int128 ticks = times * ((int128)end->local_ticks - begin->local_ticks);
        item->ticks += ticks;
        if (!forms->tubes.places)
            return true;
        if (!reserve(&forms->tubes, form + 1))
            return false;
        forms->tubes.forms[form].own += ticks < 0 ? -ticks : ticks;
        return true;
    }
    item->ticks += times * ((int128)end->global_ticks - begin->global_ticks);
    if (forms->tubes.places && !form_tubes_add(&forms->tubes, form, begin, end, times))
        return false;
    return add_part(forms, key | begin->clock, -times) && add_part(forms, key | end->clock, times);
}

bool forms_derive(struct forms *forms, size_t period, const struct form_use *uses, size_t nuses)
{
    size_t count = (forms->count + period - 1) / period * period;
    bool drifts = forms->tubes.places != NULL;
    if (!forms_reserve(forms, count) ||
        (drifts && (!form_tubes_settle(&forms->tubes) || !reserve(&forms->tubes, count))))
        return false;
    for (size_t use = 0; use < nuses; use++) {
        int64_t times = uses[use].times;
        for (size_t at = 0; at < count; at += period) {
            const struct form *from = &forms->items[at + uses[use].from];
            struct form *to = &forms->items[at + uses[use].to];
            to->ticks += times * from->ticks;
            if (drifts) {
                const struct form_drift *a = &forms->tubes.forms[at + uses[use].from];
                struct form_drift *b = &forms->tubes.forms[at + uses[use].to];
                add_slack(&b->slack, &a->slack, times);
                b->each.no_up = b->each.no_down = true;
                b->own += (times < 0 ? -(int128)times : times) * a->own;
                b->crosses |= a->crosses;
            }
            to->crossings += (uint64_t)(times < 0 ? -times : times) * from->crossings;
        }
        for (size_t i = 0, n = forms->nparts; i < n; i++) {
            const struct form_part part = forms->parts[i];
            uint64_t key = part.key + ((uint64_t)uses[use].to << 32);
            if ((part.key >> 32) % period == uses[use].from &&
                !add_part(forms, key - ((uint64_t)uses[use].from << 32), times * part.c))
                return false;
        }
    }
    return true;
}

int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync)
{
    int128 stamps = form < forms->count
                        ? (int128)forms->items[form].crossings * sync->imprecision.added_ticks
                        : 0;
    return stamps +
           places_own(forms->tubes.places, stamps + form_tubes_of(&forms->tubes, form).own);
}

/* Add two ends of ranges; `none` means no limit. Returns false if the sum exceeds 64 bits. */
static bool add_ends(int64_t *to, int64_t end, int64_t none)
{
    if (*to == none || end == none) {
        *to = none;
        return true;
    }
    return !__builtin_add_overflow(*to, end, to);
}

bool forms_add_range(csy_range *to, const csy_range *range)
{
    csy_range_kind kind = to->kind == CSY_RANGE_CLOCK ? range->kind : to->kind;
    if (to->kind != CSY_RANGE_CLOCK && range->kind != CSY_RANGE_CLOCK)
        kind = range_kind_of_both(to->kind, range->kind);
    to->kind = kind;
    return !__builtin_add_overflow(to->estimate, range->estimate, &to->estimate) &&
           add_ends(&to->lo, range->lo, INT64_MIN) && add_ends(&to->hi, range->hi, INT64_MAX);
}

void forms_allow_stamps(csy_range *sum, int128 stamps)
{
    if (sum->kind == CSY_RANGE_CLOCK || sum->kind == CSY_RANGE_UNKNOWN || stamps == 0)
        return;
    if (stamps < 0)
        *sum = (csy_range){.estimate = sum->estimate, .kind = CSY_RANGE_UNKNOWN};
    else
        range_widen(sum, stamps);
}

/* --- Ranges --- */

struct stretch {
    uint64_t order;
    size_t form;
    const struct form_part *parts;
    size_t n;
};

static uint32_t clock_of(const struct form_part *part)
{
    return (uint32_t)part->key;
}

/* Find how much the true sum may be above and below the estimated sum, in ticks. *star becomes true
 * if only bounds between each clock and the reference clock are used. */
static csy_status slack_by_bounds(csy_sync *sync, const struct stretch *stretch, const int64_t *c,
                                  struct slack *out, bool *star, csy_error *error)
{
    uint32_t s = clock_of(&stretch->parts[0]), t = clock_of(&stretch->parts[1]);
    bool two = stretch->n == 2;
    size_t above = 0;
    csy_range range = {.estimate = 0};
    for (size_t i = 0; i < stretch->n; i++)
        above += stretch->parts[i].c > 0;
    *star = csy_sync_ranges(sync) == CSY_RANGES_STAR ||
            sync->survey.threads.count > FORMS_CLOCKS_MAX ||
            (stretch->n > 2 && above * (stretch->n - above) > FORMS_PAIRS_MAX);
    for (size_t i = 0; *star && i < stretch->n; i++) {
        const csy_thread *thread = &sync->views[clock_of(&stretch->parts[i])];
        const struct slack of = {(int128)thread->latest_ticks - thread->offset_ticks,
                                 (int128)thread->offset_ticks - thread->earliest_ticks,
                                 thread->latest_ticks == INT64_MAX,
                                 thread->earliest_ticks == INT64_MIN};
        add_slack(out, &of, stretch->parts[i].c);
    }
    if (*star)
        return CSY_OK;
    csy_status status = two ? csy_sync_bounds(sync, s, t, &range.lo, &range.hi, NULL, error)
                            : csy_sync_bound_sum(sync, c, &range, error);
    if (status)
        return status;
    int128 estimate =
        two ? (int128)sync->views[s].offset_ticks - sync->views[t].offset_ticks : range.estimate;
    const struct slack of = {range.hi - estimate, estimate - range.lo, range.hi == INT64_MAX,
                             range.lo == INT64_MIN};
    add_slack(out, &of, two ? c[s] : 1);
    return CSY_OK;
}

static csy_status set_range(const struct forms *forms, size_t form, const struct slack *slack,
                            bool star, const csy_sync *sync, csy_range *out, csy_error *error)
{
    int128 stamps = forms_stamps(forms, form, sync), ticks = forms->items[form].ticks;
    int128 hi = ticks + slack->up + stamps, lo = ticks - slack->down - stamps;
    if ((!slack->no_up && !fits_int64(hi)) || (!slack->no_down && !fits_int64(lo)))
        return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
    out->hi = slack->no_up ? INT64_MAX : (int64_t)hi;
    out->lo = slack->no_down ? INT64_MIN : (int64_t)lo;
    out->kind = star                            ? CSY_RANGE_STAR
                : sync->imprecision.added_ticks ? CSY_RANGE_PROVEN
                                                : CSY_RANGE_EXACT;
    return CSY_OK;
}

static csy_status find_stretches(struct forms *forms, size_t count, const struct moves *moves,
                                 csy_range *ranges, struct stretch *stretches, size_t *n,
                                 csy_error *error)
{
    const struct form nothing = {0, 0};
    size_t at = 0, kept = 0;
    for (size_t i = 0; i < forms->nparts; i++)
        if (forms->parts[i].c != 0)
            forms->parts[kept++] = forms->parts[i];
    forms->nparts = kept;
    SORT(forms->parts, kept, compare_numbers);
    csy_status status = CSY_OK;
    *n = 0;
    for (size_t form = 0; !status && form < count; form++) {
        const struct form *item = form < forms->count ? &forms->items[form] : &nothing;
        const struct slack still = {0};
        size_t first = at;
        if (!fits_int64(item->ticks))
            return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        int64_t ticks = (int64_t)item->ticks;
        ranges[form] = (csy_range){ticks, ticks, ticks, CSY_RANGE_CLOCK};
        while (at < forms->nparts && forms->parts[at].key >> 32 == form)
            at++;
        if (at > first || form_tubes_of(&forms->tubes, form).crosses)
            stretches[(*n)++] = (struct stretch){form, form, forms->parts + first, at - first};
        else if (moves && forms->stamped && item->crossings > 0 &&
                 (moves->sync->imprecision.added_ticks != 0 || forms->tubes.places))
            status = set_range(forms, form, &still, moves->star, moves->sync, &ranges[form], error);
    }
    return status;
}

csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_sync *sync, csy_range *ranges, csy_error *error)
{
    struct stretch *stretches = malloc((count + 1) * sizeof *stretches);
    int64_t *c = calloc(sync->survey.threads.count + 1, sizeof *c);
    bool known = moves ? moves->known : csy_sync_ranges(sync) != CSY_RANGES_NONE;
    bool drifts = forms->tubes.places != NULL;
    size_t n = 0;
    csy_status status = stretches && c ? CSY_OK : error_memory(error);
    known = known && drifts == (sync->drift != NULL);
    if (!status && drifts && !form_tubes_settle(&forms->tubes))
        status = error_memory(error);
    if (!status)
        status = find_stretches(forms, count, moves, ranges, stretches, &n, error);
    for (size_t i = 0; !status && known && !drifts && i < n; i++)
        stretches[i].order |= (uint64_t)clock_of(stretches[i].parts) << 32;
    if (!status) /* sort by clock: finding all bounds of one clock together is cheap */
        SORT(stretches, n, compare_numbers);
    for (size_t i = 0; i < n && !status; i++) {
        const struct stretch *stretch = &stretches[i];
        csy_range *out = &ranges[stretch->form];
        struct slack slack = {0};
        bool star = true;
        *out = (csy_range){.estimate = out->estimate, .kind = CSY_RANGE_UNKNOWN};
        if (!known || (moves && sync->partial && stretch->n > 0))
            continue;
        if (drifts) {
            struct form_drift drift = form_tubes_of(&forms->tubes, stretch->form);
            slack = (struct slack){ceil_div(drift.slack.up, AGE_UNIT),
                                   ceil_div(drift.slack.down, AGE_UNIT), drift.slack.no_up,
                                   drift.slack.no_down};
            status = set_range(forms, stretch->form, &slack, star, sync, out, error);
            continue;
        }
        for (size_t k = 0; k < stretch->n; k++)
            c[clock_of(&stretch->parts[k])] = stretch->parts[k].c;
        if (moves) {
            bool up, down = true;
            status = moves_greatest(moves, c, NULL, 0, NULL, &slack.up, &up, error);
            for (size_t k = 0; k < stretch->n; k++)
                c[clock_of(&stretch->parts[k])] = -stretch->parts[k].c;
            if (!status)
                status = moves_greatest(moves, c, NULL, 0, NULL, &slack.down, &down, error);
            slack.no_up = !up;
            slack.no_down = !down;
            star = moves->star;
        } else {
            status = slack_by_bounds(sync, stretch, c, &slack, &star, error);
        }
        for (size_t k = 0; k < stretch->n; k++)
            c[clock_of(&stretch->parts[k])] = 0;
        if (!status)
            status = set_range(forms, stretch->form, &slack, star, sync, out, error);
    }
    FREE_ALL(stretches, c);
    return status;
}

/* --- Pairs of clocks --- */

void clock_pairs_fini(struct clock_pairs *pairs)
{
    free(pairs->items);
    texts_fini(&pairs->keys);
    *pairs = (struct clock_pairs){0};
}

bool clock_pairs_add(struct clock_pairs *pairs, uint32_t a, uint32_t b, uint32_t *out)
{
    const uint32_t key[2] = {a < b ? a : b, a < b ? b : a};
    bool added;
    return texts_find(&pairs->keys, (const char *)key, sizeof key, out, &added) &&
           (!added ||
            ARRAY_PUSH(pairs->items, pairs->count, pairs->capacity, {key[0], key[1], 0, 0}));
}

void moving_pair_apart(const struct moving_pair *pair, bool back, int64_t added, int64_t *less,
                       int64_t *more)
{
    *less = places_sum(back ? pair->up : pair->down, added);
    *more = places_sum(back ? pair->down : pair->up, added);
}

void clock_pairs_apart(const struct clock_pairs *pairs, struct event_places *places, int64_t added,
                       const struct moment *begin, const struct moment *end, int64_t *less,
                       int64_t *more)
{
    bool back = end->clock < begin->clock, one = begin->clock == end->clock;
    const uint32_t key[2] = {back ? end->clock : begin->clock, back ? begin->clock : end->clock};
    uint32_t index;
    *less = *more = one ? added : 0;
    if (places) {
        places_apart(places, begin, end, less, more);
        *less = places_sum(*less, added);
        *more = places_sum(*more, added);
    } else if (!one && texts_look(&pairs->keys, (const char *)key, sizeof key, &index)) {
        moving_pair_apart(&pairs->items[index], back, added, less, more);
    }
}

struct ordered_pair {
    uint64_t order; /* s times 2^32, plus t */
    size_t index;
};

csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error)
{
    struct moves moves;
    csy_status status = moves_init(&moves, sync, error);
    if (status)
        return status;
    moves.star |= sync->survey.threads.count > FORMS_CLOCKS_MAX;
    pairs->kind = !moves.known ? CSY_RANGE_UNKNOWN : moves.star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
    struct ordered_pair *order = calloc(pairs->count + 1, sizeof *order);
    if (!order)
        status = error_memory(error);
    for (size_t i = 0; order && i < pairs->count; i++)
        order[i] = (struct ordered_pair){keys_pair(pairs->items[i].s, pairs->items[i].t), i};
    if (order)
        SORT(order, pairs->count, compare_numbers);
    for (size_t i = 0; moves.known && i < pairs->count && !status; i++) {
        struct moving_pair *pair = &pairs->items[order[i].index];
        status = moves_between(&moves, pair->s, pair->t, &pair->down, &pair->up, error);
    }
    free(order);
    moves_fini(&moves);
    return status;
}

/* --- Means and lines (fits) ------------------------------------------------------------------- */

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
    texts_fini(&fits->keys);
    form_tubes_fini(&fits->tubes);
    clock_pairs_fini(&fits->pairs);
    FREE_ALL(fits->items, fits->by_pair, fits->seen, fits->touched, fits->by_clock);
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
    item->slack.up += more;
    item->slack.down += less;
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
        struct slack *slack = &fits->items[i].slack;
        struct form_drift drift = form_tubes_of(&fits->tubes, i);
        slack->up += ceil_div(drift.slack.up, AGE_UNIT);
        slack->down += ceil_div(drift.slack.down, AGE_UNIT);
        slack->no_up = drift.slack.no_up;
        slack->no_down = drift.slack.no_down;
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

const struct fit_item *fits_find(const struct fits *fits, uint32_t group, const uint64_t *bytes,
                                 size_t *n)
{
    size_t first = 0, end = fits->count;
    BISECT(first, end, middle,
           fits->items[middle].group < group ||
               (fits->items[middle].group == group && bytes && fits->items[middle].bytes < *bytes));
    *n = 0;
    while (first + *n < fits->count && fits->items[first + *n].group == group &&
           (!bytes || fits->items[first + *n].bytes == *bytes))
        ++*n;
    return fits->items ? fits->items + first : NULL;
}

/* --- Sums with weights --- */

/* The weight of a duration in a sum: (a + b * bytes of the message) / den. */
struct weights {
    int128 a, b, den;
};

/* A sum of durations with weights. The true sum may be above the estimate by slack.up, and below it
 * by slack.down. `good` is false if a number exceeded 127 bits. */
struct weighed {
    int128 estimate, stamps;
    struct slack slack;
    bool crosses, exact, good;
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

static void weigh_slack(struct weighed *w, const struct slack *of, int128 weight)
{
    const struct slack turned = {of->down, of->up, of->no_down, of->no_up};
    int128 size = weight < 0 ? -weight : weight;
    of = weight < 0 ? &turned : of;
    w->slack.no_up |= of->no_up;
    w->slack.no_down |= of->no_down;
    w->slack.up = sum(w, w->slack.up, times(w, size, of->no_up ? 0 : of->up));
    w->slack.down = sum(w, w->slack.down, times(w, size, of->no_down ? 0 : of->down));
}

/* Compute a sum of durations with weights. fits->by_pair gets the sum of the weights for each pair
 * of clocks; a duration in the opposite direction counts negatively. */
static struct weighed weigh(struct fits *fits, const struct fit_item *items, size_t count,
                            const struct weights *weights)
{
    struct weighed w = {.good = true};
    fits->ntouched = 0;
    for (size_t i = 0; i < count; i++) {
        const struct fit_item *item = &items[i];
        int128 weight = sum(&w, weights->a, times(&w, weights->b, item->bytes));
        if (fits->tubes.places && weight != 0)
            weigh_slack(&w, &item->slack, weight);
        w.estimate = sum(&w, w.estimate, times(&w, weight, item->ticks));
        weight = times(&w, weight, item->count);
        w.stamps = sum(&w, w.stamps, times(&w, weight < 0 ? -weight : weight, fits->added_ticks));
        if (item->pair == NO_TEXT)
            continue; /* a duration on one clock does not depend on offsets */
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

/* Use all bounds between the clocks together. Does nothing if there are many clocks. */
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
        w->slack.no_up = range.hi == INT64_MAX;
        w->slack.no_down = range.lo == INT64_MIN;
        w->slack.up = times(w, part, w->slack.no_up ? 0 : (int128)range.hi - range.estimate);
        w->slack.down = times(w, part, w->slack.no_down ? 0 : (int128)range.estimate - range.lo);
    }
    for (size_t i = 0; i < fits->ntouched; i++) {
        const struct moving_pair *pair = &fits->pairs.items[fits->touched[i]];
        fits->by_clock[pair->s] = fits->by_clock[pair->t] = 0;
    }
}

/* Set *out to the range of a sum with weights, in 1/unit tick. Its lower end is rounded down, and
 * its upper end up. */
static void set_weighed(struct fits *fits, const struct fit_item *items, size_t count,
                        const struct weights *weights, int64_t unit, csy_value *out)
{
    struct weighed w = weigh(fits, items, count, weights);
    size_t npairs = 0;
    for (size_t i = 0; fits->pairs.kind != CSY_RANGE_UNKNOWN && i < fits->ntouched; i++) {
        const struct moving_pair *pair = &fits->pairs.items[fits->touched[i]];
        int128 weight = fits->by_pair[fits->touched[i]];
        const struct slack slack = slack_of(pair->up, pair->down);
        npairs += weight != 0;
        if (weight != 0)
            weigh_slack(&w, &slack, weight);
    }
    w.exact = npairs <= 1;
    if (npairs > 1 && npairs <= FORMS_PAIRS_MAX && fits->pairs.kind == CSY_RANGE_PROVEN)
        weigh_together(fits, &w);
    for (size_t i = 0; i < fits->ntouched; i++) {
        fits->by_pair[fits->touched[i]] = 0;
        fits->seen[fits->touched[i]] = false;
    }
    w.slack.up = sum(&w, w.slack.up, w.stamps);
    w.slack.down = sum(&w, w.slack.down, w.stamps);
    int128 lo = times(&w, sum(&w, w.estimate, -w.slack.down), unit);
    int128 hi = times(&w, sum(&w, w.estimate, w.slack.up), unit);
    int128 estimate = times(&w, w.estimate, unit);
    *out = (csy_value){.none = true};
    if (!w.good)
        return;
    lo = floor_div(lo, weights->den);
    hi = ceil_div(hi, weights->den);
    estimate = floor_div(estimate, weights->den);
    if (!fits_int64(lo) || !fits_int64(hi) || !fits_int64(estimate))
        return;
    *out = (csy_value){.range = {(int64_t)estimate, w.slack.no_down ? INT64_MIN : (int64_t)lo,
                                 w.slack.no_up ? INT64_MAX : (int64_t)hi,
                                 (!w.crosses                             ? CSY_RANGE_CLOCK
                                  : fits->pairs.kind != CSY_RANGE_PROVEN ? fits->pairs.kind
                                  : w.exact && fits->added_ticks == 0    ? CSY_RANGE_EXACT
                                                                         : CSY_RANGE_PROVEN)}};
    if (out->range.kind == CSY_RANGE_CLOCK)
        out->range.lo = out->range.hi = out->range.estimate;
}

/* --- Figures --- */

/* The shortest duration is at least the least lower end of all items, and at most the least upper
 * end. */
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

/* Sums for a least-squares line. If all items have the same bytes, `den` is 0: there is no line. */
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
