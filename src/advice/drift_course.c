/* Errors of drifting clocks over time. */
#include "advice/drift_course.h"

#include "base/error.h"
#include "sync/drift/drift.h"

#include <stdlib.h>

/* Steps of the search for the local time of a global time. Few suffice: each reduces the error by a
 * factor of the rate's difference from 1. */
enum { STEPS_MAX = 8 };

/* The approximate local time of a global time, within the life of the thread. */
static int64_t local_at(const struct csy_sync *sync, size_t t, int64_t global_ticks)
{
    const struct thread *thread = &sync->survey.threads.items[t];
    const struct knots *knots = &sync->drift->clocks[t];
    int128 local = global_ticks - (int128)sync->views[t].offset_ticks;
    for (size_t i = 0; i < STEPS_MAX; i++) {
        if (local < thread->min_ticks)
            return thread->min_ticks;
        if (local > thread->max_ticks)
            return thread->max_ticks;
        int128 off = global_ticks - knots_global(knots, (int64_t)local);
        if (off == 0)
            break;
        local += off;
    }
    return local < thread->min_ticks   ? thread->min_ticks
           : local > thread->max_ticks ? thread->max_ticks
                                       : (int64_t)local;
}

static int by_size(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void fill_part(const struct csy_sync *sync, const struct spans *lives, size_t i,
                      int64_t *errors, struct drift_part *part)
{
    int128 length = (int128)lives->end - lives->begin;
    int128 begin = lives->begin + length * (int128)i / DRIFT_PARTS;
    int128 end = lives->begin + length * (int128)(i + 1) / DRIFT_PARTS;
    *part = (struct drift_part){0};
    for (size_t t = 0; t < lives->n; t++) {
        int128 least, greatest;
        const struct span *life = &lives->items[t];
        if (t == sync->reference || life->begin > end || life->end < begin)
            continue;
        int64_t local = local_at(sync, t, (int64_t)((begin + end) / 2));
        if (!drift_bounds(sync, t, local, &least, &greatest))
            continue;
        int64_t error = (int64_t)ceil_div(greatest - least, AGE_UNIT);
        if (part->live == 0 || error > part->greatest) {
            part->greatest = error;
            part->widest = t;
        }
        errors[part->live++] = error;
    }
    if (part->live == 0)
        return;
    qsort(errors, part->live, sizeof *errors, by_size);
    part->least = errors[0];
    part->median = errors[(part->live - 1) / 2];
}

csy_status drift_course(const struct csy_sync *sync, const struct spans *lives,
                        struct drift_part parts[DRIFT_PARTS], csy_error *error)
{
    int64_t *errors = malloc((lives->n + 1) * sizeof *errors);
    if (!errors)
        return error_memory(error);
    for (size_t i = 0; i < DRIFT_PARTS; i++)
        fill_part(sync, lives, i, errors, &parts[i]);
    free(errors);
    return CSY_OK;
}
