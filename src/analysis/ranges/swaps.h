/* What pairs of changes that may be in either order make of the time with at least i actors active:
 * majorants of it, or of what is below 0 of it, out of changes in a base order. */
#ifndef ANALYSIS_RANGES_SWAPS_H
#define ANALYSIS_RANGES_SWAPS_H

#include "analysis/ranges/majorants.h"

/*
 * Changes of the number of active actors, in the base order, as long as others may come that can be
 * inverted with them: which come later in the base order, but may have been earlier.
 *
 * Two can be inverted where they are of different actors, one is unordered, and
 *
 *   max (x[A] - x[B]) + added - (time of B - time of A) > 0
 */

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

struct swap_link {
    uint64_t partner;
    uint32_t next;
};

struct swaps {
    struct majorants majorants;
    struct window window;
    struct swap_link *links;
    size_t nlinks, links_capacity;
    uint32_t free;
    uint64_t nchanges, work;    /* given; partners looked at */
    bool may_give_up, given_up; /* too much work: majorants mean nothing */
    uint64_t told;              /* number of the first whose pairs have not been told */
    uint64_t mark;
    int64_t active;
    bool counts; /* the time now */
};

csy_status swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign,
                      csy_error *error);
void swaps_fini(struct swaps *v);

/* Keep the majorants alone. */
void swaps_rest(struct swaps *v);

/* The next change; false on no memory.  Before the first it may be said that some are active. */
bool swaps_take(struct swaps *v, const struct change *change);

/* After the last. */
bool swaps_end(struct swaps *v);

#endif
