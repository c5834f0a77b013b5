/* Tracks of an output for viewers. */
#include "output/trace/tracks.h"

#include "base/array.h"
#include "base/error.h"
#include "base/portable.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare_tracks(const void *a, const void *b)
{
    const struct track *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static csy_status find_or_make(struct tracks *tracks, unsigned group, uint64_t number,
                               struct track **out, bool *made, csy_error *error)
{
    struct track key = {.group = group, .number = number};
    struct track **found = tfind(&key, &tracks->tree, compare_tracks);
    *made = !found;
    *out = found ? *found : malloc(sizeof **out);
    if (!*out)
        return error_memory(error);
    if (found)
        return CSY_OK;
    **out = key;
    if (tsearch(*out, &tracks->tree, compare_tracks))
        return CSY_OK;
    free(*out);
    return error_memory(error);
}

csy_status tracks_find(struct tracks *tracks, unsigned group, uint64_t number, struct track **out,
                       bool *made, csy_error *error)
{
    struct track **recent = &tracks->recent[(number + group) % TRACKS_RECENT];
    csy_status status = CSY_OK;
    *made = false;
    *out = *recent;
    if (!*out || (*out)->group != group || (*out)->number != number)
        status = find_or_make(tracks, group, number, out, made, error);
    if (!status)
        *recent = *out;
    return status;
}

static void track_free(void *node)
{
    struct track *track = node;
    free(track->slices);
    free(track);
}

void tracks_fini(struct tracks *tracks)
{
    portable_tdestroy(tracks->tree, track_free);
    *tracks = (struct tracks){0};
}

static size_t count_before(const struct track *track, int64_t begin)
{
    size_t low = 0, high = track->nslices;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (track->slices[middle].begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Make room for one more slice. If there are too many, drop the older half. */
static bool make_room(struct track *track)
{
    size_t half = TRACK_SLICES_MAX / 2;
    if (track->nslices == TRACK_SLICES_MAX) {
        track->forgot = true;
        track->forgotten_end = track->slices[half - 1].end;
        track->nslices -= half;
        memmove(track->slices, track->slices + half, track->nslices * sizeof *track->slices);
    }
    return ARRAY_RESERVE(track->slices, track->capacity, track->nslices + 1);
}

csy_status track_lay(struct track *track, struct slice slice, bool *nests, csy_error *error)
{
    size_t kept = count_before(track, slice.begin);
    bool late = track->begun && slice.end < track->last_end;
    bool crosses = kept > 0 && track->slices[kept - 1].end > slice.begin;
    *nests = !late && !crosses && (!track->forgot || slice.begin >= track->forgotten_end);
    if (!*nests)
        return CSY_OK;
    track->nslices = kept;
    if (!make_room(track))
        return error_memory(error);
    track->slices[track->nslices++] = slice;
    track->begun = true;
    track->last_end = slice.end;
    return CSY_OK;
}

bool track_begins_inside(const struct track *track, struct slice slice)
{
    size_t i = count_before(track, slice.begin);
    return i < track->nslices && track->slices[i].begin == slice.begin &&
           track->slices[i].end > slice.begin;
}
