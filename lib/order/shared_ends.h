/* Sorts the sends and receives ("ends") of a channel that several locations of one clock share,
 * while these locations are read at the same time.
 *
 * Nobody knows the order of posting (starting) them, so they are matched in the order of their
 * times (order/match.h). An end is passed on when no location of its clock can still have an
 * earlier one. Ends with the same time are passed on in the order of the trace. Memory grows if
 * some locations are read far ahead of others. */
#ifndef ORDER_SHARED_ENDS_H
#define ORDER_SHARED_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shared_end {
    int64_t ticks;
    uint64_t position; /* index of the event at its location */
    uint64_t place;    /* for use by the caller */
    uint32_t channel;  /* for use by the caller */
    uint32_t location;
    bool recv;
};

struct shared_ends;

/* Returns an empty store, or NULL if memory runs out. `clocks` has the clock of each location, a
 * number below nlocations, and must outlive the result. */
struct shared_ends *shared_ends_new(const uint32_t *clocks, size_t nlocations);
void shared_ends_free(struct shared_ends *ends);

/* Add a send or a receive. Returns false if out of memory. O(log n) for n stored ones. */
bool shared_ends_put(struct shared_ends *ends, const struct shared_end *end);

/* Announce that sends and receives that will be added for this location are at `ticks` or later.
 * Pass INT64_MAX if none will be added. `ticks` must not decrease. O(1), or O(locations of the
 * clock) if this location was the furthest behind. */
void shared_ends_reach(struct shared_ends *ends, size_t location, int64_t ticks);

/* Remove the earliest stored send or receive of all locations that have the clock of `location`.
 * Returns false if none is stored, or if an end still to be added may be earlier. */
bool shared_ends_next(struct shared_ends *ends, size_t location, struct shared_end *out);

/* Returns true if stored sends and receives cannot be removed until shared_ends_reach is called for
 * this location. */
bool shared_ends_want(const struct shared_ends *ends, size_t location);

#endif
