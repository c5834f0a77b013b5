/* Live intervals in an output for viewers. */
#include "output/trace/lives.h"

#include "base/error.h"
#include "output/trace/times.h"

#include <stdlib.h>

struct clock_life {
    uint64_t passed;     /* records so far, drawn or not */
    int64_t end_ticks;   /* greatest global time drawn */
    int64_t shown_ticks; /* local time at which its uncertainty was shown last */
    bool drawn;          /* a record was drawn */
};

csy_status lives_init(struct lives *lives, const struct csy_sync *sync,
                      const struct lives_format *format, void *user, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    *lives = (struct lives){sync, format, user, NULL, NULL};
    lives->items =
        calloc(threads->ntracks ? threads->ntracks : threads->count, sizeof *lives->items);
    lives->clocks = calloc(threads->count, sizeof *lives->clocks);
    return lives->items && lives->clocks ? CSY_OK : error_memory(error);
}

void lives_fini(struct lives *lives)
{
    free(lives->items);
    free(lives->clocks);
}

static size_t index_of(const csy_event *event)
{
    return event->track == CSY_NO_TRACK ? event->thread : event->track;
}

/* True if the thread has a track. The PPE as a whole has none. */
static bool has_track(const struct lives *lives, size_t thread)
{
    return lives->sync->tracks || thread != lives->sync->survey.threads.ppe;
}

/* Show the clock's uncertainty, if the method has bounds. */
static csy_status show_uncertainty(const struct lives *lives, const csy_event *event,
                                   int64_t global_ticks, csy_error *error)
{
    const csy_thread *thread = &lives->sync->views[event->thread];
    int128 uncertainty = times_uncertainty(lives->sync, event->thread, event->local_ticks);
    if (lives->sync->method != CSY_METHOD_BHH || thread->earliest_ticks == INT64_MIN ||
        thread->latest_ticks == INT64_MAX || !fits_int64(uncertainty))
        return CSY_OK;
    return lives->format->uncertainty(lives->user, index_of(event), event->thread, global_ticks,
                                      (int64_t)uncertainty, error);
}

csy_status lives_pass(struct lives *lives, const csy_event *event, csy_error *error)
{
    const csy_thread *thread = &lives->sync->views[event->thread];
    struct clock_life *clock = &lives->clocks[event->thread];
    size_t index = index_of(event);
    if (++clock->passed < thread->records || !clock->drawn || !has_track(lives, event->thread))
        return CSY_OK;
    csy_status status = show_uncertainty(lives, event, clock->end_ticks, error);
    if (status || thread->nmembers > 1)
        return status;
    return lives->format->live(lives->user, index, lives->items[index].slice, error);
}

csy_status lives_draw(struct lives *lives, const csy_event *event, int64_t begin, csy_error *error)
{
    struct life *life = &lives->items[index_of(event)];
    struct clock_life *clock = &lives->clocks[event->thread];
    struct slice *slice = &life->slice;
    int64_t end = event->global_ticks;
    csy_status status = CSY_OK;
    bool changes = clock->drawn && times_must_show(lives->sync, event->thread, clock->shown_ticks,
                                                   event->local_ticks);
    if (!clock->drawn || changes) {
        clock->end_ticks = changes ? clock->end_ticks : end;
        clock->drawn = true;
        clock->shown_ticks = event->local_ticks;
        if (has_track(lives, event->thread))
            status = show_uncertainty(lives, event, end, error);
    }
    clock->end_ticks = end > clock->end_ticks ? end : clock->end_ticks;
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
            status = lives->format->live(lives->user, i, lives->items[i].slice, error);
    return status;
}
