/* Counts inversions, which are events with a smaller global time than an earlier event.
 *
 * Several workers may count in separate stretches of events. The first events of a stretch may be
 * inversions because of earlier stretches, so their times are kept for inversions_add. */
#ifndef ORDER_INVERSIONS_H
#define ORDER_INVERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inversions {
    int64_t greatest_ticks; /* greatest global time so far; INT64_MIN before the first event */
    uint64_t count;
    /* greatest difference between the time of an inversion and the greatest time before it */
    int64_t largest_ticks;
};

static inline void inversions_note(struct inversions *inversions, int64_t global_ticks)
{
    if (global_ticks >= inversions->greatest_ticks) {
        inversions->greatest_ticks = global_ticks;
        return;
    }
    int64_t by = inversions->greatest_ticks - global_ticks;
    inversions->count++;
    inversions->largest_ticks = by > inversions->largest_ticks ? by : inversions->largest_ticks;
}

/* If several workers share the events, each stores the global times of its first events. This is
 * the greatest number of times stored. */
enum { INVERSIONS_KEPT = 1024 };

struct inversions_apart {
    struct inversions rest; /* inversions without the events in `kept`, except that greatest_ticks
                             * is the greatest of all times */
    int64_t greatest_kept_ticks;
    size_t nkept;
    int64_t kept[INVERSIONS_KEPT];
};

void inversions_apart_begin(struct inversions_apart *apart);

static inline void inversions_apart_note(struct inversions_apart *apart, int64_t global_ticks)
{
    if (apart->nkept == INVERSIONS_KEPT) {
        inversions_note(&apart->rest, global_ticks);
        return;
    }
    apart->kept[apart->nkept++] = global_ticks;
    if (global_ticks > apart->rest.greatest_ticks)
        apart->rest.greatest_ticks = apart->greatest_kept_ticks = global_ticks;
}

/* Add the inversions of a part of the events that comes after all parts added so far. Returns
 * false, and adds nothing, if events that are not in apart->kept may be inversions because of
 * earlier parts. */
bool inversions_add(struct inversions *inversions, const struct inversions_apart *apart);

#endif
