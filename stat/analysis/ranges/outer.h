/* Outer places: the earliest and latest place of each single change, in the time of one clock, the
 * centre.
 *
 * If the offset of the centre is fixed, any other clock moves within the bound of the two. So, at
 * all offsets, a change of that clock is within this bound of its estimate, and the order of
 * changes need not be known. For the greatest time, a change that makes more actors active is
 * placed as early as possible, and a change that makes fewer actors active is placed as late as
 * possible. For the least time, it is the other way round. This is cheap even if many changes may
 * be in either order. But the result may be wider than necessary, because it ignores that all
 * changes of a clock move together.
 *
 * If clocks drift, the centre is the reference, and each change has its own limits.
 *
 * Changes come in the base order, and are passed on in the order of their places. A change waits
 * as long as later ones may have an earlier place; it takes 24 bytes for each end. */
#ifndef ANALYSIS_RANGES_OUTER_H
#define ANALYSIS_RANGES_OUTER_H

#include "analysis/ranges/majorants.h"
#include "analysis/ranges/moves.h"
#include "instants/actors.h"

struct outer_change {
    int64_t ticks; /* place of the change, in global time of the centre */
    uint32_t actor, key;
    int32_t sign;
};

/* A heap of waiting changes, for one end of the range. */
struct outer_side {
    struct outer_change *items;
    size_t count, capacity;
    int64_t passed; /* place of the last change that was passed on */
};

enum outer_end { OUTER_MOST, OUTER_LEAST, OUTER_ENDS };

/* Receives a change. For each end of the range, changes come in the order of their places. Returns
 * false if out of memory. */
typedef bool outer_pass(void *user, enum outer_end end, const struct outer_change *change);

struct outer {
    const struct reach *reach;
    uint32_t centre;
    struct outer_side sides[OUTER_ENDS];
    int64_t latest; /* greatest global time of a change so far */
    bool lost;      /* no result: a change came too late, or its clock is apart from the centre */
    outer_pass *pass;
    void *user;
};

/* Choose as the centre the clock that is closest to all records by the bounds, in O(clocks^2). The
 * moves of all pairs of clocks must have limits. */
void outer_init(struct outer *outer, const struct reach *reach, const csy_sync *sync,
                outer_pass *pass, void *user);
void outer_fini(struct outer *outer);

/* Return the earliest place of a moment or, if `late` is true, the latest place. */
int128 outer_place(const struct outer *outer, const struct moment *at, bool late);

/* Add the next change in the base order of changes. Returns false if out of memory. */
bool outer_take(struct outer *outer, const struct moment *at, const struct outer_change *change);

/* Pass on all waiting changes, after the last one. Returns false if out of memory. */
bool outer_end(struct outer *outer);

/* Levels by outer places: for how long i actors may be active, and must be active, in each block.
 * These levels are used if too many pairs of changes may be in either order. */

/* The times of a block for both ends of its range. For OUTER_MOST, `from` and `until` make the
 * block as long as possible; for OUTER_LEAST, as short as possible. */
struct outer_times {
    int64_t begin_ticks; /* estimated begin of the block */
    int64_t from[OUTER_ENDS], until[OUTER_ENDS];
    int128 *times[OUTER_ENDS]; /* for each number of active actors: the time */
};

/* The state after all changes that were passed on so far. */
struct outer_now {
    int32_t *depth; /* for each actor: above 0 if the actor is active */
    size_t active, first_block;
    int64_t since;
};

struct levels_outer {
    bool known; /* true if outer places are used, within LEVELS_OUTER_BYTES */
    struct outer outer;
    struct outer_now now[OUTER_ENDS];
    size_t nlevels, nblocks;
    struct outer_times *blocks;
};

#define LEVELS_OUTER_BYTES ((uint64_t)1 << 28)

/* Initialize the levels of blocks, which are sorted by begin. A block extends to the ends of the
 * trace, unless levels_outer_bound limits the block. */
csy_status levels_outer_init(struct levels_outer *levels, const struct reach *reach,
                             const csy_sync *sync, size_t nactors, size_t nlevels, size_t nblocks,
                             csy_error *error);
void levels_outer_bound(struct levels_outer *levels, size_t block, const struct moment *first,
                        const struct moment *last);
void levels_outer_fini(struct levels_outer *levels);

/* Add the next change of the number of active actors. Returns false if out of memory. */
bool levels_outer_take(struct levels_outer *levels, const struct change *change);

/* Finish the levels, after the last change. Returns false if out of memory. */
bool levels_outer_end(struct levels_outer *levels);

/* Set the majorants of a block to times by outer places, which are valid at all offsets. */
csy_status levels_outer_fill(const struct levels_outer *levels, size_t block,
                             struct majorants *above, struct majorants *below, csy_error *error);

#endif
