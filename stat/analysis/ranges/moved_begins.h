/* Moves begins of intervals to records. The order of a begin relative to many changes may be
 * unknown. To limit the work, such a begin is moved to the next record that certainly follows it,
 * or to the last record that certainly precedes it. The choice makes the active time longer for the
 * upper end of a range, and shorter for the lower end. This is done several times (in steps). In
 * each step, a begin may swap with another number of changes before it is moved. All steps give
 * valid bounds, and the best bound is used. */
#ifndef ANALYSIS_RANGES_MOVED_BEGINS_H
#define ANALYSIS_RANGES_MOVED_BEGINS_H

#include "analysis/ranges/swaps.h"

enum { MOVED_BEGINS = 3, MOVED_BEGINS_SIDES = 2 * MOVED_BEGINS };

/* The begin of an interval, attached to the record to which it may be moved. */
struct attached {
    struct change change;
    uint64_t number; /* position of the begin in the list of changes */
    bool later;      /* true if the record follows the begin */
    uint32_t partners;
    uint32_t next;
};

/* Receives the records at which the number of active actors changes, in order. `above` and `below`
 * are the changes for both ends of the range. */
typedef bool moved_begins_left(void *user, uint64_t number, const struct change *record,
                               int64_t above, int64_t below);

struct given {
    struct change *items;
    size_t n;
    bool failed;
};

struct moved_begins {
    struct window window;
    moved_begins_left *left; /* receives the records if there are no steps, otherwise NULL */
    void *user;
    struct swaps above[MOVED_BEGINS],
        below[MOVED_BEGINS]; /* upper bounds of the time, and of its negative */
    size_t nsteps;
    struct given given[MOVED_BEGINS_SIDES]; /* changes for each side of each step */
    unsigned workers;
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* begins of intervals that wait for a record that certainly follows */
    size_t npending, pending_capacity;
    uint64_t passed;  /* number of the last record before all new changes, or WINDOW_NONE */
    uint64_t looked;  /* number of the next change to be examined for `passed` */
    uint64_t *before; /* for each actor: number of its last record, or WINDOW_NONE */
    size_t nactors;
};

/* If `some` is false, the trace has no begins of intervals that may be moved, and one step
 * suffices. The number of workers does not change the result. */
csy_status moved_begins_init(struct moved_begins *moved_begins, const struct reach *reach,
                             size_t nlevels, size_t nactors, bool some, unsigned workers,
                             csy_error *error);
void moved_begins_fini(struct moved_begins *moved_begins);

/* Initialize without steps: all begins are moved to records, which are passed to `left`. */
csy_status moved_begins_init_all(struct moved_begins *moved_begins, const struct reach *reach,
                                 size_t nactors, moved_begins_left *left, void *user,
                                 csy_error *error);

/* Add the next change, or a record at which nothing changes. Returns false if out of memory. */
bool moved_begins_take(struct moved_begins *moved_begins, const struct change *change);

/* Process all remaining changes. Call after the last change. Returns false if out of memory. */
bool moved_begins_end(struct moved_begins *moved_begins);

/* Free everything except the computed bounds. Call after moved_begins_end. */
void moved_begins_rest(struct moved_begins *moved_begins);

#endif
