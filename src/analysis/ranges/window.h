/*
 * Changes of the number of active actors, in the base order, as long as others may come that can be
 * inverted with them: which come later in the base order, but may have been earlier.
 *
 * Two can be inverted where they are of different actors, one is unordered, and
 *
 *   max (x[A] - x[B]) + added - (time of B - time of A) > 0
 */
#ifndef ANALYSIS_RANGES_WINDOW_H
#define ANALYSIS_RANGES_WINDOW_H

#include "analysis/ranges/majorants.h"

#define WINDOW_NONE UINT64_MAX

struct held {
    struct change change;
    uint64_t change_before, begin_before, record_before; /* of its clock; numbers, or WINDOW_NONE */
    int64_t active;                                      /* before it */
    bool counts;                                         /* the time before it */
    uint32_t partners;                                   /* how many can be inverted with it */
    uint32_t links;                                      /* of the owner of the window */
    uint64_t later; /* the first record that is certainly after it, or WINDOW_NONE */
    uint64_t mark;
};

/* What of a clock came last. */
struct held_clock {
    uint64_t change, begin, record; /* numbers, or WINDOW_NONE */
    int64_t change_ticks, begin_ticks;
    int64_t global_ticks; /* of all */
    bool listed;
};

struct window {
    const struct reach *reach;
    struct held *items;   /* those from first to before next, by number and mask */
    uint64_t first, next; /* numbers */
    size_t capacity;      /* a power of 2, or 0 */
    struct held_clock *clocks;
    uint32_t *listed; /* those that may matter */
    size_t nlisted;
    int64_t now;   /* the greatest time so far */
    int64_t limit; /* nothing further apart can be inverted */
};

csy_status window_init(struct window *window, const struct reach *reach, csy_error *error);
void window_fini(struct window *window);

static inline uint64_t window_next(const struct window *window)
{
    return window->next;
}

static inline struct held *window_item(const struct window *window, uint64_t number)
{
    return &window->items[(size_t)number & (window->capacity - 1)];
}

/* Whether so much time is between that, which was added, and now: once or twice the limit. */
static inline bool window_is_past(const struct window *window, int64_t global, unsigned times)
{
    return (uint64_t)window->now - (uint64_t)global >= times * (uint64_t)window->limit;
}

static inline bool change_matters(const struct change *change)
{
    return change->sign != 0 || change->edge != 0;
}

/* Add a change, and tell of those that can be inverted with it (pair NULL: do not); false on no
 * memory. */
typedef bool window_pair(void *user, uint64_t before, uint64_t number);
bool window_add(struct window *window, const struct change *change, window_pair *pair, void *user);

/* The same of a record that changes nothing. */
bool window_add_record(struct window *window, const struct change *record);

/* Forget the first. */
static inline void window_drop(struct window *window)
{
    window->first++;
}

/* Whether a comes before b for certain: b comes after it in the base order. */
bool window_is_certain(const struct window *window, const struct change *a, const struct change *b);

#endif
