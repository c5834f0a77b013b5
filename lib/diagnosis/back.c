/* Looks for times that go back on a track: counters that wrapped, and spans that overlap. */
#include "base/error.h"
#include "diagnosis/diagnosis.h"

#include <stdlib.h>

/* The last span or event of a track. */
struct track_end {
    bool any;
    int64_t begin, end;
};

/* Pass all events to `taker`. During this time, *ends has an item for each track. */
static csy_status pass_tracks(struct csy_sync *sync, struct taker *taker, struct track_end **ends,
                              csy_error *error)
{
    *ends = calloc(sync->survey.threads.ntracks, sizeof **ends);
    csy_status status = *ends ? pass_again(sync->trace, &sync->survey, NO_THREAD, taker,
                                           &sync->trace->progress, error)
                              : error_memory(error);
    free(*ends);
    return status;
}

/* --- Counters that wrapped --- */

unsigned diagnosis_wrapped_bits(const struct csy_sync *sync, size_t clock, int128 least,
                                int128 most)
{
    static const unsigned usual[] = {16, 24, 31, 32};
    const struct csv_reader *lines = &sync->trace->lines;
    const struct thread *thread = &sync->survey.threads.items[clock];
    int128 unit = sync->trace->source->shaped ? csv_counters_unit(&lines->counters) : 0;
    unsigned bits = 0;
    if (unit == 0 || lines->counters.wraps || thread->min_ticks < 0)
        return 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        int128 wrap = unit << usual[i];
        bool falls = thread->max_ticks < wrap && least <= wrap && most >= wrap;
        if (falls && bits > 0)
            return 0;
        bits = falls ? usual[i] : bits;
    }
    return bits;
}

struct falls {
    const struct csy_sync *sync;
    struct track_end *ends; /* last span or event of each track */
    struct wraps *out;
};

static csy_status note_fall(void *observer, const struct event *event, csy_error *error)
{
    struct falls *f = observer;
    (void)error;
    if (event->track == NO_THREAD)
        return CSY_OK;
    struct track_end *last = &f->ends[event->track];
    int128 fall = last->any ? (int128)last->end - event->local_ticks : 0;
    unsigned bits = fall > 0 ? diagnosis_wrapped_bits(f->sync, event->thread, fall, 2 * fall) : 0;
    if (bits > 0 && (f->out->falls == 0 || f->out->clock == event->thread)) {
        f->out->clock = event->thread;
        f->out->bits = bits;
        f->out->falls++;
    }
    *last = (struct track_end){.any = true, .end = event->local_ticks};
    return CSY_OK;
}

csy_status diagnosis_wraps(struct csy_sync *sync, struct wraps *out, csy_error *error)
{
    struct falls f = {.sync = sync, .out = out};
    *out = (struct wraps){.falls = 0};
    return sync->survey.threads.ntracks == 0 || !sync->trace->source->shaped
               ? CSY_OK
               : pass_tracks(sync, &(struct taker){.observe = note_fall, .observer = &f}, &f.ends,
                             error);
}

/* --- Spans that overlap --- */

/* If the time of a thread goes back at least this often, its spans overlap. If the clock was set,
 * time goes back only once. */
enum { BACK_MIN = 2 };

struct overlaps {
    size_t thread;
    struct track_end *ends; /* last span or event of each track */
    uint64_t back, inside;
};

static csy_status note_span(void *observer, const struct event *event, csy_error *error)
{
    struct overlaps *o = observer;
    (void)error;
    if (event->thread != o->thread || event->track == NO_THREAD || !event->stamp.interval ||
        event->stamp.begin_ticks >= event->local_ticks)
        return CSY_OK;
    struct track_end *last = &o->ends[event->track];
    if (last->any) {
        o->back += event->local_ticks < last->end;
        o->inside += event->stamp.begin_ticks < last->end && last->begin < event->local_ticks;
    }
    *last = (struct track_end){true, event->stamp.begin_ticks, event->local_ticks};
    return CSY_OK;
}

csy_status diagnosis_overlaps(struct csy_sync *sync, size_t thread, bool *overlap, csy_error *error)
{
    struct overlaps o = {.thread = thread};
    csy_status status =
        sync->survey.threads.ntracks == 0
            ? CSY_OK
            : pass_tracks(sync, &(struct taker){.observe = note_span, .observer = &o}, &o.ends,
                          error);
    *overlap = o.back >= BACK_MIN && o.inside > 0;
    return status;
}
