/* Swaps: pairs of changes that may be in either order. The majorants of the time with at least i
 * active actors, or of its negative, follow from these pairs. */
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
    /* numbers of the previous change, interval begin, and record of the clock, or WINDOW_NONE */
    uint64_t change_before, begin_before, record_before;
    int64_t active; /* number of active actors before the change */
    /* true if the time before the change is examined */
    bool counts;
    uint32_t partners; /* number of changes that can swap with the change */
    uint32_t links;    /* first link of a list that the owner of the window keeps */
    uint64_t later;    /* first record that certainly follows the change, or WINDOW_NONE */
    uint64_t mark;
};

/* The last change, the last begin of an interval, and the last record of a clock. */
struct held_clock {
    uint64_t change, begin, record; /* numbers in the window, or WINDOW_NONE */
    int64_t change_ticks, begin_ticks;
    int64_t global_ticks; /* global time of the last change or record */
    bool listed;
};

struct window {
    const struct reach *reach;
    struct held *items;   /* changes `first` to `next` - 1, each at its number modulo capacity */
    uint64_t first, next; /* numbers of the first change, and of the next change to be added */
    size_t capacity;      /* a power of 2, or 0 */
    struct held_clock *clocks;
    uint32_t *listed; /* clocks with recent changes */
    size_t nlisted;
    int64_t now;   /* greatest global time of a change so far */
    int64_t limit; /* changes that are further apart, in ticks, cannot swap */
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

/* Returns true if `times` times the limit has passed since a change. */
static inline bool window_is_past(const struct window *window, int64_t global, unsigned times)
{
    return (uint64_t)window->now - (uint64_t)global >= times * (uint64_t)window->limit;
}

static inline bool change_matters(const struct change *change)
{
    return change->sign != 0 || change->edge != 0;
}

/* Add a change. If `pair` is not NULL, pass each change that can swap with the new change to
 * `pair`. Returns false if out of memory. */
typedef bool window_pair(void *user, uint64_t before, uint64_t number);
bool window_add(struct window *window, const struct change *change, window_pair *pair, void *user);

bool window_add_record(struct window *window, const struct change *record);

/* Remove the first change from the window. */
static inline void window_drop(struct window *window)
{
    window->first++;
}

/* Returns true if change a certainly precedes change b, which follows a in the base order. */
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
    uint64_t nchanges, work; /* number of changes, and of partners examined */
    /* whether too much work stops the search, and whether it did, so that the majorants are
     * invalid */
    bool may_give_up, given_up;
    uint64_t told; /* number of the first change whose pairs the majorants lack */
    uint64_t mark;
    int64_t active;
    bool counts; /* true if the current time is examined */
};

csy_status swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign,
                      csy_error *error);
void swaps_fini(struct swaps *v);

/* Free everything except the majorants. */
void swaps_rest(struct swaps *v);

/* Add the next change. The caller may set `active` before the first change. Returns false if out of
 * memory. */
bool swaps_take(struct swaps *v, const struct change *change);

/* Add the remaining pairs, after the last change. Returns false if out of memory. */
bool swaps_end(struct swaps *v);

#endif
