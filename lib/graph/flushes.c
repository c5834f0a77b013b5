/* Turns flushes into pairs of clocks while they are read. */
#include "graph/flushes.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

enum { POINTS_MIN = 4096 };

/* A place in the chain where a flush of the entry's clock has a known hi. */
struct flush_mark {
    uint32_t place; /* NOWHERE: none */
    int64_t hi;
};

struct flush_entry {
    uint32_t clock, point; /* point: origin of the value */
    int64_t value;
    uint32_t grew; /* the place where the value last grew */
    struct flush_mark candidate, last;
};

static const struct flush_mark no_mark = {NOWHERE, 0};

csy_status flushes_init(struct flushes *flushes, struct points *points,
                        const struct reduce_window *window, csy_error *error)
{
    *flushes =
        (struct flushes){.points = points, .window = window->ticks, .points_limit = POINTS_MIN};
    points->count = 0;
    return pair_table_init(&flushes->table, points, window->rate_ppb, error);
}

static void free_lists(struct flush_lists *lists)
{
    for (size_t i = 0; i < lists->count; i++)
        free(lists->items[i].entries);
    free(lists->items);
}

void flushes_fini(struct flushes *flushes)
{
    free_lists(&flushes->buffers);
    free_lists(&flushes->waiting);
    pair_table_fini(&flushes->table);
    *flushes = (struct flushes){0};
}

/* --- Points --- */

static void mark_lists(const struct flush_lists *lists, uint32_t *used)
{
    for (size_t l = 0; l < lists->count; l++)
        for (size_t i = 0; i < lists->items[l].count; i++)
            used[lists->items[l].entries[i].point] = 1;
}

static void renumber_lists(struct flush_lists *lists, const uint32_t *numbers)
{
    for (size_t l = 0; l < lists->count; l++)
        for (size_t i = 0; i < lists->items[l].count; i++)
            lists->items[l].entries[i].point = numbers[lists->items[l].entries[i].point];
}

/* Remove points that no list and no pair uses. */
static csy_status remove_unused(struct flushes *flushes, csy_error *error)
{
    struct points *points = flushes->points;
    uint32_t *numbers = calloc(points->count + 1, sizeof *numbers), n = 0;
    if (!numbers)
        return error_memory(error);
    mark_lists(&flushes->buffers, numbers);
    mark_lists(&flushes->waiting, numbers);
    pair_table_mark(&flushes->table, numbers);
    for (size_t p = 0; p < points->count; p++) {
        bool used = numbers[p] != 0;
        numbers[p] = n;
        points->items[n] = points->items[p];
        n += used;
    }
    renumber_lists(&flushes->buffers, numbers);
    renumber_lists(&flushes->waiting, numbers);
    pair_table_renumber(&flushes->table, numbers);
    points->count = n;
    flushes->points_limit = 2 * (size_t)n < POINTS_MIN ? POINTS_MIN : 2 * (size_t)n;
    free(numbers);
    return CSY_OK;
}

/* Make room for n points, so that none is renumbered while they are added. */
static csy_status make_room(struct flushes *flushes, size_t n, csy_error *error)
{
    return flushes->points->count + n <= flushes->points_limit ? CSY_OK
                                                               : remove_unused(flushes, error);
}

static csy_status add_point(struct flushes *flushes, const struct instant *instant, uint32_t *out,
                            csy_error *error)
{
    struct points *points = flushes->points;
    if (points->count == NO_POINT)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 2 points of order");
    if (!ARRAY_RESERVE(points->items, points->capacity, points->count + 1))
        return error_memory(error);
    points->items[points->count] = *instant;
    *out = (uint32_t)points->count++;
    return CSY_OK;
}

/* --- Lists --- */

static csy_status find_list(struct flush_lists *lists, uint32_t number, struct flush_list **out,
                            csy_error *error)
{
    if (!ARRAY_RESERVE(lists->items, lists->capacity, (size_t)number + 1))
        return error_memory(error);
    for (; lists->count <= number; lists->count++)
        lists->items[lists->count] = (struct flush_list){0};
    *out = &lists->items[number];
    return CSY_OK;
}

static struct flush_entry *find_entry(const struct flush_list *list, uint32_t clock)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].clock == clock)
            return &list->entries[i];
    return NULL;
}

/* Store the list as it is before the flush, until hi of the flush arrives. */
static csy_status snapshot(struct flushes *flushes, const struct flush_list *list,
                           const struct instant *flush, csy_error *error)
{
    struct flush_list *waiting;
    csy_status status = find_list(&flushes->waiting, flush->location, &waiting, error);
    if (status)
        return status;
    if (!ARRAY_RESERVE(waiting->entries, waiting->capacity, list->count + 1))
        return error_memory(error);
    if (list->count > 0)
        memcpy(waiting->entries, list->entries, list->count * sizeof *list->entries);
    waiting->count = list->count;
    waiting->waits = true;
    waiting->place = list->places;
    waiting->buffer = flush->buffer;
    return CSY_OK;
}

/* Drop all other entries up to the last place that allows it. */
static void drop(struct flush_list *list, struct flush_entry *own, int64_t window)
{
    int64_t reach = own->value - window;
    uint32_t up_to = NOWHERE, clock = own->clock;
    size_t n = 0;
    for (int i = 0; i < 2 && own->candidate.place != NOWHERE && own->candidate.hi <= reach; i++) {
        up_to = own->candidate.place;
        own->candidate = own->last;
        own->last = no_mark;
    }
    if (up_to == NOWHERE)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].clock == clock || list->entries[i].grew > up_to)
            list->entries[n++] = list->entries[i];
    list->count = n;
}

csy_status flushes_add(struct flushes *flushes, const struct instant *flush, csy_error *error)
{
    struct flush_list *list;
    uint32_t point = NO_POINT;
    csy_status status = find_list(&flushes->buffers, flush->buffer, &list, error);
    if (!status)
        status = make_room(flushes, 1, error);
    if (!status)
        status = add_point(flushes, flush, &point, error);
    if (status)
        return status;
    struct flush_entry *own = find_entry(list, flush->clock);
    if (!own) {
        if (!ARRAY_RESERVE(list->entries, list->capacity, list->count + 1))
            return error_memory(error);
        own = &list->entries[list->count++];
        *own = (struct flush_entry){flush->clock, point, flush->lo, list->places, no_mark, no_mark};
    } else if (flush->lo > own->value) {
        own->value = flush->lo;
        own->point = point;
        own->grew = list->places;
    }
    status = snapshot(flushes, list, flush, error);
    list->places++;
    drop(list, own, flushes->window);
    return status;
}

/* Note the known hi of a flush: later flushes of its clock may make entries unnecessary. */
static void mark(struct flush_entry *own, uint32_t place, int64_t hi)
{
    struct flush_mark here = {place, hi};
    if (own->candidate.place == NOWHERE)
        own->candidate = here;
    else if (place > own->candidate.place &&
             (own->last.place == NOWHERE || place > own->last.place))
        own->last = here;
}

csy_status flushes_end(struct flushes *flushes, const struct instant *before, csy_error *error)
{
    struct flush_list *waiting = before->location < flushes->waiting.count
                                     ? &flushes->waiting.items[before->location]
                                     : NULL;
    uint32_t point = NO_POINT;
    if (!waiting || !waiting->waits)
        return CSY_OK;
    csy_status status = make_room(flushes, 1, error);
    if (!status)
        status = add_point(flushes, before, &point, error);
    for (size_t i = 0; i < waiting->count && !status; i++) {
        const struct flush_entry *known = &waiting->entries[i];
        int64_t weight = before->hi - known->value;
        struct clock_pair pair = {known->clock, before->clock, weight, known->point, point};
        if (known->clock != before->clock || weight < 0)
            status = pair_table_add(&flushes->table, &pair, error);
    }
    struct flush_list *list = &flushes->buffers.items[waiting->buffer];
    struct flush_entry *own = find_entry(list, before->clock);
    if (own && !status) {
        mark(own, waiting->place, before->hi);
        drop(list, own, flushes->window);
    }
    waiting->waits = false;
    waiting->count = 0;
    return status;
}

csy_status flushes_join(struct flushes *flushes, const struct instant *from,
                        const struct instant *to, csy_error *error)
{
    struct clock_pair pair = {from->clock, to->clock, to->hi - from->lo, NO_POINT, NO_POINT};
    csy_status status = CSY_OK;
    if (pair.s == pair.t && pair.weight >= 0)
        return CSY_OK;
    status = make_room(flushes, 2, error);
    if (!status)
        status = add_point(flushes, from, &pair.from, error);
    if (!status)
        status = add_point(flushes, to, &pair.to, error);
    return status ? status : pair_table_add(&flushes->table, &pair, error);
}

csy_status flushes_collect(struct flushes *flushes, size_t nclocks, struct pairs *out,
                           csy_error *error)
{
    csy_status status = remove_unused(flushes, error);
    *out = (struct pairs){0};
    return status ? status : pair_table_collect(&flushes->table, nclocks, nclocks, out, error);
}
