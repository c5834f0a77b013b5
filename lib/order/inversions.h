/* Counts inversions, which are events with a smaller global time than an earlier event.
 *
 * Several workers may count in separate stretches of events. Whether the first events of a stretch
 * are inversions depends on earlier stretches, so their times are kept for inversions_add. */
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

/* A worker keeps this many global times from the begin of its part of the events. */
enum { INVERSIONS_KEPT = 1024 };

struct inversions_apart {
    struct inversions rest; /* counts only events after the kept ones; but greatest_ticks is of all
                             * events */
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

/* Add the inversions of a later part of the events. Returns false, without effect, if events that
 * were not kept may be inversions because of the earlier parts. */
bool inversions_add(struct inversions *inversions, const struct inversions_apart *apart);

#endif
