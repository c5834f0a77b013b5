/* Instants: the first pass. */
#include "instants/reader.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

/* The greatest global time of all records up to each of the last ones. */
struct recent {
    int64_t *items; /* by position modulo the look-ahead */
    int64_t greatest;
};

static csy_status scan_record(struct instants *in, struct recent *recent, uint64_t position,
                              const struct seen *seen, csy_error *error)
{
    int64_t *place = &recent->items[position & (in->ahead - 1)];
    bool is_long = wait_is_long(seen, position, in->ahead, *place);
    if (position == 0 || seen->end.global_ticks > recent->greatest)
        recent->greatest = seen->end.global_ticks;
    *place = recent->greatest;
    if (position == 0)
        in->first = seen->end;
    if (position == 0 || !in->partial || seen->end.global_ticks > in->last.global_ticks)
        in->last = seen->end;
    in->has_begins |= (seen->waits || seen->called) && !seen->ordered;
    in->has_calls |= seen->calls && seen->sense.role != ROLE_EXIT;
    if (!(seen->waits || seen->called) || !is_long)
        return CSY_OK;
    if (!ARRAY_RESERVE(in->longs, in->longs_capacity, in->nlongs + 1) ||
        !ARRAY_RESERVE(in->clipped, in->clipped_capacity, in->nclipped + 1))
        return error_memory(error);
    if (seen->ordered)
        in->clipped[in->nclipped++] = wait_of(seen, position);
    else
        in->longs[in->nlongs++] = wait_of(seen, position);
    return CSY_OK;
}

static int compare_longs(const void *a, const void *b)
{
    const struct long_wait *x = a, *y = b;
    int64_t s = x->begin.global_ticks, t = y->begin.global_ticks;
    return s != t ? (s > t ? 1 : -1) : (x->end > y->end) - (x->end < y->end);
}

static int compare_clipped(const void *a, const void *b)
{
    const struct long_wait *x = a, *y = b;
    return x->after != y->after ? (x->after > y->after ? 1 : -1)
                                : (x->end < y->end) - (x->end > y->end);
}

static csy_status scan(struct instants *in, const csy_meaning *meaning, unsigned wanted,
                       csy_error *error)
{
    struct recent recent = {.items = malloc(in->ahead * sizeof *recent.items)};
    struct reader reader;
    struct seen seen;
    bool more = true;
    if (!recent.items)
        return error_memory(error);
    csy_status status = reader_open(&reader, in->sync, &in->senses, &in->actors, error);
    if (status) {
        free(recent.items);
        return status;
    }
    status = senses_init(&in->senses, in->sync->trace, meaning, reader.events, error);
    in->senses.leaves_wanted = wanted & MORE_LEAVES;
    in->senses.children_wanted = wanted & MORE_CHILDREN;
    while (!status && more) {
        status = reader_next(&reader, &seen, &more, error);
        if (!status && more && in->partial)
            status = held_records_add(&in->held, &in->actors, &seen, error);
        else if (!status && more)
            status = scan_record(in, &recent, in->records++, &seen, error);
    }
    reader_close(&reader);
    if (!status)
        status = held_records_sort(&in->held, in->actors.count, error);
    for (size_t i = 0; !status && i < in->held.count; i++)
        status = scan_record(in, &recent, in->records++, held_record(&in->held, i), error);
    free(recent.items);
    return status;
}

csy_status instants_open_more(struct instants *in, csy_sync *sync, const csy_meaning *meaning,
                              size_t ahead, unsigned more, csy_error *error)
{
    *in = (struct instants){.sync = sync,
                            .ahead = ahead,
                            .imprecision_ticks = sync->imprecision.added_ticks,
                            .partial = sync->partial || sync->trace->partial};
    in->actors.imprecision_ticks = in->imprecision_ticks;
    in->actors.partial = in->partial;
    csy_status status = scan(in, meaning, more, error);
    if (status) {
        instants_fini(in);
        return status;
    }
    if (in->nlongs > 1)
        qsort(in->longs, in->nlongs, sizeof *in->longs, compare_longs);
    if (in->nclipped > 1)
        qsort(in->clipped, in->nclipped, sizeof *in->clipped, compare_clipped);
    actors_again(&in->actors);
    return CSY_OK;
}

csy_status instants_open(struct instants *in, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, csy_error *error)
{
    return instants_open_more(in, sync, meaning, ahead, 0, error);
}

void instants_fini(struct instants *in)
{
    senses_fini(&in->senses);
    actors_fini(&in->actors);
    held_records_fini(&in->held);
    free(in->longs);
    free(in->clipped);
    *in = (struct instants){0};
}
