/* Levels: for how long at least i, and exactly i, actors of a kind were active, with ranges, in the
 * whole trace or in blocks of time.
 *
 * All figures are combinations of majorants (analysis/ranges/majorants.h). A linear program bounds
 * each figure for every limit of the stairs, and the best bound counts. Known sums narrow the
 * ranges further. */
#ifndef ANALYSIS_RANGES_LEVELS_H
#define ANALYSIS_RANGES_LEVELS_H

#include "analysis/ranges/moves.h"
#include "analysis/ranges/outer.h"
#include "analysis/ranges/stairs.h"
#include "analysis/run/sites.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* A sum of times: ticks + sum over clocks of c[clock] x[clock], where x is the move of a clock. */
struct ratio_sum {
    int128 ticks;
    int64_t *c; /* for each clock; sums to 0 */
};

struct ratio {
    int128 part, whole; /* whole > 0 */
};

/* An end of a block: a moment on a clock that has records before and after it. If another clock is
 * not live at the time, all of its records are on one side. */
struct block_end {
    struct moment at;
    uint64_t record; /* position of the record there, or CSY_NO_RECORD */
    bool snaps;      /* the clock has no records on one side, so the end moves to the next record */
    bool open;       /* partial order: no end on this side; `at` is the first or last record by the
                      * estimate */
    bool begins;     /* sections: at the begin of a record's interval */
    uint64_t of;     /* sections: position of the record that gives the end */
};

struct block {
    struct block_end first, last;
};

struct levels_run;

/* The levels of a block. */
struct levels {
    struct levels_run *run;
    struct block block;
    bool bounded; /* `block` limits it; otherwise it is the whole trace */
    enum { BLOCK_AHEAD, BLOCK_NEAR, BLOCK_OPEN, BLOCK_CLOSED, BLOCK_DONE } place;
    struct stairs stairs;
    struct majorants base;                   /* from the base order alone */
    struct majorant whole, below_whole;      /* time from its begin to its end */
    struct majorant whole_most, whole_least; /* limits of these, if clocks drift */
    bool ranged;                             /* there are bounds, and not too many clocks */
    bool some_unordered;                     /* some begin changes the number of active actors */
    bool given_up;                           /* too many changes may be in either order */
    bool changes_alone;                      /* the only block, and it needs only changes */
    uint64_t *samples;                       /* for each level; NULL: not requested */
};

/* If clocks drift, the active time of all actors, each by its own clock. */
struct active_own {
    struct moment *since; /* for each actor, since when it is active */
    int128 ticks, size;   /* size: sum of absolute values */
    uint64_t times;
    bool crosses; /* some actor became inactive on another clock */
};

/* The levels of all blocks. */
struct levels_run {
    struct instants *instants;
    struct moves moves;
    struct reach reach;
    struct extent extent; /* from the first to the last record, in partial order */
    struct levels_outer outer;
    bool outer_only; /* pairs of changes are not examined */
    bool one_clock;  /* with one clock, figures have no ranges */
    bool ranged;
    csy_units units;
    const char *names;          /* pattern of actors' names; NULL: all */
    struct site_groups *groups; /* actors count only while they are in `group`; NULL: always */
    uint32_t group;
    bool *counted, *active; /* for each actor */
    struct active_own *own; /* if clocks drift */
    size_t nactors;         /* number of counted actors, and greatest level */
    int64_t now;
    uint64_t nrecords;    /* number of records passed */
    int64_t sample_ticks; /* distance of samples of active actors; 0: none */
    int128 next_sample;
    struct levels *blocks;       /* sorted by begin */
    size_t nblocks, first_block; /* first_block: the first that is incomplete */
};

/* Resolve CSY_UNITS_AUTO: SPEs if the name of some SPE fits `names` (actor_fits; NULL fits all),
 * otherwise all actors. */
csy_units levels_units(const struct instants *instants, csy_units units, const char *names);

/* CSY_USAGE if the units are cores, but the trace does not show when actors have one. */
csy_status levels_check_units(const struct instants *instants, csy_units units, csy_error *error);

/* True if an actor is of this kind, which is not CSY_UNITS_AUTO. */
bool levels_counts(const struct instants *instants, csy_units units, const struct actor *actor);

/* True if levels_counts, and the name fits `names` (actor_fits; NULL fits all). */
bool levels_means(const struct instants *instants, csy_units units, const char *names,
                  const struct actor *actor);

/* Process instants; user is the run. Instants, groups, and the texts of `asked` must outlive it.
 * Blocks are sorted by begin; without blocks, the whole trace is one. groups: count actors only
 * while they are in that group; or NULL. Call levels_fini afterwards. */
csy_status levels_begin(struct levels_run *run, struct instants *instants,
                        const csy_concurrency *asked, const struct block *blocks, size_t nblocks,
                        struct site_groups *groups, uint32_t group, csy_error *error);
take_instant levels_take;
csy_status levels_end(struct levels_run *run, csy_error *error);
void levels_fini(struct levels_run *run);

/* Estimate the memory of a block until its ranges are known. */
size_t levels_block_bytes(size_t nactors, size_t nclocks);

/* *active becomes true if an actor is counted and active. Returns false if out of memory. */
bool levels_find_active(const struct levels_run *run, const struct actor_instant *instant,
                        bool *active);

/* Set the times with at least i and with exactly i actors active, in arrays of nactors + 1.
 * at_least[0] is the time from begin to end. In a whole trace in partial order, other records may
 * be first and last at other offsets. */
csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error);

/* Set the sum of active times of all counted actors. */
csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error);

/* Widen an active time that comes from timestamps of one clock each, by their errors, for figures
 * that combine it with ranges. */
void levels_allow_for_stamps(const struct levels *levels, csy_range *active);

/* Widen the time from begin to end if both timestamps are of one clock. */
void levels_allow_for_ends(const struct levels *levels, csy_range *whole);

/* A rounded share in millionths, and the fractions behind it: the estimate, and a bound of each
 * end. An end with whole 0 has no bound. */
struct level_share {
    csy_range range;
    struct ratio estimate, least, greatest;
};

/* Find the time with exactly i actors active divided by that with at least `from` active, which
 * must not be 0. `from` is 0 or 1, and i >= from. */
csy_status levels_share(const struct levels *levels, size_t i, size_t from,
                        const csy_range *at_least, const csy_range *exactly,
                        struct level_share *share, csy_error *error);

#endif
