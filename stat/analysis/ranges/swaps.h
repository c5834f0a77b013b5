/* Swaps are pairs of changes whose order is unknown. From these pairs follow upper bounds of the
 * time with at least i active actors, and of its negative. */
#ifndef ANALYSIS_RANGES_SWAPS_H
#define ANALYSIS_RANGES_SWAPS_H

#include "analysis/ranges/majorants.h"

/* The window holds recent changes of the number of active actors, in the order of the records.  A
 * change leaves the window when no later change can swap with it.
 *
 * Change A, which is recorded before change B, can swap with B if the changes belong to different
 * actors, the recorded order of at least one of them is uncertain, and B may have happened earlier:
 *
 *    max (x[A] - x[B]) + added - (time of B - time of A) > 0
 *
 * x is the unknown error of the clock's estimated offset; added is the greatest timestamp error. */

#define WINDOW_NONE UINT64_MAX

struct held {
    struct change change;
    /* previous change, interval begin, and record of the same clock, or WINDOW_NONE */
    uint64_t change_before, begin_before, record_before;
    int64_t active;    /* number of active actors before the change */
    bool counts;       /* true if the time before the change is in the block */
    uint32_t partners; /* number of changes with which this change can swap */
    uint32_t links;    /* index of the first item in a list of the window's owner */
    uint64_t later;    /* number of the first record that certainly follows, or WINDOW_NONE */
    uint64_t mark;
};

/* The latest change, interval begin, and record of a clock. */
struct held_clock {
    uint64_t change, begin, record; /* numbers of these changes, or WINDOW_NONE */
    int64_t change_ticks, begin_ticks;
    int64_t global_ticks; /* time of the latest change or record */
    bool listed;
};

struct window {
    const struct reach *reach;
    struct held *items;   /* ring of the changes `first` to `next` - 1 */
    uint64_t first, next; /* number of the oldest change, and number of the next new change */
    size_t capacity;      /* a power of 2, or 0 */
    struct held_clock *clocks;
    uint32_t *listed; /* clocks that have recent changes */
    size_t nlisted;
    int64_t now;   /* greatest time of a change so far */
    int64_t limit; /* changes that are further apart than this cannot swap, in ticks */
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

/* Returns true if the time `global` is at least `times` * limit ticks in the past. */
static inline bool window_is_past(const struct window *window, int64_t global, unsigned times)
{
    return (uint64_t)window->now - (uint64_t)global >= times * (uint64_t)window->limit;
}

static inline bool change_matters(const struct change *change)
{
    return change->sign != 0 || change->edge != 0;
}

/* Add a change, and call `pair`, if not NULL, for each older change that can swap with it. Returns
 * false if out of memory. */
typedef bool window_pair(void *user, uint64_t before, uint64_t number);
bool window_add(struct window *window, const struct change *change, window_pair *pair, void *user);

bool window_add_record(struct window *window, const struct change *record);

/* Remove the oldest change from the window. */
static inline void window_drop(struct window *window)
{
    window->first++;
}

/* Returns true if change a, recorded before change b, certainly precedes it. */
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
    uint64_t nchanges, work; /* number of changes, and number of swaps examined */
    /* may_give_up: too much work stops the search; given_up: it did, so the bounds are invalid */
    bool may_give_up, given_up;
    uint64_t told; /* number of the first change whose swaps are not in the bounds yet */
    uint64_t mark;
    int64_t active;
    bool counts; /* true if the current time is in the block */
};

csy_status swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign,
                      csy_error *error);
void swaps_fini(struct swaps *v);

/* Free everything except the computed bounds. */
void swaps_rest(struct swaps *v);

/* Add the next change. Returns false if out of memory. */
bool swaps_take(struct swaps *v, const struct change *change);

/* Process the remaining swaps. Call after the last change. Returns false if out of memory. */
bool swaps_end(struct swaps *v);

#endif
