/* Inversions, neighbours and damage. */
#include "sync/measure.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/events.h"

#include <stdlib.h>

/* The last record of a thread. */
struct mark {
    bool set;
    int64_t local_ticks, global_ticks;
    int128 offset; /* of the thread, or where it has none of its first record */
};

/* How far the distance from the thread's record before is from what its own clock says. */
static bool damage_note(csy_damage *damage, int128 *sum, struct mark *last, const csy_event *event)
{
    int128 by = (int128)event->global_ticks - last->global_ticks -
                ((int128)event->local_ticks - last->local_ticks);
    bool first = !last->set;
    *last = (struct mark){true, event->local_ticks, event->global_ticks, last->offset};
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

/* How far the record is from where its thread's clock puts it. */
static void correction_note(struct csy_sync *sync, struct mark *mark, const csy_event *event)
{
    int128 offset = (int128)event->global_ticks - event->local_ticks;
    int64_t own = sync->views[event->thread].offset_ticks;
    if (!mark->set)
        mark->offset = own == CSY_NO_OFFSET ? offset : own;
    int128 by = offset > mark->offset ? offset - mark->offset : mark->offset - offset;
    sync->correction.records += by > 0;
    if (by > sync->correction.largest_ticks)
        sync->correction.largest_ticks = by > INT64_MAX ? INT64_MAX : (int64_t)by;
}

/* The neighbours that an event makes with the one before it, which is the first where none is. */
static void neighbour_note(csy_disorder *after, const csy_event *before, const csy_event *event)
{
    int128 down = (int128)before->global_ticks - event->global_ticks;
    if (before->thread == event->thread || down <= 0)
        return;
    after->wrong++;
    if (down > after->largest_ticks)
        after->largest_ticks = down > INT64_MAX ? INT64_MAX : (int64_t)down;
}

/* A record that is left out, with the global times of the others around it. */
struct absentee {
    csy_dropped_record view;
    int64_t global, greatest; /* before it */
    int64_t least;            /* up to the next absentee */
};

struct absent {
    struct absentee *items;
    size_t met, next;
    int64_t greatest;
};

/* Whether the event is left out. */
static bool absent_note(struct absent *absent, const struct csy_sync *sync,
                        const csy_events *events, const csy_event *event)
{
    const struct survey *survey = &sync->survey;
    int64_t global = event->local_ticks + sync->views[event->thread].offset_ticks;
    if (!sorted_has(survey->dropped, survey->ndropped, &absent->next, event->record)) {
        if (absent->met > 0 && global < absent->items[absent->met - 1].least)
            absent->items[absent->met - 1].least = global;
        absent->greatest = global > absent->greatest ? global : absent->greatest;
        return false;
    }
    csy_dropped_record view = {event->record, events->event.place, event->thread, 0};
    absent->items[absent->met++] = (struct absentee){view, global, absent->greatest, INT64_MAX};
    return true;
}

static int64_t early_by(const struct absentee *absentee, int64_t least)
{
    int64_t out = 0;
    if (absentee->global < absentee->greatest)
        return __builtin_sub_overflow(absentee->greatest, absentee->global, &out) ? INT64_MAX : out;
    if (absentee->global > least)
        return __builtin_sub_overflow(least, absentee->global, &out) ? -INT64_MAX : out;
    return 0;
}

/* All have passed: how early each was; none is an inversion where times are monotonic. */
static csy_status absent_finish(const struct absent *absent, struct csy_sync *sync,
                                csy_error *error)
{
    csy_imprecision *imprecision = &sync->imprecision;
    int64_t least = INT64_MAX;
    csy_dropped_record *records = calloc(absent->met + 1, sizeof *records);
    if (!records)
        return error_memory(error);
    for (size_t i = absent->met; i-- > 0;) {
        least = absent->items[i].least < least ? absent->items[i].least : least;
        records[i] = absent->items[i].view;
        int64_t early = early_by(&absent->items[i], least), size = early < 0 ? -early : early;
        records[i].early_ticks = early;
        imprecision->inversions += size > 0 && !sync->monotonic;
        if (size > imprecision->largest_inversion_ticks && !sync->monotonic)
            imprecision->largest_inversion_ticks = size;
    }
    sync->dropped = (csy_dropped){sync->dropped.asked, absent->met, records};
    return CSY_OK;
}

static csy_status measure_events(csy_events *events, struct csy_sync *sync, struct mark *marks,
                                 struct absent *absent, csy_error *error)
{
    csy_event event, before;
    bool more, first = true;
    int64_t greatest = INT64_MIN;
    int128 damages = 0;
    csy_imprecision *imprecision = &sync->imprecision;
    for (;;) {
        csy_status status = csy_events_next(events, &event, &more, error);
        if (!status && !more)
            sync->damage.mean = mean_make(damages, sync->damage.mean.pairs);
        if (!status && !more && absent->items)
            status = absent_finish(absent, sync, error);
        if (status || !more)
            return status;
        neighbour_note(&sync->order.after, first ? &event : &before, &event);
        before = event;
        first = false;
        if (!absent->items || !absent_note(absent, sync, events, &event))
            inversions_note(&greatest, event.global_ticks, &imprecision->inversions,
                            &imprecision->largest_inversion_ticks);
        if (marks)
            correction_note(sync, &marks[event.thread], &event);
        if (marks && !damage_note(&sync->damage, &damages, &marks[event.thread], &event))
            return error_set(error, CSY_INPUT, "%s: the damage of a distance leaves 64 bits",
                             sync->trace->name);
    }
}

csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error)
{
    csy_events *events = NULL;
    struct mark *marks = damage ? calloc(sync->survey.threads.count, sizeof *marks) : NULL;
    size_t out = sync->survey.ndropped;
    struct absent absent = {.items = out ? calloc(out, sizeof *absent.items) : NULL,
                            .greatest = INT64_MIN};
    csy_status status = (damage && !marks) || (out && !absent.items) ? error_memory(error) : CSY_OK;
    if (!status)
        status = csy_events_open(trace, sync, &events, error);
    if (!status)
        events->progress.stage = "measuring";
    if (!status)
        status = measure_events(events, sync, marks, &absent, error);
    sync->damage_measured = damage;
    csy_events_free(events);
    free(marks);
    free(absent.items);
    return status;
}
