/*
 * Outer places: the earliest and the latest place of each change, by itself, in the time of one
 * clock, the centre.
 *
 * If the offset of the centre is fixed, a clock moves within the bound of both clocks.  So a change
 * is within that bound of its estimate at all offsets, and no order of changes is needed.  For the
 * maximum, a change that makes more actors active is placed as early as possible, and a change that
 * makes fewer active as late as possible.  For the minimum, it is the other way round. The cost is
 * low, even if many changes can be in either order.  But this ignores that all changes of a clock
 * move together.
 *
 * If clocks drift, the centre is the reference, and each change has its own limits.
 *
 * Changes are taken in the base order, and come out by their places.  A change waits while others
 * may still come before it, 24 bytes for each end.
 */
#ifndef ANALYSIS_RANGES_OUTER_H
#define ANALYSIS_RANGES_OUTER_H

#include "analysis/ranges/majorants.h"
#include "analysis/ranges/moves.h"
#include "instants/actors.h"

struct outer_change {
    int64_t ticks; /* time of the centre, in global time */
    uint32_t actor, key;
    int32_t sign;
};

/* Changes that wait, as a heap. */
struct outer_side {
    struct outer_change *items;
    size_t count, capacity;
    int64_t passed; /* time of the last change that came out */
};

enum outer_end { OUTER_MOST, OUTER_LEAST, OUTER_ENDS };

/* Consume a change, in the order of the times of both ends.  Returns false if memory runs out. */
typedef bool outer_pass(void *user, enum outer_end end, const struct outer_change *change);

struct outer {
    const struct reach *reach;
    uint32_t centre;
    struct outer_side sides[OUTER_ENDS];
    int64_t latest; /* the latest place of all changes so far */
    bool lost;      /* a change came too late, or its clock was never live with the centre */
    outer_pass *pass;
    void *user;
};

/* Choose the centre: the clock that is closest to all records by the bounds.  reach->greatest must
 * not be MOVES_NONE.  O(clocks^2). */
void outer_init(struct outer *outer, const struct reach *reach, const csy_sync *sync,
                outer_pass *pass, void *user);
void outer_fini(struct outer *outer);

/* The earliest place of a moment, or the latest. */
int128 outer_place(const struct outer *outer, const struct moment *at, bool late);

/* Take the next change.  Returns false if memory runs out. */
bool outer_take(struct outer *outer, const struct moment *at, const struct outer_change *change);

/* Call it after the last change. */
bool outer_end(struct outer *outer);

/*
 * Levels by outer places: how long i actors may be active, and must be active, in each block.  They
 * are used if too many pairs of changes can be in either order.
 */

/* The times of a block, by end.  The ends of the block are where it is longest, or shortest. */
struct outer_times {
    int64_t begin_ticks; /* by the estimate */
    int64_t from[OUTER_ENDS], until[OUTER_ENDS];
    int128 *times[OUTER_ENDS]; /* by number of active actors */
};

/* The state after the changes that came out. */
struct outer_now {
    int32_t *depth; /* by actor; above 0: it is active */
    size_t active, first_block;
    int64_t since;
};

struct levels_outer {
    bool known; /* the struct is in use; it needs at most LEVELS_OUTER_BYTES besides changes */
    struct outer outer;
    struct outer_now now[OUTER_ENDS];
    size_t nlevels, nblocks;
    struct outer_times *blocks;
};

#define LEVELS_OUTER_BYTES ((uint64_t)1 << 28)

/* Blocks are in the order of their begins.  A block extends to the ends of the trace, except where
 * levels_outer_bound limits it. */
csy_status levels_outer_init(struct levels_outer *levels, const struct reach *reach,
                             const csy_sync *sync, size_t nactors, size_t nlevels, size_t nblocks,
                             csy_error *error);
void levels_outer_bound(struct levels_outer *levels, size_t block, const struct moment *first,
                        const struct moment *last);
void levels_outer_fini(struct levels_outer *levels);

/* Take the next change of the number of active actors.  Returns false if memory runs out. */
bool levels_outer_take(struct levels_outer *levels, const struct change *change);

/* Call it after the last change. */
bool levels_outer_end(struct levels_outer *levels);

/* Set the majorants of a block to these times.  They are constants, valid at all offsets. */
csy_status levels_outer_fill(const struct levels_outer *levels, size_t block,
                             struct majorants *above, struct majorants *below, csy_error *error);

#endif
