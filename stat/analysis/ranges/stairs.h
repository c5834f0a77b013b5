/* Stairs: a begin that may be in either order with many changes is moved to a record.
 *
 * The record is the next record that certainly follows the begin, or the last record that
 * certainly precedes the begin. For the upper end, the begin is moved to the record that makes the
 * time with at least i active actors longer; for the lower end, shorter. Then few pairs remain that
 * may be in either order (analysis/ranges/swaps.h).
 *
 * Each of several steps has its own limit for "many". All give valid bounds; the trace determines
 * which gives the best. */
#ifndef ANALYSIS_RANGES_STAIRS_H
#define ANALYSIS_RANGES_STAIRS_H

#include "analysis/ranges/swaps.h"

enum { STAIRS = 3, STAIRS_SIDES = 2 * STAIRS };

/* A begin that can be moved to the record that it is attached to. */
struct attached {
    struct change change;
    uint64_t number; /* number of the begin */
    bool later;      /* the record is after the begin */
    uint32_t partners;
    uint32_t next;
};

/* Receives the records at which something changes, in order. above and below: how much the number
 * of active actors changes there for the upper and the lower end, with the begins moved to the
 * record. number: the result of window_next when the record was added. */
typedef bool stairs_left(void *user, uint64_t number, const struct change *record, int64_t above,
                         int64_t below);

/* Changes that a side of a step has not received yet. */
struct given {
    struct change *items;
    size_t n;
    bool failed; /* out of memory */
};

struct stairs {
    struct window window;
    stairs_left *left; /* NULL: make steps; otherwise it gets the records */
    void *user;
    struct swaps above[STAIRS], below[STAIRS]; /* majorants of the time, and of its negative */
    size_t nsteps;                             /* steps in use; 1: the caller passes the changes */
    struct given given[STAIRS_SIDES];          /* first for `above`, then for `below` */
    unsigned workers;                          /* number of workers that pass changes */
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* begins without a later record */
    size_t npending, pending_capacity;
    uint64_t passed;  /* number of the last record long past, or WINDOW_NONE */
    uint64_t looked;  /* number of the first record not long past */
    uint64_t *before; /* for each actor, number of its last record, or WINDOW_NONE */
    size_t nactors;
};

/* Initialize. Without begins (`some` is false), one step suffices, since all limits give the same
 * result. The number of workers does not change the result. */
csy_status stairs_init(struct stairs *stairs, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers, csy_error *error);
void stairs_fini(struct stairs *stairs);

/* Initialize without steps: all begins become records. */
csy_status stairs_init_all(struct stairs *stairs, const struct reach *reach, size_t nactors,
                           stairs_left *left, void *user, csy_error *error);

/* Add the next change, or a record that changes nothing (sign 0). Returns false if out of
 * memory. */
bool stairs_take(struct stairs *stairs, const struct change *change);

/* Finish, after the last change. Returns false if out of memory. */
bool stairs_end(struct stairs *stairs);

/* Free everything except the majorants, after stairs_end. */
void stairs_rest(struct stairs *stairs);

#endif
