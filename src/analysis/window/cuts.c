/* Cuts: a profile of a window of the trace. */
#include "analysis/window/cuts.h"

#include "base/error.h"

#include <stdlib.h>

csy_status cuts_init(struct cuts *cuts, const struct clip *clip, enum clip_as as, size_t nactors,
                     size_t nclocks, csy_error *error)
{
    bool all = clip->ends[as][0].from == INT64_MIN;
    *cuts = (struct cuts){.clip = clip, .as = as, .begun = all, .certain = {INT64_MIN, INT64_MAX}};
    for (size_t i = 0; i < nclocks; i++) {
        const struct clip_ends *ends = &clip->ends[CLIP_LEAST][i];
        cuts->certain[0] = ends->from > cuts->certain[0] ? ends->from : cuts->certain[0];
        cuts->certain[1] = ends->until < cuts->certain[1] ? ends->until : cuts->certain[1];
    }
    cuts->probed[0] = cuts->probed[1] = cuts->certain[0] >= cuts->certain[1];
    cuts->actors = calloc(nactors + 1, sizeof *cuts->actors);
    for (size_t i = 0; cuts->actors && i < nactors; i++) {
        cuts->actors[i].group = NO_TEXT;
        cuts->actors[i].place = all ? CUT_INSIDE : CUT_BEFORE;
    }
    return cuts->actors ? CSY_OK : error_memory(error);
}

void cuts_fini(struct cuts *cuts)
{
    free(cuts->actors);
    free(cuts->saved);
    free(cuts->edged);
    free(cuts->probes);
    *cuts = (struct cuts){0};
}

bool cuts_clip(const struct cuts *cuts, struct moment *begin, struct moment *end)
{
    const struct clip_ends *ends = &cuts->clip->ends[cuts->as][end->clock];
    struct moment from, until;
    if (ends->from >= ends->until) /* it may be empty */
        return false;
    if (begin->global_ticks >= end->global_ticks) /* a moment */
        return clip_has(cuts->clip, cuts->as, end);
    if (!clip_meets(cuts->clip, cuts->as, begin, end) ||
        !clip_time(cuts->clip, cuts->as, begin, end, &from, &until))
        return false;
    *begin = from;
    *end = until;
    return true;
}

uint32_t cuts_group(struct cuts *cuts, uint32_t actor, uint32_t group)
{
    cuts->actors[actor].group = group;
    return cuts->actors[actor].place == CUT_INSIDE ? group : CUTS_OUTSIDE;
}
