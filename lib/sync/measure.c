/* Counts inversions and wrong neighbours, and measures damage. */
#include "sync/measure.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "order/loose.h"
#include "sync/events.h"
#include "sync/outcome.h"
#include "sync/partial/walked.h"
#include "sync/placement.h"

#include <stdlib.h>

csy_status absent_init(struct absent *absent, size_t room, csy_error *error)
{
    *absent = (struct absent){.room = room, .greatest_ticks = INT64_MIN};
    absent->items = room ? calloc(room, sizeof *absent->items) : NULL;
    return room && !absent->items ? error_memory(error) : CSY_OK;
}

void absent_fini(struct absent *absent)
{
    free(absent->items);
    *absent = (struct absent){0};
}

void absent_other(struct absent *absent, int64_t global_ticks)
{
    struct absentee *last = absent->count ? &absent->items[absent->count - 1] : NULL;
    if (last && global_ticks < last->least_ticks)
        last->least_ticks = global_ticks;
    if (global_ticks > absent->greatest_ticks)
        absent->greatest_ticks = global_ticks;
}

void absent_add(struct absent *absent, int64_t global_ticks)
{
    if (absent->count < absent->room)
        absent->items[absent->count++] = (struct absentee){
            .global_ticks = global_ticks,
            .greatest_ticks = absent->greatest_ticks,
            .least_ticks = INT64_MAX,
        };
}

void absent_finish(struct absent *absent)
{
    int64_t least = INT64_MAX;
    for (size_t i = absent->count; i-- > 0;) {
        struct absentee *item = &absent->items[i];
        int128 global = item->global_ticks, greatest = item->greatest_ticks;
        least = item->least_ticks < least ? item->least_ticks : least;
        int128 early = global < greatest ? greatest - global : global > least ? least - global : 0;
        item->early_ticks = early < -INT64_MAX ? -INT64_MAX : nearest_int64(early);
    }
}

struct mark {
    struct damage_mark last;
    struct correction_mark clock;
};

bool damage_note(csy_damage *damage, int128 *sum, struct damage_mark *last, int64_t local_ticks,
                 int64_t global_ticks)
{
    int128 by =
        (int128)global_ticks - last->global_ticks - ((int128)local_ticks - last->local_ticks);
    bool first = !last->set;
    *last = (struct damage_mark){true, local_ticks, global_ticks};
    if (first)
        return true;
    by = by < 0 ? -by : by;
    *sum += by;
    damage->mean.pairs++;
    damage->damaged += by > 0;
    if (by > damage->worst_ticks)
        damage->worst_ticks = (int64_t)by;
    return fits_int64(by);
}

void correction_note(struct csy_sync *sync, struct correction_mark *mark, size_t thread,
                     int64_t local_ticks, int64_t global_ticks)
{
    int128 offset = (int128)global_ticks - local_ticks;
    int64_t own = sync->views[thread].offset_ticks;
    if (!mark->set)
        *mark = (struct correction_mark){true, own == CSY_NO_OFFSET ? offset : own};
    int128 by = offset > mark->offset ? offset - mark->offset : mark->offset - offset;
    sync->correction.records += by > 0;
    if (by > sync->correction.largest_ticks)
        sync->correction.largest_ticks = by > INT64_MAX ? INT64_MAX : (int64_t)by;
}

struct measurement {
    struct csy_sync *sync;
    struct mark *marks; /* for each thread: its previous record; NULL if damage is not measured */
    int128 damages;
    struct absent absent;        /* global times of the dropped records so far */
    csy_dropped_record *dropped; /* dropped records so far, in the form that callers get */
    size_t next_dropped;
    struct measured measured;
    csy_event before;
    bool begun;
};

static csy_status measure_event(struct measurement *m, csy_events *events, const csy_event *event,
                                csy_error *error)
{
    struct csy_sync *sync = m->sync;
    struct measured *measured = &m->measured;
    csy_disorder *after = &sync->order.after;
    int128 down = (int128)m->before.global_ticks - event->global_ticks;
    if (m->begun && m->before.thread != event->thread && down > 0) {
        after->wrong++;
        if (down > after->largest_ticks)
            after->largest_ticks = down > INT64_MAX ? INT64_MAX : (int64_t)down;
    }
    m->before = *event;
    m->begun = true;
    bool dropped = false;
    if (m->absent.room > 0) {
        const struct survey *survey = &sync->survey;
        int64_t global = (int64_t)placement_of(sync, event->thread, event->local_ticks);
        dropped = sorted_has(survey->dropped, survey->ndropped, &m->next_dropped, event->record);
        if (dropped) {
            m->dropped[m->absent.count] =
                (csy_dropped_record){event->record, events->event.place, event->thread, 0};
            absent_add(&m->absent, global);
        } else
            absent_other(&m->absent, global);
    }
    if (!dropped) {
        inversions_note(&measured->inversions, event->global_ticks);
        measured->by_time = measured->by_time && event->local_ticks >= measured->last_local_ticks;
        measured->last_local_ticks = event->local_ticks;
    }
    if (!m->marks)
        return CSY_OK;
    int64_t local_ticks = event->local_ticks;
    if (sync->drift) /* choose the offset that gives the global time on the drifting clock */
        local_ticks = (int64_t)(placement_of(sync, event->thread, event->local_ticks) -
                                sync->views[event->thread].offset_ticks);
    struct mark *mark = &m->marks[event->thread];
    correction_note(sync, &mark->clock, event->thread, local_ticks, event->global_ticks);
    if (!damage_note(&sync->damage, &m->damages, &mark->last, local_ticks, event->global_ticks))
        return error_set(error, CSY_INPUT,
                         "%s: the change of the time between two records does not fit 64 bits",
                         sync->trace->name);
    return CSY_OK;
}

static void measure_finish(struct measurement *m)
{
    struct csy_sync *sync = m->sync;
    const struct measured *measured = &m->measured;
    csy_disorder *after = &sync->order.after;
    csy_imprecision *imprecision = &sync->imprecision;
    sync->by_time = measured->by_time;
    imprecision->inversions = measured->inversions.count;
    imprecision->largest_inversion_ticks = measured->inversions.largest_ticks;
    after->wrong += measured->disorder.wrong;
    if (measured->disorder.largest_ticks > after->largest_ticks)
        after->largest_ticks = measured->disorder.largest_ticks;
    sync->damage.mean = mean_make(m->damages, sync->damage.mean.pairs);
    if (m->absent.room == 0)
        return;
    absent_finish(&m->absent);
    for (size_t i = 0; i < m->absent.count; i++) {
        int64_t early = m->absent.items[i].early_ticks, size = early < 0 ? -early : early;
        m->dropped[i].early_ticks = early;
        imprecision->inversions += size > 0 && !sync->monotonic;
        if (size > imprecision->largest_inversion_ticks && !sync->monotonic)
            imprecision->largest_inversion_ticks = size;
    }
    sync->dropped = (csy_dropped){sync->dropped.asked, m->absent.count, m->dropped};
    m->dropped = NULL;
}

csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error)
{
    csy_events *events = NULL;
    csy_event event;
    uint64_t taken;
    bool more = true;
    size_t ndropped = sync->survey.ndropped;
    struct measurement m = {.sync = sync,
                            .dropped = calloc(ndropped + 1, sizeof *m.dropped),
                            .measured = {.inversions = {.greatest_ticks = INT64_MIN},
                                         .by_time = true,
                                         .last_local_ticks = INT64_MIN}};
    if (damage)
        m.marks = calloc(sync->survey.threads.count, sizeof *m.marks);
    csy_status status = absent_init(&m.absent, ndropped, error);
    if (!status && (!m.dropped || (damage && !m.marks)))
        status = error_memory(error);
    if (!status)
        status = events_open(trace, sync, &events, error);
    if (!status)
        events->progress.stage = "measuring";
    while (!status && more) {
        /* Measure plain records up to the next dropped one. Each clock has one offset: no damage.
         * */
        struct fast_taken run;
        const struct survey *survey = &m.sync->survey;
        size_t *next = &m.next_dropped;
        while (*next < survey->ndropped && survey->dropped[*next] < events->timeline.records)
            ++*next;
        status =
            events_measure(events, *next < survey->ndropped ? survey->dropped[*next] : UINT64_MAX,
                           &m.measured, &run, error);
        taken = run.records;
        if (!status && run.records != 0) {
            m.before.thread = run.thread;
            m.before.global_ticks = m.measured.last_ticks;
            if (m.marks)
                m.sync->damage.mean.pairs += run.records;
            if (m.absent.room > 0) {
                absent_other(&m.absent, m.measured.least_ticks);
                absent_other(&m.absent, m.measured.inversions.greatest_ticks);
            }
        }
        if (status || taken > 0)
            continue;
        status = csy_events_next(events, &event, &more, error);
        if (!status && more)
            status = measure_event(&m, events, &event, error);
    }
    if (!status)
        measure_finish(&m);
    sync->damage_measured = damage;
    csy_events_free(events);
    FREE_ALL(m.marks, m.dropped);
    absent_fini(&m.absent);
    return status;
}

/* --- Whether records are sorted by thread or by time ------------------------------------------ */

enum {
    RECORDS_MIN = 13,
    RECORDS_A_THREAD = 4,
    FEW_MIN = 4, /* with fewer records, an order by time may be a coincidence */
    CHANGES_MIN = 3
};

/* Returns true if each thread ends before the next thread begins. */
static bool is_by_thread(const struct threads *threads)
{
    for (size_t t = 1; t < threads->count; t++)
        if (threads->items[t].first_record < threads->items[t - 1].last_record)
            return false;
    return true;
}

csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time)
{
    size_t n = threads->count;
    bool enough = n >= 2 && records >= RECORDS_MIN && records / RECORDS_A_THREAD >= n;
    return !enough                 ? CSY_SORTED_NOT
           : is_by_thread(threads) ? CSY_SORTED_BY_THREAD
           : by_time               ? CSY_SORTED_BY_TIME
                                   : CSY_SORTED_NOT;
}

/* Returns true if a limit of offset s minus offset t permits that both are equal. */
static bool allows(const int128 *rough, size_t s, size_t t, int64_t walk)
{
    return walk >= WALK_FAR || rough[s] - rough[t] + walk >= 0;
}

/* Returns true if all constraints permit equal clocks; valid only if nothing was left out or added.
 * O(T W) with a sweep, O(T^2) with the dense engine. */
static bool is_by_time(const struct csy_sync *sync)
{
    const int128 *rough = sync->survey.rough.offset;
    if (sync->imprecision.adjacent_steps_back > 0)
        return false; /* relax=paper permits steps back within a thread */
    if (!sync->bounds.dense.closure) {
        /* The sweep stores sums of constraints, including each constraint itself unless a smaller
         * sum replaces it. So a constraint is negative if and only if some sum is. */
        for (size_t i = 0; i < sync->bounds.sweep.count; i++) {
            const struct elimination *elimination = &sync->bounds.sweep.items[i];
            for (uint32_t k = 0; k < elimination->live; k++)
                if (!allows(rough, elimination->thread, elimination->ids[k], elimination->row[k]) ||
                    !allows(rough, elimination->ids[k], elimination->thread,
                            elimination->column[k]))
                    return false;
        }
        return true;
    }
    for (size_t s = 0; s < sync->bounds.dense.n; s++)
        for (size_t t = 0; t < sync->bounds.dense.n; t++)
            if (!allows(rough, s, t, dense_bound(&sync->bounds.dense, s, t)))
                return false;
    return true;
}

static bool may_be_by_time(const struct csy_sync *sync)
{
    return sync->method == CSY_METHOD_BHH && !sync->imprecision.conditional;
}

bool sorted_must_measure(const struct csy_sync *sync)
{
    /* With delta, constraints may permit equal clocks although records are not sorted by time. */
    bool loose = sync->drift || (sync->imprecision.added_ticks > 0 && sync->ordered);
    return loose && !sync->trace->source->buffer && may_be_by_time(sync) && is_by_time(sync);
}

void sorted_judge(struct csy_sync *sync, bool measured)
{
    size_t n = sync->survey.threads.count;
    if (sync->trace->source->buffer)
        return;
    bool by_time = may_be_by_time(sync) && (measured ? sync->by_time : is_by_time(sync));
    sync->order.sorted = sorted_as(&sync->survey.threads, sync->survey.records, by_time);
    sync->perhaps_sorted =
        by_time && sync->order.sorted == CSY_SORTED_NOT && sync->survey.records >= FEW_MIN &&
        (sync->order.neighbours >= CHANGES_MIN || (n > 1 && is_by_thread(&sync->survey.threads)));
}

/* --- A partial order -------------------------------------------------------------------------- */

struct location_mark {
    uint32_t clock;
    struct damage_mark last;
};

struct partial_measurement {
    struct csy_sync *sync;
    struct placement placement;
    struct location_mark *marks; /* each location's last record; NULL if damage is not measured */
    struct correction_mark *clocks;
    int128 damages;
    /* for each point: least global time that preceding points and latencies permit */
    int64_t *reached;
    int64_t *at;     /* for each location: value of `reached` for its last stored record */
    uint32_t *first; /* for each location: end point of its next stored record, or NO_POINT */
    uint32_t *next;  /* for each end point of a record: the next end point in its location */
};

/* Returns the global time of a clock's rebased time x (order/rebase.h). */
static int128 global_at(const struct csy_sync *sync, uint32_t clock, int64_t x)
{
    return placement_of(sync, clock, rebase_local(&sync->survey.rough, clock, x));
}

/* Set `reached` of all points, from the first to the last in the order, and count inversions. */
static csy_status reach(struct partial_measurement *m, csy_error *error)
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
        /* raise `most` to the greatest time that an edge into point p requires */
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
    struct partial_measurement *m = user;
    struct csy_sync *sync = m->sync;
    const struct partial *partial = sync->partial;
    uint32_t location;
    int64_t global;
    csy_status status = match_find_location(partial->match, event, &location, error);
    if (status)
        return status;
    if (location >= partial->points.nlocations) /* a loose trace stores few points */
        return partial->loose ? CSY_OK : trace_refuse_changed(sync->trace, error);
    /* A record without a point has the predecessors of the location's last point. */
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
    /* Measure the time since the location's previous record, if that record has the same clock. */
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
    struct partial_measurement m = {.sync = sync};
    csy_status status = CSY_OK;
    if (sync->partial->walked) { /* damage is never requested for such traces */
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
    /* Link the end points of each location, because points of different locations are mixed. */
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
    /* A record without a point is not earlier than the location's last record with a point. So it
     * can be an inversion only if some record with a point is one. */
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
