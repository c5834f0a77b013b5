/* For how long at least one actor is active. */
#include "analysis/ranges/together.h"

#include "base/error.h"

csy_status together_init(struct together *t, const struct instants *in, const struct moves *moves,
                         csy_error *error)
{
    *t = (struct together){.active = 0};
    csy_status status = forms_init(&t->forms, error);
    t->forms.whole = true;
    if (status || !(in->has_begins || in->partial) || !moves->known || moves->n == 1 ||
        moves->n > REACH_CLOCKS_MAX)
        return status;
    status = reach_init(&t->reach, moves, error);
    if (status || t->reach.greatest == MOVES_NONE)
        return status;
    return levels_outer_init(&t->outer, &t->reach, in->sync, in->actors.count, in->actors.count, 1,
                             error);
}

void together_fini(struct together *t)
{
    levels_outer_fini(&t->outer);
    reach_fini(&t->reach);
    forms_fini(&t->forms);
}

bool together_take(struct together *t, const struct actor_instant *instant, int sign)
{
    const struct change change = {.global_ticks = instant->at.global_ticks,
                                  .clock = instant->at.clock,
                                  .actor = instant->actor,
                                  .sign = sign,
                                  .ordered = instant->ordered};
    bool good = true;
    t->some_unordered |= !instant->ordered;
    t->active += sign;
    if (sign > 0 && t->active == 1)
        t->since = instant->at;
    if (sign < 0 && t->active == 0)
        good = forms_add(&t->forms, 0, &t->since, &instant->at, 1);
    return good && levels_outer_take(&t->outer, &change);
}

/* What stamps may be off adds to it, too, where each time is by one clock. */
static void widen(const struct together *t, int64_t added, csy_range *out)
{
    int128 far = t->forms.count > 0 ? (int128)t->forms.items[0].crossings * added : 0;
    int128 lo = out->estimate - far, hi = out->estimate + far;
    if (far == 0)
        return;
    out->kind = CSY_RANGE_PROVEN;
    out->lo = fits_int64(lo) ? (int64_t)lo : INT64_MIN;
    out->hi = fits_int64(hi) ? (int64_t)hi : INT64_MAX;
}

csy_status together_find(struct together *t, const struct instants *in, const struct moves *moves,
                         csy_range *out, csy_error *error)
{
    csy_status status = levels_outer_end(&t->outer) ? CSY_OK : error_memory(error);
    if (!status)
        status = forms_ranges(&t->forms, 1, moves, out, error);
    if (status || moves->n == 1)
        return status;
    if (!t->some_unordered) {
        if (out->kind == CSY_RANGE_CLOCK && moves->known)
            widen(t, in->imprecision_ticks, out);
        return CSY_OK;
    }
    out->kind = CSY_RANGE_UNKNOWN;
    if (!t->outer.known)
        return CSY_OK;
    int128 least = 0, most = 0;
    for (size_t i = 1; i <= t->outer.nlevels; i++) {
        least += t->outer.blocks[0].times[OUTER_LEAST][i];
        most += t->outer.blocks[0].times[OUTER_MOST][i];
    }
    out->kind = moves->star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
    out->lo = least < out->estimate ? (int64_t)least : out->estimate;
    out->hi = most <= out->estimate ? out->estimate : fits_int64(most) ? (int64_t)most : INT64_MAX;
    return CSY_OK;
}
