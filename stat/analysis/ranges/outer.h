/*
 * Outer places: the earliest and the latest place of each single change, in the time of one clock,
 * which is called the centre.
 *
 * If the offset of the centre is fixed, any other clock moves within the bound of the two clocks.
 * Therefore, at all offsets, a change of that clock is within this bound of its estimate, and the
 * order of changes need not be known. For the greatest time, a change that makes more actors active
 * is placed as early as possible, and a change that makes fewer actors active as late as possible.
 * For the least time, it is the other way round. The cost is low, even if many changes can be in
 * either order. But the result may be wider than necessary, because it ignores that all changes of
 * a clock move together.
 *
 * If clocks drift, the centre is the reference, and each change has its own limits.
 *
 * Changes are passed in by the base order, and are passed on in the order of their places. A change
 * waits as long as later input may have an earlier place. A waiting change takes 24 bytes for each
 * end.
 */
#ifndef ANALYSIS_RANGES_OUTER_H
#define ANALYSIS_RANGES_OUTER_H

#include "analysis/ranges/majorants.h"
#include "analysis/ranges/moves.h"
#include "instants/actors.h"

struct outer_change {
    int64_t ticks; /* its place: global time by the centre */
    uint32_t actor, key;
    int32_t sign;
};

/* Changes that wait for one end of the range, as a heap. */
struct outer_side {
    struct outer_change *items;
    size_t count, capacity;
    int64_t passed; /* place of the last change that was passed on */
};

enum outer_end { OUTER_MOST, OUTER_LEAST, OUTER_ENDS };

/* Consume a change. Separately for each end, changes are in the order of their places. Returns
 * false if memory runs out. */
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

/* The earliest place of a moment, or with `late` the latest. */
int128 outer_place(const struct outer *outer, const struct moment *at, bool late);

/* Add the next change in the base order. Returns false if memory runs out. */
bool outer_take(struct outer *outer, const struct moment *at, const struct outer_change *change);

/* Pass on all changes that still wait. Call it after the last change. Returns false if memory runs
 * out. */
bool outer_end(struct outer *outer);

/*
 * Levels by outer places: in each block, the time for which i actors may be active, and the time
 * for which i actors must be active. They are used if too many pairs of changes can be in either
 * order.
 */

/* The times of a block, for each end of the range. For OUTER_MOST, from and until are where the
 * block is longest; for OUTER_LEAST, where it is shortest. */
struct outer_times {
    int64_t begin_ticks; /* begin of the block by the estimate */
    int64_t from[OUTER_ENDS], until[OUTER_ENDS];
    int128 *times[OUTER_ENDS]; /* by number of active actors */
};

/* The state after the changes that were passed on. */
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
