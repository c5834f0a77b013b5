/* Compares the offsets that a tracer assumed for its clocks with the bounds that cellsync found.
 *
 * The tracer corrects a reading x of a clock to a time C. Let y be the reading of the reference
 * that the tracer corrects to C, too, and G the global time of y. Then the tracer's offset of the
 * clock is G - x. It should be within the clock's bounds. Offsets and bounds are linear between
 * certain readings, so only these readings are compared. */
#include "trace/tracer.h"

#include "base/error.h"
#include "base/texts.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"

#include <stdlib.h>
#include <string.h>

struct tracer_clocks {
    const struct csy_sync *sync;
    /* names of all clocks; the number of a name is the number of its clock */
    struct texts names;
    struct tracer_thread tau; /* a thread with the reference clock */
    bool rises;               /* true if the local times of `tau` increase */
    struct tracer_thread own; /* the thread that is compared with `tau` */
    size_t clock;             /* number of this thread's clock */
    csy_tracer_clock of;
};

/* --- A reading ------------------------------------------------------------------------------ */

static bool fit(int128 value, int64_t *out)
{
    *out = (int64_t)value;
    return fits_int64(value);
}

/* Compare the tracer's offset with the bounds at one reading of the clock. Returns false if the
 * difference does not fit 64 bits. */
static bool look_at(const struct tracer_clocks *l, int64_t local_ticks, csy_tracer_moment *moment)
{
    int128 corrected, shown;
    int64_t y;
    if (!tracer_correct(&l->own, local_ticks, &corrected) ||
        !tracer_undo(&l->tau, corrected, &shown) || !fit(shown, &y))
        return false;
    moment->local_ticks = local_ticks;
    const csy_thread *view = &l->sync->views[l->clock];
    int128 least, greatest;
    moment->earliest_ticks = INT64_MIN;
    moment->latest_ticks = INT64_MAX;
    if (!l->sync->drift) {
        moment->earliest_ticks = view->earliest_ticks;
        moment->latest_ticks = view->latest_ticks;
    } else if (drift_bounds(l->sync, l->clock, local_ticks, &least, &greatest)) {
        (void)fit(floor_div(least, AGE_UNIT), &moment->earliest_ticks);
        (void)fit(ceil_div(greatest, AGE_UNIT), &moment->latest_ticks);
    }
    return fit(placement_of(l->sync, l->sync->reference, y) - local_ticks, &moment->tracer_ticks) &&
           fit(placement_of(l->sync, l->clock, local_ticks) - local_ticks, &moment->offset_ticks);
}

static int128 outside(const csy_tracer_moment *moment)
{
    int128 early = (int128)moment->earliest_ticks - moment->tracer_ticks,
           late = (int128)moment->tracer_ticks - moment->latest_ticks;
    int128 by = early > late ? early : late;
    return by < 0 || (early > 0 && moment->earliest_ticks == INT64_MIN) ? 0 : by;
}

static int64_t clamp(int128 ticks)
{
    return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

static void note_moment(csy_tracer_clock *of, const csy_tracer_moment *moment)
{
    int128 off = (int128)moment->tracer_ticks - moment->offset_ticks;
    int64_t by = clamp(outside(moment)), distance = clamp(off < 0 ? -off : off);
    if (by > of->outside_ticks || (by == of->outside_ticks && distance > of->distance_ticks) ||
        !of->known)
        of->worst = *moment;
    if (by > of->outside_ticks || !of->known)
        of->outside_ticks = by;
    if (distance > of->distance_ticks || !of->known)
        of->distance_ticks = distance;
    of->known = true;
}

/* Compare offsets at a local time, if it is between the clock's first and last record. */
static bool look_within(struct tracer_clocks *l, int128 local_ticks)
{
    const struct thread *life = &l->sync->survey.threads.items[l->clock];
    csy_tracer_moment moment;
    if (local_ticks <= life->min_ticks || local_ticks >= life->max_ticks)
        return true;
    if (!look_at(l, (int64_t)local_ticks, &moment))
        return false;
    note_moment(&l->of, &moment);
    return true;
}

/* --- A thread ------------------------------------------------------------------------------- */

static bool look_at_thread(struct tracer_clocks *l)
{
    const struct thread *life = &l->sync->survey.threads.items[l->clock];
    bool good = l->rises && look_at(l, life->min_ticks, &l->of.first) &&
                look_at(l, life->max_ticks, &l->of.last);
    if (!good)
        return false;
    note_moment(&l->of, &l->of.first);
    note_moment(&l->of, &l->of.last);
    for (size_t i = 0; i < l->own.count && good; i++)
        good = look_within(l, l->own.readings[i].at_ticks);
    /* Compare at the readings of the reference `tau`, too, if the tracer's correction of `own` can
     * be undone. */
    bool undoes = tracer_rises(&l->own);
    for (size_t i = 0; i < l->tau.count && good && undoes; i++) {
        const struct tracer_reading *reading = &l->tau.readings[i];
        int128 shown;
        good = tracer_undo(&l->own, (int128)reading->at_ticks + reading->offset_ticks, &shown) &&
               look_within(l, shown);
    }
    if (!good || !l->sync->drift)
        return good;
    /* The bounds of a drifting clock are narrowest at the local times where it has constraints. */
    const struct ageing *ageing = &l->sync->drift->ageing;
    for (size_t i = ageing->first_of[l->clock]; i < ageing->first_of[l->clock + 1] && good; i++)
        good = look_within(l, ageing->reading[ageing->sorted[i]] -
                                  l->sync->survey.rough.offset[l->clock]);
    return good;
}

static bool is_worse(const csy_tracer_clock *one, const csy_tracer_clock *other)
{
    if (one->known != other->known)
        return one->known;
    return one->outside_ticks != other->outside_ticks ? one->outside_ticks > other->outside_ticks
                                                      : one->distance_ticks > other->distance_ticks;
}

/* --- All threads ----------------------------------------------------------------------------- */

/* Get thread `index` of the source if its clock has records. *more is false after the last one. */
static bool next_thread(struct tracer_clocks *l, size_t index, bool *more)
{
    const struct csy_trace *trace = l->sync->trace;
    uint32_t clock = 0;
    *more = trace->source->tracer(trace, index, &l->own);
    bool has = *more && texts_look(&l->names, l->own.clock.bytes, l->own.clock.size, &clock);
    l->clock = clock;
    return has;
}

static void look(struct tracer_clocks *l, struct tracer *tracer)
{
    const struct csy_sync *sync = l->sync;
    csy_tracer *view = &tracer->view;
    bool more = true;
    /* tau becomes the first thread of the reference clock with at least two readings. */
    l->tau = (struct tracer_thread){.count = 0};
    for (size_t i = 0; more && l->tau.count < 2; i++)
        if (next_thread(l, i, &more) && l->clock == sync->reference)
            l->tau = l->own;
    l->rises = tracer_rises(&l->tau);
    more = true;
    for (size_t i = 0; more; i++) {
        if (!next_thread(l, i, &more))
            continue;
        csy_tracer_clock *clock = &tracer->clocks[l->clock];
        uint64_t readings = clock->readings + l->own.count;
        l->of = (csy_tracer_clock){.known = false};
        view->readings += l->own.count;
        if (!look_at_thread(l))
            l->of.known = false;
        if (is_worse(&l->of, clock))
            *clock = l->of;
        clock->readings = readings;
    }
    view->worst = sync->reference;
    for (size_t t = 0; t < view->nclocks; t++) {
        const csy_tracer_clock *clock = &view->clocks[t];
        if (t == sync->reference)
            continue;
        view->unknown += !clock->known;
        view->outside += clock->known && clock->outside_ticks > 0;
        view->inside += clock->known && clock->outside_ticks == 0;
        if (view->worst == sync->reference || is_worse(clock, &view->clocks[view->worst]))
            view->worst = t;
    }
}

csy_status csy_sync_tracer(csy_sync *sync, const csy_tracer **out, csy_error *error)
{
    struct tracer_clocks l = {.sync = sync};
    size_t n = sync->survey.threads.count;
    csy_status status = solution_check_feasible(sync, error);
    *out = sync->tracer ? &sync->tracer->view : NULL;
    if (status || sync->tracer || !sync->trace->source->tracer || !placement_moves_threads(sync))
        return status;
    struct tracer *tracer = calloc(1, sizeof *tracer);
    csy_tracer_clock *clocks = calloc(n + 1, sizeof *clocks);
    bool good = tracer && clocks;
    for (size_t t = 0; t < n && good; t++) {
        char text[THREAD_NAME_MAX];
        uint32_t number;
        const char *name = thread_name(&sync->survey.threads.items[t], text);
        good = texts_find(&l.names, name, strlen(name), &number, NULL);
    }
    if (!good) {
        free(tracer);
        free(clocks);
        status = error_memory(error);
    } else {
        *tracer = (struct tracer){{.nclocks = n, .clocks = clocks}, clocks};
        look(&l, tracer);
        sync->tracer = tracer;
        *out = &tracer->view;
    }
    texts_fini(&l.names);
    return status;
}
