/* What pairs of changes that may be in either order make of the time with at least i actors active:
 * majorants of it, or of what is below 0 of it, out of changes in a base order. */
#ifndef ANALYSIS_RANGES_SWAPS_H
#define ANALYSIS_RANGES_SWAPS_H

#include "analysis/ranges/window.h"

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
