/* The first pass over a trace. It finds all actors, their stays (times when they are present), and
 * the waits that are longer than the look-ahead. */
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "instants/reader.h"

#include <stdlib.h>

static csy_status scan_record(struct instants *in, struct passed *passed, uint64_t position,
                              const struct seen *seen, csy_error *error)
{
    bool interval = seen->waits || seen->called;
    size_t reach = in->ahead; /* how many records must be decoded in advance to see the begin of the
                               * wait or call */
    while (interval && reach <= in->most_ahead && reach <= position &&
           wait_is_long(seen, position, reach, passed->recent[(position - reach) & passed->mask]))
        reach *= 2;
    if (reach > in->ahead) {
        struct long_wait wait = wait_of(seen, position);
        wait.reach = reach;
        if (!ARRAY_PUSH(in->longs, in->nlongs, in->longs_capacity, wait))
            return error_memory(error);
    }
    while (in->nlongs > INSTANTS_LONGS && in->ahead < in->most_ahead) {
        size_t kept = 0;
        in->ahead *= 2;
        for (size_t i = 0; i < in->nlongs; i++)
            if (in->longs[i].reach > in->ahead)
                in->longs[kept++] = in->longs[i];
        in->nlongs = kept;
    }
    if (position == 0 || seen->end.global_ticks > passed->greatest)
        passed->greatest = seen->end.global_ticks;
    passed->recent[position & passed->mask] = passed->greatest;
    if (position == 0)
        in->first = seen->end;
    if (position == 0 || !in->partial || seen->end.global_ticks > in->last.global_ticks)
        in->last = seen->end;
    in->has_intervals |= interval;
    in->has_begins |= interval && !seen->ordered;
    in->has_open_calls |= seen->called && !seen->ordered;
    in->has_calls |= seen->calls && seen->event_kind.role != ROLE_EXIT;
    return CSY_OK;
}

static int compare_longs(const void *a, const void *b)
{
    const struct long_wait *x = a, *y = b;
    if (x->ordered != y->ordered)
        return COMPARE(x->ordered, y->ordered);
    return x->ordered ? 2 * COMPARE(x->after, y->after) + COMPARE(y->end, x->end)
                      : 2 * COMPARE(x->begin.global_ticks, y->begin.global_ticks) +
                            COMPARE(x->end, y->end);
}

/* Store the next record in memory, for a trace with a partial order. This takes about 150 bytes. */
static csy_status sorted_records_add(struct sorted_records *held, struct actors *actors,
                                     const struct seen *seen, csy_error *error)
{
    struct actor *actor = &actors->items[seen->actor];
    int64_t global = seen->end.global_ticks;
    csy_status status = CSY_OK;
    if (held->count == held->capacity)
        status = error_check_memory((uint128)2 * held->count *
                                        (sizeof *held->items + sizeof *held->places),
                                    NULL, "records in partial order", error);
    if (status)
        return status;
    if (!ARRAY_RESERVE(held->items, held->capacity, held->count + 1) ||
        !ARRAY_RESERVE(held->places, held->places_capacity, held->count + 1))
        return error_memory(error);
    bool told = seen->event_kind.role == ROLE_SUSPEND || seen->event_kind.role == ROLE_RESUME;
    if (!told && (!actor->reached || global > actor->reached_ticks))
        actor->reached_ticks = global;
    actor->reached |= !told;
    held->places[held->count] =
        (struct sorted_place){told ? global : actor->reached_ticks, held->count};
    held->items[held->count++] = *seen;
    return CSY_OK;
}

static int compare_places(const void *a, const void *b)
{
    const struct sorted_place *x = a, *y = b;
    return 2 * COMPARE(x->reached_ticks, y->reached_ticks) + COMPARE(x->item, y->item);
}

/* Sort the records of a partial order. Find where the stays of actors begin and end. Also move
 * begins of waits from before the trace to the actor's first record. Cost: O(n log n). */
static csy_status sorted_records_sort(struct sorted_records *held, size_t nactors,
                                      int64_t added_ticks, csy_error *error)
{
    struct {
        uint64_t first; /* position of the actor's first record on its current clock */
        uint32_t clock; /* 1 + clock of the actor's last record */
        bool more, met;
    } *stays = calloc(nactors + 1, sizeof *stays);
    csy_status status = stays ? CSY_OK : error_memory(error);
    if (!status)
        SORT(held->places, held->count, compare_places);
    for (size_t i = 0; !status && i < held->count; i++) {
        struct seen *seen = &held->items[held->places[i].item];
        uint32_t *clock = &stays[seen->actor].clock;
        seen->first = *clock != seen->end.clock + 1;
        *clock = seen->end.clock + 1;
        if (seen->first)
            stays[seen->actor].first = i;
        seen->first_record = stays[seen->actor].first;
        if (!seen->waits || !seen->opens || seen->called ||
            seen->begin.global_ticks > sorted_record(held, 0)->end.global_ticks)
            continue;
        const struct moment *first = &sorted_record(held, seen->first_record)->end;
        int128 early = (int128)first->global_ticks - seen->begin.global_ticks;
        seen->waits = !seen->first;
        seen->ordered = added_ticks == 0 || early > added_ticks;
        seen->begin = *first;
    }
    for (size_t i = held->count; !status && i-- > 0;) {
        struct seen *seen = &held->items[held->places[i].item];
        seen->last = !stays[seen->actor].more;
        seen->final = !stays[seen->actor].met;
        stays[seen->actor].met = true;
        stays[seen->actor].more = !seen->first;
    }
    free(stays);
    return status;
}

csy_status instants_open(struct instants *in, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, unsigned wanted, csy_error *error)
{
    *in = (struct instants){.sync = sync,
                            .ahead = ahead < INSTANTS_NEAR ? ahead : INSTANTS_NEAR,
                            .most_ahead = ahead,
                            .imprecision_ticks = sync->imprecision.added_ticks,
                            .partial = sync->partial || sync->trace->partial};
    in->actors.imprecision_ticks = in->imprecision_ticks;
    in->actors.partial = in->partial;
    struct passed passed = {.recent = calloc(ahead, sizeof *passed.recent), .mask = ahead - 1};
    struct reader reader;
    struct seen seen;
    bool more = true;
    if (!passed.recent)
        return error_memory(error);
    csy_status status = reader_open(&reader, sync, &in->event_kinds, &in->actors, error);
    if (!status)
        status = event_kinds_init(&in->event_kinds, sync->trace, meaning, reader.events, error);
    in->event_kinds.leaves_wanted = wanted & MORE_LEAVES;
    in->event_kinds.children_wanted = wanted & MORE_CHILDREN;
    in->event_kinds.times_wanted = wanted & MORE_TIMES;
    while (!status && more) {
        if (!in->partial && in->records > 0) {
            passed.records = in->records;
            passed.ahead = in->ahead;
            status = reader_pass(&reader, &passed, error);
            if (passed.records > in->records)
                in->last = passed.last;
            in->records = passed.records;
        }
        if (!status)
            status = reader_next(&reader, &seen, &more, error);
        if (!status && more && in->partial)
            status = sorted_records_add(&in->held, &in->actors, &seen, error);
        else if (!status && more)
            status = scan_record(in, &passed, in->records++, &seen, error);
    }
    reader_close(&reader);
    if (!status)
        status = sorted_records_sort(&in->held, in->actors.count, in->imprecision_ticks, error);
    for (size_t i = 0; !status && i < in->held.count; i++)
        status = scan_record(in, &passed, in->records++, sorted_record(&in->held, i), error);
    free(passed.recent);
    if (status) {
        instants_fini(in);
        return status;
    }
    in->has_calls |= passed.enters;
    in->has_intervals |= passed.waits;
    in->has_begins |= passed.waits;
    SORT(in->longs, in->nlongs, compare_longs);
    for (; in->nlongs > 0 && in->longs[in->nlongs - 1].ordered; in->nlongs--)
        in->nclipped++;
    in->clipped = in->longs ? in->longs + in->nlongs : NULL;
    if (!in->has_intervals)
        in->ahead = 1; /* without waits and calls that are intervals, records need not be decoded in
                        * advance */
    actors_again(&in->actors);
    return CSY_OK;
}

void instants_fini(struct instants *in)
{
    event_kinds_fini(&in->event_kinds);
    actors_fini(&in->actors);
    FREE_ALL(in->held.items, in->held.places, in->longs);
    *in = (struct instants){0};
}

csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error)
{
    struct instants in;
    if (!patterns || (met->count > 0 && actors_check_fit(met, sync, patterns, error) == CSY_OK))
        return CSY_OK;
    csy_status status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, 0, error);
    if (status)
        return status;
    status = actors_check_fit(&in.actors, sync, patterns, error);
    instants_fini(&in);
    return status;
}
