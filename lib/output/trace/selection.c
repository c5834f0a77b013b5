/* Selects the records that an output contains. */
#include "output/trace/selection.h"

#include "base/error.h"
#include "base/number.h"
#include "base/time_window.h"
#include "sync/placement.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

bool selection_is_part(const csy_output *output)
{
    return output->window || output->only;
}

static int64_t clamp(int128 ticks)
{
    return ticks < INT64_MIN ? INT64_MIN : ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

/* Convert an end of the window to global ticks. The end is rounded to the inside of the window. */
static csy_status place_end(const struct csy_sync *sync, const struct window_end *end, bool first,
                            int64_t *out, csy_error *error)
{
    int128 begin = 0, last = 0, num = end->value.num, den = end->value.den;
    bool spans = true; /* true if all clocks have offsets, so that the first and the last record
                        * have global times */
    for (size_t t = 0; t < sync->survey.threads.count && spans; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        spans = sync->views[t].offset_ticks != CSY_NO_OFFSET;
        if (!spans)
            begin = sync->origin_ticks;
        else if (thread->first_record == 0)
            begin = placement_of(sync, t, thread->first_ticks);
        if (spans && thread->last_record + 1 == sync->survey.records)
            last = placement_of(sync, t, thread->last_ticks);
    }
    num = end->negative ? -num : num;
    if (end->kind == END_TICKS) {
        *out = clamp(num);
        return CSY_OK;
    }
    if (end->kind == END_PERCENT && !spans)
        return error_set(error, CSY_USAGE,
                         "a window in %% requires a method that gives every clock an offset");
    if (end->kind == END_PERCENT) {
        if (end->value.num > 1000 * (int128)end->value.den)
            num = (end->negative ? -1000 : 1000) * den;
        num *= last - begin;
        den *= 100;
    } else {
        num *= (int128)sync->trace->timebase_hz;
        den *= end->per_second;
    }
    *out = clamp(begin + (first ? ceil_div(num, den) : floor_div(num, den)));
    return CSY_OK;
}

csy_status selection_init(struct selection *selection, const struct csy_sync *sync,
                          const csy_output *output, csy_error *error)
{
    size_t tracks = sync->survey.threads.ntracks, n = tracks ? tracks : sync->survey.threads.count;
    *selection = (struct selection){.all = !selection_is_part(output),
                                    .from_ticks = INT64_MIN,
                                    .to_ticks = INT64_MAX,
                                    .to_record = UINT64_MAX};
    if (output->only) {
        selection->threads = calloc(n, sizeof *selection->threads);
        if (!selection->threads)
            return error_memory(error);
        /* The name of a CSV's track, or the name of its clock, selects a track. */
        for (size_t i = 0; i < n; i++) {
            const csy_track *track = sync->tracks ? &sync->tracks[i] : NULL;
            const char *clock = sync->views[track ? track->thread : i].name;
            selection->threads[i] = fnmatch(output->only, clock, 0) == 0 ||
                                    (track && fnmatch(output->only, track->name, 0) == 0);
        }
    }
    if (!output->window)
        return CSY_OK;
    struct window_end from = {0}, to = {0};
    csy_status status = window_read(output->window, &from, &to, error);
    if (!status && from.kind == END_RECORD)
        selection->from_record = (uint64_t)from.value.num;
    else if (!status && from.kind != END_OPEN)
        status = place_end(sync, &from, true, &selection->from_ticks, error);
    if (!status && to.kind == END_RECORD)
        selection->to_record = (uint64_t)to.value.num;
    else if (!status && to.kind != END_OPEN)
        status = place_end(sync, &to, false, &selection->to_ticks, error);
    /* A window between two neighbouring ticks is allowed, although it contains no tick. */
    if (!status && (int128)selection->from_ticks - selection->to_ticks > 1)
        status =
            error_set(error, CSY_USAGE, "%s: the window ends before it begins", sync->trace->name);
    return status;
}

void selection_fini(struct selection *selection)
{
    free(selection->threads);
    selection->threads = NULL;
}
