/*
 * Stairs: begins that can be inverted with many others become records.
 *
 * A begin is moved to the next record that certainly follows it, or to the last record that
 * certainly precedes it: whichever makes the time with at least i active longer, or, for the lower
 * end, shorter.  Few pairs remain (analysis/ranges/swaps.h).  Each step of the stairs has its own
 * limit for "many".  All of them give valid bounds; which one is best depends on the trace.
 */
#ifndef ANALYSIS_RANGES_STAIRS_H
#define ANALYSIS_RANGES_STAIRS_H

#include "analysis/ranges/swaps.h"

enum { STAIRS = 3, STAIRS_SIDES = 2 * STAIRS };

/* A begin that may become the record that it is attached to. */
struct attached {
    struct change change;
    uint64_t number; /* of the begin, which precedes or follows */
    bool later;      /* the record is after the begin */
    uint32_t partners;
    uint32_t next;
};

/* A record that changes something leaves, in order, with the changes that it makes: where those
 * that become records make more actors active, and where they make fewer.  number: as window_next
 * told when it came. */
typedef bool stairs_left(void *user, uint64_t number, const struct change *record, int64_t above,
                         int64_t below);

/* Changes that a side of a step is given next. */
struct given {
    struct change *items;
    size_t n;
    bool failed; /* no memory */
};

struct stairs {
    struct window window;
    stairs_left *left; /* NULL: make steps; otherwise it gets the records instead */
    void *user;
    struct swaps above[STAIRS], below[STAIRS]; /* majorants of the time, and of the negated time */
    size_t nsteps;                             /* of these; 1: they are given by the caller */
    struct given given[STAIRS_SIDES];          /* of all above, then those below */
    unsigned workers;                          /* that give them */
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* begins without a record after them */
    size_t npending, pending_capacity;
    uint64_t passed;  /* number of the last record that is long past, or WINDOW_NONE */
    uint64_t looked;  /* number of the first that is not */
    uint64_t *before; /* by actor: number of its last record, or WINDOW_NONE */
    size_t nactors;
};

/* `some` is false if there are no begins: then all limits give the same.  The number of workers
 * does not change the result. */
csy_status stairs_init(struct stairs *stairs, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers, csy_error *error);
void stairs_fini(struct stairs *stairs);

/* The same without steps: all begins become records. */
csy_status stairs_init_all(struct stairs *stairs, const struct reach *reach, size_t nactors,
                           stairs_left *left, void *user, csy_error *error);

/* The next change, or record that changes nothing (sign 0); false on no memory. */
bool stairs_take(struct stairs *stairs, const struct change *change);

/* After the last. */
bool stairs_end(struct stairs *stairs);

/* After that: nothing but majorants is looked at any more. */
void stairs_rest(struct stairs *stairs);

#endif
