/* Selects the records to write. */
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

/* Find the global times of the first and the last record. Returns false if there are no offsets. */
static bool find_span(const struct csy_sync *sync, int128 *first, int128 *last)
{
    *first = *last = 0;
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        if (sync->views[t].offset_ticks == CSY_NO_OFFSET) {
            *first = sync->origin_ticks;
            return false;
        }
        if (thread->first_record == 0)
            *first = placement_of(sync, t, thread->first_ticks);
        if (thread->last_record + 1 == sync->survey.records)
            *last = placement_of(sync, t, thread->last_ticks);
    }
    return true;
}

static int64_t clamp(int128 ticks)
{
    return ticks < INT64_MIN ? INT64_MIN : ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

/* Convert an end of the window to global ticks: the first tick that is not before it, or the last
 * that is not after it. */
static csy_status place_end(const struct csy_sync *sync, const struct window_end *end, bool first,
                            int64_t *out, csy_error *error)
{
    int128 begin, last, num = end->value.num, den = end->value.den;
    bool spans = find_span(sync, &begin, &last);
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

static csy_status place_window(struct selection *s, const struct csy_sync *sync, const char *text,
                               csy_error *error)
{
    struct window_end from = {0}, to = {0};
    csy_status status = window_read(text, &from, &to, error);
    if (status)
        return status;
    if (from.kind == END_RECORD)
        s->from_record = (uint64_t)from.value.num;
    else if (from.kind != END_OPEN)
        status = place_end(sync, &from, true, &s->from_ticks, error);
    if (!status && to.kind == END_RECORD)
        s->to_record = (uint64_t)to.value.num;
    else if (!status && to.kind != END_OPEN)
        status = place_end(sync, &to, false, &s->to_ticks, error);
    /* A window between two neighbouring ticks contains no tick, which is allowed. */
    if (!status && s->to_ticks < s->from_ticks && (int128)s->from_ticks - s->to_ticks > 1)
        status =
            error_set(error, CSY_USAGE, "%s: the window ends before it begins", sync->trace->name);
    return status;
}

/* True if the thread, its clock, or for a CSV its track has a matching name. */
static bool is_named(const struct csy_sync *sync, size_t index, const char *pattern)
{
    if (!sync->tracks)
        return fnmatch(pattern, sync->views[index].name, 0) == 0;
    const csy_track *track = &sync->tracks[index];
    return fnmatch(pattern, track->name, 0) == 0 ||
           fnmatch(pattern, sync->views[track->thread].name, 0) == 0;
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
        for (size_t i = 0; i < n; i++)
            selection->threads[i] = is_named(sync, i, output->only);
    }
    return output->window ? place_window(selection, sync, output->window, error) : CSY_OK;
}

void selection_fini(struct selection *selection)
{
    free(selection->threads);
    selection->threads = NULL;
}
