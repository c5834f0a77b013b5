/* For a partial order, counts inversions (records with a global time before a preceding record's
 * time plus latency) and measures damage (changes of the time between records). */
#include "sync/measure.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "order/loose.h"
#include "sync/outcome.h"
#include "sync/partial/walked.h"
#include "sync/placement.h"

#include <stdlib.h>

struct location_mark {
    uint32_t clock;
    struct damage_mark last;
};

struct measurement {
    struct csy_sync *sync;
    struct placement placement;
    struct location_mark *marks; /* for each location: its last record; NULL if damage is not
                                  * measured */
    struct correction_mark *clocks;
    int128 damages;
    /* for each event: the greatest of its global time and the earliest times that the events
     * before it, plus latencies, permit */
    int64_t *reached;
    int64_t *at;
    uint32_t *first;
    uint32_t *next; /* for each end of a record: index of the next end in the same location */
};

static int128 global_at(const struct csy_sync *sync, uint32_t clock, int64_t x)
{
    return placement_of(sync, clock, rebase_local(&sync->survey.rough, clock, x));
}

/* Compute m->reached. Count the inversions: events with a lower global time than an earlier event
 * permits. */
static csy_status reach(struct measurement *m, csy_error *error)
{
    const struct csy_sync *sync = m->sync;
    const struct points *points = &sync->partial->points;
    size_t nchains = points->nlocations + points->nbuffers;
    int64_t *chain = malloc((nchains + 1) * sizeof *chain);
    if (!chain)
        return error_memory(error);
    for (size_t c = 0; c < nchains; c++)
        chain[c] = INT64_MIN;
    bool fits = true;
    for (size_t i = 0; i < points->count; i++) {
        uint32_t p = sync->partial->order[i];
        const struct instant *item = &points->items[p];
        bool hub = instant_is_hub(item), chained = !hub && item->chained;
        size_t buffer = points->nlocations + item->buffer;
        int64_t most = chained ? chain[item->location] : INT64_MIN;
        if (item->buffer != NO_BUFFER)
            raise_ticks(&most, chain[buffer]);
        for (uint32_t e = points->first_edge[p]; fits && e < points->first_edge[p + 1]; e++) {
            const struct order_edge *edge = &points->edges[e];
            int64_t least = m->reached[edge->from];
            if (least == INT64_MIN)
                continue;
            fits = !__builtin_add_overflow(least, edge->latency_ticks, &least);
            raise_ticks(&most, least);
        }
        if (!fits)
            break;
        if (!hub) {
            if (item->hi != HI_NONE && most != INT64_MIN && item->kind == INSTANT_END)
                outcome_note_inversion(&m->sync->imprecision,
                                       (int128)most -
                                           (int64_t)global_at(sync, item->clock, item->hi));
            if (item->lo != LO_NONE)
                raise_ticks(&most, (int64_t)global_at(sync, item->clock, item->lo));
        }
        m->reached[p] = most;
        if (chained)
            chain[item->location] = most;
        if (item->buffer != NO_BUFFER)
            chain[buffer] = most;
    }
    free(chain);
    return fits ? CSY_OK
                : error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                            sync->trace->name);
}

static csy_status take_event(void *user, const struct event *event, csy_error *error)
{
    struct measurement *m = user;
    struct csy_sync *sync = m->sync;
    const struct partial *partial = sync->partial;
    uint32_t location;
    int64_t global;
    csy_status status = match_find_location(partial->match, event, &location, error);
    if (status)
        return status;
    /* If only roles such as sends order events (trace.loose), some locations have no stored
     * events. */
    if (location >= partial->points.nlocations)
        return partial->loose ? CSY_OK : trace_refuse_changed(sync->trace, error);
    uint32_t p = m->reached ? m->first[location] : NO_POINT;
    if (p != NO_POINT && partial->points.items[p].position == event->position) {
        if (partial->points.items[p].chained)
            m->at[location] = m->reached[p];
        m->first[location] = m->next[p];
    } else if (m->reached && m->at[location] != INT64_MIN) {
        outcome_note_inversion(&sync->imprecision,
                               (int128)m->at[location] -
                                   placement_of(sync, event->thread, event->local_ticks));
    }
    if (!m->marks)
        return CSY_OK;
    struct location_mark *mark = &m->marks[location];
    status = placement_next(&m->placement, event, &global, error);
    if (status)
        return status;
    if (mark->clock != event->thread)
        *mark = (struct location_mark){.clock = event->thread};
    correction_note(sync, &m->clocks[event->thread], event->thread, event->local_ticks, global);
    return damage_note(&sync->damage, &m->damages, &mark->last, event->local_ticks, global)
               ? CSY_OK
               : error_set(error, CSY_INPUT,
                           "%s: the change of the time between two records does not fit 64 bits",
                           sync->trace->name);
}

csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error)
{
    const struct points *points = &sync->partial->points;
    struct measurement m = {.sync = sync};
    csy_status status = CSY_OK;
    if (sync->partial->walked) {
        sync->damage.mean = mean_make(0, sync->damage.mean.pairs);
        return walked_measure(sync, error);
    }
    if (damage) {
        m.marks = calloc(points->nlocations + 1, sizeof *m.marks);
        m.clocks = calloc(sync->survey.threads.count + 1, sizeof *m.clocks);
    }
    if (!sync->times) {
        m.reached = malloc((points->count + 1) * sizeof *m.reached);
        m.at = malloc((points->nlocations + 1) * sizeof *m.at);
        m.first = malloc((points->nlocations + 1) * sizeof *m.first);
        m.next = malloc((points->count + 1) * sizeof *m.next);
        status = m.reached && m.at && m.first && m.next ? reach(&m, error) : error_memory(error);
    }
    for (size_t l = 0; l < points->nlocations && !status && m.reached; l++) {
        m.at[l] = INT64_MIN;
        m.first[l] = NO_POINT;
    }
    for (size_t p = points->count; p-- > 0 && !status && m.reached;) {
        const struct instant *item = &points->items[p];
        if (item->kind != INSTANT_END)
            continue;
        m.next[p] = m.first[item->location];
        m.first[item->location] = (uint32_t)p;
    }
    if (!status && damage && (!m.marks || !m.clocks))
        status = error_memory(error);
    /* A record that is not stored can be an inversion only if a stored one is. */
    if (!status && (m.marks || sync->imprecision.inversions > 0)) {
        placement_init(&m.placement, sync);
        struct taker taker = {.observe = take_event, .observer = &m};
        status = pass_again(sync->trace, &sync->survey, NO_THREAD, &taker, progress, error);
        placement_fini(&m.placement);
    }
    sync->damage_measured = damage;
    sync->damage.mean = mean_make(m.damages, sync->damage.mean.pairs);
    FREE_ALL(m.marks, m.clocks, m.reached, m.at, m.first, m.next);
    return status;
}

/* An event that is earlier in global time than a preceding event, by by_ticks. */
struct inverted {
    uint64_t position;
    int64_t by_ticks;
};

struct loose_measurement {
    struct csy_sync *sync;
    struct loose *loose;
    struct inverted *items;
    size_t count, capacity;
};

static csy_status take_edge(void *user, const struct loose_edge *edge, csy_error *error)
{
    struct loose_measurement *m = user;
    if (edge->limit)
        return CSY_OK;
    int128 passage = global_at(m->sync, edge->to.clock, edge->to.x) -
                     global_at(m->sync, edge->from.clock, edge->from.x);
    if (edge->kind == EDGE_MESSAGE)
        match_note_passage(&m->sync->partial->ours, passage);
    if (passage >= edge->latency_ticks)
        return CSY_OK;
    return ARRAY_PUSH(
               m->items, m->count, m->capacity,
               (struct inverted){edge->to.position, nearest_int64(edge->latency_ticks - passage)})
               ? CSY_OK
               : error_memory(error);
}

static int compare(const void *a, const void *b)
{
    const struct inverted *x = a, *y = b;
    return COMPARE_THEN(x->position, y->position,
                        (x->by_ticks < y->by_ticks) - (x->by_ticks > y->by_ticks));
}

static csy_status take_loose(void *user, const struct event *event, csy_error *error)
{
    const struct loose_measurement *m = user;
    int64_t x = rebase_x(&m->sync->survey.rough, event->thread, event->local_ticks);
    return loose_event(m->loose, event, x, error);
}

csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error)
{
    struct loose_measurement m = {.sync = sync};
    const struct loose_rules rules = {.trace = sync->trace,
                                      .rough = &sync->survey.rough,
                                      .latency_ticks = sync->latency_ticks,
                                      .latency_max_ticks = INT64_MAX,
                                      .take = take_edge,
                                      .user = &m};
    uint64_t place;
    sync->partial->ours = (csy_backward){.known = true};
    csy_status status = loose_new(&rules, &m.loose, error);
    struct taker taker = {.observe = take_loose, .observer = &m};
    if (!status)
        status = pass_again(sync->trace, &sync->survey, NO_THREAD, &taker, progress, error);
    if (!status)
        status = loose_finish(m.loose, &place, error);
    loose_free(m.loose);
    SORT(m.items, m.count, compare);
    for (size_t i = 0; i < m.count && !status; i++)
        if (i == 0 || m.items[i].position != m.items[i - 1].position)
            outcome_note_inversion(&sync->imprecision, m.items[i].by_ticks);
    free(m.items);
    return status;
}
