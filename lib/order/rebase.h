/*
 * Rough offsets.  Stamps of different clocks differ hugely, so each thread is moved by an offset
 * that puts its first event where the event before it is: x = time + rough.  Constraints and
 * bounds are kept between such x, which are small; cycle weights do not change by that.
 */
#ifndef ORDER_REBASE_H
#define ORDER_REBASE_H

#include "base/number.h"

/* |x| stays below this, so that differences of two are walks (graph/minplus.h). */
#define X_MAX ((int64_t)1 << 58)

/* How the order of the records agrees with times: of neighbours, records next to each other and of
 * different threads, those are wrong of which the second has the lesser time. */
struct disorder {
    uint64_t neighbours, wrong;
    int64_t largest_ticks; /* by how much at most; 0: none is */
};

/* The time from a record to its neighbour. */
static inline void disorder_note(struct disorder *disorder, int64_t step_ticks)
{
    disorder->neighbours++;
    disorder->wrong += step_ticks < 0;
    if (disorder->largest_ticks < -step_ticks)
        disorder->largest_ticks = -step_ticks;
}

/* Those of another stretch of the records, beside it. */
static inline void disorder_add(struct disorder *disorder, const struct disorder *other)
{
    disorder->neighbours += other->neighbours;
    disorder->wrong += other->wrong;
    if (disorder->largest_ticks < other->largest_ticks)
        disorder->largest_ticks = other->largest_ticks;
}

struct rebase {
    int128 *offset; /* by thread */
    size_t count, capacity;
    int64_t previous_x;
    struct disorder disorder; /* of x; filled in by those that know the order */
};

void rebase_fini(struct rebase *rough);

/* The x of the next event in buffer order; a thread that is new, the count-th, gets its offset.
 * CSY_INPUT where clocks drift apart beyond X_MAX. */
csy_status rebase_place(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error);

/* The same where events come in no line: a thread that is new begins at 0. */
csy_status rebase_alone(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error);

/* The x of an event that has been placed before. */
static inline int64_t rebase_x(const struct rebase *rough, uint32_t thread, int64_t local_ticks)
{
    return (int64_t)(local_ticks + rough->offset[thread]);
}

#endif
