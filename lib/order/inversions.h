/*
 * Inversions: events whose global time is below that of an event before them.
 *
 * A stretch of events may be counted apart, by who does not know what came before it.  How many of
 * its first events are inversions depends on that: their times are kept, and counted when it is
 * known.
 */
#ifndef ORDER_INVERSIONS_H
#define ORDER_INVERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct inversions {
    int64_t greatest_ticks; /* so far; INT64_MIN at the start */
    uint64_t count;
    int64_t largest_ticks; /* by how much at most a time is below the greatest before it */
};

/* The next event. */
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

/* Of a stretch apart so many first times are kept. */
enum { INVERSIONS_KEPT = 1024 };

struct inversions_apart {
    struct inversions rest; /* of the events after those kept; greatest_ticks: of all */
    int64_t greatest_kept_ticks;
    size_t nkept;
    int64_t kept[INVERSIONS_KEPT];
};

void inversions_apart_begin(struct inversions_apart *apart);

/* The next event of a stretch apart. */
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

/* As if the events of the stretch had been noted, after those so far; false, and nothing is done,
 * where events before them are so late that more should have been kept. */
bool inversions_add(struct inversions *inversions, const struct inversions_apart *apart);

#endif
