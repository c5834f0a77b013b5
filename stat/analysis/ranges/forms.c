/* Forms: sums of times between timestamps. */
#include "analysis/ranges/forms.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define FORM_FREE 0

enum { FIRST_PARTS = 256 };

csy_status forms_init(struct forms *forms, csy_error *error)
{
    *forms = (struct forms){.parts_capacity = FIRST_PARTS};
    forms->parts = calloc(FIRST_PARTS, sizeof *forms->parts);
    return forms->parts ? CSY_OK : error_memory(error);
}

void forms_fini(struct forms *forms)
{
    free(forms->items);
    free(forms->parts);
    *forms = (struct forms){0};
}

static struct form_part *find_part(const struct forms *forms, uint64_t key)
{
    size_t mask = forms->parts_capacity - 1;
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (forms->parts[at].key != key && forms->parts[at].key != FORM_FREE)
        at = (at + 1) & mask;
    return &forms->parts[at];
}

static bool add_part(struct forms *forms, uint64_t key, int64_t c)
{
    struct form_part *part = find_part(forms, key);
    if (part->key == FORM_FREE) {
        *part = (struct form_part){key, 0};
        forms->nparts++;
    }
    part->c += c;
    if (2 * forms->nparts < forms->parts_capacity)
        return true;
    struct form_part *old = forms->parts;
    size_t n = forms->parts_capacity;
    forms->parts = calloc(2 * n, sizeof *forms->parts);
    if (!forms->parts) {
        forms->parts = old;
        return false;
    }
    forms->parts_capacity = 2 * n;
    for (size_t i = 0; i < n; i++)
        if (old[i].key != FORM_FREE)
            *find_part(forms, old[i].key) = old[i];
    free(old);
    return true;
}

bool forms_reserve(struct forms *forms, size_t count)
{
    if (!ARRAY_RESERVE(forms->items, forms->capacity, count))
        return false;
    for (; forms->count < count; forms->count++)
        forms->items[forms->count] = (struct form){0, 0};
    return true;
}

bool forms_add_any(struct forms *forms, size_t form, const struct moment *begin,
                   const struct moment *end, int64_t times)
{
    uint64_t key = ((uint64_t)form + 1) << 32;
    if (!forms_reserve(forms, form + 1))
        return false;
    struct form *item = &forms->items[form];
    if (forms->whole || begin->clock != end->clock)
        item->crossings += (uint64_t)(times < 0 ? -times : times);
    if (begin->clock == end->clock) {
        item->ticks += times * ((int128)end->local_ticks - begin->local_ticks);
        return true;
    }
    item->ticks += times * ((int128)end->global_ticks - begin->global_ticks);
    return add_part(forms, key | begin->clock, -times) && add_part(forms, key | end->clock, times);
}

static bool derive_parts(struct forms *forms, size_t period, const struct form_use *use)
{
    struct form_part *parts = malloc((forms->nparts + 1) * sizeof *parts);
    size_t n = 0;
    bool good = parts != NULL;
    for (size_t i = 0; good && i < forms->parts_capacity; i++)
        if (forms->parts[i].key != FORM_FREE &&
            ((forms->parts[i].key >> 32) - 1) % period == use->from)
            parts[n++] = forms->parts[i];
    for (size_t i = 0; good && i < n; i++) {
        uint64_t form = (parts[i].key >> 32) - use->from + use->to;
        good = add_part(forms, form << 32 | (uint32_t)parts[i].key, use->times * parts[i].c);
    }
    free(parts);
    return good;
}

bool forms_derive(struct forms *forms, size_t period, const struct form_use *uses, size_t nuses)
{
    size_t count = (forms->count + period - 1) / period * period;
    if (!forms_reserve(forms, count))
        return false;
    for (size_t use = 0; use < nuses; use++) {
        int64_t times = uses[use].times;
        for (size_t at = 0; at < count; at += period) {
            const struct form *from = &forms->items[at + uses[use].from];
            struct form *to = &forms->items[at + uses[use].to];
            to->ticks += times * from->ticks;
            to->crossings += (uint64_t)(times < 0 ? -times : times) * from->crossings;
        }
        if (!derive_parts(forms, period, &uses[use]))
            return false;
    }
    return true;
}

static int compare_parts(const void *a, const void *b)
{
    uint64_t x = ((const struct form_part *)a)->key, y = ((const struct form_part *)b)->key;
    return x < y ? -1 : x > y;
}

/* Set an end of a range, or `none` if it is not limited. */
static csy_status set_end(int128 value, bool limited, int64_t none, int64_t *out, csy_error *error)
{
    if (limited && !fits_int64(value))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    *out = limited ? (int64_t)value : none;
    return CSY_OK;
}

static csy_range_kind kind_of(const struct moves *moves)
{
    return moves->star                                 ? CSY_RANGE_STAR
           : moves->sync->imprecision.added_ticks == 0 ? CSY_RANGE_EXACT
                                                       : CSY_RANGE_PROVEN;
}

/* Half of the added ticks for each timestamp between clocks; a crossing has two. */
static int128 stamps_of(const struct form *form, const struct moves *moves)
{
    return (int128)form->crossings * moves->sync->imprecision.added_ticks;
}

int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync)
{
    return form < forms->count
               ? (int128)forms->items[form].crossings * sync->imprecision.added_ticks
               : 0;
}

static csy_status set_stamped(const struct form *form, const struct moves *moves, csy_range *out,
                              csy_error *error)
{
    int128 stamps = stamps_of(form, moves);
    if (stamps == 0)
        return CSY_OK;
    out->kind = kind_of(moves);
    csy_status status = set_end(form->ticks + stamps, true, INT64_MAX, &out->hi, error);
    return status ? status : set_end(form->ticks - stamps, true, INT64_MIN, &out->lo, error);
}

static csy_status set_range(const struct form *form, const struct moves *moves, int64_t *c,
                            csy_range *out, csy_error *error)
{
    int128 up, down;
    bool up_limited, down_limited;
    if (!moves->known || moves->sync->partial) { /* one clock hands over to another */
        out->kind = CSY_RANGE_UNKNOWN;
        out->lo = out->hi = 0;
        return CSY_OK;
    }
    int128 stamps = stamps_of(form, moves);
    csy_status status = moves_greatest(moves, c, NULL, 0, NULL, &up, &up_limited, error);
    for (size_t t = 0; t < moves->n; t++)
        c[t] = -c[t];
    if (!status)
        status = moves_greatest(moves, c, NULL, 0, NULL, &down, &down_limited, error);
    if (!status)
        status = set_end(form->ticks + up + stamps, up_limited, INT64_MAX, &out->hi, error);
    if (!status)
        status = set_end(form->ticks - down - stamps, down_limited, INT64_MIN, &out->lo, error);
    out->kind = kind_of(moves);
    return status;
}

size_t forms_sort(struct forms *forms)
{
    size_t n = 0;
    for (size_t i = 0; i < forms->parts_capacity; i++)
        if (forms->parts[i].key != FORM_FREE && forms->parts[i].c != 0)
            forms->parts[n++] = forms->parts[i];
    if (n > 1)
        qsort(forms->parts, n, sizeof *forms->parts, compare_parts);
    return n;
}

csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_range *ranges, csy_error *error)
{
    const struct form nothing = {0, 0};
    int64_t *c = calloc(moves->n + 1, sizeof *c);
    csy_status status = c ? CSY_OK : error_memory(error);
    size_t n = forms_sort(forms);
    for (size_t form = 0, at = 0; !status && form < count; form++) {
        const struct form *item = form < forms->count ? &forms->items[form] : &nothing;
        size_t first = at;
        csy_range *out = &ranges[form];
        if (!fits_int64(item->ticks)) {
            status = error_set(error, CSY_INPUT, "a time leaves 64 bits");
            break;
        }
        out->estimate = out->lo = out->hi = (int64_t)item->ticks;
        out->kind = CSY_RANGE_CLOCK;
        for (; at < n && forms->parts[at].key >> 32 == form + 1; at++)
            c[(uint32_t)forms->parts[at].key] = forms->parts[at].c;
        if (at > first)
            status = set_range(item, moves, c, out, error);
        else if (forms->stamped)
            status = set_stamped(item, moves, out, error);
        for (; first < at; first++)
            c[(uint32_t)forms->parts[first].key] = 0;
    }
    free(c);
    return status;
}

/* --- Sums of ranges --- */

/* Add an end of a range; `none` is an end without a limit. */
static bool add_ends(int64_t *to, int64_t end, int64_t none)
{
    if (*to == none || end == none) {
        *to = none;
        return true;
    }
    return !__builtin_add_overflow(*to, end, to);
}

static bool is_certain(csy_range_kind kind)
{
    return kind == CSY_RANGE_CLOCK;
}

bool forms_add_range(csy_range *to, const csy_range *range)
{
    csy_range_kind kind = is_certain(to->kind) ? range->kind : to->kind;
    if (!is_certain(to->kind) && !is_certain(range->kind))
        kind = to->kind == CSY_RANGE_UNKNOWN || range->kind == CSY_RANGE_UNKNOWN ? CSY_RANGE_UNKNOWN
               : to->kind == CSY_RANGE_STAR || range->kind == CSY_RANGE_STAR     ? CSY_RANGE_STAR
                                                                                 : CSY_RANGE_PROVEN;
    to->kind = kind;
    return !__builtin_add_overflow(to->estimate, range->estimate, &to->estimate) &&
           add_ends(&to->lo, range->lo, INT64_MIN) && add_ends(&to->hi, range->hi, INT64_MAX);
}

static int64_t widened(int64_t end, int128 by, int64_t none)
{
    return end == none || !fits_int64(end + by) ? none : (int64_t)(end + by);
}

void forms_allow_stamps(csy_range *sum, int128 stamps)
{
    if (is_certain(sum->kind) || sum->kind == CSY_RANGE_UNKNOWN || stamps == 0)
        return;
    if (stamps < 0) {
        *sum = (csy_range){.estimate = sum->estimate, .kind = CSY_RANGE_UNKNOWN};
        return;
    }
    sum->lo = widened(sum->lo, -stamps, INT64_MIN);
    sum->hi = widened(sum->hi, stamps, INT64_MAX);
}

/* --- Ranges by bounds of pairs of clocks --- */

/* The parts of a form. */
struct stretch {
    size_t form;
    const struct form_part *parts;
    size_t n;
};

/* How far moves take a form up and down from its estimate, in ticks. */
struct swing {
    int128 up, down;
    bool no_up, no_down;
};

static uint32_t clock_of(const struct form_part *part)
{
    return (uint32_t)part->key;
}

/* Sort by the first clock, so that the bounds of each clock are found once. */
static int compare_stretches(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;
    uint32_t s = clock_of(x->parts), t = clock_of(y->parts);
    return s != t ? (s > t ? 1 : -1) : (x->form > y->form) - (x->form < y->form);
}

/* Let each clock move as far as its bounds to the reference allow. */
static void swing_by_reference(const csy_sync *sync, const struct stretch *stretch,
                               struct swing *out)
{
    *out = (struct swing){0};
    for (size_t i = 0; i < stretch->n; i++) {
        const csy_thread *thread = &sync->views[clock_of(&stretch->parts[i])];
        int64_t c = stretch->parts[i].c;
        bool no_late = thread->latest_ticks == INT64_MAX;
        bool no_early = thread->earliest_ticks == INT64_MIN;
        int128 late = no_late ? 0 : (int128)thread->latest_ticks - thread->offset_ticks;
        int128 early = no_early ? 0 : (int128)thread->offset_ticks - thread->earliest_ticks;
        out->up += c > 0 ? c * late : -c * early;
        out->down += c > 0 ? c * early : -c * late;
        out->no_up |= c > 0 ? no_late : no_early;
        out->no_down |= c > 0 ? no_early : no_late;
    }
}

/* c x[s] - c x[t] */
static csy_status swing_of_pair(csy_sync *sync, const struct stretch *stretch, struct swing *out,
                                csy_error *error)
{
    uint32_t s = clock_of(&stretch->parts[0]), t = clock_of(&stretch->parts[1]);
    int64_t lower, upper, c = stretch->parts[0].c;
    csy_status status = csy_sync_bounds(sync, s, t, &lower, &upper, NULL, error);
    if (status)
        return status;
    int128 estimate = (int128)sync->views[s].offset_ticks - sync->views[t].offset_ticks;
    int128 up = c > 0 ? upper - estimate : estimate - lower;
    int128 down = c > 0 ? estimate - lower : upper - estimate;
    int64_t times = c > 0 ? c : -c;
    *out = (struct swing){up * times, down * times, c > 0 ? upper == INT64_MAX : lower == INT64_MIN,
                          c > 0 ? lower == INT64_MIN : upper == INT64_MAX};
    return CSY_OK;
}

static csy_status swing_of_sum(csy_sync *sync, const struct stretch *stretch, int64_t *c,
                               struct swing *out, csy_error *error)
{
    csy_range range;
    for (size_t i = 0; i < stretch->n; i++)
        c[clock_of(&stretch->parts[i])] = stretch->parts[i].c;
    csy_status status = csy_sync_bound_sum(sync, c, &range, error);
    for (size_t i = 0; i < stretch->n; i++)
        c[clock_of(&stretch->parts[i])] = 0;
    if (!status)
        *out = (struct swing){(int128)range.hi - range.estimate, (int128)range.estimate - range.lo,
                              range.hi == INT64_MAX, range.lo == INT64_MIN};
    return status;
}

/* True if the form has too many pairs of clocks to ask for each. */
static bool is_wide(const struct stretch *stretch)
{
    size_t above = 0;
    for (size_t i = 0; i < stretch->n; i++)
        above += stretch->parts[i].c > 0;
    return stretch->n > 2 && above * (stretch->n - above) > FORMS_PAIRS_MAX;
}

static csy_status set_bounds(const struct forms *forms, csy_sync *sync,
                             const struct stretch *stretch, int64_t *c, csy_range *out,
                             csy_error *error)
{
    struct swing swing = {0};
    const struct form *form = &forms->items[stretch->form];
    int128 stamps = (int128)form->crossings * sync->imprecision.added_ticks;
    bool star = csy_sync_ranges(sync) == CSY_RANGES_STAR ||
                sync->survey.threads.count > FORMS_CLOCKS_MAX || is_wide(stretch);
    csy_status status = CSY_OK;
    if (star)
        swing_by_reference(sync, stretch, &swing);
    else if (stretch->n == 2)
        status = swing_of_pair(sync, stretch, &swing, error);
    else
        status = swing_of_sum(sync, stretch, c, &swing, error);
    if (status)
        return status;
    int128 hi = form->ticks + swing.up + stamps, lo = form->ticks - swing.down - stamps;
    if ((!swing.no_up && !fits_int64(hi)) || (!swing.no_down && !fits_int64(lo)))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    out->hi = swing.no_up ? INT64_MAX : (int64_t)hi;
    out->lo = swing.no_down ? INT64_MIN : (int64_t)lo;
    out->kind = star                            ? CSY_RANGE_STAR
                : sync->imprecision.added_ticks ? CSY_RANGE_PROVEN
                                                : CSY_RANGE_EXACT;
    return CSY_OK;
}

/* Set the ranges of forms without clocks, and list the other forms. */
static csy_status find_stretches(struct forms *forms, size_t count, csy_range *ranges,
                                 struct stretch *stretches, size_t *n, csy_error *error)
{
    size_t nparts = forms_sort(forms), at = 0;
    *n = 0;
    for (size_t form = 0; form < count; form++) {
        size_t first = at;
        int128 ticks = form < forms->count ? forms->items[form].ticks : 0;
        if (!fits_int64(ticks))
            return error_set(error, CSY_INPUT, "a time leaves 64 bits");
        ranges[form] = (csy_range){(int64_t)ticks, (int64_t)ticks, (int64_t)ticks, CSY_RANGE_CLOCK};
        while (at < nparts && forms->parts[at].key >> 32 == form + 1)
            at++;
        if (at > first)
            stretches[(*n)++] = (struct stretch){form, forms->parts + first, at - first};
    }
    return CSY_OK;
}

csy_status forms_bounds(struct forms *forms, size_t count, csy_sync *sync, csy_range *ranges,
                        csy_error *error)
{
    struct stretch *stretches = malloc((count + 1) * sizeof *stretches);
    int64_t *c = calloc(sync->survey.threads.count + 1, sizeof *c);
    bool known = csy_sync_ranges(sync) != CSY_RANGES_NONE;
    size_t n = 0;
    csy_status status = stretches && c ? CSY_OK : error_memory(error);
    if (!status)
        status = find_stretches(forms, count, ranges, stretches, &n, error);
    if (!status && known && n > 1)
        qsort(stretches, n, sizeof *stretches, compare_stretches);
    for (size_t i = 0; i < n && !status; i++) {
        csy_range *out = &ranges[stretches[i].form];
        out->kind = CSY_RANGE_UNKNOWN;
        if (known)
            status = set_bounds(forms, sync, &stretches[i], c, out, error);
        else
            out->lo = out->hi = 0;
    }
    free(stretches);
    free(c);
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
    if (!texts_find(&pairs->keys, (const char *)key, sizeof key, out, &added) ||
        !ARRAY_RESERVE(pairs->items, pairs->capacity, pairs->keys.count))
        return false;
    if (added)
        pairs->items[pairs->count++] = (struct moving_pair){key[0], key[1], 0, 0};
    return true;
}

const struct moving_pair *clock_pairs_look(const struct clock_pairs *pairs, uint32_t a, uint32_t b)
{
    const uint32_t key[2] = {a < b ? a : b, a < b ? b : a};
    uint32_t index;
    return texts_look(&pairs->keys, (const char *)key, sizeof key, &index) ? &pairs->items[index]
                                                                           : NULL;
}

/* A pair, to be sorted by its first clock, for which bounds are found together. */
struct ordered_pair {
    uint32_t s, t;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct ordered_pair *x = a, *y = b;
    return x->s != y->s ? (x->s > y->s ? 1 : -1) : (x->t > y->t) - (x->t < y->t);
}

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
        order[i] = (struct ordered_pair){pairs->items[i].s, pairs->items[i].t, i};
    if (order && pairs->count > 1)
        qsort(order, pairs->count, sizeof *order, compare);
    for (size_t i = 0; moves.known && i < pairs->count && !status; i++)
        status = moves_between(&moves, order[i].s, order[i].t, &pairs->items[order[i].index].down,
                               &pairs->items[order[i].index].up, error);
    free(order);
    moves_fini(&moves);
    return status;
}
