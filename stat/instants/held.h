/*
 * Records of a trace in partial order.  The files give them location by location, so they are held
 * and sorted by estimated global time, except that the records of an actor keep their order.
 */
#ifndef INSTANTS_HELD_H
#define INSTANTS_HELD_H

#include "instants/actors.h"

/* The place of a record in the order. */
struct held_place {
    int64_t reached_ticks; /* greatest global time of its actor up to it */
    uint64_t item;
};

struct held_records {
    struct seen *items; /* as they were read */
    size_t count, capacity;
    struct held_place *places; /* as they are to be taken */
    size_t places_capacity;
};

void held_records_fini(struct held_records *held);

/* The next record, as it was read; some 150 bytes. */
csy_status held_records_add(struct held_records *held, struct actors *actors,
                            const struct seen *seen, csy_error *error);

/* After the last: put them in order, set which are the first and last ones of their stays, and
 * where waits begin of who may be there before its first record.  added_ticks: to every constraint.
 * O(n log n). */
csy_status held_records_sort(struct held_records *held, size_t nactors, int64_t added_ticks,
                             csy_error *error);

/* At a position in that order. */
static inline const struct seen *held_record(const struct held_records *held, uint64_t position)
{
    return &held->items[held->places[position].item];
}

#endif
