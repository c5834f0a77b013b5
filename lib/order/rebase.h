/* Rough offsets. Timestamps of different clocks may differ by a huge amount, so the times of each
 * thread are shifted: x = time + rough offset. The first event of a thread gets the x of the
 * previous event in the trace. Constraints and bounds are computed with x, so their values are
 * small. The weights of cycles do not change. */
#ifndef ORDER_REBASE_H
#define ORDER_REBASE_H

#include "base/number.h"

/* Limit of |x|. The difference of any two x is then a valid length of a walk (graph/minplus.h). */
#define X_MAX ((int64_t)1 << 58)

/* Counts how well times agree with the order of records. Neighbours are successive records of
 * different threads. They are wrong if the second record has the lower time. */
struct disorder {
    uint64_t neighbours, wrong;
    int64_t largest_ticks; /* greatest step back; 0 if no time steps back */
};

/* Add the time from a record to the next record if it has another thread. */
static inline void disorder_note(struct disorder *disorder, int64_t step_ticks)
{
    disorder->neighbours++;
    disorder->wrong += step_ticks < 0;
    if (disorder->largest_ticks < -step_ticks)
        disorder->largest_ticks = -step_ticks;
}

/* Add the counts of another stretch of records. */
static inline void disorder_add(struct disorder *disorder, const struct disorder *other)
{
    disorder->neighbours += other->neighbours;
    disorder->wrong += other->wrong;
    if (disorder->largest_ticks < other->largest_ticks)
        disorder->largest_ticks = other->largest_ticks;
}

/* Raise *to to `value` if `value` is greater. */
static inline void raise_ticks(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

struct rebase {
    int128 *offset; /* for each thread: its rough offset */
    size_t count, capacity;
    int64_t previous_x;
    /* the disorder of x, set by callers that know the order of the records */
    struct disorder disorder;
};

void rebase_fini(struct rebase *rough);

/* Find the x of the next event of the buffer. A new thread must have the number `count`, and gets
 * an offset. Returns CSY_INPUT if clocks drift apart by X_MAX or more. */
csy_status rebase_place(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error);

/* Find the x of the next event of a partial order, like rebase_place. A new thread starts at 0. */
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
