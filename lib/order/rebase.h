/* Rough offsets. Timestamps of different clocks may differ by a huge amount. So x = local time +
 * rough offset of the thread is used instead of the local time, and bounds are small. The first
 * event of a thread gets the x of the previous event in the trace. */
#ifndef ORDER_REBASE_H
#define ORDER_REBASE_H

#include "base/number.h"

/* Limit of |x|. Differences of two such x can be added in graph/minplus.h without overflow. */
#define X_MAX ((int64_t)1 << 58)

/* Counts neighbours: successive records of different threads. Wrong ones step back in time. */
struct disorder {
    uint64_t neighbours, wrong;
    int64_t largest_ticks; /* greatest step back in time between neighbours, or 0 */
};

/* Count two neighbours. step_ticks is the time of the second record minus the time of the first. */
static inline void disorder_note(struct disorder *disorder, int64_t step_ticks)
{
    disorder->neighbours++;
    disorder->wrong += step_ticks < 0;
    if (disorder->largest_ticks < -step_ticks)
        disorder->largest_ticks = -step_ticks;
}

static inline void disorder_add(struct disorder *disorder, const struct disorder *other)
{
    disorder->neighbours += other->neighbours;
    disorder->wrong += other->wrong;
    if (disorder->largest_ticks < other->largest_ticks)
        disorder->largest_ticks = other->largest_ticks;
}

static inline void raise_ticks(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

struct rebase {
    int128 *offset; /* rough offset of each thread */
    size_t count, capacity;
    int64_t previous_x;
    /* disorder of x, set by callers that know the order of the records */
    struct disorder disorder;
};

void rebase_fini(struct rebase *rough);

/* Find the x of the buffer's next event. A new thread has the number `count`, and gets an offset.
 * Returns CSY_INPUT if clocks drift apart by X_MAX or more. */
csy_status rebase_place(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error);

/* Find the x of the next event of a partial order. The first event of a new thread gets x = 0. */
csy_status rebase_alone(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error);

/* Returns the x of an event. The thread must have an offset. */
static inline int64_t rebase_x(const struct rebase *rough, uint32_t thread, int64_t local_ticks)
{
    return (int64_t)(local_ticks + rough->offset[thread]);
}

/* Returns the local time of a thread at the shifted time x. */
static inline int64_t rebase_local(const struct rebase *rough, uint32_t thread, int64_t x)
{
    return (int64_t)(x - rough->offset[thread]);
}

#endif
