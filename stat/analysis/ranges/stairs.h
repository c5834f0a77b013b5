/* Stairs: the begin of an interval that may be in either order with many changes is moved to a
 * record. The record is the next record that certainly follows the begin, or the last record that
 * certainly precedes the begin. For the upper end of a range, the begin is moved to the record that
 * makes the time with at least i active actors longer; for the lower end, shorter. Few pairs remain
 * that may be in either order (analysis/ranges/swaps.h). Each of several steps has its own limit
 * for "many". All steps give valid bounds; the trace determines which bounds are best. */
#ifndef ANALYSIS_RANGES_STAIRS_H
#define ANALYSIS_RANGES_STAIRS_H

#include "analysis/ranges/swaps.h"

enum { STAIRS = 3, STAIRS_SIDES = 2 * STAIRS };

/* A begin of an interval that can be moved to the record to which it is attached. */
struct attached {
    struct change change;
    uint64_t number; /* number of the begin in the window */
    bool later;      /* true if the record is after the begin */
    uint32_t partners;
    uint32_t next;
};

/* Receives the records at which something changes, in order. `above` and `below` say how much the
 * number of active actors changes at the record, for the upper and the lower end of the range.
 * `number` is the result of window_next when the record was added. */
typedef bool stairs_left(void *user, uint64_t number, const struct change *record, int64_t above,
                         int64_t below);

/* Collected changes that a side of a step has not received yet. */
struct given {
    struct change *items;
    size_t n;
    bool failed; /* true if out of memory */
};

struct stairs {
    struct window window;
    stairs_left *left; /* receives the records; NULL if there are steps */
    void *user;
    struct swaps above[STAIRS], below[STAIRS]; /* majorants of the time, and of its negative */
    size_t nsteps;                             /* steps in use; if 1, the caller passes changes */
    struct given given[STAIRS_SIDES];          /* for each side: first `above`, then `below` */
    unsigned workers;                          /* number of workers that pass changes */
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* numbers of interval begins that no record follows yet */
    size_t npending, pending_capacity;
    uint64_t passed;  /* number of the last record that is long past, or WINDOW_NONE */
    uint64_t looked;  /* number of the first change that is not long past */
    uint64_t *before; /* for each actor: number of its last record, or WINDOW_NONE */
    size_t nactors;
};

/* Initialize the stairs. If `some` is false, there are no begins, and one step suffices, because
 * all limits give the same result. The number of workers does not change the result. */
csy_status stairs_init(struct stairs *stairs, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers, csy_error *error);
void stairs_fini(struct stairs *stairs);

/* Initialize stairs without steps: all begins of intervals are moved to records. */
csy_status stairs_init_all(struct stairs *stairs, const struct reach *reach, size_t nactors,
                           stairs_left *left, void *user, csy_error *error);

/* Add the next change, or a record without a change (sign 0). Returns false if out of memory. */
bool stairs_take(struct stairs *stairs, const struct change *change);

/* Pass on all remaining changes, after the last change. Returns false if out of memory. */
bool stairs_end(struct stairs *stairs);

/* After stairs_end, free everything except the majorants. */
void stairs_rest(struct stairs *stairs);

#endif
