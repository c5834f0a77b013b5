/* Assigns matrix rows ("slots") to threads. Among many threads that come and go, only few are live
 * at once, and only these need a row.
 *
 * A thread takes the first free slot, and returns it later. The number of slots is thus the
 * greatest number of threads live at once. */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

#define SLOTS_NONE UINT32_MAX

struct slots {
    uint32_t *ids;     /* thread that uses the slot (index of the array), or SLOTS_NONE */
    uint32_t *slot_of; /* slot that the thread (index of the array) uses, or SLOTS_NONE */
    size_t used;       /* number of slots that were ever in use */
    size_t live;
    size_t count; /* length of slot_of: 1 + the greatest index of a thread so far */
    size_t ids_capacity, slot_of_capacity;
};

static inline void slots_fini(struct slots *slots)
{
    FREE_ALL(slots->ids, slots->slot_of);
    *slots = (struct slots){0};
}

/* Give a thread that has no slot a free one, *out. Returns false if out of memory. O(used). */
static inline bool slots_take(struct slots *slots, uint32_t thread, size_t *out)
{
    size_t slot = 0, n = (size_t)thread + 1;
    while (slot < slots->used && slots->ids[slot] != SLOTS_NONE)
        slot++;
    if (!ARRAY_RESERVE(slots->ids, slots->ids_capacity, slot + 1) ||
        !ARRAY_RESERVE(slots->slot_of, slots->slot_of_capacity, n))
        return false;
    for (; slots->count < n; slots->count++)
        slots->slot_of[slots->count] = SLOTS_NONE;
    slots->used += slot == slots->used;
    slots->live++;
    slots->ids[slot] = thread;
    slots->slot_of[thread] = (uint32_t)slot;
    *out = slot;
    return true;
}

static inline void slots_give_back(struct slots *slots, size_t slot)
{
    slots->slot_of[slots->ids[slot]] = SLOTS_NONE;
    slots->ids[slot] = SLOTS_NONE;
    slots->live--;
}

static inline bool slots_is_free(const struct slots *slots, size_t slot)
{
    return slots->ids[slot] == SLOTS_NONE;
}

static inline uint32_t slots_find(const struct slots *slots, uint32_t thread)
{
    return thread < slots->count ? slots->slot_of[thread] : SLOTS_NONE;
}

#endif
