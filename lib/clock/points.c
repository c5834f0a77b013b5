/* See points.h. */
#include "clock/points.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

void points_fini(struct points *points)
{
    FREE_ALL(points->items, points->edges, points->first_edge, points->limits, points->locations,
             points->keys);
    *points = (struct points){0};
}

static csy_status add(struct points *points, const struct instant *instant, uint32_t *out,
                      csy_error *error)
{
    if (points->count == NO_POINT)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 2 points of order");
    *out = (uint32_t)points->count;
    return ARRAY_PUSH(points->items, points->count, points->capacity, *instant)
               ? CSY_OK
               : error_memory(error);
}

static csy_status find_location(struct points *points, uint32_t location,
                                struct location_state **out, csy_error *error)
{
    if (!ARRAY_EXTEND(points->locations, points->nlocations, points->locations_capacity,
                      (size_t)location + 1, (struct location_state){0}))
        return error_memory(error);
    *out = &points->locations[location];
    return CSY_OK;
}

csy_status points_record(struct points *points, const struct point_record *record, uint32_t *begin,
                         uint32_t *end, csy_error *error)
{
    struct location_state *state;
    struct instant instant = {.lo = record->x,
                              .hi = record->x,
                              .position = record->position,
                              .place = record->place,
                              .clock = record->clock,
                              .location = record->location,
                              .buffer = record->buffer,
                              .kind = INSTANT_END,
                              .chained = !record->alone};
    csy_status status = find_location(points, record->location, &state, error);
    if (status)
        return status;
    *begin = *end = NO_POINT;
    bool changed = !record->alone && state->any && state->last.clock != record->clock;
    bool back = !record->alone && state->any && !changed && record->x < state->greatest;
    bool stored = record->keyed || record->buffer != NO_BUFFER || changed || back;
    if (state->gap && (changed || back)) {
        uint32_t last;
        status = add(points, &state->last, &last, error);
    }
    if (!status && record->keyed && record->interval) {
        struct instant first = instant;
        first.lo = first.hi = record->begin_x;
        first.kind = INSTANT_BEGIN;
        first.buffer = NO_BUFFER;
        first.chained = instant.chained && (!state->any || (points->begins_follow &&
                                                            state->last.clock == record->clock &&
                                                            state->last.lo <= record->begin_x));
        status = add(points, &first, begin, error);
    }
    if (!status && stored)
        status = add(points, &instant, end, error);
    if (status)
        return status;
    if (record->buffer != NO_BUFFER && record->buffer >= points->nbuffers)
        points->nbuffers = (size_t)record->buffer + 1;
    if (!record->alone) {
        state->greatest =
            !state->any || changed || record->x > state->greatest ? record->x : state->greatest;
        state->any = true;
        state->gap = !stored;
        state->last = instant;
        state->last_point = *end;
    }
    if (*begin == NO_POINT)
        *begin = *end;
    else if (!points->items[*begin].chained)
        status = points_edge(points, &(struct order_edge){*begin, *end, 0, NO_KEY, EDGE_INTERVAL},
                             error);
    return status;
}

csy_status points_apart(struct points *points, const struct instant *instant,
                        enum instant_kind kind, uint32_t *out, csy_error *error)
{
    struct location_state *state;
    struct instant apart = *instant;
    apart.kind = (uint16_t)kind;
    apart.chained = false;
    apart.buffer = kind == INSTANT_FLUSH ? apart.buffer : NO_BUFFER;
    if (apart.buffer != NO_BUFFER && apart.buffer >= points->nbuffers)
        points->nbuffers = (size_t)apart.buffer + 1;
    csy_status status = find_location(points, apart.location, &state, error);
    return status ? status : add(points, &apart, out, error);
}

void points_come_late(struct points *points)
{
    points->late = points->count;
}

csy_status points_keep_last(struct points *points, uint32_t location, uint32_t *out,
                            csy_error *error)
{
    struct location_state *state = &points->locations[location];
    csy_status status = CSY_OK;
    if (state->gap)
        status = add(points, &state->last, &state->last_point, error);
    state->gap = state->gap && status;
    *out = state->last_point;
    return status;
}

bool points_tell(struct points *points, int64_t apart_ticks)
{
    if (apart_ticks < points->close_ticks) {
        if (apart_ticks >= points->least_above)
            points->least_above = apart_ticks + 1;
        return false;
    }
    if (!points->told || apart_ticks < points->least_told)
        points->least_told = apart_ticks;
    return points->told = true;
}

csy_status points_hub(struct points *points, uint32_t first, uint32_t *out, csy_error *error)
{
    struct instant hub = {.position = points->items[first].position,
                          .place = points->items[first].place,
                          .clock = (uint32_t)points->nhubs,
                          .location = NO_LOCATION,
                          .buffer = NO_BUFFER,
                          .kind = INSTANT_HUB};
    csy_status status = add(points, &hub, out, error);
    points->nhubs += !status;
    return status;
}

csy_status points_key(struct points *points, const char *text, size_t size, uint32_t *out,
                      csy_error *error)
{
    if (size >= NO_KEY - points->keys_size)
        return error_set(error, CSY_MEMORY, "keys of order of more than 4 GiB");
    if (!ARRAY_RESERVE(points->keys, points->keys_capacity, points->keys_size + size + 1))
        return error_memory(error);
    *out = (uint32_t)points->keys_size;
    memcpy(points->keys + points->keys_size, text, size);
    points->keys[points->keys_size + size] = 0;
    points->keys_size += size + 1;
    return CSY_OK;
}

csy_status points_edge(struct points *points, const struct order_edge *edge, csy_error *error)
{
    if (points->nedges == UINT32_MAX)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 1 edges of order");
    return ARRAY_PUSH(points->edges, points->nedges, points->edges_capacity, *edge)
               ? CSY_OK
               : error_memory(error);
}

csy_status points_limit(struct points *points, const struct order_limit *limit, csy_error *error)
{
    return ARRAY_PUSH(points->limits, points->nlimits, points->limits_capacity, *limit)
               ? CSY_OK
               : error_memory(error);
}

size_t points_limits_of(const struct points *points, uint32_t p, const struct order_limit **out)
{
    size_t low = 0, high = points->nlimits, n = 0;
    BISECT(low, high, middle, points->limits[middle].earlier < p);
    while (low + n < points->nlimits && points->limits[low + n].earlier == p)
        n++;
    *out = points->limits + low;
    return n;
}

static int compare_limits(const void *a, const void *b)
{
    const struct order_limit *x = a, *y = b;
    return COMPARE_THEN(
        x->earlier, y->earlier,
        COMPARE_THEN(x->later, y->later,
                     COMPARE_THEN(x->most_ticks, y->most_ticks, COMPARE(x->place, y->place))));
}

csy_status points_finish(struct points *points, csy_error *error)
{
    SORT(points->limits, points->nlimits, compare_limits);
    free(points->first_edge);
    points->first_edge = calloc(points->count + 2, sizeof *points->first_edge);
    if (!points->first_edge)
        return error_memory(error);
    for (size_t i = 0; i < points->nedges; i++)
        points->first_edge[points->edges[i].to + 1]++;
    for (size_t p = 0; p < points->count; p++)
        points->first_edge[p + 1] += points->first_edge[p];
    bool sorted_already = true;
    for (size_t i = 1; i < points->nedges && sorted_already; i++)
        sorted_already = points->edges[i].to >= points->edges[i - 1].to;
    if (sorted_already)
        return CSY_OK;
    struct order_edge *sorted = malloc(points->nedges * sizeof *sorted);
    if (!sorted)
        return error_memory(error);
    for (size_t i = 0; i < points->nedges; i++)
        sorted[points->first_edge[points->edges[i].to]++] = points->edges[i];
    memmove(points->first_edge + 1, points->first_edge, points->count * sizeof *points->first_edge);
    points->first_edge[0] = 0;
    free(points->edges);
    points->edges = sorted;
    points->edges_capacity = points->nedges;
    return CSY_OK;
}
