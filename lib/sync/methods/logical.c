/* Lamport's clocks for partial orders: global times that follow messages, groups, and all other
 * edges of the order. See doc/algorithms.md, Other methods.
 *
 *    counters:  time = (greatest time of the records known to precede) + 1, or 0
 *    clock:     time = the greatest of
 *                  (time of the previous record in the same chain) + 1,
 *                  (time of the source of an edge) + max(latency, 1),
 *                  (time of the location's previous record) + (local time since then)
 *
 * Hubs and flushes have no records and only pass on the greatest time of their predecessors. A
 * begin that follows the location's previous record on the same clock keeps their local distance.
 * The times of other begins are unknown, except that a location's first begin is at least 0. */

#include "sync/methods/methods.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/partial_order.h"

#include <stdlib.h>

/* Stands for an unknown time of a point. It is one less than the least time. */
#define NOTHING ((int64_t)-1)

struct latest {
    int64_t time; /* Lamport time of the end of the last record, or NOTHING */
    bool any;
    uint32_t clock; /* clock of the location's last point */
    int64_t x, at;  /* timestamp and Lamport time of the location's last point */
};

struct logical {
    const struct points *points;
    bool counters;
    int64_t *time; /* for each point: its Lamport time */
    struct latest *locations;
    int64_t *buffers; /* for each buffer: Lamport time of its last record or flush */
};

static int128 time_of(const struct logical *l, uint32_t p)
{
    const struct instant *item = &l->points->items[p];
    const struct latest *last = &l->locations[instant_is_hub(item) ? 0 : item->location];
    const struct points *points = l->points;
    bool end = points->items[p].kind == INSTANT_END;
    int128 time = NOTHING; /* `time` is the least time that the edges into point p permit */
    for (uint32_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++) {
        const struct order_edge *edge = &points->edges[e];
        int64_t from = l->time[edge->from], latency = l->counters ? 0 : edge->latency_ticks;
        if (from == NOTHING)
            continue;
        int128 least = (int128)from + (end && latency < 1 ? 1 : latency);
        time = least > time ? least : time;
    }
    if (instant_is_hub(item))
        return time;
    if (item->kind == INSTANT_FLUSH)
        return item->buffer != NO_BUFFER && time < l->buffers[item->buffer]
                   ? l->buffers[item->buffer]
                   : time;
    if (item->kind == INSTANT_BEGIN && !item->chained)
        return NOTHING;
    /* the time of the location's last point plus the local time since then, if that is known */
    int128 own = l->counters || !last->any || last->clock != item->clock
                     ? NOTHING
                     : (int128)last->at + item->lo - last->x;
    if (item->kind == INSTANT_BEGIN) {
        own = own > last->time ? own : last->time;
        return own == NOTHING && !l->counters ? 0 : own;
    }
    time = time > own ? time : own;
    if (last->time != NOTHING && time <= last->time)
        time = (int128)last->time + 1;
    if (item->buffer != NO_BUFFER && time <= l->buffers[item->buffer])
        time = (int128)l->buffers[item->buffer] + 1;
    return time == NOTHING ? 0 : time;
}

/* Store the times. The PPE's first record keeps its local time; otherwise, times begin at 0. */
static csy_status set_times(const struct logical *l, struct csy_sync *sync, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    const struct points *points = l->points;
    bool ppe = !l->counters && threads->ppe != NO_THREAD;
    int64_t least = INT64_MAX, most = INT64_MIN;
    int128 shift = 0;
    for (size_t p = 0; p < points->count; p++) {
        const struct instant *item = &points->items[p];
        int64_t time = l->time[p];
        if (item->kind != INSTANT_END)
            continue;
        sync->times[item->position] = time;
        least = time < least ? time : least;
        most = time > most ? time : most;
        if (ppe && item->position == threads->items[threads->ppe].first_record)
            shift = item->lo - sync->survey.rough.offset[threads->ppe] - time;
    }
    shift = ppe ? shift : -(int128)least;
    if (!fits_int64(least + shift) || !fits_int64(most + shift))
        return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                         sync->trace->name);
    sync->origin_ticks = (int64_t)(least + shift);
    for (uint64_t i = 0; i < sync->survey.records; i++)
        sync->times[i] = (int64_t)(sync->times[i] + shift);
    for (size_t t = 0; t < threads->count; t++)
        sync->views[t].offset_ticks = CSY_NO_OFFSET;
    return CSY_OK;
}

csy_status logical_place(struct csy_sync *sync, csy_error *error)
{
    const struct points *points = &sync->partial->points;
    struct logical l = {points, sync->method == CSY_METHOD_LAMPORT,
                        calloc(points->count + 1, sizeof *l.time),
                        calloc(points->nlocations + 1, sizeof *l.locations),
                        calloc(points->nbuffers + 1, sizeof *l.buffers)};
    /* the size does not overflow, because memory already contains a point for each record */
    sync->times = calloc((size_t)sync->survey.records + 1, sizeof *sync->times);
    csy_status status =
        l.time && l.locations && l.buffers && sync->times ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < points->nlocations && !status; i++)
        l.locations[i] = (struct latest){.time = NOTHING};
    for (size_t i = 0; i < points->nbuffers && !status; i++)
        l.buffers[i] = NOTHING;
    for (size_t i = 0; i < points->count && !status; i++) {
        uint32_t p = sync->partial->order[i];
        const struct instant *item = &l.points->items[p];
        int128 time = time_of(&l, p);
        if (!fits_int64(time))
            status = error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                               sync->trace->name);
        l.time[p] = (int64_t)time;
        if (item->buffer != NO_BUFFER && item->kind != INSTANT_BEGIN)
            l.buffers[item->buffer] = (int64_t)time;
        if (instant_is_hub(item) || !item->chained)
            continue;
        struct latest *last = &l.locations[item->location];
        last->any = time != NOTHING;
        last->clock = item->clock;
        last->x = item->lo;
        last->at = (int64_t)time;
        if (item->kind == INSTANT_END)
            last->time = (int64_t)time;
    }
    if (!status)
        status = set_times(&l, sync, error);
    FREE_ALL(l.time, l.locations, l.buffers);
    return status;
}
