/* Tracks of an output that viewers show. */
#include "output/trace/tracks.h"

#include "base/array.h"
#include "base/error.h"
#include "base/portable.h"
#include "base/sort.h"
#include "sync/drift/drift.h"

#include <search.h>
#include <string.h>

const char *const track_groups[GROUP_CLOCKS] = {[GROUP_PPE] = "PPE",
                                                [GROUP_SPE] = "SPE",
                                                [GROUP_CONTEXT] = "contexts, SPE unknown",
                                                [GROUP_ROWS] = "threads"};
const char *const track_kinds[GROUP_CLOCKS] = {
    [GROUP_PPE] = "PPE thread", [GROUP_SPE] = "SPE", [GROUP_CONTEXT] = "context"};

bool members_share(const csy_thread *clock)
{
    return clock->nmembers > 1 ||
           (clock->nmembers == 1 && strcmp(clock->members[0], clock->name) != 0);
}

unsigned track_clock_group(const struct csy_sync *sync, size_t clock)
{
    return members_share(&sync->views[clock]) ? GROUP_CLOCKS + (unsigned)clock : GROUP_ROWS;
}

struct track_place track_place_of(const struct csy_sync *sync, size_t index)
{
    const csy_track *track = sync->tracks ? &sync->tracks[index] : NULL;
    if (track)
        return (struct track_place){track_clock_group(sync, track->thread), index, track->name};
    const csy_thread *thread = &sync->views[index];
    if (thread->spe != CSY_NO_SPE)
        return (struct track_place){GROUP_SPE, thread->spe, NULL};
    return (struct track_place){GROUP_CONTEXT, (uint64_t)thread->context, NULL};
}

static int compare_tracks(const void *a, const void *b)
{
    const struct track *x = a, *y = b;
    return 2 * COMPARE(x->group, y->group) + COMPARE(x->number, y->number);
}

csy_status tracks_find(struct tracks *tracks, unsigned group, uint64_t number, struct track **out,
                       bool *made, csy_error *error)
{
    struct track key = {.group = group, .number = number};
    struct track **recent = &tracks->recent[(number + group) % TRACKS_RECENT];
    *made = false;
    *out = *recent;
    if (*out && (*out)->group == group && (*out)->number == number)
        return CSY_OK;
    struct track **found = tfind(&key, &tracks->tree, compare_tracks);
    *made = !found;
    *out = found ? *found : malloc(sizeof **out);
    if (*made && *out) {
        **out = key;
        if (!tsearch(*out, &tracks->tree, compare_tracks)) {
            free(*out);
            *out = NULL;
        }
    }
    *recent = *out;
    return *out ? CSY_OK : error_memory(error);
}

static void track_free(void *node)
{
    struct track *track = node;
    FREE_ALL(track->slices, track);
}

void tracks_fini(struct tracks *tracks)
{
    portable_tdestroy(tracks->tree, track_free);
    *tracks = (struct tracks){0};
}

static size_t count_before(const struct track *track, int64_t begin)
{
    size_t low = 0, high = track->nslices;
    BISECT(low, high, middle, track->slices[middle].begin < begin);
    return low;
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
    if (kept == TRACK_SLICES_MAX) { /* drop the older half of the slices */
        size_t half = TRACK_SLICES_MAX / 2;
        track->forgot = true;
        track->forgotten_end = track->slices[half - 1].end;
        track->nslices -= half;
        memmove(track->slices, track->slices + half, track->nslices * sizeof *track->slices);
    }
    if (!ARRAY_PUSH(track->slices, track->nslices, track->capacity, slice))
        return error_memory(error);
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

/* --- Live intervals ------------------------------------------------------------------------- */

struct clock_life {
    uint64_t passed;   /* number of records read, selected or not */
    int64_t end_ticks; /* greatest global time of a drawn record */
    int64_t shown_ticks;
    bool drawn; /* true if a record was drawn */
};

static size_t index_of(const csy_event *event)
{
    return event->track == CSY_NO_TRACK ? event->thread : event->track;
}

/* Returns true if a csy_thread has a track. The PPE has none, but each of its threads has one. */
static bool has_track(const struct lives *lives, size_t thread)
{
    return lives->sync->tracks || thread != lives->sync->survey.threads.ppe;
}

/* Show the maximum error of the time between this event and an event of the reference clock, if
 * bounded. For a drifting clock, it is the error at the event, rounded up. */
static csy_status show_uncertainty(struct lives *lives, const csy_event *event,
                                   int64_t global_ticks, csy_error *error)
{
    const struct csy_sync *sync = lives->sync;
    const csy_thread *thread = &sync->views[event->thread];
    int128 least, greatest, width = (int128)thread->latest_ticks - thread->earliest_ticks;
    if (sync->drift && drift_bounds(sync, event->thread, event->local_ticks, &least, &greatest))
        width = ceil_div(greatest - least, AGE_UNIT);
    width += 2 * (int128)sync->imprecision.added_ticks;
    if (sync->method != CSY_METHOD_BHH || thread->earliest_ticks == INT64_MIN ||
        thread->latest_ticks == INT64_MAX || !fits_int64(width))
        return CSY_OK;
    return lives->format->uncertainty(lives, index_of(event), event->thread, global_ticks,
                                      (int64_t)width, error);
}

csy_status lives_pass(void *user, const csy_event *event, csy_error *error)
{
    struct lives *lives = user;
    const csy_thread *thread = &lives->sync->views[event->thread];
    struct clock_life *clock = &lives->clocks[event->thread];
    size_t index = index_of(event);
    if (++clock->passed < thread->records || !clock->drawn || !has_track(lives, event->thread))
        return CSY_OK;
    csy_status status = show_uncertainty(lives, event, clock->end_ticks, error);
    return status || thread->nmembers > 1
               ? status
               : lives->format->live(lives, index, lives->items[index].slice, error);
}

csy_status lives_draw(struct lives *lives, const csy_event *event, int64_t begin, csy_error *error)
{
    struct life *life = &lives->items[index_of(event)];
    struct clock_life *clock = &lives->clocks[event->thread];
    struct slice *slice = &life->slice;
    int64_t end = event->global_ticks;
    csy_status status = CSY_OK;
    /* Show the uncertainty of a drifting clock again after each 1 % of the clock's time. */
    const struct thread *thread = &lives->sync->survey.threads.items[event->thread];
    int128 since = (int128)event->local_ticks - clock->shown_ticks;
    bool again = lives->sync->drift && since > 0 &&
                 since * 100 >= (int128)thread->max_ticks - thread->min_ticks;
    if (!clock->drawn || again) {
        clock->shown_ticks = event->local_ticks;
        if (has_track(lives, event->thread))
            status = show_uncertainty(lives, event, end, error);
    }
    clock->end_ticks = clock->drawn && end < clock->end_ticks ? clock->end_ticks : end;
    clock->drawn = true;
    if (life->records++ == 0)
        *slice = (struct slice){begin, end};
    slice->begin = begin < slice->begin ? begin : slice->begin;
    slice->end = end > slice->end ? end : slice->end;
    return status ? status : lives_pass(lives, event, error);
}

csy_status lives_end(struct lives *lives, csy_error *error)
{
    const struct csy_sync *sync = lives->sync;
    csy_status status = CSY_OK;
    for (size_t i = 0; !status && i < sync->survey.threads.ntracks; i++)
        if (sync->views[sync->tracks[i].thread].nmembers > 1 && lives->items[i].records > 0)
            status = lives->format->live(lives, i, lives->items[i].slice, error);
    return status;
}

/* Lower base_ticks to the begin of an event. Use the event's time instead if it has no begin, or if
 * the traced program wrote the begin. */
static csy_status take_begin(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct lives *lives = user;
    const struct record *record = source->record;
    int64_t begin = event->global_ticks;
    bool interval, counts = !record ? !source->stamp.begin_is_raw
                                    : record->spe && record->interval &&
                                          fits_int64((int128)begin - record_interval_ticks(record));
    csy_status status = CSY_OK;
    if (counts)
        status = placement_event_begin(lives->sync, source, event, &interval, &begin, error);
    lives->base_ticks = begin < lives->base_ticks ? begin : lives->base_ticks;
    return status;
}

csy_status lives_walk(struct lives *lives, struct csy_trace *trace, const csy_output *output,
                      const struct writer_format *format, csy_error *error)
{
    static const struct writer_format origin = {.event = take_begin};
    const struct csy_sync *sync = lives->sync;
    const struct threads *threads = &sync->survey.threads;
    lives->items =
        calloc(threads->ntracks ? threads->ntracks : threads->count, sizeof *lives->items);
    lives->clocks = calloc(threads->count, sizeof *lives->clocks);
    csy_status status = lives->items && lives->clocks ? CSY_OK : error_memory(error);
    status = status ? status : selection_init(&lives->selection, sync, output, error);
    /* Read the trace once more to find the earliest time, if some interval may begin before the
     * first record. An interval of an SPE is shorter than 2^32 ticks, the period of the SPE's
     * counter. */
    lives->base_ticks = times_base(sync);
    bool below = sync->tracks && trace->has_begins;
    for (size_t t = 0; t < threads->count && !sync->tracks && !below; t++) {
        int128 first = sync->views[t].offset_ticks == CSY_NO_OFFSET
                           ? lives->base_ticks
                           : placement_of(sync, t, threads->items[t].min_ticks);
        below =
            threads->items[t].kind == CSY_KIND_SPE && first - ((int128)1 << 32) < lives->base_ticks;
    }
    if (!status && below)
        status = writer_walk(&(struct writer){trace, sync, NULL, &origin, lives}, error);
    if (!status)
        status =
            writer_walk(&(struct writer){trace, sync, &lives->selection, format, lives}, error);
    selection_fini(&lives->selection);
    FREE_ALL(lives->items, lives->clocks);
    return status;
}
