/* The last steps of every solver. */
#include "sync/outcome.h"

#include "base/error.h"
#include "bounds/met.h"
#include "bounds/statistics.h"
#include "sync/options.h"
#include "sync/partial_order.h"
#include "sync/placement.h"

#include <stdlib.h>

/* Write a delta as time and in ticks, such as "437 ns (25/4 ticks)". */
enum { DELTA_TEXT_MAX = CSY_TIME_TEXT_MAX + FRACTION_TEXT_MAX + 16 };
static const char *delta_text(const struct csy_sync *sync, csy_fraction delta,
                              char text[DELTA_TEXT_MAX])
{
    char time[CSY_TIME_TEXT_MAX], ticks[FRACTION_TEXT_MAX];
    csy_time_text(delta, sync->trace->timebase_hz, time);
    snprintf(text, DELTA_TEXT_MAX, "%s (%s tick%s)", time, fraction_text(delta, ticks),
             delta.num > 0 && delta.num <= delta.den ? "" : "s");
    return text;
}

csy_status outcome_refuse(const struct csy_sync *sync, const csy_options *options, csy_error *error)
{
    char least[DELTA_TEXT_MAX], given[DELTA_TEXT_MAX], tick[CSY_TIME_TEXT_MAX];
    csy_fraction needs = sync->witness.least_delta;
    /* Reading two clocks in whole ticks can violate a constraint by one tick, so it explains a
     * delta of half a tick. It does not explain a single clock that steps back. */
    bool explained = sync->witness.length > 1 && 2 * (int128)needs.num <= needs.den;
    delta_text(sync, needs, least);
    if (options->relax == CSY_RELAX_GIVEN)
        return error_set(error, CSY_INFEASIBLE,
                         "%s: infeasible: the timestamps contradict the order of the records by "
                         "more than delta = %s allows. The witness below shows that delta must be "
                         "at least %s",
                         sync->trace->name, delta_text(sync, options->delta, given), least);
    return error_set(error, CSY_INFEASIBLE,
                     "%s: infeasible: the timestamps contradict the order of the records. The "
                     "witness below shows that delta must be at least %s, which rounding to ticks "
                     "of %s %s. Pass --delta or another --relax",
                     sync->trace->name, least,
                     csy_time_text((csy_fraction){1, 1}, sync->trace->timebase_hz, tick),
                     explained ? "explains" : "does not explain");
}

csy_status outcome_refuse_wander(const struct csy_sync *sync, const csy_options *options,
                                 csy_fraction least, csy_error *error)
{
    char wander[QUOTIENT_TEXT_MAX], needs[CSY_TIME_TEXT_MAX], given[DELTA_TEXT_MAX];
    char ticks[FRACTION_TEXT_MAX];
    csy_fraction delta = options->relax == CSY_RELAX_GIVEN ? options->delta : (csy_fraction){0, 1};
    return error_set(
        error, CSY_INFEASIBLE,
        "%s: infeasible: no rates within %s ppm of a constant explain the order with delta = %s. "
        "The smallest delta for such rates is %s: pass --delta=%s or more, or a larger wander",
        sync->trace->name, decimal_text(options->wander_ppb, 3, wander),
        delta_text(sync, delta, given), csy_time_text(least, sync->trace->timebase_hz, needs),
        fraction_text(least, ticks));
}

csy_status outcome_set_imprecision(struct csy_sync *sync, csy_relax relax, csy_fraction twice,
                                   csy_error *error)
{
    csy_imprecision *imprecision = &sync->imprecision;
    int128 up = ceil_div(twice.num, twice.den);
    imprecision->relax = relax;
    imprecision->added_ticks = (int64_t)up;
    int128 least = solution_least_twice(sync) * (int128)twice.den;
    imprecision->conditional = twice.num > least && imprecision->relax != CSY_RELAX_GIVEN;
    imprecision->adjacent_steps_back = sync->survey.adjacent_steps_back;
    if (up >= WALK_MAX || !fraction_make(twice.num, (int128)2 * twice.den, &imprecision->delta))
        return error_set(error, CSY_INPUT, "%s: delta does not fit 64 bits", sync->trace->name);
    imprecision->beyond_unwrapping =
        sync->survey.threads.ntracks == 0 && 2 * up > sync->survey.rules.imprecision_ticks;
    return CSY_OK;
}

void outcome_note_inversion(csy_imprecision *imprecision, int128 down)
{
    if (down <= 0)
        return;
    imprecision->inversions++;
    if (down > imprecision->largest_inversion_ticks)
        imprecision->largest_inversion_ticks = down > INT64_MAX ? INT64_MAX : (int64_t)down;
}

/* See outcome.h. The offsets and their bounds are for times with rough offsets added
 * (order/rebase.h). */
csy_status outcome_set_ends(struct csy_sync *sync, const int64_t *from, const int64_t *to,
                            csy_error *error)
{
    const int128 *rough = sync->survey.rough.offset;
    size_t tau = sync->reference;
    /* Local times of two threads must be at most 2^63 ticks apart. Their difference is at most the
     * difference of the offsets plus the length of the trace. */
    int128 least = INT64_MAX, greatest = INT64_MIN, first = INT64_MAX, last = INT64_MIN;
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        int128 offset = sync->views[t].offset_ticks;
        int128 begin = placement_of(sync, t, sync->survey.threads.items[t].min_ticks);
        int128 end = placement_of(sync, t, sync->survey.threads.items[t].max_ticks);
        least = offset < least ? offset : least;
        greatest = offset > greatest ? offset : greatest;
        first = begin < first ? begin : first;
        last = end > last ? end : last;
    }
    bool fits = fits_int64(greatest - least + (last - first));
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        csy_thread *view = &sync->views[t];
        int128 even = sync->views[tau].offset_ticks + rough[t] - rough[tau];
        fits =
            solution_end(even - from[t], from[t] >= WALK_FAR, INT64_MIN, &view->earliest_ticks) &&
            solution_end(even + to[t], to[t] >= WALK_FAR, INT64_MAX, &view->latest_ticks) && fits;
    }
    return fits ? CSY_OK
                : error_set(
                      error, CSY_INPUT,
                      "%s: the difference between two clocks does not fit 64 bits (2^63 ticks)",
                      sync->trace->name);
}

static csy_mean event_mean(const struct csy_sync *sync, csy_mean mean)
{
    if (mean.pairs > 0)
        mean.ticks = csy_sync_event_error(sync, mean.ticks);
    return mean;
}

csy_status outcome_gather_figures(struct csy_sync *sync, const struct pair_known *known,
                                  uint64_t steps_max, csy_error *error)
{
    const struct statistics_effort effort = {known, sync->trace->workers, steps_max};
    csy_summary *summary = &sync->summary;
    struct pair_tally_thread *threads = solution_tally_threads(sync);
    if (!threads)
        return error_memory(error);
    csy_status status = statistics_gather(&sync->bounds, threads, &effort, &sync->summary, error);
    free(threads);
    if (!status && sync->partial) {
        struct met met;
        summary->met = (csy_group){.max_error_ticks = -1};
        summary->met_uncomputed = met_steps(&sync->bounds) > steps_max;
        if (!summary->met_uncomputed) {
            status = met_gather(&sync->bounds, &sync->partial->pairs, &met, error);
            if (!status)
                summary->met = met_figures(&met);
            met_fini(&met);
        }
    }
    if (status)
        return status;
    /* The error of an event is the error of its offset plus delta. */
    summary->max_event_error_ticks = csy_sync_event_error(sync, summary->max_error_ticks);
    summary->max_event_error_spe_ticks = csy_sync_event_error(sync, summary->max_error_spe_ticks);
    summary->event_error_ppe = event_mean(sync, summary->error_ppe);
    summary->event_error_spe = event_mean(sync, summary->error_spe);
    csy_group *groups[] = {&summary->live, &summary->successive, &summary->met};
    for (size_t i = 0; i < 3; i++) {
        groups[i]->max_event_error_ticks = csy_sync_event_error(sync, groups[i]->max_error_ticks);
        groups[i]->event_mean = event_mean(sync, groups[i]->mean);
    }
    return CSY_OK;
}
