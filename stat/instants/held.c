/* Holds and sorts the records of a trace in partial order. */
#include "instants/held.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void held_records_fini(struct held_records *held)
{
    free(held->items);
    free(held->places);
    *held = (struct held_records){0};
}

csy_status held_records_add(struct held_records *held, struct actors *actors,
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
    bool told = seen->sense.role == ROLE_SUSPEND || seen->sense.role == ROLE_RESUME;
    if (!told && (!actor->reached || global > actor->reached_ticks))
        actor->reached_ticks = global;
    actor->reached |= !told;
    held->places[held->count] =
        (struct held_place){told ? global : actor->reached_ticks, held->count};
    held->items[held->count++] = *seen;
    return CSY_OK;
}

static int compare_places(const void *a, const void *b)
{
    const struct held_place *x = a, *y = b;
    return x->reached_ticks != y->reached_ticks ? (x->reached_ticks > y->reached_ticks ? 1 : -1)
                                                : (x->item > y->item) - (x->item < y->item);
}

csy_status held_records_sort(struct held_records *held, size_t nactors, int64_t added_ticks,
                             csy_error *error)
{
    uint64_t *firsts = calloc(nactors + 1, sizeof *firsts);
    uint32_t *clocks = calloc(nactors + 1, sizeof *clocks); /* for each actor: last clock plus 1 */
    bool *more = calloc(nactors + 1, sizeof *more);         /* for each actor: its stay continues */
    bool *met = calloc(nactors + 1, sizeof *met);
    csy_status status = firsts && clocks && more && met ? CSY_OK : error_memory(error);
    if (!status && held->count > 1)
        qsort(held->places, held->count, sizeof *held->places, compare_places);
    for (size_t i = 0; !status && i < held->count; i++) {
        struct seen *seen = &held->items[held->places[i].item];
        uint32_t *clock = &clocks[seen->actor];
        /* Records of other actors about this one are between its stays. */
        seen->first = *clock != seen->end.clock + 1;
        *clock = seen->end.clock + 1;
        if (seen->first)
            firsts[seen->actor] = i;
        seen->first_record = firsts[seen->actor];
        if (!seen->waits || !seen->opens || seen->called ||
            seen->begin.global_ticks > held_record(held, 0)->end.global_ticks)
            continue;
        /* Clip a wait that began before the trace to the actor's first record. If it ends there, it
         * is no wait. */
        const struct moment *first = &held_record(held, seen->first_record)->end;
        int128 early = (int128)first->global_ticks - seen->begin.global_ticks;
        seen->waits = !seen->first;
        seen->ordered = added_ticks == 0 || early > added_ticks;
        seen->begin = *first;
    }
    for (size_t i = held->count; !status && i-- > 0;) {
        struct seen *seen = &held->items[held->places[i].item];
        seen->last = !more[seen->actor];
        seen->final = !met[seen->actor];
        met[seen->actor] = true;
        more[seen->actor] = !seen->first;
    }
    free(firsts);
    free(clocks);
    free(more);
    free(met);
    return status;
}
