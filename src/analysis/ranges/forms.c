/* Forms: sums of times between stamps. */
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

/* An end of a range: ticks away from the estimate. */
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

/* a / 2 for each of its stamps between clocks, of which each crossing has two. */
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
    if (!moves->known || moves->sync->partial) { /* where one clock hands over to another */
        out->kind = CSY_RANGE_UNKNOWN;
        out->lo = out->hi = 0;
        return CSY_OK;
    }
    int128 stamps = stamps_of(form, moves);
    csy_status status = moves_greatest(moves, c, NULL, 0, &up, &up_limited, error);
    for (size_t t = 0; t < moves->n; t++)
        c[t] = -c[t];
    if (!status)
        status = moves_greatest(moves, c, NULL, 0, &down, &down_limited, error);
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

/* An end of a sum of ranges; none: there is no limit. */
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
