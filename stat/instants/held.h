/* Records of a trace in partial order, which are read location by location. They are held and
 * sorted by estimated global time, except that an actor's records keep their order. */
#ifndef INSTANTS_HELD_H
#define INSTANTS_HELD_H

#include "instants/actors.h"

/* Where a record is in the order. */
struct held_place {
    int64_t reached_ticks; /* greatest global time of its actor so far */
    uint64_t item;
};

struct held_records {
    struct seen *items; /* as read */
    size_t count, capacity;
    struct held_place *places; /* by time, after sorting */
    size_t places_capacity;
};

void held_records_fini(struct held_records *held);

/* Add the next record that is read. It takes about 150 bytes. */
csy_status held_records_add(struct held_records *held, struct actors *actors,
                            const struct seen *seen, csy_error *error);

/* Sort the records after the last one. Sets the first and last records of stays, and the begins of
 * waits of actors that may be present before their first record. added_ticks is added to every
 * constraint. O(n log n). */
csy_status held_records_sort(struct held_records *held, size_t nactors, int64_t added_ticks,
                             csy_error *error);

/* The record at a position of the sorted order. */
static inline const struct seen *held_record(const struct held_records *held, uint64_t position)
{
    return &held->items[held->places[position].item];
}

#endif
