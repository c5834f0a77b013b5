/*
 * Levels: how long at least, and exactly, i actors of a kind were active, with ranges.
 *
 * All figures are combinations of majorants (analysis/majorants.h), each bounded by one program for
 * every limit of the stairs, and the best of these; sums that are known narrow them.
 */
#ifndef ANALYSIS_LEVELS_H
#define ANALYSIS_LEVELS_H

#include "analysis/extent.h"
#include "analysis/stairs.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

struct levels {
    struct instants *instants;
    struct moves moves;
    struct reach reach;
    struct stairs stairs;
    struct majorants base;              /* the base order alone */
    struct majorant whole, below_whole; /* time from the first record to the last */
    bool ranged;                        /* there are bounds, and not too many clocks */
    bool some_unordered;                /* a begin changes the number of active actors */
    csy_units units;
    bool *counted, *active; /* by actor */
    size_t nactors;         /* that are counted: no level is above */
    int64_t now;
    struct extent extent;
};

/* The units that are meant: SPEs where there are some. */
csy_units levels_units(const struct instants *instants, csy_units units);

/* Whether an actor is one of them; units are not CSY_UNITS_AUTO. */
bool levels_counts(const struct instants *instants, csy_units units, const struct actor *actor);

/* Merge; instants must outlive it. */
csy_status levels_init(struct levels *levels, struct instants *instants, csy_units units,
                       csy_error *error);
void levels_fini(struct levels *levels);

/* Times with at least i active, 1 to nactors, at index i, at 0 the time from the first record to
 * the last, which in partial order may be other ones at other offsets; and exactly i; nactors + 1
 * of both. */
csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error);

/* The time that all of them were active, summed. */
csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error);

/* The time with exactly i > 0 active in millionths of that with at least 1, which is not 0. */
csy_status levels_share(const struct levels *levels, size_t i, const csy_range *at_least,
                        const csy_range *exactly, csy_range *share, csy_error *error);

#endif
