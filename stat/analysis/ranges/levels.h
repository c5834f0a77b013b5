/*
 * Levels: how long at least, and exactly, i actors of a kind were active, with ranges; in the whole
 * of a trace, or in blocks of time.
 *
 * All figures are combinations of majorants (analysis/ranges/majorants.h), each bounded by one
 * program for every limit of the stairs, and the best of these; sums that are known narrow them.
 */
#ifndef ANALYSIS_RANGES_LEVELS_H
#define ANALYSIS_RANGES_LEVELS_H

#include "analysis/ranges/moves.h"
#include "analysis/ranges/outer.h"
#include "analysis/ranges/stairs.h"
#include "analysis/run/site_groups.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/*
 * Ratios of two times that are linear in the moves of clocks: the exact greatest and least value,
 * and whether some offsets attain it.
 */

/* ticks + sum over clocks of c[clock] x[clock] */
struct ratio_sum {
    int128 ticks;
    int64_t *c; /* by clock; they sum to 0 */
};

struct ratio {
    int128 part, whole; /* whole > 0 */
};

/* An end of a block: a moment of a clock that has records before it and after it.  All records of
 * another clock that is not live at the same time are then on one side of the end. */
struct block_end {
    struct moment at;
    uint64_t record; /* position of the record at the end, or CSY_NO_RECORD */
    bool snaps;      /* the clock has no records on one side: the end moves to the next record */
    bool open;       /* partial order without an end here: all before it, or after it, counts; `at`
                        is the first or last record by the estimate, which may be another one */
    bool begins;     /* sections: the end is the begin of the interval of a record */
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
    bool bounded; /* by `block`; otherwise the block is the whole trace */
    enum { BLOCK_AHEAD, BLOCK_NEAR, BLOCK_OPEN, BLOCK_CLOSED, BLOCK_DONE } place;
    struct stairs stairs;
    struct majorants base;                   /* the base order alone */
    struct majorant whole, below_whole;      /* time from its begin to its end */
    struct majorant whole_most, whole_least; /* limits of both if clocks drift */
    bool ranged;                             /* there are bounds, and not too many clocks */
    bool some_unordered;                     /* a begin changes the number of active actors */
    bool given_up;                           /* too many changes can be in either order */
    bool changes_alone;                      /* it is all there is, and only changes matter to it */
    uint64_t *samples;                       /* by level; NULL: none were asked for */
};

/* The time of all actors together, if clocks drift, each by its own clock. */
struct active_own {
    struct moment *since; /* by actor: it is active from then on */
    int128 ticks, size;   /* size: without signs */
    uint64_t times;
    bool crosses; /* one began by another clock than it ended by */
};

/* The levels of all blocks. */
struct levels_run {
    struct instants *instants;
    struct moves moves;
    struct reach reach;
    struct extent extent; /* of a trace in partial order, as the next one */
    struct levels_outer outer;
    bool outer_only; /* pairs of changes are not looked at */
    bool one_clock;  /* there is no other: figures have no ranges */
    bool ranged;
    csy_units units;
    const char *names;          /* of actors, NULL: all */
    struct site_groups *groups; /* only while they are in this one, or NULL: */
    uint32_t group;
    bool *counted, *active; /* by actor */
    struct active_own *own; /* if clocks drift */
    size_t nactors;         /* that are counted: no level is above */
    int64_t now;
    uint64_t nrecords;    /* that have been given: those before that position */
    int64_t sample_ticks; /* how often the number of active actors is looked at; 0: never */
    int128 next_sample;
    struct levels *blocks;       /* by their begins */
    size_t nblocks, first_block; /* that is not done */
};

/* Resolve CSY_UNITS_AUTO: SPEs if some SPE's name fits `names` (actor_fits; NULL fits all),
 * otherwise all actors. */
csy_units levels_units(const struct instants *instants, csy_units units, const char *names);

/* CSY_USAGE where these are cores, and it is not told when an actor has one. */
csy_status levels_check_units(const struct instants *instants, csy_units units, csy_error *error);

/* True if an actor belongs to the units, which are not CSY_UNITS_AUTO. */
bool levels_counts(const struct instants *instants, csy_units units, const struct actor *actor);

/* The same, and its name fits `names` (actor_fits; NULL fits all). */
bool levels_means(const struct instants *instants, csy_units units, const char *names,
                  const struct actor *actor);

/* Consume instants; user is the run.  Instants, groups, and the texts of `asked` must outlive it.
 * Blocks are in the order of their begins; without any there is one, the whole trace.  groups:
 * NULL, or count actors only while they are in that group.  levels_fini ends what levels_begin has
 * begun. */
csy_status levels_begin(struct levels_run *run, struct instants *instants,
                        const csy_concurrency *asked, const struct block *blocks, size_t nblocks,
                        struct site_groups *groups, uint32_t group, csy_error *error);
take_instant levels_take;
csy_status levels_end(struct levels_run *run, csy_error *error);
void levels_fini(struct levels_run *run);

/* An estimate of the memory that a block holds until its ranges are known. */
size_t levels_block_bytes(size_t nactors, size_t nclocks);

/* Set *active if an actor is counted and active.  Returns false if memory runs out. */
bool levels_find_active(const struct levels_run *run, const struct actor_instant *instant,
                        bool *active);

/* Times with at least i active, 1 to nactors, at index i, at 0 the time from the begin to the end,
 * which of a whole trace in partial order may be other records at other offsets; and exactly i;
 * nactors + 1 of both. */
csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error);

/* The time that all of them were active, summed. */
csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error);

/* Widen the active time if it comes from timestamps of one clock each, by the errors of these
 * timestamps.  Figures that combine it with ranges need this. */
void levels_allow_for_stamps(const struct levels *levels, csy_range *active);

/* The same for the time from the begin to the end, if both timestamps are from one clock. */
void levels_allow_for_ends(const struct levels *levels, csy_range *whole);

/* A rounded share in millionths, and the fractions it comes from: the estimate, and the fractions
 * that bound both ends.  A whole of 0: that end has no bound. */
struct level_share {
    csy_range range;
    struct ratio estimate, least, greatest;
};

/* The time with exactly i >= from active as a part of that with at least from, 0 or 1, which is not
 * 0. */
csy_status levels_share(const struct levels *levels, size_t i, size_t from,
                        const csy_range *at_least, const csy_range *exactly,
                        struct level_share *share, csy_error *error);

#endif
