/* Finds the shortest and the longest time with each number of active actors. For each change (an
 * actor becomes active or inactive), only its earliest and its latest possible time are used.
 *
 * All times are converted to one clock, the central clock. The estimated offset between this clock
 * and the clock of a change has a greatest error, so the change may have been that much earlier or
 * later. For the longest time, each actor becomes active as early as possible, and inactive as late
 * as possible. For the shortest time, it is the other way round. This is fast even if the order of
 * many changes is unknown. But ranges can be too wide: in truth, all changes of a clock have the
 * same error.
 *
 * If clocks drift, the central clock is the reference clock, and each change has its own limits.
 *
 * Changes are added in the order of the records, and passed on in the order of their earliest or
 * latest times. A change waits as long as a change with an earlier time may be added. */
#ifndef ANALYSIS_RANGES_OUTER_H
#define ANALYSIS_RANGES_OUTER_H

#include "analysis/ranges/swaps.h"
#include "instants/actors.h"

struct outer_change {
    int64_t ticks; /* earliest or latest possible time */
    uint32_t actor, key;
    int32_t sign;
};

/* Changes not yet given to outer.pass, as a heap: the earliest one comes first. */
struct outer_side {
    struct outer_change *items;
    size_t count, capacity;
    int64_t passed;
};

enum outer_end { OUTER_MOST, OUTER_LEAST, OUTER_ENDS };

/* Called twice for each event that makes an actor active or inactive: with its time for the longest
 * active times (OUTER_MOST), and with its time for the shortest ones (OUTER_LEAST). For each `end`,
 * calls are sorted by time. Returns false if out of memory. */
typedef bool outer_pass(void *user, enum outer_end end, const struct outer_change *change);

struct outer {
    const struct reach *reach;
    uint32_t centre;
    struct outer_side sides[OUTER_ENDS];
    int64_t latest; /* greatest estimated time so far */
    bool known;     /* false if there is no result */
    bool star;      /* true if only bounds between each clock and the reference clock are used */
    outer_pass *pass;
    void *user;
};

/* Initialize, and choose as central clock (see above) the clock for which the errors of all records
 * have the least sum. The difference between any two clocks must have limits. Cost: O(clocks^2). */
void outer_init(struct outer *outer, const struct reach *reach, const csy_sync *sync,
                outer_pass *pass, void *user);
void outer_fini(struct outer *outer);

/* Add the next change, which is at the moment `at`. Call in the order of the records. Returns false
 * if out of memory. */
bool outer_take(struct outer *outer, const struct moment *at, const struct outer_change *change);

/* Call outer.pass for the changes that still wait. Call after the last change. Returns false if out
 * of memory. */
bool outer_end(struct outer *outer);

/* A block (part of the trace), at its greatest (OUTER_MOST) and its least length (OUTER_LEAST). */
struct outer_times {
    int64_t begin_ticks; /* begin of the block in estimated global time */
    int64_t from[OUTER_ENDS], until[OUTER_ENDS];
    int128 *times[OUTER_ENDS]; /* [end][i]: time with i active actors, in ticks */
};

struct outer_now {
    int32_t *depth; /* for each actor: above 0 while the actor is active */
    size_t active, first_block;
    int64_t since;
};

struct levels_outer {
    struct outer sweep; /* sweep.known is false if `blocks` would be larger than
                         * LEVELS_OUTER_BYTES */
    struct outer_now now[OUTER_ENDS];
    size_t nlevels, nblocks;
    struct outer_times *blocks;
};

#define LEVELS_OUTER_BYTES ((uint64_t)1 << 28)

/* Prepare to examine nblocks parts of the trace (blocks), sorted by begin. Each part is the whole
 * trace until levels_outer_bound sets its begin and end. Returns false if out of memory. */
bool levels_outer_init(struct levels_outer *levels, const struct reach *reach, const csy_sync *sync,
                       size_t nactors, size_t nlevels, size_t nblocks);
void levels_outer_bound(struct levels_outer *levels, size_t block, const struct moment *first,
                        const struct moment *last);
void levels_outer_fini(struct levels_outer *levels);

/* Add the next event that makes an actor active or inactive. Returns false if out of memory. */
bool levels_outer_take(struct levels_outer *levels, const struct change *change);

/* Set `above` to upper bounds of the times with at least i active actors in a block, and `below` to
 * upper bounds of the negative times. The bounds are constants. Returns false if out of memory. */
bool levels_outer_fill(const struct levels_outer *levels, size_t block, struct upper_sums *above,
                       struct upper_sums *below);

#endif
