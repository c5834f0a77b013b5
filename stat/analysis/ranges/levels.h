/* Finds for how long at least i, or exactly i, actors were active, in the whole trace or in blocks
 * (parts) of it. Each time has a range, because clock offsets are uncertain. Its ends come from
 * upper bounds of the time and of the negative time (analysis/ranges/swaps.h). */
#ifndef ANALYSIS_RANGES_LEVELS_H
#define ANALYSIS_RANGES_LEVELS_H

#include "analysis/ranges/outer.h"
#include "analysis/run/sites.h"

/* A sum of times: ticks + sum over all clocks of c[clock] * x[clock], where x[clock] is the clock's
 * true offset minus its estimated offset. */
struct ratio_sum {
    int128 ticks;
    int64_t *c; /* coefficient of each clock; the sum of all coefficients is 0 */
};

struct ratio {
    int128 part, whole; /* the ratio is part / whole; `whole` is above 0 */
};

struct block_end {
    struct moment at;
    uint64_t record; /* position of the record at this moment, or CSY_NO_RECORD */
    bool snaps;      /* true if `at` must be replaced by the time of the next record */
    bool open;       /* true if the block extends to this end of the trace */
    bool begins;     /* true if `at` is the begin of the interval in record `of` */
    uint64_t of;
};

struct block {
    struct block_end first, last;
};

struct levels_run;

struct levels {
    struct levels_run *run;
    struct block block;
    bool bounded; /* false if the block is the whole trace */
    enum { BLOCK_AHEAD, BLOCK_NEAR, BLOCK_OPEN, BLOCK_CLOSED, BLOCK_DONE } place;
    struct moved_begins moved_begins;
    struct upper_sums base;              /* estimated times */
    struct upper_sum whole, below_whole; /* length of the block, and minus the length */
    struct upper_sum whole_most, whole_least;
    bool ranged;
    bool some_unordered; /* true if the recorded order of some events may be wrong */
    bool given_up;       /* true if the search for bounds took too much work */
    bool changes_alone;
    uint64_t *samples; /* [i]: number of samples taken while i actors were active */
};

/* The sum of the active times of all actors, measured by the clocks of these actors. */
struct active_own {
    struct moment *since; /* [actor]: when the actor last became active; NULL if clocks do not
                           * drift */
    int128 ticks, size;   /* sum of the times, and sum of their absolute values, in ticks */
    uint64_t times;
    bool crosses; /* true if an actor became active on one clock and inactive on another */
};

struct levels_run {
    struct instants *instants;
    struct moves moves;
    struct reach reach;
    struct extent extent; /* first and last record of each clock, in partial order */
    struct levels_outer outer;
    bool outer_only;
    bool one_clock; /* true if the trace has one clock, so that times have no ranges */
    bool ranged;
    csy_units units;
    const char *names;          /* name pattern of the included actors, or NULL for all actors */
    struct site_groups *groups; /* if not NULL, only actors in the group `group` count as active */
    uint32_t group;
    bool *counted, *active; /* for each actor: true if included; true if active now */
    struct active_own own;
    size_t nactors; /* number of included actors, which is the greatest level */
    int64_t now;
    uint64_t nrecords;
    int64_t sample_ticks; /* ticks between two samples; 0 for no samples */
    int128 next_sample;
    struct levels *blocks;
    size_t nblocks, first_block; /* first_block: index of the first block that has not ended yet */
};

/* Returns `units`; for CSY_UNITS_AUTO, SPEs if some SPE matches `names`, otherwise all actors. */
csy_units levels_units(const struct instants *instants, csy_units units, const char *names);

/* Returns CSY_USAGE if `units` are cores, but the trace does not record the use of cores. */
csy_status levels_check_units(const struct instants *instants, csy_units units, csy_error *error);

/* Returns true if an actor belongs to `units`, which must not be CSY_UNITS_AUTO. */
bool levels_counts(const struct instants *instants, csy_units units, const struct actor *actor);

/* Returns true if an actor belongs to `units`, and its name matches the patterns `names`. NULL
 * matches all names. */
bool levels_means(const struct instants *instants, csy_units units, const char *names,
                  const struct actor *actor);

/* Prepare to find how long actors are active in nblocks parts of the trace (blocks), sorted by
 * begin. If nblocks is 0, the whole trace is one block. If `groups` is not NULL, an actor only
 * counts as active while it is in the group number `group`. The arguments must remain valid until
 * levels_fini. Call levels_take for each instant (instants/instants.h), and then levels_end. Call
 * levels_fini even after a failure. */
csy_status levels_begin(struct levels_run *run, struct instants *instants,
                        const csy_concurrency *asked, const struct block *blocks, size_t nblocks,
                        struct site_groups *groups, uint32_t group, csy_error *error);
take_instant levels_take;
csy_status levels_end(struct levels_run *run, csy_error *error);
void levels_fini(struct levels_run *run);

/* Returns roughly how many bytes of memory each block of levels_begin needs. */
size_t levels_block_bytes(size_t nactors, size_t nclocks);

/* Set *active to true if the new state of the actor, which it has from `instant` on, counts as
 * active. Returns false if out of memory. */
bool levels_find_active(const struct levels_run *run, const struct actor_instant *instant,
                        bool *active);

/* Compute for how long at least i actors (at_least[i]) and exactly i actors (exactly[i]) were
 * active, for 0 <= i <= nactors. at_least[0] is the length of the examined part of the trace. */
csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error);

/* Set *active to the sum of the times during which each included actor was active. */
csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error);

/* Widen the range of the sum from levels_active by the possible errors of timestamps. Does nothing
 * if only a part of the trace is examined, or if the sum depends on clock offsets. */
void levels_allow_for_stamps(const struct levels *levels, csy_range *active);

/* Widen the range of at_least[0] by the possible errors of timestamps. Does nothing if the examined
 * part of the trace begins and ends on different clocks. */
void levels_allow_for_ends(const struct levels *levels, csy_range *whole);

/* A time divided by a longer time. `range` is in millionths. The other members are exact fractions:
 * the estimate, and the two ends of the range. */
struct level_share {
    csy_range range;
    struct ratio estimate, least, greatest;
};

/* Compute exactly[i] / at_least[from] from the results of levels_ranges. at_least[from] must not be
 * 0. `from` must be 0 or 1, and at most i. */
csy_status levels_share(const struct levels *levels, size_t i, size_t from,
                        const csy_range *at_least, const csy_range *exactly,
                        struct level_share *share, csy_error *error);

#endif
