/*
 * Levels by outer places (analysis/ranges/outer.h): for how long how many actors may be active, and
 * must be, of each block.  What is known where too many changes can be in either order for their
 * pairs.
 */
#ifndef ANALYSIS_RANGES_LEVELS_OUTER_H
#define ANALYSIS_RANGES_LEVELS_OUTER_H

#include "analysis/ranges/majorants.h"
#include "analysis/ranges/outer.h"
#include "instants/actors.h"

/* Of a block, by end; where its own ends are when it is as long as it can be, or as short. */
struct outer_times {
    int64_t begin_ticks; /* as estimated */
    int64_t from[OUTER_ENDS], until[OUTER_ENDS];
    int128 *times[OUTER_ENDS]; /* by number of active actors */
};

/* What has come out. */
struct outer_now {
    int32_t *depth; /* by actor: above 0, it is active */
    size_t active, first_block;
    int64_t since;
};

struct levels_outer {
    bool known; /* it is wanted, and takes no more than LEVELS_OUTER_BYTES beside changes */
    struct outer outer;
    struct outer_now now[OUTER_ENDS];
    size_t nlevels, nblocks;
    struct outer_times *blocks;
};

#define LEVELS_OUTER_BYTES ((uint64_t)1 << 28)

/* Of so many actors, levels and blocks, which are in the order of their begins and the whole trace
 * unless they are bounded, on a side where there is an end. */
csy_status levels_outer_init(struct levels_outer *levels, const struct reach *reach,
                             const csy_sync *sync, size_t nactors, size_t nlevels, size_t nblocks,
                             csy_error *error);
void levels_outer_bound(struct levels_outer *levels, size_t block, const struct moment *first,
                        const struct moment *last);
void levels_outer_fini(struct levels_outer *levels);

/* The next change of the number of active actors; false on no memory. */
bool levels_outer_take(struct levels_outer *levels, const struct change *change);

/* After the last. */
bool levels_outer_end(struct levels_outer *levels);

/* Make the majorants of a block what that says: numbers alone, which are good for any offsets. */
csy_status levels_outer_fill(const struct levels_outer *levels, size_t block,
                             struct majorants *above, struct majorants *below, csy_error *error);

#endif
