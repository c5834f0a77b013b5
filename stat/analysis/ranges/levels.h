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
    int128 part, whole; /* the value is part / whole; whole > 0 */
};

struct block_end {
    struct moment at;
    uint64_t record; /* position of the record at this moment, or CSY_NO_RECORD */
    bool snaps;      /* true if `at` is moved to the next record of any clock */
    bool open;       /* true if the block goes to the begin or end of the trace, which is `at` */
    bool begins;     /* in blocks from csy_sync_sections: true if a record's interval begins here */
    uint64_t of;     /* in blocks from csy_sync_sections: position of this end's record */
};

struct block {
    struct block_end first, last;
};

struct levels_run;

struct levels {
    struct levels_run *run;
    struct block block;
    bool bounded; /* true if the block is limited; false if it is the whole trace */
    enum { BLOCK_AHEAD, BLOCK_NEAR, BLOCK_OPEN, BLOCK_CLOSED, BLOCK_DONE } place;
    struct moved_begins moved_begins;
    struct upper_sums base;                   /* sums of times if the recorded order is right */
    struct upper_sum whole, below_whole;      /* length of the block, and minus this length */
    struct upper_sum whole_most, whole_least; /* limits of the block's length, if clocks drift */
    bool ranged;                              /* true if ranges can be computed */
    bool some_unordered;                      /* true if the order of some instants is uncertain */
    bool given_up;                            /* true if the search for bounds took too much work */
    bool changes_alone;                       /* true if only records with a change are needed */
    uint64_t *samples;                        /* samples for each number of active actors */
};

/* The total active time of all actors, each by its own clock. */
struct active_own {
    struct moment *since; /* for each actor: when it became active last; NULL unless clocks drift */
    int128 ticks, size;   /* sum of the times, and sum of their absolute values, in ticks */
    uint64_t times;
    bool crosses; /* true if some active time begins and ends on different clocks */
};

struct levels_run {
    struct instants *instants;
    struct moves moves;
    struct reach reach;
    struct extent extent; /* first and last record of each clock, in partial order */
    struct levels_outer outer;
    bool outer_only; /* true if only the bounds of analysis/ranges/outer.h are used */
    bool one_clock;  /* true if the trace has one clock, so that times have no ranges */
    bool ranged;
    csy_units units;
    const char *names;          /* name pattern of the included actors, or NULL for all actors */
    struct site_groups *groups; /* if not NULL, actors only count while in the group `group` */
    uint32_t group;
    bool *counted, *active; /* for each actor: true if included; true if active now */
    struct active_own own;  /* active times by the actors' own clocks */
    size_t nactors;         /* number of included actors, which is the greatest level */
    int64_t now;
    uint64_t nrecords;
    int64_t sample_ticks; /* ticks between two samples; 0 for no samples */
    int128 next_sample;
    struct levels *blocks;       /* blocks, sorted by their begin */
    size_t nblocks, first_block; /* first_block: index of the first unfinished block */
};

/* Returns `units`; for CSY_UNITS_AUTO, SPEs if some SPE matches `names`, otherwise all actors. */
csy_units levels_units(const struct instants *instants, csy_units units, const char *names);

/* Returns CSY_USAGE if `units` are cores, but the trace does not record the use of cores. */
csy_status levels_check_units(const struct instants *instants, csy_units units, csy_error *error);

/* Returns true if an actor belongs to `units`, which must not be CSY_UNITS_AUTO. */
bool levels_counts(const struct instants *instants, csy_units units, const struct actor *actor);

/* Returns true if an actor belongs to `units` and matches `names`. NULL matches all names. */
bool levels_means(const struct instants *instants, csy_units units, const char *names,
                  const struct actor *actor);

/* Begin a run. `blocks` must be sorted by begin; without blocks, the whole trace is one block. With
 * `groups`, actors only count while they belong to `group`. The arguments must outlive the run.
 * Pass each instant to levels_take. Call levels_fini even after a failure. */
csy_status levels_begin(struct levels_run *run, struct instants *instants,
                        const csy_concurrency *asked, const struct block *blocks, size_t nblocks,
                        struct site_groups *groups, uint32_t group, csy_error *error);
take_instant levels_take;
csy_status levels_end(struct levels_run *run, csy_error *error);
void levels_fini(struct levels_run *run);

/* Returns an estimate of the memory of a block, in bytes. */
size_t levels_block_bytes(size_t nactors, size_t nclocks);

/* Set *active to true if the actor is included and active. Returns false if out of memory. */
bool levels_find_active(const struct levels_run *run, const struct actor_instant *instant,
                        bool *active);

/* Each array receives nactors + 1 ranges: times with at least i, and with exactly i, active actors.
 * at_least[0] is the length of the block. */
csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error);

/* Set *active to the total active time of all included actors. */
csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error);

/* Widen the active time of the whole trace by timestamp errors if no clock offset affects it. */
void levels_allow_for_stamps(const struct levels *levels, csy_range *active);

/* Widen the length of a block by timestamp errors if both ends are on one clock. */
void levels_allow_for_ends(const struct levels *levels, csy_range *whole);

/* A time as a share of `whole`: range in millionths; estimate and ends, too, as exact fractions. */
struct level_share {
    csy_range range;
    struct ratio estimate, least, greatest;
};

/* Compute the time with exactly i active actors, divided by the time with at least `from`. The
 * divisor must not be 0. `from` must be 0 or 1, and at most i. */
csy_status levels_share(const struct levels *levels, size_t i, size_t from,
                        const csy_range *at_least, const csy_range *exactly,
                        struct level_share *share, csy_error *error);

#endif
