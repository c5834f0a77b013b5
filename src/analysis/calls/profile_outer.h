/*
 * Elapsed time of routines by outer places (analysis/ranges/outer.h): for how long an actor may
 * have been in a row, and must have been, where it is not known in which order actors went in and
 * out; and the time of actors in a row while one unit may have been active alone, and must have
 * been.
 */
#ifndef ANALYSIS_CALLS_PROFILE_OUTER_H
#define ANALYSIS_CALLS_PROFILE_OUTER_H

#include "analysis/ranges/outer.h"
#include "base/texts.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

/* What a row's elapsed time is of: actors in its routine itself, or in what that calls, too. */
enum outer_kind { OUTER_DIRECT, OUTER_INSIDE, OUTER_KINDS };

/* Of a row and a kind, one end. */
struct outer_presence {
    int64_t actors, since; /* so many are there, and some since then */
    int64_t greatest;      /* of actors */
    int128 ticks;
    uint64_t entries;
    int128 alone, alone_since; /* the time of each of them by outer_alone, and what that was */
};

/* How many units are active; and for how long it was one, so far. */
struct outer_alone {
    int64_t units[OUTER_ENDS];
    int64_t since;
    int128 ticks[OUTER_ENDS];
};

struct profile_outer {
    bool known;
    struct outer outer;
    struct outer_alone alone;
    struct texts by; /* rows and kinds with actors, and units; for each: */
    int32_t (*depths)[OUTER_ENDS];
    size_t depths_capacity;
    struct outer_presence (*rows)[OUTER_ENDS]; /* by row and kind */
    size_t nrows, rows_capacity;
};

/* reach must outlive it; NULL: nothing is known. */
void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync);
void profile_outer_fini(struct profile_outer *profile);

/* An actor is once more in a row, or once less, where anything is known; false on no memory. */
bool profile_outer_add(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                       uint32_t actor, const struct moment *now, int step);

static inline bool profile_outer_step(struct profile_outer *profile, uint32_t row,
                                      enum outer_kind kind, uint32_t actor,
                                      const struct moment *now, int step)
{
    return !profile->known || profile->outer.lost ||
           profile_outer_add(profile, row, kind, actor, now, step);
}

/* A unit is active from now on, or no longer. */
bool profile_outer_unit(struct profile_outer *profile, uint32_t actor, const struct moment *now,
                        int step);

/* After the last. */
bool profile_outer_end(struct profile_outer *profile);

/* The range of the elapsed time of a row, of which the estimate is known, and that it is no longer
 * than the sum of times of its actors. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum);

/* The same of the time in the row itself while one unit is active, and while another number is. */
csy_range profile_outer_alone(const struct profile_outer *profile, uint32_t row, int64_t estimate,
                              const csy_range *sum);
csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum);

/* How many actors are in it at once, at most. */
csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate);

#endif
