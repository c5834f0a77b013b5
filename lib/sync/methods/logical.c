/* Lamport's clocks for partial orders: global times that follow messages, groups, and all other
 * edges. See doc/algorithms.md, Other methods.
 *
 *    counters:  time(e) = the greatest time(record known to precede e) + 1, or 0
 *    clock:     time(e) = the greatest of
 *                 time(previous record in a chain) + 1,
 *                 time(source of an edge to e) + max(latency, 1),
 *                 time(previous record of its location) + local time since, if by the same clock
 *
 * Hubs and flushes only pass on the times of their predecessors. If a begin follows the previous
 * record of its location on one clock, the begin is later by their distance. Nothing is known of
 * other begins, except that the first begin of a location is not before 0. */

#include "sync/methods/methods.h"

#include "base/error.h"
#include "sync/partial_order.h"

#include <stdlib.h>

/* The time of an unknown predecessor is one below the least time. */
#define NOTHING ((int64_t)-1)

/* The last record and point of a location. */
struct latest {
    int64_t time; /* time when the location's last record ended, or NOTHING */
    bool any;
    uint32_t clock; /* clock of the location's last point */
    int64_t x, at;  /* timestamp and time of the location's last point */
};

struct logical {
    const struct csy_sync *sync;
    const struct points *points;
    bool counters;
    int64_t *time; /* for each point: its time */
    struct latest *locations;
    int64_t *buffers; /* for each buffer: time of its last record or flush */
};

/* Returns the time of a point by the clock of its location, or NOTHING. */
static int128 advance(const struct logical *l, const struct instant *item)
{
    const struct latest *last = &l->locations[item->location];
    return l->counters || !last->any || last->clock != item->clock
               ? NOTHING
               : (int128)last->at + item->lo - last->x;
}

static int128 time_of(const struct logical *l, uint32_t p)
{
    const struct instant *item = &l->points->items[p];
    const struct latest *last = &l->locations[instant_is_hub(item) ? 0 : item->location];
    const struct points *points = l->points;
    bool end = points->items[p].kind == INSTANT_END;
    int128 time = NOTHING, own; /* `time` is the least time that the edges into point p permit */
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
    own = advance(l, item);
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

static csy_status visit(struct logical *l, uint32_t p, csy_error *error)
{
    const struct instant *item = &l->points->items[p];
    int128 time = time_of(l, p);
    if (!fits_int64(time))
        return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                         l->sync->trace->name);
    l->time[p] = (int64_t)time;
    if (item->buffer != NO_BUFFER && item->kind != INSTANT_BEGIN)
        l->buffers[item->buffer] = (int64_t)time;
    if (instant_is_hub(item) || !item->chained)
        return CSY_OK;
    struct latest *last = &l->locations[item->location];
    last->any = time != NOTHING;
    last->clock = item->clock;
    last->x = item->lo;
    last->at = (int64_t)time;
    if (item->kind == INSTANT_END)
        last->time = (int64_t)time;
    return CSY_OK;
}

/* Shift Lamport's clock so that the PPE's first record keeps its time. Without a PPE, and for
 * counters, the least time becomes 0. */
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
    struct logical l = {sync,
                        points,
                        sync->method == CSY_METHOD_LAMPORT,
                        calloc(points->count + 1, sizeof *l.time),
                        calloc(points->nlocations + 1, sizeof *l.locations),
                        calloc(points->nbuffers + 1, sizeof *l.buffers)};
    /* the size does not overflow, since as many points are in memory */
    sync->times = calloc((size_t)sync->survey.records + 1, sizeof *sync->times);
    csy_status status =
        l.time && l.locations && l.buffers && sync->times ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < points->nlocations && !status; i++)
        l.locations[i] = (struct latest){.time = NOTHING};
    for (size_t i = 0; i < points->nbuffers && !status; i++)
        l.buffers[i] = NOTHING;
    for (size_t i = 0; i < points->count && !status; i++)
        status = visit(&l, sync->partial->order[i], error);
    if (!status)
        status = set_times(&l, sync, error);
    free(l.time);
    free(l.locations);
    free(l.buffers);
    return status;
}
