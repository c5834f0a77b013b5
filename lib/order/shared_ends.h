/*
 * Ends of channels that several locations of one clock share, in the order of that clock, while
 * these locations are read side by side.
 *
 * Which of them were posted first is not known, so they are matched by time (order/match.h).  An
 * end is given once nothing that may still come of any location of its clock is before it; those of
 * one time as they are in the trace.  So what is held is what some locations were read ahead of
 * others.
 */
#ifndef ORDER_SHARED_ENDS_H
#define ORDER_SHARED_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of channels: as struct stream_item has them. */
struct shared_keys {
    uint32_t (*items)[4];
    size_t count, capacity;
};

struct shared_end {
    int64_t ticks;
    uint64_t position; /* of the events of its location */
    uint64_t place;    /* the caller's, */
    uint32_t channel;  /* and this */
    uint32_t location;
    bool recv;
};

struct shared_ends;

/* clocks: by location, numbered from 0, less than there are locations; they stay.  NULL: no
 * memory. */
struct shared_ends *shared_ends_new(const uint32_t *clocks, size_t nlocations);
void shared_ends_free(struct shared_ends *ends);

/* false: no memory.  O(log ends). */
bool shared_ends_put(struct shared_ends *ends, const struct shared_end *end);

/* Nothing that is still to come of the location is before that time, which only rises; INT64_MAX:
 * there is nothing.  O(1), or O(locations of the clock) if the others had come further. */
void shared_ends_reach(struct shared_ends *ends, size_t location, int64_t ticks);

/* The next one of the location's clock; false: it is not known yet, or there is none. */
bool shared_ends_next(struct shared_ends *ends, size_t location, struct shared_end *out);

/* Whether ends of its clock wait for the location. */
bool shared_ends_want(const struct shared_ends *ends, size_t location);

/* How many wait. */
uint64_t shared_ends_waiting(const struct shared_ends *ends);

#endif
