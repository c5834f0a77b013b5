/*
 * Stairs: a begin that may be in either order with many changes is moved to the place of a record.
 *
 * The record is the next one that certainly follows the begin, or the last one that certainly
 * precedes it. Of the two, the record is chosen that makes the time with at least i active actors
 * longer or, for the lower end, shorter. Afterwards few pairs remain that may be in either order
 * (analysis/ranges/swaps.h).
 *
 * There are several steps. Each step has its own limit for "many". All of them give valid bounds.
 * Which step gives the best bounds depends on the trace.
 */
#ifndef ANALYSIS_RANGES_STAIRS_H
#define ANALYSIS_RANGES_STAIRS_H

#include "analysis/ranges/swaps.h"

enum { STAIRS = 3, STAIRS_SIDES = 2 * STAIRS };

/* A begin that can be moved to the place of the record that it is attached to. */
struct attached {
    struct change change;
    uint64_t number; /* number of the begin */
    bool later;      /* the record is after the begin */
    uint32_t partners;
    uint32_t next;
};

/* Consume a record at which something changes; records come in order. above and below: how much the
 * number of active actors changes at this record, for the upper and for the lower end, including
 * begins that were moved to this record. number: the result of window_next when the record was
 * added. */
typedef bool stairs_left(void *user, uint64_t number, const struct change *record, int64_t above,
                         int64_t below);

/* Changes to pass to a side of a step next. */
struct given {
    struct change *items;
    size_t n;
    bool failed; /* memory ran out */
};

struct stairs {
    struct window window;
    stairs_left *left; /* NULL: make steps; otherwise it gets the records instead */
    void *user;
    struct swaps above[STAIRS], below[STAIRS]; /* majorants of the time, and of the negated time */
    size_t nsteps;                             /* steps in use; 1: the caller passes the changes */
    struct given given[STAIRS_SIDES]; /* first for all of `above`, then for all of `below` */
    unsigned workers;                 /* how many workers pass changes */
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* begins without a record after them */
    size_t npending, pending_capacity;
    uint64_t passed;  /* number of the last record that is long past, or WINDOW_NONE */
    uint64_t looked;  /* number of the first record that is not long past */
    uint64_t *before; /* by actor: number of its last record, or WINDOW_NONE */
    size_t nactors;
};

/* Initialize. If `some` is false, there are no begins; then one step suffices, because all limits
 * give the same result. The number of workers does not change the result. */
csy_status stairs_init(struct stairs *stairs, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers, csy_error *error);
void stairs_fini(struct stairs *stairs);

/* The same without steps: all begins become records. */
csy_status stairs_init_all(struct stairs *stairs, const struct reach *reach, size_t nactors,
                           stairs_left *left, void *user, csy_error *error);

/* Take the next change, or a record that changes nothing (sign 0).  Returns false if memory runs
 * out. */
bool stairs_take(struct stairs *stairs, const struct change *change);

/* Call it after the last change.  Returns false if memory runs out. */
bool stairs_end(struct stairs *stairs);

/* Call it after stairs_end: frees everything except the majorants. */
void stairs_rest(struct stairs *stairs);

#endif
