/* Blocks -> flushes. */
#include "order/blocks.h"

#include "base/array.h"
#include "base/error.h"
#include "order/rebase.h"

#include <stdlib.h>
#include <string.h>

void blocks_fini(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->writer_names.count; i++)
        free(blocks->writers[i].name);
    free(blocks->items);
    free(blocks->writers);
    free(blocks->run);
    texts_fini(&blocks->writer_names);
    texts_fini(&blocks->names);
    *blocks = (struct blocks){0};
}

/* --- Names --- */

static csy_status find_writer(struct blocks *blocks, const struct point_record *record,
                              struct block_writer **out, csy_error *error)
{
    const uint32_t both[2] = {record->location, record->buffer};
    char bytes[sizeof both];
    uint32_t number;
    bool added;
    memcpy(bytes, both, sizeof both);
    size_t n = blocks->writer_names.count + 1;
    if (!ARRAY_RESERVE(blocks->writers, blocks->writers_capacity, n) ||
        !texts_find(&blocks->writer_names, bytes, sizeof bytes, &number, &added))
        return error_memory(error);
    if (added)
        blocks->writers[number] = (struct block_writer){.block = NO_BLOCK};
    *out = &blocks->writers[number];
    return CSY_OK;
}

/* A number without zeros before it, which 64 bits hold. */
static bool read_count(csy_text name, uint64_t *out)
{
    *out = 0;
    if (name.size == 0 || name.size > 18 || (name.size > 1 && *name.bytes == '0'))
        return false;
    for (size_t i = 0; i < name.size; i++) {
        if (name.bytes[i] < '0' || name.bytes[i] > '9')
            return false;
        *out = *out * 10 + (uint64_t)(name.bytes[i] - '0');
    }
    return true;
}

static csy_status refuse(csy_text name, const char *what, csy_error *error)
{
    char escaped[ERROR_ESCAPED_MAX];
    return error_set(error, CSY_INPUT, "the block '%s' %s",
                     error_escape(escaped, name.bytes, name.size), what);
}

/* That the writer has begun no other block of this name.  Names that count take no memory. */
static csy_status use_name(struct blocks *blocks, struct block_writer *writer, csy_text name,
                           csy_error *error)
{
    char stack[256], *bytes = stack;
    uint32_t number = (uint32_t)(writer - blocks->writers), used;
    uint64_t count;
    bool is_count = read_count(name, &count), added = true;
    if (writer->block == NO_BLOCK && is_count) {
        writer->counts = true;
        writer->least = writer->greatest = count;
        return CSY_OK;
    }
    if (is_count && writer->counts && count == writer->greatest + 1) {
        writer->greatest++;
        return CSY_OK;
    }
    if (is_count && writer->counts && count >= writer->least && count <= writer->greatest)
        return refuse(name, "goes on after another one of its location", error);
    size_t size = sizeof number + name.size;
    if (size > sizeof stack && !(bytes = malloc(size)))
        return error_memory(error);
    memcpy(bytes, &number, sizeof number);
    memcpy(bytes + sizeof number, name.bytes, name.size);
    bool good = texts_find(&blocks->names, bytes, size, &used, &added);
    if (bytes != stack)
        free(bytes);
    if (!good)
        return error_memory(error);
    return added ? CSY_OK : refuse(name, "goes on after another one of its location", error);
}

static bool is_called(const struct block_writer *writer, csy_text name)
{
    return writer->size == name.size &&
           (name.size == 0 || memcmp(writer->name, name.bytes, name.size) == 0);
}

static csy_status begin_block(struct blocks *blocks, struct block_writer *writer, csy_text name,
                              const struct point_record *record, csy_error *error)
{
    csy_status status = name.size > 0 ? use_name(blocks, writer, name, error) : CSY_OK;
    if (status)
        return status;
    if (blocks->count == NO_BLOCK)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 1 blocks");
    if (!ARRAY_RESERVE(blocks->items, blocks->capacity, blocks->count + 1) ||
        !ARRAY_RESERVE(writer->name, writer->capacity, name.size + 1))
        return error_memory(error);
    uint32_t block = (uint32_t)blocks->count++;
    blocks->items[block] = (struct block){.location = record->location,
                                          .buffer = record->buffer,
                                          .next = NO_BLOCK,
                                          .first = NO_POINT,
                                          .last = NO_POINT,
                                          .itself = NO_POINT};
    if (writer->block != NO_BLOCK)
        blocks->items[writer->block].next = block;
    writer->block = block;
    writer->over = false;
    memcpy(writer->name, name.bytes, name.size);
    writer->size = name.size;
    return CSY_OK;
}

/* --- Records --- */

/* The block that the event says it belongs to. */
static csy_status find_block(struct blocks *blocks, const struct event *event,
                             const struct point_record *record, uint32_t *block, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    struct block_writer *writer;
    if (record->buffer == NO_BUFFER)
        return roles->block.size > 0 ? refuse(roles->block, "is in no buffer", error)
                                     : error_set(error, CSY_INPUT, "a flush, but no buffer");
    if (roles->block.size == 0 && roles->flush == FLUSH_STAMPED)
        return error_set(error, CSY_INPUT, "a flush, but no block");
    csy_status status = find_writer(blocks, record, &writer, error);
    if (status)
        return status;
    bool any = writer->block != NO_BLOCK, unnamed = roles->block.size == 0;
    bool same = any && (is_called(writer, roles->block) || (unnamed && !writer->over));
    if (same && writer->over && !unnamed)
        return refuse(roles->block, "goes on after its flush", error);
    if (!same || writer->over)
        status = begin_block(blocks, writer, roles->block, record, error);
    *block = writer->block;
    writer->over = roles->flush != FLUSH_NONE;
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
