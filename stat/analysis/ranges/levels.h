/* Levels: for how long at least i, or exactly i, actors of a kind were active. The times have
 * ranges, and are of the whole trace or of blocks of time. All figures are combinations of
 * majorants (analysis/ranges/majorants.h). For each step of the stairs (analysis/ranges/stairs.h),
 * a linear program bounds each figure, and the best bound counts. Known sums narrow the ranges. */
#ifndef ANALYSIS_RANGES_LEVELS_H
#define ANALYSIS_RANGES_LEVELS_H

#include "analysis/ranges/moves.h"
#include "analysis/ranges/outer.h"
#include "analysis/ranges/stairs.h"
#include "analysis/run/sites.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* A sum of times: ticks + sum over all clocks of c[clock] * x[clock]. The move x[clock] is the
 * distance of a clock from its estimated offset. */
struct ratio_sum {
    int128 ticks;
    int64_t *c; /* coefficient of each clock; all add up to 0 */
};

struct ratio {
    int128 part, whole; /* the fraction part / whole; whole > 0 */
};

/* An end of a block: a moment on a clock that has records before and after the moment. A clock that
 * begins later or ends earlier has all its records on one side. */
struct block_end {
    struct moment at;
    uint64_t record; /* position of the record at the moment, or CSY_NO_RECORD */
    bool snaps;      /* the end moves to the next record; the clock has records on one side only */
    bool open;       /* in partial order: no end on this side; `at` is the first or last record */
    bool begins;     /* for a section: the end is where the interval of a record begins */
    uint64_t of;     /* for a section: position of the record that gives the end */
};

struct block {
    struct block_end first, last;
};

struct levels_run;

/* How long i actors were active in a block of time, for each i. */
struct levels {
    struct levels_run *run;
    struct block block;
    bool bounded; /* true if `block` limits the time; otherwise the whole trace counts */
    enum { BLOCK_AHEAD, BLOCK_NEAR, BLOCK_OPEN, BLOCK_CLOSED, BLOCK_DONE } place;
    struct stairs stairs;
    struct majorants base;                   /* upper bounds in the base order of changes */
    struct majorant whole, below_whole;      /* the time of the block, and its negative */
    struct majorant whole_most, whole_least; /* limits of the block's time, if clocks drift */
    bool ranged;                             /* bounds exist, and clocks are few enough */
    bool some_unordered;                     /* some change has no certain order */
    bool given_up;                           /* too many changes may be in either order */
    bool changes_alone;                      /* records without a change may be skipped */
    uint64_t *samples;                       /* number of samples of each level, or NULL */
};

/* The active time of all actors, each by its own clock. Used if clocks drift. */
struct active_own {
    struct moment *since; /* for each actor: when it became active */
    int128 ticks, size;   /* sum of the times, and of their absolute values */
    uint64_t times;
    bool crosses; /* some active time ends on another clock */
};

/* The levels of all blocks of a trace. */
struct levels_run {
    struct instants *instants;
    struct moves moves;
    struct reach reach;
    struct extent extent; /* time from the first to the last record, in partial order */
    struct levels_outer outer;
    bool outer_only; /* true if pairs of changes are not examined */
    bool one_clock;  /* the trace has one clock, so figures have no ranges */
    bool ranged;
    csy_units units;
    const char *names;          /* pattern for the names of actors, or NULL for all */
    struct site_groups *groups; /* if not NULL, actors count only while they are in `group` */
    uint32_t group;
    bool *counted, *active; /* for each actor: included, and active now */
    struct active_own *own; /* NULL unless clocks drift */
    size_t nactors;         /* number of included actors, which is the greatest level */
    int64_t now;
    uint64_t nrecords;    /* number of records passed so far */
    int64_t sample_ticks; /* ticks between samples of active actors; 0: no samples */
    int128 next_sample;
    struct levels *blocks;       /* blocks, sorted by begin */
    size_t nblocks, first_block; /* first_block: index of the first incomplete block */
};

/* Return `units`, or a replacement for CSY_UNITS_AUTO: SPEs if the name of some SPE fits `names`,
 * otherwise all actors. NULL fits all names (actor_fits). */
csy_units levels_units(const struct instants *instants, csy_units units, const char *names);

/* Returns CSY_USAGE if the units are cores, but the trace does not show when actors have a core. */
csy_status levels_check_units(const struct instants *instants, csy_units units, csy_error *error);

/* Returns true if an actor belongs to `units`, which must not be CSY_UNITS_AUTO. */
bool levels_counts(const struct instants *instants, csy_units units, const struct actor *actor);

/* Returns true if an actor of `units` has a name that fits `names` (actor_fits; NULL fits all). */
bool levels_means(const struct instants *instants, csy_units units, const char *names,
                  const struct actor *actor);

/* Begin to process instants; the argument `user` of levels_take is the run. Instants, groups, and
 * the texts of `asked` must outlive the run. Blocks are sorted by begin; without blocks, the whole
 * trace is one block. If `groups` is not NULL, actors count only in `group`. Call levels_fini
 * afterwards. */
csy_status levels_begin(struct levels_run *run, struct instants *instants,
                        const csy_concurrency *asked, const struct block *blocks, size_t nblocks,
                        struct site_groups *groups, uint32_t group, csy_error *error);
take_instant levels_take;
csy_status levels_end(struct levels_run *run, csy_error *error);
void levels_fini(struct levels_run *run);

/* Estimate the bytes that a block takes until its ranges are known. */
size_t levels_block_bytes(size_t nactors, size_t nclocks);

/* Set *active to whether the actor counts and is active. Returns false if out of memory. */
bool levels_find_active(const struct levels_run *run, const struct actor_instant *instant,
                        bool *active);

/* For each i, set the time with at least i and with exactly i active actors. Each array has nactors
 * + 1 ranges, and at_least[0] is the time of the block. In a whole trace in partial order, other
 * records may be first and last at other offsets. */
csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error);

/* Set *active to the sum of the active times of all included actors. */
csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error);

/* Widen an active time by the errors of its timestamps, for figures that combine it with ranges.
 * Each part of the time comes from timestamps of one clock. */
void levels_allow_for_stamps(const struct levels *levels, csy_range *active);

/* Widen the time of a block by timestamp errors if both ends are on one clock. */
void levels_allow_for_ends(const struct levels *levels, csy_range *whole);

/* A share in millionths, rounded, and exact fractions: the estimate, and a bound of either end. A
 * fraction whose `whole` is 0 is no bound. */
struct level_share {
    csy_range range;
    struct ratio estimate, least, greatest;
};

/* Find a share: the time with exactly i active actors, divided by the time with at least `from`
 * active actors. The divisor must not be 0. `from` is 0 or 1, and at most i. */
csy_status levels_share(const struct levels *levels, size_t i, size_t from,
                        const csy_range *at_least, const csy_range *exactly,
                        struct level_share *share, csy_error *error);

#endif
