/* Adds an approximate ("rough") offset to the local times of each thread. Local times of different
 * threads may differ by huge amounts. The sum of local time and rough offset, called x, does not,
 * so differences between threads fit in 64 bits. The first event of a thread gets the x of the
 * previous event in the trace. */
#ifndef ORDER_REBASE_H
#define ORDER_REBASE_H

#include "base/number.h"

/* Limit of |x|. Differences of two such times can be added in graph/minplus.h without overflow. */
#define X_MAX ((int64_t)1 << 58)

/* Counts neighbours (successive records of different threads), and those that step back in time. */
struct disorder {
    uint64_t neighbours, wrong;
    /* greatest step back from a record to the next one, in ticks, or 0 */
    int64_t largest_ticks;
};

/* Count a record and the next record, which belongs to another thread. step_ticks is the time of
 * the next record minus the time of this one. */
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
    int128 *offset; /* approximate offset of each thread */
    size_t count, capacity;
    int64_t previous_x;
    /* set by callers that know the order of the records */
    struct disorder disorder;
};

void rebase_fini(struct rebase *rough);

/* Set *x to the local time of the next event of a buffer plus the approximate offset of its thread.
 * A new thread must have the number rough->count; its offset is chosen now. Returns CSY_INPUT if
 * |x| reaches X_MAX. */
csy_status rebase_place(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error);

/* Do the same as rebase_place for a trace that is ordered only by messages and other roles, not by
 * the file. *x is 0 for the first event of a thread. */
csy_status rebase_alone(struct rebase *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                        csy_error *error);

/* Returns the rebased time of an event. Its thread must have an offset. */
static inline int64_t rebase_x(const struct rebase *rough, uint32_t thread, int64_t local_ticks)
{
    return (int64_t)(local_ticks + rough->offset[thread]);
}

/* Subtract the rough offset of the thread from x, which gives the local time. */
static inline int64_t rebase_local(const struct rebase *rough, uint32_t thread, int64_t x)
{
    return (int64_t)(x - rough->offset[thread]);
}

#endif
