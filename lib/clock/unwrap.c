/* See unwrap.h. */
#include "clock/unwrap.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>

int64_t unwrap_imprecision(uint64_t timebase_hz)
{
    uint64_t ticks = timebase_hz / 100;
    return ticks < (uint64_t)UNWRAP_IMPRECISION_MAX ? (int64_t)ticks : UNWRAP_IMPRECISION_MAX;
}

void unwrap_lore_fini(struct unwrap_lore *lore)
{
    FREE_ALL(lore->windows, lore->gaps);
    *lore = (struct unwrap_lore){0};
}

csy_status unwrap_lore_add(struct unwrap_lore *lore, const struct unwrap_lore *more,
                           csy_error *error)
{
    if (!ARRAY_RESERVE(lore->windows, lore->windows_capacity, lore->nwindows + more->nwindows) ||
        !ARRAY_RESERVE(lore->gaps, lore->gaps_capacity, lore->ngaps + more->ngaps))
        return error_memory(error);
    for (size_t i = 0; i < more->nwindows; i++)
        lore->windows[lore->nwindows++] = more->windows[i];
    for (size_t i = 0; i < more->ngaps; i++)
        lore->gaps[lore->ngaps++] = more->gaps[i];
    return CSY_OK;
}

void unwrap_lore_sort(struct unwrap_lore *lore)
{
    SORT(lore->windows, lore->nwindows, compare_numbers);
    SORT(lore->gaps, lore->ngaps, compare_numbers);
}

void unwrap_init(struct unwrapper *u, int64_t imprecision_ticks, bool strict,
                 const struct unwrap_lore *known)
{
    *u = (struct unwrapper){
        .imprecision_ticks = imprecision_ticks, .strict = strict, .known = known};
}

void unwrap_fini(struct unwrapper *u)
{
    free(u->in_window);
    unwrap_lore_fini(&u->learnt);
}

static csy_status learn_window(struct unwrapper *u, bool has_end, int64_t end_ticks,
                               csy_error *error)
{
    struct unwrap_lore *learnt = &u->learnt;
    return ARRAY_PUSH(learnt->windows, learnt->nwindows, learnt->windows_capacity,
                      (struct ppe_window){u->opened_at, has_end, end_ticks})
               ? CSY_OK
               : error_memory(error);
}

csy_status unwrap_ppe(struct unwrapper *u, uint64_t position, int64_t ticks, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < u->nin_window; i++) {
        struct unwrap_clock *clock = u->in_window[i];
        clock->after_ticks = ticks;
        clock->has_after = true;
        clock->in_window = false;
    }
    u->nin_window = 0;
    bool overthrown = u->pending && (ticks < u->end_least || ticks >= u->end_assumed);
    bool for_rule2 = u->unbounded && u->has_ppe && !u->known;
    if (overthrown || u->window_known || for_rule2)
        status = learn_window(u, true, ticks, error);
    u->for_rule2 += for_rule2;
    u->overthrown = u->overthrown || overthrown;
    u->has_ppe = true;
    u->ppe_ticks = ticks;
    const struct unwrap_lore *known = u->known;
    u->opened_at = position;
    u->unbounded = false;
    u->pending = 0;
    u->end_least = INT64_MIN;
    u->end_assumed = UNWRAP_NO_LIMIT;
    size_t next = u->next_window, end = known ? known->nwindows : next;
    if (next < end && known->windows[next].opened_at < position) {
        BISECT(next, end, middle, known->windows[middle].opened_at < position);
        u->next_window = next;
    }
    u->window_known = known && u->next_window < known->nwindows &&
                      known->windows[u->next_window].opened_at == position;
    u->has_end = false;
    if (u->window_known) {
        const struct ppe_window *window = &known->windows[u->next_window++];
        u->has_end = window->has_end;
        u->end_ticks = window->end_ticks;
    }
    return status;
}

static void judge(const struct unwrapper *u, const struct elapsed_limits *limits, struct gap *gap)
{
    gap->least_ticks = limits->least_ticks - u->imprecision_ticks;
    gap->most_ticks = limits->most_ticks + u->imprecision_ticks;
    /* Take the least value r + m 2^32 with m >= -1 that is not below least_ticks. */
    int128 more = gap->least_ticks - gap->r;
    int128 wraps = more <= -UNWRAP_WRAP ? -1 : more <= 0 ? 0 : ceil_div(more, UNWRAP_WRAP);
    gap->elapsed_ticks = gap->r + wraps * UNWRAP_WRAP;
    gap->verdict = gap->elapsed_ticks > gap->most_ticks                  ? GAP_SPLIT
                   : gap->elapsed_ticks + UNWRAP_WRAP <= gap->most_ticks ? GAP_ASSUMED
                                                                         : GAP_TAKEN;
}

static csy_status learn_gap(struct unwrapper *u, const struct gap *gap, csy_error *error)
{
    struct unwrap_lore *learnt = &u->learnt;
    return ARRAY_PUSH(learnt->gaps, learnt->ngaps, learnt->gaps_capacity, *gap)
               ? CSY_OK
               : error_memory(error);
}

/* Choose one of several possible elapsed times. If an earlier pass stored its choice for this gap,
 * take it. Otherwise use u->closed, which may limit the elapsed time more closely. */
static csy_status settle(struct unwrapper *u, const struct unwrap_clock *clock,
                         struct elapsed_limits limits, struct gap *gap, csy_error *error)
{
    const struct unwrap_lore *known = u->known;
    if (!known)
        return CSY_OK;
    const struct gap *found = NULL;
    if (u->next_gap < known->ngaps && known->gaps[u->next_gap].position == gap->position)
        found = &known->gaps[u->next_gap++];
    else
        found = FIND(&gap->position, known->gaps, known->ngaps, compare_numbers);
    if (found) {
        *gap = *found;
        return learn_gap(u, gap, error);
    }
    bool narrowed = false;
    struct elapsed_limits closed;
    const int64_t *end = u->has_end ? &u->end_ticks : NULL;
    csy_status status = CSY_OK;
    if (u->closed)
        status = u->closed(u->closed_user, clock->thread, end, &closed, &narrowed, error);
    if (status)
        return status;
    if (narrowed) {
        if (closed.least_ticks > limits.least_ticks)
            limits.least_ticks = closed.least_ticks;
        if (closed.most_ticks < limits.most_ticks)
            limits.most_ticks = closed.most_ticks;
        judge(u, &limits, gap);
    }
    if (u->strict && gap->verdict == GAP_ASSUMED)
        gap->verdict = GAP_SPLIT;
    return narrowed || u->strict ? learn_gap(u, gap, error) : CSY_OK;
}

csy_status unwrap_gap(struct unwrapper *u, const struct unwrap_clock *clock, uint64_t position,
                      uint32_t decr, bool *split, int64_t *elapsed_ticks, csy_error *error)
{
    struct gap gap = {.position = position, .r = clock->decr - decr};
    csy_status status = CSY_OK;
    struct elapsed_limits limits = {0, UNWRAP_NO_LIMIT};
    bool has_after = clock->in_window ? u->has_end : clock->has_after;
    int64_t after = clock->in_window ? u->end_ticks : clock->after_ticks;
    if (u->has_ppe && has_after && u->ppe_ticks > after)
        limits.least_ticks = (int128)u->ppe_ticks - after;
    if (clock->has_before && u->has_end)
        limits.most_ticks = (int128)u->end_ticks - clock->before_ticks;
    bool provisional = clock->has_before && !u->window_known;
    judge(u, &limits, &gap);
    if (provisional) {
        int128 base = (int128)clock->before_ticks - u->imprecision_ticks;
        int128 elapsed = gap.elapsed_ticks;
        int128 least = base + (clock->in_window && elapsed < 0 ? -elapsed : elapsed);
        int128 assumed = base + elapsed + UNWRAP_WRAP;
        u->pending++;
        u->end_least = least > u->end_least ? least : u->end_least;
        u->end_assumed = assumed < u->end_assumed ? assumed : u->end_assumed;
        gap.verdict = GAP_TAKEN;
    } else if (gap.verdict == GAP_ASSUMED) {
        u->unbounded = true;
        status = settle(u, clock, limits, &gap, error);
    }
    *split = gap.verdict == GAP_SPLIT;
    u->splits += *split;
    u->assumed += gap.verdict == GAP_ASSUMED;
    if (!*split)
        u->wraps += (int64_t)((gap.elapsed_ticks - gap.r) >> 32) + (clock->decr < decr);
    if (!status && !*split && !fits_int64(gap.elapsed_ticks))
        status =
            error_set(error, CSY_INPUT, "an interval between two records does not fit 64 bits");
    *elapsed_ticks = *split ? 0 : (int64_t)gap.elapsed_ticks;
    return status;
}

csy_status unwrap_remember(struct unwrapper *u, struct unwrap_clock *clock, csy_error *error)
{
    clock->has_before = u->has_ppe;
    clock->before_ticks = u->ppe_ticks;
    clock->has_after = false;
    if (clock->in_window)
        return CSY_OK;
    /* An array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    if (!ARRAY_PUSH(u->in_window, u->nin_window, u->in_window_capacity, clock))
        return error_memory(error);
    clock->in_window = true;
    return CSY_OK;
}

csy_status unwrap_break(struct unwrapper *u, csy_error *error)
{
    csy_status status = CSY_OK;
    u->assumed += u->pending;
    if (u->pending || u->window_known)
        status = learn_window(u, false, 0, error);
    for (size_t i = 0; i < u->nin_window; i++)
        u->in_window[i]->in_window = false;
    u->nin_window = 0;
    u->pending = 0;
    u->has_ppe = u->has_end = u->window_known = u->unbounded = false;
    return status;
}

csy_status unwrap_finish(struct unwrapper *u, bool *again, csy_error *error)
{
    csy_status status = unwrap_break(u, error);
    *again = u->overthrown || u->for_rule2 > 0;
    return status;
}
