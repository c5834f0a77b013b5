/* Counts inversions and measures damage for a partial order. */
#include "sync/partial/partial_measure.h"

#include "base/error.h"
#include "sync/measure.h"
#include "sync/outcome.h"
#include "sync/partial/replayed.h"
#include "sync/placement.h"
#include "sync/progress.h"

#include <stdlib.h>

/* The last record of a location, to compare distances on its clock. */
struct location_mark {
    uint32_t clock;
    struct damage_mark last;
};

struct measuring {
    struct csy_sync *sync;
    struct placement placement;
    struct location_mark *marks; /* NULL: do not measure damage */
    struct correction_mark *clocks;
    int128 damages;
    /* For each point, the greatest global time, with latencies, of it and its predecessors. */
    int64_t *reached;
    int64_t *at;     /* for each location, `reached` of its last stored record */
    uint32_t *first; /* for each location, the end of its next stored record, or NO_POINT */
    uint32_t *next;  /* for each end, the next end of its location */
};

static void raise(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

/* The global time at which a clock shows x. */
static int64_t place(const struct csy_sync *sync, uint32_t clock, int64_t x)
{
    return (int64_t)placement_of(sync, clock, (int64_t)(x - sync->survey.rough.offset[clock]));
}

/* Raise *most to the times that edges into p require. Returns false if one exceeds 64 bits. */
static bool gather(const struct measuring *m, uint32_t p, int64_t *most)
{
    const struct points *points = &m->sync->partial->points;
    for (uint32_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++) {
        const struct order_edge *edge = &points->edges[e];
        int64_t least = m->reached[edge->from];
        if (least == INT64_MIN)
            continue;
        if (__builtin_add_overflow(least, edge->latency_ticks, &least))
            return false;
        raise(most, least);
    }
    return true;
}

/* Visit the points in order, and pass the times of predecessors along chains and edges. */
static csy_status reach(struct measuring *m, csy_error *error)
{
    const struct csy_sync *sync = m->sync;
    const struct points *points = &sync->partial->points;
    size_t nchains = points->nlocations + points->nbuffers;
    int64_t *chain = malloc((nchains + 1) * sizeof *chain);
    if (!chain)
        return error_memory(error);
    for (size_t c = 0; c < nchains; c++)
        chain[c] = INT64_MIN;
    for (size_t i = 0; i < points->count; i++) {
        uint32_t p = sync->partial->order[i];
        const struct instant *item = &points->items[p];
        bool hub = instant_is_hub(item), chained = !hub && item->chained;
        size_t buffer = points->nlocations + item->buffer;
        int64_t most = chained ? chain[item->location] : INT64_MIN;
        if (item->buffer != NO_BUFFER)
            raise(&most, chain[buffer]);
        if (!gather(m, p, &most)) {
            free(chain);
            return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                             sync->trace->name);
        }
        if (!hub) {
            if (item->hi != HI_NONE && most != INT64_MIN && item->kind == INSTANT_END)
                outcome_note_inversion(&m->sync->imprecision,
                                       (int128)most - place(sync, item->clock, item->hi));
            if (item->lo != LO_NONE)
                raise(&most, place(sync, item->clock, item->lo));
        }
        m->reached[p] = most;
        if (chained)
            chain[item->location] = most;
        if (item->buffer != NO_BUFFER)
            chain[buffer] = most;
    }
    free(chain);
    return CSY_OK;
}

/* Link the ends of records by location. Points are sorted within each location only. */
static void link_ends(struct measuring *m)
{
    const struct points *points = &m->sync->partial->points;
    for (size_t l = 0; l < points->nlocations; l++) {
        m->at[l] = INT64_MIN;
        m->first[l] = NO_POINT;
    }
    for (size_t p = points->count; p-- > 0;) {
        const struct instant *item = &points->items[p];
        if (item->kind != INSTANT_END)
            continue;
        m->next[p] = m->first[item->location];
        m->first[item->location] = (uint32_t)p;
    }
}

/* Note whether a record is an inversion. A record that is not stored has the same predecessors as
 * the last stored record of its location. */
static void note_inversion(struct measuring *m, uint32_t location, const struct event *event)
{
    const struct partial *partial = m->sync->partial;
    uint32_t p = m->first[location];
    if (p != NO_POINT && partial->points.items[p].position == event->position) {
        if (partial->points.items[p].chained)
            m->at[location] = m->reached[p];
        m->first[location] = m->next[p];
    } else if (m->at[location] != INT64_MIN) {
        outcome_note_inversion(&m->sync->imprecision,
                               (int128)m->at[location] -
                                   placement_of(m->sync, event->thread, event->local_ticks));
    }
}

/* Note the distance from the previous record of the location, if both are on the same clock. */
static csy_status note_damage(struct measuring *m, uint32_t location, const struct event *event,
                              csy_error *error)
{
    struct location_mark *mark = &m->marks[location];
    int64_t global;
    csy_status status = placement_next(&m->placement, event, &global, error);
    if (status)
        return status;
    if (mark->clock != event->thread)
        *mark = (struct location_mark){.clock = event->thread};
    correction_note(m->sync, &m->clocks[event->thread], event->thread, event->local_ticks, global);
    return damage_note(&m->sync->damage, &m->damages, &mark->last, event->local_ticks, global)
               ? CSY_OK
               : error_set(error, CSY_INPUT,
                           "%s: the change of the time between two records does not fit 64 bits",
                           m->sync->trace->name);
}

static csy_status take_event(struct measuring *m, const struct event *event, csy_error *error)
{
    const struct partial *partial = m->sync->partial;
    uint32_t location;
    csy_status status = match_find_location(partial->match, event, &location, error);
    if (status)
        return status;
    if (location >= partial->points.nlocations) /* a loose trace has points only for constraints */
        return partial->loose ? CSY_OK : trace_refuse_changed(m->sync->trace, error);
    if (m->reached)
        note_inversion(m, location, event);
    return m->marks ? note_damage(m, location, event, error) : CSY_OK;
}

static csy_status read_events(struct measuring *m, struct timeline *timeline,
                              const struct progress *progress, csy_error *error)
{
    struct csy_trace *trace = m->sync->trace;
    struct event event;
    bool more;
    for (;;) {
        csy_status status = timeline_next(timeline, &event, &more, error);
        if (status || !more)
            return status;
        if (event.thread >= m->sync->survey.threads.count)
            return trace_refuse_changed(trace, error);
        status = take_event(m, &event, error);
        if (status)
            return status;
        progress_note(progress, trace, event.position);
    }
}

/* Measure records one by one. A record that is not stored has the clock of the stored record before
 * it, and no earlier timestamp. So it is an inversion only if a stored record is. */
static csy_status measure_records(struct measuring *m, const struct progress *progress,
                                  csy_error *error)
{
    struct csy_sync *sync = m->sync;
    struct timeline timeline;
    if (!m->marks && sync->imprecision.inversions == 0)
        return CSY_OK;
    placement_init(&m->placement, sync);
    csy_status status =
        timeline_init(&timeline, sync->trace, &sync->survey.rules, &sync->survey.lore, error);
    if (!status)
        status = read_events(m, &timeline, progress, error);
    timeline_fini(&timeline);
    placement_fini(&m->placement);
    return status;
}

csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error)
{
    const struct points *points = &sync->partial->points;
    struct measuring m = {.sync = sync};
    csy_status status = CSY_OK;
    if (sync->partial->replayed) { /* damage is never requested for such traces */
        sync->damage.mean = mean_make(0, sync->damage.mean.pairs);
        return replayed_measure(sync, error);
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
        if (!status)
            link_ends(&m);
    }
    if (!status && damage && (!m.marks || !m.clocks))
        status = error_memory(error);
    if (!status)
        status = measure_records(&m, progress, error);
    sync->damage_measured = damage;
    sync->damage.mean = mean_make(m.damages, sync->damage.mean.pairs);
    free(m.marks);
    free(m.clocks);
    free(m.reached);
    free(m.at);
    free(m.first);
    free(m.next);
    return status;
}
