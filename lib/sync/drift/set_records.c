/* Chooses global times of records where a clock may have been set to another time.
 *
 * Nobody knows if the timestamp of such a record was read before or after the clock was set. So at
 * first, the record gets bounds only from the order of records (trace/steps.h). This file narrows
 * the bounds: the global time must fit the clock as it was before, or as it was afterwards. */
#include "sync/drift/drift.h"

#include "base/error.h"
#include "sync/partial_order.h"
#include "sync/placement.h"

#include <stdlib.h>

/* --- Bounds --- */

/* Stands for no limit. It exceeds all ages; the age of a clock is global minus local time, in units
 * of 1/AGE_UNIT ticks. */
#define AGE_FAR ((int128)1 << 126)

/* Least and greatest possible age of a clock at some local time. -AGE_FAR and AGE_FAR stand for no
 * limit. */
struct ages {
    int128 least, greatest;
};

/* Find the least and greatest global minus local time of a clock at local_ticks. If clocks drift,
 * take them from the local time `at`, which is in the trace, and widen them by the drift in
 * between. */
static struct ages ages_by(const struct csy_sync *sync, size_t thread, int64_t at,
                           int64_t local_ticks)
{
    const csy_thread *view = &sync->views[thread];
    const struct drift *drift = sync->drift;
    struct ages ages = {-AGE_FAR, AGE_FAR};
    if (drift && drift->ageing.component[thread] == drift->ageing.component[sync->reference]) {
        int128 least, greatest;
        ageing_at(&drift->ageing, (uint32_t)thread,
                  rebase_x(&sync->survey.rough, (uint32_t)thread, at), &least, &greatest);
        least += drift->shift[thread];
        greatest += drift->shift[thread];
        int128 apart = local_ticks > at ? (int128)local_ticks - at : (int128)at - local_ticks;
        int128 off = thread == sync->reference ? 0 : apart * drift->view.rate_ppb;
        ages = (struct ages){least - off, greatest + off};
    } else if (!drift) {
        if (view->earliest_ticks != INT64_MIN)
            ages.least = view->earliest_ticks * (int128)AGE_UNIT;
        if (view->latest_ticks != INT64_MAX)
            ages.greatest = view->latest_ticks * (int128)AGE_UNIT;
    }
    return ages;
}

/* Narrow `own`, the limits of global minus local time at a record, to values that the clock can
 * have before or after it was set. If none is left, return `own`. */
static struct ages ages_of(const struct csy_sync *sync, const struct thread *one, int64_t local,
                           struct ages own)
{
    const struct thread *threads = sync->survey.threads.items;
    const uint32_t before = one->set_before, after = one->set_after;
    if (before == NO_THREAD || after == NO_THREAD)
        return own;
    struct ages a = ages_by(sync, before, threads[before].last_ticks, local),
                b = ages_by(sync, after, threads[after].first_ticks, local);
    a.least = a.least < b.least ? a.least : b.least;
    a.least = a.least > own.least ? a.least : own.least;
    a.greatest = a.greatest > b.greatest ? a.greatest : b.greatest;
    a.greatest = a.greatest < own.greatest ? a.greatest : own.greatest;
    return a.least <= a.greatest ? a : own;
}

static void narrow(struct csy_sync *sync, size_t t)
{
    const struct thread *one = &sync->survey.threads.items[t];
    csy_thread *view = &sync->views[t];
    struct ageing *ageing = sync->drift ? &sync->drift->ageing : NULL;
    if (!ageing) {
        struct ages ages = ages_of(sync, one, one->first_ticks,
                                   ages_by(sync, t, one->first_ticks, one->first_ticks));
        view->earliest_ticks =
            ages.least == -AGE_FAR ? INT64_MIN : (int64_t)(ages.least / AGE_UNIT);
        view->latest_ticks =
            ages.greatest == AGE_FAR ? INT64_MAX : (int64_t)(ages.greatest / AGE_UNIT);
    }
    for (size_t i = ageing ? ageing->first_of[t] : 0; ageing && i < ageing->first_of[t + 1]; i++) {
        uint32_t node = ageing->sorted[i];
        int64_t local = rebase_local(&sync->survey.rough, (uint32_t)t, ageing->reading[node]);
        struct ages own = ages_by(sync, t, local, local), ages = ages_of(sync, one, local, own);
        if (own.least == -AGE_FAR || own.greatest == AGE_FAR)
            continue;
        ageing->least[node] += ages.least - own.least;
        ageing->negated[node] += own.greatest - ages.greatest;
    }
}

/* --- Places --- */

struct room {
    uint32_t s, t;
    int64_t ticks;
};

/* How far a record moves to a later time. If `can` is false, it stays where it is. */
struct move {
    bool can;
    int64_t ticks, most;
};

static int128 age_in(const struct csy_sync *sync, uint32_t vertex, const uint32_t *nodes, size_t i)
{
    const struct rebase *rough = &sync->survey.rough;
    int128 age = sync->views[vertex].offset_ticks * (int128)AGE_UNIT;
    if (sync->drift)
        age = knots_age(&sync->drift->clocks[vertex],
                        rebase_local(rough, vertex, sync->drift->ageing.reading[nodes[i]]));
    return age - rough->offset[vertex] * AGE_UNIT;
}

static struct room room_of(const struct csy_sync *sync, const struct pairs *pairs, size_t i)
{
    const struct clock_pair *pair = &pairs->items[i];
    const struct ageing *ageing = sync->drift ? &sync->drift->ageing : NULL;
    int128 added = sync->ordered ? 0 : sync->imprecision.added_ticks;
    int128 loss = pair->weight * (int128)AGE_UNIT +
                  added * ((int128)AGE_UNIT + (ageing ? ageing->rate_ppb : 0));
    int128 room = floor_div(loss - age_in(sync, pair->s, ageing ? ageing->from : NULL, i) +
                                age_in(sync, pair->t, ageing ? ageing->to : NULL, i),
                            AGE_UNIT);
    /* Because of rounding, offsets may violate a constraint slightly. */
    room = room < 0 ? 0 : room < WALK_MAX ? room : WALK_MAX;
    return (struct room){pair->s, pair->t, (int64_t)room};
}

/* Set moves[t] for each record t where a clock may have been set, so that the record moves to the
 * fraction sync->alpha between its bounds. */
static void choose_moves(const struct csy_sync *sync, const struct pairs *pairs, struct move *moves)
{
    for (size_t t = 0; t < pairs->nclocks; t++) {
        const struct thread *one = &sync->survey.threads.items[t];
        struct ages ages = ages_by(sync, t, one->first_ticks, one->first_ticks);
        if (!one->set || ages.least == -AGE_FAR || ages.greatest == AGE_FAR)
            continue;
        int128 age =
            ages.least + knots_part(ages.greatest - ages.least, sync->alpha.num, sync->alpha.den);
        int128 by =
            one->first_ticks + floor_div(age, AGE_UNIT) - placement_of(sync, t, one->first_ticks);
        moves[t] = (struct move){by > -WALK_MAX && by < WALK_MAX, (int64_t)by, WALK_MAX};
    }
    /* Numbers from nclocks on are groups of events, not clocks. Records with constraints to them
     * are not moved. */
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].s >= pairs->nclocks || pairs->items[i].t >= pairs->nclocks) {
            moves[pairs->items[i].s].can = false;
            moves[pairs->items[i].t].can = false;
        }
    for (size_t v = 0; v < pairs->nvertices; v++)
        if (!moves[v].can)
            moves[v] = (struct move){false, 0, 0};
}

/* Moving records can change the least global time. Make it 0 again, unless global time is the
 * time of the PPE. */
static csy_status begin_at_zero(struct csy_sync *sync, csy_error *error)
{
    const struct survey *survey = &sync->survey;
    int128 least = 0;
    for (size_t t = 0; t < survey->threads.count; t++) {
        int128 first = placement_of(sync, t, survey->threads.items[t].min_ticks);
        least = t == 0 || first < least ? first : least;
    }
    if (survey->threads.ppe != NO_THREAD || least == 0)
        return CSY_OK;
    for (size_t t = 0; t < survey->threads.count; t++) {
        csy_thread *view = &sync->views[t];
        struct knots *knots = sync->drift ? &sync->drift->clocks[t] : NULL;
        int128 offset = view->offset_ticks - least;
        if (!fits_int64(offset) || offset == CSY_NO_OFFSET ||
            !fits_int64(offset + survey->threads.items[t].max_ticks))
            return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                             sync->trace->name);
        view->offset_ticks = (int64_t)offset;
        if (!knots && view->earliest_ticks != INT64_MIN)
            view->earliest_ticks -= (int64_t)least;
        if (!knots && view->latest_ticks != INT64_MAX)
            view->latest_ticks -= (int64_t)least;
        for (size_t k = 0; knots && k < knots->count; k++)
            knots->items[k].age -= least * AGE_UNIT;
        if (knots)
            sync->drift->shift[t] -= least * AGE_UNIT;
    }
    return CSY_OK;
}

csy_status set_records_place(struct csy_sync *sync, csy_error *error)
{
    size_t nrooms = 0;
    if (sync->steps.count == 0)
        return CSY_OK;
    const struct pairs *pairs = sync->drift ? &sync->drift->pairs : &sync->partial->pairs;
    for (size_t t = 0; t < pairs->nclocks; t++)
        if (sync->survey.threads.items[t].set)
            narrow(sync, t);
    struct move *moves = calloc(pairs->nvertices + 1, sizeof *moves);
    if (!moves)
        return error_memory(error);
    choose_moves(sync, pairs, moves);
    for (size_t i = 0; i < pairs->count; i++)
        nrooms += moves[pairs->items[i].s].can || moves[pairs->items[i].t].can;
    struct room *rooms = malloc((nrooms + 1) * sizeof *rooms);
    if (!rooms) {
        free(moves);
        return error_memory(error);
    }
    nrooms = 0;
    for (size_t i = 0; i < pairs->count; i++)
        if (moves[pairs->items[i].s].can || moves[pairs->items[i].t].can)
            rooms[nrooms++] = room_of(sync, pairs, i);
    /* Move records to later times until none is before its predecessors. Then limit the moves so
     * that no record is after its successors, which does not undo the first step. */
    bool changed = true;
    for (size_t n = 0; changed && n <= nrooms; n++) {
        changed = false;
        for (size_t i = 0; i < nrooms; i++) {
            const struct room *room = &rooms[i];
            struct move *s = &moves[room->s], *t = &moves[room->t];
            if (t->can && t->ticks < s->ticks - room->ticks) {
                t->ticks = s->ticks - room->ticks;
                changed = true;
            }
            if (s->can && s->most > t->most + room->ticks) {
                s->most = t->most + room->ticks;
                changed = true;
            }
        }
    }
    for (size_t t = 0; t < pairs->nclocks; t++) {
        int64_t by = moves[t].ticks < moves[t].most ? moves[t].ticks : moves[t].most;
        struct knots *knots = sync->drift ? &sync->drift->clocks[t] : NULL;
        for (size_t k = 0; knots && k < knots->count; k++)
            knots->items[k].age += by * (int128)AGE_UNIT;
        sync->views[t].offset_ticks += by;
    }
    free(rooms);
    free(moves);
    return begin_at_zero(sync, error);
}
