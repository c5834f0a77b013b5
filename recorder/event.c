/* See event.h. */
#include "recorder/event.h"

#include "recorder/shared.h"

bool event_record_slowly(struct local *l, const struct ct_type *type, bool after, uint64_t begin,
                         uint32_t pc, const uint64_t *values, unsigned n)
{
    size_t size = record_size(n);
    struct shared_place place;
    if (shared_is_used()) {
        if (!shared_take(l, size, &place))
            return false;
        event_store(place.bytes, type, l->id, place.ticks, begin, pc, values, n);
        return true;
    }
    if (!pages_turn(l, size))
        return false;
    uint8_t *p = page_take(l, size);
    event_store(p, type, l->id, after ? clock_after() : clock_now(), begin, pc, values, n);
    return true;
}

void event_record_at(struct local *l, const struct ct_type *type, uint64_t ticks,
                     const uint64_t *values, unsigned n)
{
    size_t size = record_size(n);
    if ((size_t)(l->end - l->p) < size && !pages_turn(l, size))
        return;
    uint8_t *p = page_take(l, size);
    event_store(p, type, l->id, ticks, 0, 0, values, n);
}
