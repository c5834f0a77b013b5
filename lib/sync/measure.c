/* Counts inversions and steps back, and measures damage (changes of times within threads). */
#include "sync/measure.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/events.h"
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
    /* NULL if damage is not measured */
    struct mark *marks;
    int128 damages;
    struct absent absent;        /* global times of left-out records and their neighbours */
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
    /* With drift, change the local time so that the clock's one offset gives the global time. */
    if (sync->drift)
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
    FEW_MIN = 4, /* fewer records can be sorted by time without having been sorted */
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

static bool allows(const int128 *rough, size_t s, size_t t, int64_t walk)
{
    return walk >= WALK_FAR || rough[s] - rough[t] + walk >= 0;
}

/* Returns true if constraints permit all clocks to have the same offset, so records may be sorted
 * by time. This requires that no record was left out, and that no timestamp error was added to
 * constraints. O(T W) with a sweep, O(T^2) with the dense engine. */
static bool is_by_time(const struct csy_sync *sync)
{
    const int128 *rough = sync->survey.rough.offset;
    if (sync->imprecision.adjacent_steps_back > 0)
        return false; /* times within a thread step back */
    if (!sync->bounds.dense.closure) {
        /* The stored bounds are enough, because they are at most as great as the constraints. */
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
    /* With a timestamp error, offsets may be equal although records are not sorted by time. */
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
