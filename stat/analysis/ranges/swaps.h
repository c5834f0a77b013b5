/* Majorants of the time with at least i active actors, or of its negative, from pairs of changes
 * that may be in either order. */
#ifndef ANALYSIS_RANGES_SWAPS_H
#define ANALYSIS_RANGES_SWAPS_H

#include "analysis/ranges/majorants.h"

/* The window has changes of the number of active actors, in the base order. A change stays as long
 * as later ones may swap with it, which means that they may have been earlier.
 *
 * Two changes, A before B in the base order, can swap if they belong to different actors, one of
 * them is unordered, and
 *
 *    max (x[A] - x[B]) + added - (time of B - time of A) > 0 */

#define WINDOW_NONE UINT64_MAX

struct held {
    struct change change;
    /* numbers of its clock's previous change, begin, and record, or WINDOW_NONE */
    uint64_t change_before, begin_before, record_before;
    int64_t active; /* active actors before it */
    /* the time before it is examined */
    bool counts;
    uint32_t partners; /* number of changes that can swap with it */
    uint32_t links;    /* for the window's owner */
    uint64_t later;    /* first record that certainly follows, or WINDOW_NONE */
    uint64_t mark;
};

/* Last change, begin, and record of a clock. */
struct held_clock {
    uint64_t change, begin, record; /* numbers, or WINDOW_NONE */
    int64_t change_ticks, begin_ticks;
    int64_t global_ticks; /* time of the last of these */
    bool listed;
};

struct window {
    const struct reach *reach;
    struct held *items;   /* by number modulo capacity, from `first` to `next` - 1 */
    uint64_t first, next; /* numbers of changes */
    size_t capacity;      /* a power of 2, or 0 */
    struct held_clock *clocks;
    uint32_t *listed; /* clocks that may matter */
    size_t nlisted;
    int64_t now;   /* greatest time so far */
    int64_t limit; /* changes further apart cannot swap */
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

/* True if the limit, or twice the limit, has passed since a change. */
static inline bool window_is_past(const struct window *window, int64_t global, unsigned times)
{
    return (uint64_t)window->now - (uint64_t)global >= times * (uint64_t)window->limit;
}

static inline bool change_matters(const struct change *change)
{
    return change->sign != 0 || change->edge != 0;
}

/* Add a change. Pass the changes that can swap with it to `pair`, unless that is NULL. Returns
 * false if out of memory. */
typedef bool window_pair(void *user, uint64_t before, uint64_t number);
bool window_add(struct window *window, const struct change *change, window_pair *pair, void *user);

bool window_add_record(struct window *window, const struct change *record);

/* Drop the first change. */
static inline void window_drop(struct window *window)
{
    window->first++;
}

/* True if a certainly precedes b; in the base order, b must follow a. */
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
    uint64_t nchanges, work; /* number of changes; partners examined */
    /* stop if there is too much work; stopped, so the majorants are invalid */
    bool may_give_up, given_up;
    uint64_t told; /* first change with pairs that the majorants lack */
    uint64_t mark;
    int64_t active;
    bool counts; /* the current time is examined */
};

csy_status swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign,
                      csy_error *error);
void swaps_fini(struct swaps *v);

/* Free everything except the majorants. */
void swaps_rest(struct swaps *v);

/* Add the next change. Returns false if out of memory. The caller may set `active` before the first
 * change. */
bool swaps_take(struct swaps *v, const struct change *change);

/* Finish, after the last change. */
bool swaps_end(struct swaps *v);

#endif
