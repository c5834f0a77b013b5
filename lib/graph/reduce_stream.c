/* Computes constraints between clocks while the events arrive (graph/reduce_stream.h). */
#include "graph/reduce_stream.h"

#include "base/array.h"
#include "base/error.h"
#include "graph/reduction.h"

#include <stdlib.h>

enum { POINTS_MIN = 4096, PAIRS_A_POINT = 4, HUBS_MIN = 64 };

struct reduce_stream {
    struct reduction reduction;
    struct points *points;
    size_t limit;
    size_t left_capacity, slots_capacity, lists_capacity;
    size_t nhubs, hubs_capacity;
    uint32_t *unused; /* vertex numbers of removed hubs (groups of points,
                       * graph/reduce.h), which new hubs get */
    size_t nunused;
};

csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error)
{
    struct reduce_stream *stream = calloc(1, sizeof *stream);
    *out = stream;
    if (!stream)
        return error_memory(error);
    points_fini(points);
    points->nlocations = nlocations;
    *stream = (struct reduce_stream){.reduction = {.points = points,
                                                   .nclocks = nclocks,
                                                   .window = window->ticks,
                                                   .rate_ppb = window->rate_ppb,
                                                   .passes_hubs = window->passes_hubs,
                                                   .ages = ages},
                                     .points = points,
                                     .limit = POINTS_MIN,
                                     .left_capacity = 1};
    return reduction_init(&stream->reduction, error);
}

void reduce_stream_free(struct reduce_stream *stream)
{
    if (stream) {
        reduction_fini(&stream->reduction);
        free(stream->unused);
    }
    free(stream);
}

csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error)
{
    struct reduction *r = &stream->reduction;
    size_t nlists = stream->points->nlocations + nbuffers;
    if (!ARRAY_RESERVE(r->slot_of, stream->slots_capacity, nclocks + 1) ||
        !ARRAY_RESERVE(r->lists, stream->lists_capacity, nlists + 1))
        return error_memory(error);
    for (; r->nvertices < nclocks; r->nvertices++)
        r->slot_of[r->nvertices] = NOWHERE;
    for (; r->nlists < nlists; r->nlists++)
        r->lists[r->nlists] = (struct list){0};
    r->nclocks = r->nvertices;
    r->rate_ppb = r->table.rate_ppb = rate_ppb;
    return CSY_OK;
}

static struct list *list_of(const struct reduce_stream *stream, uint32_t buffer)
{
    return &stream->reduction.lists[stream->points->nlocations + buffer];
}

uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer)
{
    return list_of(stream, buffer)->places;
}

void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi)
{
    reduction_set_hi(&stream->reduction, list_of(stream, buffer), clock, place, hi);
}

void reduce_stream_release(struct reduce_stream *stream, uint32_t point)
{
    reduction_release(&stream->reduction, point);
}

static bool number_hub(struct reduce_stream *stream, uint32_t *out)
{
    struct reduction *r = &stream->reduction;
    if (stream->nunused > 0) {
        *out = stream->unused[--stream->nunused];
        return true;
    }
    if (stream->nhubs == stream->hubs_capacity) {
        size_t capacity = 2 * stream->hubs_capacity + HUBS_MIN, n = r->nclocks + capacity;
        uint32_t *unused = realloc(stream->unused, capacity * sizeof *unused);
        if (!unused)
            return false;
        stream->unused = unused;
        uint32_t *slot_of = realloc(r->slot_of, (n + 1) * sizeof *slot_of);
        if (!slot_of)
            return false;
        for (size_t v = r->nvertices; v < n; v++)
            slot_of[v] = NOWHERE;
        r->slot_of = slot_of;
        r->nvertices = n;
        stream->hubs_capacity = capacity;
    }
    *out = (uint32_t)stream->nhubs++;
    return true;
}

csy_status reduce_stream_add(struct reduce_stream *stream, const struct reduce_stream_point *point,
                             uint32_t *out, csy_error *error)
{
    const struct instant *instant = point->instant;
    struct reduction *r = &stream->reduction;
    struct points *points = stream->points;
    if (points->count == NO_POINT - 1 ||
        (!instant_is_hub(instant) && instant->chained &&
         r->lists[instant->location].places == NOWHERE - 1) ||
        (instant->buffer != NO_BUFFER && list_of(stream, instant->buffer)->places == NOWHERE - 1))
        return error_set(error, CSY_MEMORY, "more than 2^32 - 2 points of order");
    if (!ARRAY_RESERVE(points->items, points->capacity, points->count + 1) ||
        !ARRAY_RESERVE(r->left, stream->left_capacity, points->count + 1))
        return error_memory(error);
    *out = (uint32_t)points->count;
    points->items[points->count] = *instant;
    if (instant_is_hub(instant) && !r->passes_hubs &&
        !number_hub(stream, &points->items[points->count].clock))
        return error_memory(error);
    r->left[points->count++] = point->leaves;
    return reduction_visit(r, *out, point->edges, point->n, error);
}

bool reduce_stream_is_full(const struct reduce_stream *stream)
{
    const struct age_matrix *ages = stream->reduction.ages;
    return stream->points->count >= stream->limit || (ages && age_matrix_is_full(ages));
}

uint32_t *reduce_stream_marks(const struct reduce_stream *stream)
{
    return calloc(stream->points->count + 1, sizeof(uint32_t));
}

enum { USED = PAIR_USES, UNDER_WAY = 2 | USED };

static union kept *snapshot_of(const struct reduction *r, size_t p)
{
    return r->left[p] == 0 ? NULL : &r->pool.items[r->left[p]];
}

void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks)
{
    struct reduction *r = &stream->reduction;
    struct points *points = stream->points;
    uint32_t n = 0;
    for (size_t p = 0; p < points->count; p++)
        marks[p] = marks[p] ? UNDER_WAY : 0;
    for (size_t p = 0; p < points->count; p++) {
        const union kept *head = marks[p] == UNDER_WAY ? snapshot_of(r, p) : NULL;
        for (uint32_t i = 0; head && i < head->head.count; i++)
            marks[head[1 + i].item.point] |= USED;
    }
    for (size_t l = 0; l < r->nlists; l++)
        for (size_t i = 0; i < r->lists[l].count; i++)
            marks[r->lists[l].entries[i].point] |= USED;
    pair_table_mark(&r->table, marks);
    for (size_t p = 0; p < points->count; p++) {
        const struct instant *item = &points->items[p];
        bool hub = instant_is_hub(item);
        if (r->ages && marks[p] != 0 && !(hub && r->passes_hubs))
            age_matrix_keep(r->ages, reduction_vertex(r, item), item->lo);
        if (marks[p] == 0 && hub && !r->passes_hubs)
            stream->unused[stream->nunused++] = item->clock;
    }
    if (r->ages)
        age_matrix_drop(r->ages);
    for (size_t p = 0; p < points->count; p++) {
        uint32_t mark = marks[p];
        marks[p] = n;
        points->items[n] = points->items[p];
        r->left[n] = mark == UNDER_WAY ? r->left[p] : 0;
        n += mark != 0;
    }
    points->count = n;
    for (size_t p = 0; p < points->count; p++) {
        union kept *head = snapshot_of(r, p);
        for (uint32_t i = 0; head && i < head->head.count; i++)
            head[1 + i].item.point = marks[head[1 + i].item.point];
    }
    for (size_t l = 0; l < r->nlists; l++)
        for (size_t i = 0; i < r->lists[l].count; i++)
            r->lists[l].entries[i].point = marks[r->lists[l].entries[i].point];
    pair_table_renumber(&r->table, marks);
    /* Removing points also visits all pairs. If there are many pairs, do it less often. */
    const struct pair_table *table = &stream->reduction.table;
    size_t count = stream->points->count,
           more = (table->cells_size + table->nstacked) / PAIRS_A_POINT;
    more = count > more ? count : more;
    stream->limit = count + (more > POINTS_MIN ? more : POINTS_MIN);
}

csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error)
{
    struct reduction *r = &stream->reduction;
    uint32_t *marks = reduce_stream_marks(stream);
    if (!marks)
        return error_memory(error);
    for (size_t l = 0; l < r->nlists; l++)
        r->lists[l].count = 0;
    reduce_stream_remove(stream, marks);
    free(marks);
    ARRAY_FIT(stream->points->items, stream->points->capacity, stream->points->count);
    return reduction_collect(r, out, error);
}
