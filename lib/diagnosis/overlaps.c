/* Tests whether the spans of one thread overlap. */
#include "base/error.h"
#include "diagnosis/diagnosis.h"

#include <stdlib.h>

/* So many steps back prove that spans overlap. A clock that is set goes back once, but the times of
 * overlapping spans go back repeatedly. */
enum { BACK_MIN = 2 };

struct track_end {
    bool any;
    int64_t begin, end; /* the track's last span */
};

struct overlaps {
    size_t thread;
    struct track_end *ends; /* for each track */
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
    struct taker taker = {.observe = note_span, .observer = &o};
    *overlap = false;
    if (sync->survey.threads.ntracks == 0)
        return CSY_OK;
    o.ends = calloc(sync->survey.threads.ntracks, sizeof *o.ends);
    if (!o.ends)
        return error_memory(error);
    csy_status status =
        pass_again(sync->trace, &sync->survey, NO_THREAD, &taker, &sync->trace->progress, error);
    *overlap = o.back >= BACK_MIN && o.inside > 0;
    free(o.ends);
    return status;
}
