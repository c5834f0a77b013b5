/* csy_trace_synchronize: solves a trace, and finds clocks that were set if this explains a
 * contradiction.
 *
 * A step is a moment when a clock was set. The clock is cut there, and treated as two clocks. Each
 * round solves the trace with the steps found so far. If neither rates nor two wrong timestamps
 * explain the remaining contradiction, one more step is searched for. If any of several clocks may
 * have been set, all of them are cut. The search predicts a limit of the timestamp error. If the
 * next solution needs a larger error, the step is removed again. */
#include "base/error.h"
#include "base/texts.h"
#include "diagnosis/diagnosis.h"
#include "sync/drift/drift.h"
#include "sync/options.h"
#include "sync/pipeline/pipeline.h"
#include "trace/offsets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* INSIDE_MOST: a clock is cut only if it is uncertain for at most this many records whether they
 * were made before or after it was set. */
enum { CRYSTALS_PPB = 101000, SLEWED_PPB = 1001000, INSIDE_MOST = 64, ROUNDS_MOST = 16 };

struct candidate {
    size_t thread;
    struct clock_step step; /* the step, with a copy of the clock's name */
    char *location;
    size_t location_size;
    uint64_t inside;
    /* true if the clock can be split: no record has a begin, and the order of its records is known,
     * because they are in one location or the clock was set forward */
    bool fits;
};

struct candidates {
    struct candidate items[SET_STEPS_MOST];
    size_t count;
};

static bool same_text(const char *a, size_t n, const char *b, size_t m)
{
    return n == m && memcmp(a, b, n) == 0;
}

static char *copy_text(const char *text, size_t size)
{
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = 0;
    }
    return copy;
}

static csy_status note_record(void *observer, const struct event *event, csy_error *error)
{
    struct candidates *candidates = observer;
    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *c = &candidates->items[i];
        if (c->thread != event->thread)
            continue;
        const struct named_stamp *stamp = &event->stamp;
        const csy_text *location = &event->roles->location;
        const char *name = location->size > 0 ? location->bytes : stamp->thread;
        size_t size = location->size > 0 ? location->size : stamp->thread_size;
        if (!c->step.clock) {
            bool own = stamp->clock_size == 0;
            c->step.clock_size = own ? stamp->thread_size : stamp->clock_size;
            c->step.clock = copy_text(own ? stamp->thread : stamp->clock, c->step.clock_size);
            c->location = copy_text(name, size);
            c->location_size = size;
            if (!c->step.clock || !c->location)
                return error_memory(error);
        }
        c->fits = c->fits && !stamp->interval &&
                  (c->step.timed || same_text(c->location, c->location_size, name, size));
        c->inside += c->step.timed
                         ? event->local_ticks > c->step.before_ticks &&
                               event->local_ticks < c->step.after_ticks
                         : event->position > c->step.before && event->position < c->step.after;
    }
    return CSY_OK;
}

/* Add all steps, or none if some clock cannot be cut, or would be cut more than `most` times. */
static csy_status add_candidates(struct csy_sync *sync, struct candidates *candidates,
                                 uint64_t most, struct clock_steps *steps, bool *added,
                                 csy_error *error)
{
    struct taker taker = {.observe = note_record, .observer = candidates};
    csy_status status =
        pass_again(sync->trace, &sync->survey, NO_THREAD, &taker, &sync->trace->progress, error);
    bool good = !status;
    for (size_t i = 0; i < candidates->count && good; i++) {
        const struct candidate *c = &candidates->items[i];
        size_t own = 0;
        for (size_t k = 0; k < candidates->count; k++)
            own += candidates->items[k].thread == c->thread;
        good = c->fits && c->inside <= INSIDE_MOST && c->thread != sync->survey.threads.ppe &&
               c->step.clock &&
               clock_steps_of(steps, c->step.clock, c->step.clock_size) + own <= most;
    }
    for (size_t i = 0; i < candidates->count && good && !status; i++)
        status = clock_steps_add(steps, &candidates->items[i].step, error);
    *added = good && !status;
    return status;
}

/* Search for one more step (a moment when a clock was set), and add it to `steps`. The step is
 * right only if the next solution has a timestamp error of at most *left_twice / 2. */
static csy_status find_step(struct csy_sync *sync, const struct csy_options *options,
                            struct clock_steps *steps, bool *added, int64_t *left_twice,
                            csy_error *error)
{
    struct drift_trial *trial = NULL;
    struct set_clock set = {.count = 0};
    /* A reference clock that the user chose is assumed not to have been set. */
    size_t spared = options->reference ? sync->reference : SIZE_MAX;
    int64_t enough = 0, rate = sync->drift ? csy_sync_drift(sync)->rate_ppb : 0;
    rate = rate > CRYSTALS_PPB ? rate : CRYSTALS_PPB;
    *added = false;
    if (sync->method != CSY_METHOD_BHH || sync->bounds.n == 0 || !sync->imprecision.conditional)
        return CSY_OK;
    csy_status status = drift_trial_new(sync, &trial, error);
    if (!status && trial)
        status = drift_trial_enough(trial, solution_least_twice(sync), INT64_MAX, &enough, error);
    bool rates = enough > 0 && enough <= (rate > SLEWED_PPB ? rate : SLEWED_PPB);
    if (!status && trial && !rates)
        status = set_clock_find(sync, trial, rate, spared, &set, error);
    drift_trial_free(trial);
    if (status || set.count == 0 || set.nbad > 0 || set.exhausted)
        return status;
    struct candidates candidates = {.count = set.count};
    for (size_t i = 0, choice = 0, left = 0; i < set.count; i++, left--) {
        const struct set_place *at = &set.at[i];
        choice = left == 0 ? steps->count + i : choice;
        left = left == 0 ? at->among : left;
        candidates.items[i] = (struct candidate){
            .thread = at->clock,
            .step = {.before = at->record_before,
                     .after = at->record_after,
                     .timed = at->several,
                     .before_ticks = at->before_ticks,
                     .after_ticks = at->after_ticks,
                     .found = true,
                     .place_before = at->place_before,
                     .place_after = at->place_after,
                     .sized = at->fine,
                     .least_ticks = at->fine_least_ticks,
                     .most_ticks = at->fine_most_ticks,
                     .sized_twice = set.resolution,
                     .among = at->among,
                     .choice = choice},
            /* If records of the clock are in several locations, only their times show which ones
             * were made after it was set. If it was set back, some times occur both before and
             * after that. */
            .fits = !at->several || (at->fine && at->fine_least_ticks > 0),
        };
    }
    status = add_candidates(sync, &candidates, options->steps, steps, added, error);
    for (size_t i = 0; i < candidates.count; i++) {
        free(candidates.items[i].step.clock);
        free(candidates.items[i].location);
    }
    *left_twice = set.left;
    return status;
}

/* Fail if a clock of the trace has the same name as a segment of a clock that was split. */
static csy_status check_names(const struct csy_sync *sync, csy_error *error)
{
    struct texts names = {0};
    const char *twice = NULL;
    csy_status status = CSY_OK;
    for (size_t t = 0; t < sync->survey.threads.count && !twice && !status; t++) {
        const char *name = sync->views[t].name;
        uint32_t number;
        bool added;
        if (!texts_find(&names, name, strlen(name), &number, &added))
            status = error_memory(error);
        else
            twice = added ? NULL : name;
    }
    texts_fini(&names);
    char escaped[ERROR_ESCAPED_MAX];
    return twice ? error_set(error, CSY_USAGE,
                             "%s: a clock has the name \"%s\", which cellsync needs for a segment "
                             "of another clock; rename this clock, or pass --steps=0",
                             sync->trace->name, error_escape(escaped, twice, strlen(twice)))
                 : status;
}

const char *diagnosis_say_uncut(const csy_trace *trace)
{
    const size_t *order = trace->lines.columns.order;
    /* A clock can be cut only between records that are in the order of time. The rows of a CSV with
     * trace->loose may be in any order. The packets of a capture are nearly sorted. */
    if (!trace->partial || trace->source->shaped == trace->loose)
        return "--steps requires a CSV in partial order or packet captures";
    if (order[CSV_OTHER_CLOCK] != CSV_NO_COLUMN || order[CSV_BLOCK] != CSV_NO_COLUMN ||
        order[CSV_FLUSH] != CSV_NO_COLUMN)
        return "--steps does not support a CSV with a column other_clock, block, or flush";
    if (trace->loose && trace->has_begins)
        return "--steps does not support spans and profiles, because a clock may have been set "
               "within an interval";
    return trace->offsets ? "--steps excludes --offsets, because a measured offset does not tell "
                            "the segment of its clock"
                          : NULL;
}

/* Returns an upper limit of twice the timestamp error, from the options and the solution. */
static int64_t twice_of(const struct csy_options *options, const struct csy_sync *sync)
{
    int64_t passed = 0, found = INT64_MAX;
    if (options->relax == CSY_RELAX_GIVEN && !fraction_twice_ceil(options->delta, &passed))
        return INT64_MAX;
    if (!fraction_twice_ceil(sync->imprecision.delta, &found))
        return INT64_MAX;
    return passed > found ? passed : found;
}

/* Solve the trace. Then repeatedly add a place where a clock was set, and solve again. At first,
 * `steps` has the places that the trace states. */
static csy_status solve_with_steps(csy_trace *trace, const struct csy_options *options,
                                   struct clock_steps *steps, csy_sync **out, csy_error *error)
{
    struct csy_options search = *options;
    struct csy_sync *sync = NULL;
    struct clock_steps before = {0};
    int64_t left = INT64_MAX;
    bool added = true;
    search.cuts = steps;
    search.relax = options->relax == CSY_RELAX_GIVEN ? CSY_RELAX_EXACT : options->relax;
    csy_status status = CSY_OK;
    for (unsigned round = 0; added && !status; round++) {
        csy_sync_free(sync);
        sync = NULL;
        status = pipeline_solve(trace, &search, NULL, NULL, &sync, error);
        if (!status && round > 0 && twice_of(options, sync) > left) {
            /* This solution needs a larger timestamp error than the last step allows: solve without
             * this step. */
            clock_steps_fini(steps);
            *steps = before;
            before = (struct clock_steps){0};
            csy_sync_free(sync);
            sync = NULL;
            status = pipeline_solve(trace, &search, NULL, NULL, &sync, error);
            break;
        }
        added = false;
        clock_steps_fini(&before);
        if (!status)
            status = clock_steps_copy(&before, steps, error);
        if (!status && round < ROUNDS_MOST)
            status = find_step(sync, options, steps, &added, &left, error);
    }
    clock_steps_fini(&before);
    if (!status && options->relax == CSY_RELAX_GIVEN) {
        search.relax = options->relax;
        csy_sync_free(sync);
        sync = NULL;
        status = pipeline_solve(trace, &search, NULL, NULL, &sync, error);
    }
    *out = sync;
    return status;
}

csy_status csy_trace_synchronize(csy_trace *trace, const csy_options *options, csy_sync **out,
                                 csy_error *error)
{
    options = options ? options : &options_default;
    if (trace->is_global)
        return error_set(error, CSY_INPUT,
                         "%s: the trace is already synchronized (clock kind=\"global\"); to check "
                         "it, pass --check",
                         trace->name);
    struct csy_options chosen = *options;
    chosen.steps = premises_steps(trace, options);
    for (size_t i = 0; trace->offsets && i < trace->offsets->count; i++) {
        const struct measured_offset *item = &trace->offsets->items[i];
        if (clock_steps_of(&trace->steps, item->clock, strlen(item->clock)) > 0 ||
            clock_steps_of(&trace->steps, item->other_clock, strlen(item->other_clock)) > 0)
            return error_set(error, CSY_USAGE,
                             "%s: the trace states steps of clocks, and a measured offset does "
                             "not tell the segment of its clock; omit --offsets",
                             trace->name);
    }
    const char *uncut = chosen.steps > 0 ? diagnosis_say_uncut(trace) : NULL;
    if (chosen.steps == 0 || (uncut && !options->steps_passed))
        return pipeline_solve(trace, options, NULL, NULL, out, error);
    struct csy_sync *sync = NULL;
    struct clock_steps steps = {0};
    csy_status status =
        uncut ? error_set(error, CSY_USAGE, "%s: %s; pass --steps=0", trace->name, uncut)
              : clock_steps_copy(&steps, &trace->steps, error);
    if (!status)
        status = solve_with_steps(trace, &chosen, &steps, &sync, error);
    clock_steps_fini(&steps);
    if (!status && sync->steps.count > 0) {
        /* The size of a clock's step is unknown if the timestamp error is larger than assumed
         * then. */
        int64_t twice = twice_of(options, sync);
        for (size_t i = 0; i < sync->steps.count; i++)
            sync->steps.items[i].sized &= twice <= sync->steps.items[i].sized_twice;
        status = check_names(sync, error);
    }
    if (sync && status && status != CSY_INFEASIBLE) {
        csy_sync_free(sync);
        sync = NULL;
    }
    if (status == CSY_USAGE && !options->steps_passed)
        return pipeline_solve(trace, options, NULL, NULL, out, error);
    if (sync)
        *out = sync;
    return status;
}
