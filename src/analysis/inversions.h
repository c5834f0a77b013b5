/* What inversions make of the time with at least i actors active: majorants of it, or of what is
 * below 0 of it, out of changes in a base order. */
#ifndef ANALYSIS_INVERSIONS_H
#define ANALYSIS_INVERSIONS_H

#include "analysis/window.h"

struct inversion_link {
    uint64_t partner;
    uint32_t next;
};

struct inversions {
    struct majorants majorants;
    struct window window;
    struct inversion_link *links;
    size_t nlinks, links_capacity;
    uint32_t free;
    uint64_t nchanges, work;    /* given; partners looked at */
    bool may_give_up, given_up; /* too much work: majorants mean nothing */
    uint64_t told;              /* number of the first whose inversions have not been told */
    uint64_t mark;
    int64_t active;
    bool counts; /* the time now */
};

csy_status inversions_init(struct inversions *v, const struct reach *reach, size_t nlevels,
                           int sign, csy_error *error);
void inversions_fini(struct inversions *v);

/* Keep the majorants alone. */
void inversions_rest(struct inversions *v);

/* The next change; false on no memory.  Before the first it may be said that some are active. */
bool inversions_take(struct inversions *v, const struct change *change);

/* After the last. */
bool inversions_end(struct inversions *v);

#endif
