/* Stores eliminations, and finds which threads each of them uses. */
#include "graph/eliminations.h"

#include "base/array.h"
#include "base/error.h"
#include "graph/search.h"

#include <stdlib.h>
#include <string.h>

/* Least and greatest size of a block, in bytes. A new block is as large as all others together. */
enum { BLOCK_BYTES_MIN = 1 << 20, BLOCK_BYTES_MAX = 1 << 24 };

#define NONE UINT32_MAX

void eliminations_fini(struct eliminations *records)
{
    for (size_t i = 0; i < records->nblocks; i++)
        free(records->blocks[i]);
    FREE_ALL(records->blocks, records->items, records->born);
    *records = (struct eliminations){0};
}

csy_status eliminations_add(struct eliminations *records, uint32_t thread, size_t live,
                            struct elimination_room *room, csy_error *error)
{
    size_t values = 2 * live + (records->has_carrier ? live + 1 : 0);
    size_t id_bytes = (live * sizeof(uint32_t) + 7) / 8 * 8;
    size_t bytes = values * sizeof(int64_t) + id_bytes;
    if (!ARRAY_RESERVE(records->items, records->capacity, records->count + 1))
        return error_memory(error);
    if (records->nblocks == 0 || records->block_used + bytes > records->block_size) {
        size_t size = records->blocks_size < BLOCK_BYTES_MIN   ? BLOCK_BYTES_MIN
                      : records->blocks_size > BLOCK_BYTES_MAX ? BLOCK_BYTES_MAX
                                                               : records->blocks_size;
        size = bytes > size ? bytes : size;
        if (!ARRAY_RESERVE(records->blocks, records->blocks_capacity, records->nblocks + 1))
            return error_memory(error);
        unsigned char *block = malloc(size);
        if (!block)
            return error_memory(error);
        records->blocks[records->nblocks++] = block;
        records->block_used = 0;
        records->block_size = size;
        records->blocks_size += size;
    }
    unsigned char *taken = records->blocks[records->nblocks - 1] + records->block_used;
    records->block_used += bytes;
    int64_t *row = (int64_t *)(void *)taken;
    *room = (struct elimination_room){(uint32_t *)(void *)(row + values), row, row + live,
                                      records->has_carrier ? row + 2 * live : NULL};
    records->items[records->count++] = (struct elimination){
        thread, (uint32_t)live, room->ids, room->row, room->column, room->carrier};
    records->live_most = live > records->live_most ? live : records->live_most;
    return CSY_OK;
}

csy_status elimination_uses_init(struct elimination_uses *uses, const struct eliminations *records,
                                 csy_error *error)
{
    *uses = (struct elimination_uses){.first = records->born};
    if (!records->born) {
        uint32_t *first = malloc((records->nthreads + 1) * sizeof *first);
        for (size_t t = 0; first && t < records->nthreads; t++)
            first[t] = NONE;
        for (size_t k = 0; first && k < records->count; k++) {
            const struct elimination *d = &records->items[k];
            for (uint32_t i = 0; i < d->live; i++)
                if (first[d->ids[i]] == NONE)
                    first[d->ids[i]] = (uint32_t)k;
        }
        uses->first = uses->found = first;
    }
    uint32_t *uses_of = calloc(records->count + 1, sizeof *uses_of);
    if (!uses->first || !uses_of) {
        free(uses_of);
        elimination_uses_fini(uses);
        return error_memory(error);
    }
    for (size_t t = 0; t < records->nthreads; t++)
        if (uses->first[t] < records->count)
            uses_of[uses->first[t]]++;
    size_t wanted = 0;
    for (size_t k = records->count; k-- > 0; wanted -= uses_of[k]) {
        wanted++;
        uses->most = wanted > uses->most ? wanted : uses->most;
    }
    free(uses_of);
    return CSY_OK;
}

void elimination_uses_fini(struct elimination_uses *uses)
{
    free(uses->found);
    *uses = (struct elimination_uses){0};
}

/* If `to` is NULL, only count the edge. */
static void take_edge(size_t *start, uint32_t *to, uint32_t from, uint32_t target)
{
    if (to)
        to[start[from + 1]++] = target;
    else
        start[from + 2]++;
}

static void take_edges(const struct eliminations *records, size_t *start, uint32_t *to)
{
    for (size_t k = 0; k < records->count; k++) {
        const struct elimination *d = &records->items[k];
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            if (d->row[i] < WALK_FAR)
                take_edge(start, to, d->thread, d->ids[i]);
            if (d->column[i] < WALK_FAR)
                take_edge(start, to, d->ids[i], d->thread);
        }
    }
}

csy_status elimination_components(const struct eliminations *records, uint32_t *component,
                                  size_t *count, csy_error *error)
{
    size_t n = records->nthreads, *start = calloc(n + 2, sizeof *start);
    uint32_t *to = NULL;
    if (!start)
        return error_memory(error);
    take_edges(records, start, NULL);
    for (size_t t = 0; t < n; t++)
        start[t + 2] += start[t + 1];
    to = malloc((start[n + 1] + 1) * sizeof *to);
    csy_status status = to ? CSY_OK : error_memory(error);
    if (!status) {
        take_edges(records, start, to);
        status = components_find(n, start, to, component, count, error);
    }
    FREE_ALL(start, to);
    return status;
}
