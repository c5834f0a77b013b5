/* Passes over the trace of clocks that drift: the points of one buffer, and errors of records. */
#include "base/error.h"
#include "order/visit.h"
#include "sync/drift/drift.h"
#include "sync/options.h"
#include "sync/placement.h"

#include <stdlib.h>

/* --- One buffer: a location whose clock changes --- */

static csy_status take_point(void *engine, const struct point *event, csy_error *error)
{
    struct points *points = engine;
    uint32_t begin, end;
    const struct point_record record = {.position = event->position,
                                        .place = event->place,
                                        .clock = event->thread,
                                        .location = 0,
                                        .buffer = NO_BUFFER,
                                        .x = event->x};
    return points_record(points, &record, &begin, &end, error);
}

static csy_status start_points(void *user, struct taker *taker, csy_error *error)
{
    struct points *points = user;
    (void)error;
    points_fini(points);
    *taker = (struct taker){.sink = {.engine = points, .event = take_point}};
    return CSY_OK;
}

static csy_status survey_line(struct csy_sync *sync, const csy_options *options,
                              const struct progress *progress, csy_error *error)
{
    struct first_pass first = {.reference = options->reference,
                               .start = start_points,
                               .user = &sync->drift->points,
                               .progress = progress};
    csy_status status = pass_survey(sync->trace, &sync->survey, &first, error);
    if (!status && sync->survey.threads.count == 0)
        status = error_set(error, CSY_INPUT, "%s: the trace has no records", sync->trace->name);
    if (!status)
        status = solution_name_threads(sync, error);
    return status ? status : solution_choose_reference(sync, options->reference, error);
}

static csy_status order_points(struct drift *drift, csy_error *error)
{
    struct visit_cycle cycle = {0}; /* a line is none */
    csy_status status = points_finish(&drift->points, error);
    if (!status)
        status = visit_order(&drift->points, &drift->order, &cycle, error);
    visit_cycle_fini(&cycle);
    return status;
}

csy_status drift_take_points(struct csy_sync *sync, struct drift *drift, csy_error *error)
{
    struct taker taker = {.sink = {.engine = &drift->points, .event = take_point}};
    csy_status status = pass_again(sync->trace, &sync->survey, (uint32_t)sync->reference, &taker,
                                   &sync->trace->progress, error);
    return status ? status : order_points(drift, error);
}

csy_status drift_solve_line(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, csy_error *error)
{
    struct drift *drift = sync->drift;
    csy_status status = survey_line(sync, options, progress, error);
    if (!status)
        status = order_points(drift, error);
    if (!status)
        status = drift_solve(sync, options, &drift->points, drift->order, error);
    points_fini(&drift->points);
    free(drift->order);
    drift->order = NULL;
    return status;
}

/* --- Errors of records --- */

/* Of a clock: so far. */
struct widths {
    int128 sum, max;
    int128 above, below; /* of a bound and the time as it is written; at least 0 */
    uint64_t records, record, place;
    int64_t local_ticks;
};

struct measuring {
    struct csy_sync *sync;
    struct widths *widths; /* by thread */
};

static csy_status measure_event(void *observer, const struct event *event, csy_error *error)
{
    const struct measuring *m = observer;
    struct widths *widths = &m->widths[event->thread];
    int128 least, greatest;
    (void)error;
    if (!drift_bounds(m->sync, event->thread, event->local_ticks, &least, &greatest))
        return CSY_OK;
    int128 width = greatest - least;
    if (widths->records++ == 0 || width > widths->max) {
        widths->max = width;
        widths->record = event->position;
        widths->place = event->place;
        widths->local_ticks = event->local_ticks;
    }
    widths->sum += width;
    int128 written = placement_drifting(m->sync, event->thread, event->local_ticks);
    int128 age = (written - event->local_ticks) * AGE_UNIT;
    widths->above = greatest - age > widths->above ? greatest - age : widths->above;
    widths->below = age - least > widths->below ? age - least : widths->below;
    return CSY_OK;
}

static csy_fine fine_of(int128 value)
{
    int128 ticks = floor_div(value, AGE_UNIT);
    return (csy_fine){(int64_t)ticks, (uint32_t)(value - ticks * AGE_UNIT)};
}

/* Each timestamp is off, too, by up to delta of its clock's ticks.  Twice delta is no more than
 * added_ticks, and the ticks of a clock last up to rate_ppb longer than the reference's. */
static csy_fine event_error(const struct csy_sync *sync, int128 error)
{
    return fine_of(error + (int128)sync->imprecision.added_ticks *
                               ((int128)2 * AGE_UNIT + sync->drift->view.rate_ppb));
}

/* The widths of a clock lie within what its ends have, which are of 64 bits. */
static void finish(const struct measuring *m)
{
    struct drift *drift = m->sync->drift;
    int128 sum = 0, max = -1, above = 0, below = 0;
    for (size_t t = 0; t < drift->view.nclocks; t++) {
        const struct widths *widths = &m->widths[t];
        csy_drift_clock *view = &drift->views[t];
        if (widths->records == 0)
            continue;
        view->max_error = fine_of(widths->max);
        view->mean_error = fine_of(floor_div(widths->sum, (int128)widths->records));
        view->max_record = widths->record;
        view->max_place = widths->place;
        view->max_local_ticks = widths->local_ticks;
        if (t == m->sync->reference)
            continue;
        sum += widths->sum;
        above = widths->above > above ? widths->above : above;
        below = widths->below > below ? widths->below : below;
        drift->view.records += widths->records;
        if (widths->max > max) {
            max = widths->max;
            drift->view.max_clock = t;
        }
    }
    if (max < 0)
        return;
    drift->view.max_error = fine_of(max);
    int128 mean = floor_div(sum, (int128)drift->view.records);
    drift->view.mean_error = fine_of(mean);
    drift->view.mean_event_error = event_error(m->sync, mean);
    drift->view.max_event_error = event_error(m->sync, above + below);
}

csy_status drift_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error)
{
    struct measuring m = {sync, calloc(sync->survey.threads.count, sizeof *m.widths)};
    struct taker taker = {.observe = measure_event, .observer = &m};
    if (!m.widths)
        return error_memory(error);
    csy_status status =
        pass_again(sync->trace, &sync->survey, (uint32_t)sync->reference, &taker, progress, error);
    if (!status)
        finish(&m);
    free(m.widths);
    return status;
}
