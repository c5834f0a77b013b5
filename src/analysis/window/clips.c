/* Several windows side by side. */
#include "analysis/window/clips.h"

#include "analysis/window/time_parts.h"
#include "base/error.h"

#include <stdlib.h>

static bool reserve(struct clips *clips, size_t n)
{
    clips->items = calloc(n + 1, sizeof *clips->items);
    clips->extents = calloc(n + 1, sizeof *clips->extents);
    return clips->items && clips->extents;
}

/* What is not asked for has no ends, and is everywhere. */
static void find_extents(struct clips *clips, size_t nclocks)
{
    for (size_t i = 0; i < clips->count; i++) {
        const struct clip *clip = &clips->items[i];
        struct clip_extent *extent = &clips->extents[i];
        bool all = !clip->asked || nclocks == 0;
        extent->from = all ? INT64_MIN : INT64_MAX;
        extent->until = all ? INT64_MAX : INT64_MIN;
        for (size_t c = 0; !all && c < nclocks; c++) {
            const struct clip_ends *ends = &clip->ends[CLIP_MOST][c];
            extent->from = ends->from < extent->from ? ends->from : extent->from;
            extent->until = ends->until > extent->until ? ends->until : extent->until;
        }
        extent->until_before = extent->until;
        extent->from_after = extent->from;
        if (i > 0 && extent[-1].until_before > extent->until)
            extent->until_before = extent[-1].until_before;
    }
    for (size_t i = clips->count; i-- > 1;)
        if (clips->extents[i].from_after < clips->extents[i - 1].from_after)
            clips->extents[i - 1].from_after = clips->extents[i].from_after;
}

csy_status clips_init(struct clips *clips, struct instants *in, const struct moves *moves,
                      const char *window, csy_error *error)
{
    *clips = (struct clips){.count = 0};
    if (!reserve(clips, 1))
        return error_memory(error);
    csy_status status = clip_init(&clips->items[0], in, moves, window, error);
    clips->count = !status;
    if (!status)
        find_extents(clips, moves->n);
    return status;
}

csy_status clips_init_sections(struct clips *clips, struct instants *in, const struct moves *moves,
                               const csy_section *sections, size_t n, csy_error *error)
{
    struct block *blocks = calloc(n + 1, sizeof *blocks);
    *clips = (struct clips){.count = 0};
    csy_status status = blocks && reserve(clips, n)
                            ? time_parts_of_sections(blocks, in, sections, n, error)
                            : error_memory(error);
    for (; !status && clips->count < n; clips->count += !status)
        status =
            clip_init_section(&clips->items[clips->count], in, moves, &blocks[clips->count], error);
    if (!status)
        find_extents(clips, moves->n);
    free(blocks);
    return status;
}

void clips_fini(struct clips *clips)
{
    for (size_t i = 0; i < clips->count; i++)
        clip_fini(&clips->items[i]);
    free(clips->items);
    free(clips->extents);
    *clips = (struct clips){.count = 0};
}

/* The first from `at` on that, or one before which, ends at that time or later. */
static size_t find_first(const struct clips *clips, size_t at, int64_t ticks)
{
    size_t low = at, high = clips->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (clips->extents[middle].until_before >= ticks)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t clips_next(const struct clips *clips, size_t at, const struct moment *begin,
                  const struct moment *end)
{
    bool back = begin->global_ticks > end->global_ticks;
    int64_t first = back ? end->global_ticks : begin->global_ticks;
    int64_t last = back ? begin->global_ticks : end->global_ticks;
    for (at = find_first(clips, at, first);
         at < clips->count && clips->extents[at].from_after <= last; at++)
        if (clips->extents[at].from <= last && clips->extents[at].until >= first)
            return at;
    return clips->count;
}
