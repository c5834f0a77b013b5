/* Joins the inversions that were counted in separate stretches of events. */
#include "order/inversions.h"

void inversions_apart_begin(struct inversions_apart *apart)
{
    apart->rest = (struct inversions){.greatest_ticks = INT64_MIN};
    apart->greatest_kept_ticks = INT64_MIN;
    apart->nkept = 0;
}

bool inversions_add(struct inversions *inversions, const struct inversions_apart *apart)
{
    const struct inversions *rest = &apart->rest;
    bool all_kept = apart->nkept < INVERSIONS_KEPT;
    if (!all_kept && inversions->greatest_ticks > apart->greatest_kept_ticks)
        return false;
    for (size_t i = 0; i < apart->nkept; i++)
        inversions_note(inversions, apart->kept[i]);
    if (all_kept)
        return true;
    inversions->greatest_ticks = rest->greatest_ticks;
    inversions->count += rest->count;
    if (rest->largest_ticks > inversions->largest_ticks)
        inversions->largest_ticks = rest->largest_ticks;
    return true;
}
