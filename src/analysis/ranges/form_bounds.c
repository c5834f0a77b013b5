/* Ranges of forms by bounds of pairs of clocks. */
#include "analysis/ranges/forms.h"

#include "base/error.h"

#include <stdlib.h>

/* The parts of a form. */
struct stretch {
    size_t form;
    const struct form_part *parts;
    size_t n;
};

/* An end of a range of moves: ticks away from the estimate, unless there is no limit. */
struct reach {
    int128 up, down;
    bool no_up, no_down;
};

static uint32_t clock_of(const struct form_part *part)
{
    return (uint32_t)part->key;
}

/* In the order of their first clocks, for which bounds are found once. */
static int compare_stretches(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;
    uint32_t s = clock_of(x->parts), t = clock_of(y->parts);
    return s != t ? (s > t ? 1 : -1) : (x->form > y->form) - (x->form < y->form);
}

/* By how much the reference's bounds let each clock move. */
static void reach_by_reference(const csy_sync *sync, const struct stretch *stretch,
                               struct reach *out)
{
    *out = (struct reach){0};
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
static csy_status reach_of_pair(csy_sync *sync, const struct stretch *stretch, struct reach *out,
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
    *out = (struct reach){up * times, down * times, c > 0 ? upper == INT64_MAX : lower == INT64_MIN,
                          c > 0 ? lower == INT64_MIN : upper == INT64_MAX};
    return CSY_OK;
}

static csy_status reach_of_sum(csy_sync *sync, const struct stretch *stretch, int64_t *c,
                               struct reach *out, csy_error *error)
{
    csy_range range;
    for (size_t i = 0; i < stretch->n; i++)
        c[clock_of(&stretch->parts[i])] = stretch->parts[i].c;
    csy_status status = csy_sync_bound_sum(sync, c, &range, error);
    for (size_t i = 0; i < stretch->n; i++)
        c[clock_of(&stretch->parts[i])] = 0;
    if (!status)
        *out = (struct reach){(int128)range.hi - range.estimate, (int128)range.estimate - range.lo,
                              range.hi == INT64_MAX, range.lo == INT64_MIN};
    return status;
}

/* Whether more pairs of clocks would have to be asked for than is worth it. */
static bool is_wide(const struct stretch *stretch)
{
    size_t above = 0;
    for (size_t i = 0; i < stretch->n; i++)
        above += stretch->parts[i].c > 0;
    return stretch->n > 2 && above * (stretch->n - above) > FORMS_PAIRS_MAX;
}

static csy_status set_range(const struct forms *forms, csy_sync *sync,
                            const struct stretch *stretch, int64_t *c, csy_range *out,
                            csy_error *error)
{
    struct reach reach = {0};
    const struct form *form = &forms->items[stretch->form];
    int128 stamps = (int128)form->crossings * sync->imprecision.added_ticks;
    bool star = csy_sync_ranges(sync) == CSY_RANGES_STAR ||
                sync->survey.threads.count > FORMS_CLOCKS_MAX || is_wide(stretch);
    csy_status status = CSY_OK;
    if (star)
        reach_by_reference(sync, stretch, &reach);
    else if (stretch->n == 2)
        status = reach_of_pair(sync, stretch, &reach, error);
    else
        status = reach_of_sum(sync, stretch, c, &reach, error);
    if (status)
        return status;
    int128 hi = form->ticks + reach.up + stamps, lo = form->ticks - reach.down - stamps;
    if ((!reach.no_up && !fits_int64(hi)) || (!reach.no_down && !fits_int64(lo)))
        return error_set(error, CSY_INPUT, "a time leaves 64 bits");
    out->hi = reach.no_up ? INT64_MAX : (int64_t)hi;
    out->lo = reach.no_down ? INT64_MIN : (int64_t)lo;
    out->kind = star                            ? CSY_RANGE_STAR
                : sync->imprecision.added_ticks ? CSY_RANGE_PROVEN
                                                : CSY_RANGE_EXACT;
    return CSY_OK;
}

/* What is known without a look at clocks, and which forms have some. */
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
            status = set_range(forms, sync, &stretches[i], c, out, error);
        else
            out->lo = out->hi = 0;
    }
    free(stretches);
    free(c);
    return status;
}
