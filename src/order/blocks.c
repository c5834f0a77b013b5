/* Blocks -> flushes. */
#include "order/blocks.h"

#include "base/array.h"
#include "base/error.h"
#include "order/rebase.h"

#include <stdlib.h>
#include <string.h>

void blocks_fini(struct blocks *blocks)
{
    free(blocks->items);
    free(blocks->last);
    free(blocks->run);
    block_names_fini(&blocks->names);
    *blocks = (struct blocks){0};
}

/* --- Records --- */

static csy_status begin_block(struct blocks *blocks, uint32_t writer,
                              const struct point_record *record, csy_error *error)
{
    size_t nwriters = blocks->names.locations.count;
    if (blocks->count == NO_BLOCK)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 1 blocks");
    if (!ARRAY_RESERVE(blocks->items, blocks->capacity, blocks->count + 1) ||
        !ARRAY_RESERVE(blocks->last, blocks->last_capacity, nwriters))
        return error_memory(error);
    for (; blocks->nlast < nwriters; blocks->nlast++)
        blocks->last[blocks->nlast] = NO_BLOCK;
    uint32_t block = (uint32_t)blocks->count++;
    blocks->items[block] = (struct block){.location = record->location,
                                          .buffer = record->buffer,
                                          .next = NO_BLOCK,
                                          .first = NO_POINT,
                                          .last = NO_POINT,
                                          .itself = NO_POINT};
    if (blocks->last[writer] != NO_BLOCK)
        blocks->items[blocks->last[writer]].next = block;
    blocks->last[writer] = block;
    return CSY_OK;
}

/* The block that the event says it belongs to. */
static csy_status find_block(struct blocks *blocks, const struct event *event,
                             const struct point_record *record, uint32_t *block, csy_error *error)
{
    uint32_t writer;
    bool begins;
    csy_status status = block_names_take(&blocks->names, event->roles, record->location,
                                         record->buffer, &writer, &begins, error);
    if (!status && begins)
        status = begin_block(blocks, writer, record, error);
    if (!status)
        *block = blocks->last[writer];
    return status;
}

static csy_status find_run(struct blocks *blocks, uint32_t location, csy_error *error)
{
    if (!ARRAY_RESERVE(blocks->run, blocks->run_capacity, (size_t)location + 1))
        return error_memory(error);
    for (; blocks->nrun <= location; blocks->nrun++)
        blocks->run[blocks->nrun] = NO_BLOCK;
    return CSY_OK;
}

csy_status blocks_enter(struct blocks *blocks, const struct event *event,
                        struct point_record *record, uint32_t *block, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    csy_status status = CSY_OK;
    *block = NO_BLOCK;
    bool says = roles->block.size > 0 || roles->flush != FLUSH_NONE;
    if (!says && blocks->count == 0)
        return CSY_OK;
    if (says)
        status = find_block(blocks, event, record, block, error);
    if (!status)
        status = find_run(blocks, record->location, error);
    if (status)
        return status;
    /* the last record of a block, and the first one, are stored */
    uint32_t run = blocks->run[record->location];
    uint32_t next = roles->flush == FLUSH_ITSELF ? NO_BLOCK : *block;
    if (run != next) {
        if (run != NO_BLOCK)
            status =
                points_keep_last(blocks->points, record->location, &blocks->items[run].last, error);
        record->keyed |= *block != NO_BLOCK;
    }
    record->keyed |= roles->flush == FLUSH_ITSELF;
    blocks->run[record->location] = next;
    if (*block != NO_BLOCK)
        record->buffer = NO_BUFFER; /* its flush is in the chain */
    return status;
}

static csy_status add_stamps(struct block *block, const struct event_roles *roles, int64_t x,
                             csy_error *error)
{
    int128 lo = (int128)x + roles->flush_lo, hi = (int128)x + roles->flush_hi;
    if (lo <= -X_MAX || hi >= X_MAX)
        return error_set(error, CSY_INPUT, "its flush is 2^58 ticks or more from other stamps");
    block->stamped = true;
    block->lo = (int64_t)lo;
    block->hi = (int64_t)hi;
    return CSY_OK;
}

csy_status blocks_note(struct blocks *blocks, const struct event *event,
                       const struct point_record *record, uint32_t number, uint32_t end,
                       csy_error *error)
{
    if (number == NO_BLOCK)
        return CSY_OK;
    struct block *block = &blocks->items[number];
    bool itself = event->roles->flush == FLUSH_ITSELF;
    block->position = record->position;
    block->place = record->place;
    block->clock = record->clock;
    if (block->first == NO_POINT)
        block->first = end;
    if (itself)
        block->itself = end;
    else
        block->last_x = record->x;
    if (event->roles->flush == FLUSH_NONE)
        return CSY_OK;
    blocks->stamped++;
    return add_stamps(block, event->roles, record->x, error);
}

/* --- Flushes --- */

static csy_status add_edge(struct points *points, uint32_t from, uint32_t to, csy_error *error)
{
    return from == NO_POINT || to == NO_POINT
               ? CSY_OK
               : points_edge(points, &(struct order_edge){from, to, 0, NO_KEY, EDGE_FLUSH}, error);
}

/* The flush of a block, between what is known of it. */
static csy_status add_flush(struct blocks *blocks, const struct block *block, csy_error *error)
{
    const struct block *next = block->next == NO_BLOCK ? NULL : &blocks->items[block->next];
    struct instant flush = {.lo = block->lo,
                            .hi = block->hi,
                            .position = block->position,
                            .place = block->place,
                            .clock = block->clock,
                            .location = block->location,
                            .buffer = block->buffer};
    uint32_t out, before = block->itself;
    if (!block->stamped) {
        bool last = next && blocks->after == BLOCK_AFTER_BLOCK && next->last != NO_POINT;
        before = !next || blocks->after == BLOCK_AFTER_NONE ? NO_POINT
                 : last                                     ? next->last
                                                            : next->first;
        const struct instant *item = before == NO_POINT ? NULL : &blocks->points->items[before];
        flush.lo = block->last_x;
        flush.hi = item && item->clock == block->clock ? item->hi : HI_NONE;
    }
    csy_status status = points_flush(blocks->points, &flush, &out, error);
    if (!status)
        status = add_edge(blocks->points, block->last, out, error);
    return status ? status : add_edge(blocks->points, out, before, error);
}

struct by_position {
    uint64_t position;
    uint32_t block;
};

static int compare(const void *a, const void *b)
{
    uint64_t x = ((const struct by_position *)a)->position;
    uint64_t y = ((const struct by_position *)b)->position;
    return (x > y) - (x < y);
}

csy_status blocks_finish(struct blocks *blocks, csy_error *error)
{
    csy_status status = CSY_OK;
    if (blocks->count == 0)
        return CSY_OK;
    struct by_position *order = malloc(blocks->count * sizeof *order);
    if (!order)
        return error_memory(error);
    for (uint32_t l = 0; l < blocks->nrun && !status; l++)
        if (blocks->run[l] != NO_BLOCK)
            status =
                points_keep_last(blocks->points, l, &blocks->items[blocks->run[l]].last, error);
    for (uint32_t b = 0; b < blocks->count; b++)
        order[b] = (struct by_position){blocks->items[b].position, b};
    qsort(order, blocks->count, sizeof *order, compare);
    points_come_late(blocks->points);
    for (size_t i = 0; i < blocks->count && !status; i++)
        status = add_flush(blocks, &blocks->items[order[i].block], error);
    free(order);
    return status;
}
