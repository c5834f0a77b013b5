/*
 * Outer places: where changes can be at the earliest and at the latest, each by itself, in the time
 * of one clock, the centre.
 *
 * With the centre's offset as it is, a clock moves by what the bounds of the two leave, so a change
 * is within that of its estimate, whatever the offsets are.  Nothing is left to be ordered then.
 * What makes more active is put as early as it can be and what makes less as late, for what is at
 * most, and the other way round for what is at least.  It costs little, however many changes can be
 * in either order, but forgets that all changes of a clock move together.
 *
 * Changes are taken in the base order, and come out by their places: those that could still have
 * others before them are held, 24 bytes each, twice.
 */
#ifndef ANALYSIS_RANGES_OUTER_H
#define ANALYSIS_RANGES_OUTER_H

#include "analysis/ranges/majorants.h"
#include "analysis/ranges/moves.h"
#include "instants/actors.h"

struct outer_change {
    int64_t ticks; /* of the centre, in global time */
    uint32_t actor, key;
    int32_t sign;
};

/* Changes that are held, as a heap. */
struct outer_side {
    struct outer_change *items;
    size_t count, capacity;
    int64_t passed; /* time of the last that has come out */
};

enum outer_end { OUTER_MOST, OUTER_LEAST, OUTER_ENDS };

/* A change comes out, those of both ends by their time; false on no memory. */
typedef bool outer_pass(void *user, enum outer_end end, const struct outer_change *change);

struct outer {
    const struct reach *reach;
    uint32_t centre;
    struct outer_side sides[OUTER_ENDS];
    int64_t latest; /* of those taken */
    bool lost;      /* one came too late, or its clock was never there with the centre */
    outer_pass *pass;
    void *user;
};

/* The centre is the clock from which all records are least far, as all bounds go; reach->greatest
 * is not MOVES_NONE.  O(clocks^2). */
void outer_init(struct outer *outer, const struct reach *reach, const csy_sync *sync,
                outer_pass *pass, void *user);
void outer_fini(struct outer *outer);

/* The earliest or the latest place of a moment. */
int128 outer_place(const struct outer *outer, uint32_t clock, int64_t global_ticks, bool late);

/* The next change; false on no memory. */
bool outer_take(struct outer *outer, uint32_t clock, int64_t global_ticks,
                const struct outer_change *change);

/* After the last. */
bool outer_end(struct outer *outer);

/*
 * Levels by outer places (analysis/ranges/outer.h): for how long how many actors may be active, and
 * must be, of each block.  What is known where too many changes can be in either order for their
 * pairs.
 */

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
