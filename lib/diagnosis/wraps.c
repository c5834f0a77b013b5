/* Finds counters that wrapped. */
#include "base/error.h"
#include "diagnosis/diagnosis.h"

#include <stdlib.h>

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

struct track_last {
    bool any;
    int64_t ticks;
};

struct falls {
    const struct csy_sync *sync;
    struct track_last *last; /* for each track */
    struct wraps *out;
};

static csy_status note_fall(void *observer, const struct event *event, csy_error *error)
{
    struct falls *f = observer;
    (void)error;
    if (event->track == NO_THREAD)
        return CSY_OK;
    struct track_last *last = &f->last[event->track];
    int128 fall = last->any ? (int128)last->ticks - event->local_ticks : 0;
    unsigned bits = fall > 0 ? diagnosis_wrapped_bits(f->sync, event->thread, fall, 2 * fall) : 0;
    if (bits > 0 && (f->out->falls == 0 || f->out->clock == event->thread)) {
        f->out->clock = event->thread;
        f->out->bits = bits;
        f->out->falls++;
    }
    *last = (struct track_last){true, event->local_ticks};
    return CSY_OK;
}

csy_status diagnosis_wraps(struct csy_sync *sync, struct wraps *out, csy_error *error)
{
    struct falls f = {.sync = sync, .out = out};
    struct taker taker = {.observe = note_fall, .observer = &f};
    *out = (struct wraps){.falls = 0};
    if (sync->survey.threads.ntracks == 0 || !sync->trace->source->shaped)
        return CSY_OK;
    f.last = calloc(sync->survey.threads.ntracks, sizeof *f.last);
    if (!f.last)
        return error_memory(error);
    csy_status status =
        pass_again(sync->trace, &sync->survey, NO_THREAD, &taker, &sync->trace->progress, error);
    free(f.last);
    return status;
}
