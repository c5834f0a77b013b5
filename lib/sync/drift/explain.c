/* Finds constraints that limit the time between two drifting clocks (csy_sync_drift_explain). */
#include "base/array.h"
#include "base/error.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"

#include <stdlib.h>

/* --- Walks --- */

/* Returns the greatest global time from `from` to `to` on a clock; negative if `to` is earlier. */
static int128 most_passed(const struct csy_sync *sync, uint32_t clock, int64_t from, int64_t to)
{
    const struct ageing_rate *rate = &sync->drift->ageing.rates[clock];
    int128 by = (int128)to - from;
    return by * (AGE_UNIT + (by < 0 ? rate->least : rate->greatest));
}

/* Make a chain of constraints from t to s. They determine the greatest time from t to s.
 * Constraints that lead through groups of events to another clock become one step of the chain. */
static csy_status make_chain(const struct csy_sync *sync, struct ageing_moment s,
                             struct ageing_moment t, csy_drift_chain *chain, csy_error *error)
{
    const struct drift *drift = sync->drift;
    const struct ageing *ageing = &drift->ageing;
    const struct rebase *rough = &sync->survey.rough;
    size_t *pairs = NULL, length = 0;
    int128 most = 0;
    csy_status status = ageing_walk(ageing, t, s, &pairs, &length, &most, error);
    csy_drift_step *steps = status ? NULL : calloc(length + 1, sizeof *steps);
    if (!status && !steps)
        status = error_memory(error);
    *chain = (csy_drift_chain){.s = s.vertex, .t = t.vertex, .steps = steps};
    int64_t reading = s.reading;
    for (size_t i = 0; i < length && !status;) {
        const struct clock_pair *pair = &drift->pairs.items[pairs[i]];
        csy_drift_step *step = &steps[chain->length++];
        int64_t from = ageing->reading[ageing->from[pairs[i]]], to;
        uint32_t u = pair->s, v;
        int128 loss = 0;
        do {
            pair = &drift->pairs.items[pairs[i]];
            loss += ageing_loss(ageing, pair->weight, pair_counts(&drift->pairs, pair));
            v = pair->t;
            to = ageing->reading[ageing->to[pairs[i++]]];
        } while (v >= drift->pairs.nclocks && i < length);
        *step = (csy_drift_step){.s = u,
                                 .t = v,
                                 .record_s = CSY_NO_RECORD,
                                 .record_t = CSY_NO_RECORD,
                                 .time_s = rebase_local(rough, u, from),
                                 .time_t = rebase_local(rough, v, to)};
        int128 apart = loss - ((int128)to - from) * AGE_UNIT;
        int128 placed = ((int128)step->time_t - step->time_s) * AGE_UNIT +
                        knots_age(&drift->clocks[v], step->time_t) -
                        knots_age(&drift->clocks[u], step->time_s);
        step->passed = drift_fine(most_passed(sync, u, from, reading));
        step->most = drift_fine(apart);
        step->slack = drift_fine(placed + apart);
        reading = to;
    }
    if (!status) {
        int128 apart = ((int128)s.reading - t.reading) * AGE_UNIT;
        chain->most = drift_fine(most + apart);
        chain->passed = drift_fine(most_passed(sync, t.vertex, t.reading, reading));
    }
    free(pairs);
    return status;
}

/* --- Records --- */

/* A request to find the first record of a clock with this timestamp. */
struct wanted {
    size_t clock;
    int64_t local_ticks;
    uint64_t *record, *place;
    int64_t *global_ticks;
};

struct search {
    const struct csy_sync *sync;
    struct wanted *items;
    size_t count;
};

static int by_stamp(const void *left, const void *right)
{
    const struct wanted *a = left, *b = right;
    if (a->clock != b->clock)
        return a->clock < b->clock ? -1 : 1;
    return (a->local_ticks > b->local_ticks) - (a->local_ticks < b->local_ticks);
}

static void find_stamp(const struct search *search, const struct event *event, int64_t local_ticks)
{
    const struct wanted key = {.clock = event->thread, .local_ticks = local_ticks};
    size_t low = 0, high = search->count;
    BISECT(low, high, middle, by_stamp(&search->items[middle], &key) < 0);
    for (; low < search->count && by_stamp(&search->items[low], &key) == 0; low++)
        if (*search->items[low].record == CSY_NO_RECORD) {
            *search->items[low].record = event->position;
            *search->items[low].place = event->place;
        }
}

static csy_status take_event(void *observer, const struct event *event, csy_error *error)
{
    const struct search *search = observer;
    (void)error;
    find_stamp(search, event, event->local_ticks);
    if (event->stamp.interval)
        find_stamp(search, event, event->stamp.begin_ticks);
    return CSY_OK;
}

static void want_chain(struct search *search, const csy_drift_chain *chain)
{
    for (size_t i = 0; i < chain->length; i++) {
        csy_drift_step *step = (csy_drift_step *)unconst(chain->steps) + i;
        search->items[search->count++] = (struct wanted){step->s, step->time_s, &step->record_s,
                                                         &step->place_s, &step->global_s};
        search->items[search->count++] = (struct wanted){step->t, step->time_t, &step->record_t,
                                                         &step->place_t, &step->global_t};
    }
}

static csy_status find_records(struct csy_sync *sync, const csy_drift_explanation *made,
                               csy_error *error)
{
    struct search search = {.sync = sync};
    struct taker taker = {.observe = take_event, .observer = &search};
    struct progress progress = sync->trace->progress;
    progress.stage = "explaining";
    search.items =
        malloc((2 * (made->upper.length + made->lower.length) + 1) * sizeof *search.items);
    if (!search.items)
        return error_memory(error);
    want_chain(&search, &made->upper);
    want_chain(&search, &made->lower);
    for (size_t i = 0; i < search.count; i++)
        *search.items[i].global_ticks =
            (int64_t)placement_drifting(sync, search.items[i].clock, search.items[i].local_ticks);
    qsort(search.items, search.count, sizeof *search.items, by_stamp);
    csy_status status =
        pass_again(sync->trace, &sync->survey, (uint32_t)sync->reference, &taker, &progress, error);
    free(search.items);
    return status;
}

/* --- Interface --- */

csy_status csy_sync_drift_explain(csy_sync *sync, size_t s, size_t t, csy_drift_explanation **out,
                                  csy_error *error)
{
    csy_drift_pair pair;
    csy_status status = csy_sync_drift_pair(sync, s, t, false, &pair, error);
    csy_drift_explanation *made = status ? NULL : calloc(1, sizeof *made);
    if (!status && !made)
        status = error_memory(error);
    if (status)
        return status;
    made->bounded = pair.bounded;
    made->moment_ticks = pair.worst_moment_ticks;
    if (pair.bounded) {
        int64_t local_s = drift_reading_at(sync, s, made->moment_ticks);
        int64_t local_t = drift_reading_at(sync, t, made->moment_ticks);
        struct ageing_moment at_s = {(uint32_t)s,
                                     rebase_x(&sync->survey.rough, (uint32_t)s, local_s)};
        struct ageing_moment at_t = {(uint32_t)t,
                                     rebase_x(&sync->survey.rough, (uint32_t)t, local_t)};
        made->s = (csy_instant){s, local_s, CSY_NO_RECORD};
        made->t = (csy_instant){t, local_t, CSY_NO_RECORD};
        status = make_chain(sync, at_s, at_t, &made->upper, error);
        if (!status)
            status = make_chain(sync, at_t, at_s, &made->lower, error);
        if (!status)
            status = find_records(sync, made, error);
        if (!status)
            status = trace_check_unchanged(sync->trace, error);
    }
    if (status)
        csy_drift_explanation_free(made);
    else
        *out = made;
    return status;
}

void csy_drift_explanation_free(csy_drift_explanation *explanation)
{
    if (!explanation)
        return;
    FREE_ALL(unconst(explanation->upper.steps), unconst(explanation->lower.steps), explanation);
}
