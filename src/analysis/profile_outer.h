/*
 * Elapsed time of routines by outer places (analysis/outer.h): for how long an actor may have been
 * in a row, and must have been, where it is not known in which order actors went in and out.
 */
#ifndef ANALYSIS_PROFILE_OUTER_H
#define ANALYSIS_PROFILE_OUTER_H

#include "analysis/outer.h"
#include "base/texts.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

/* What a row's elapsed time is of: actors in its routine itself, or in what that calls, too. */
enum outer_kind { OUTER_DIRECT, OUTER_INSIDE, OUTER_KINDS };

/* Of a row and a kind, one end. */
struct outer_presence {
    int64_t actors, since; /* so many are there, and some since then */
    int128 ticks;
};

struct profile_outer {
    bool known;
    struct outer outer;
    struct texts by; /* rows and kinds with actors; for each: */
    int32_t (*depths)[OUTER_ENDS];
    size_t depths_capacity;
    struct outer_presence (*rows)[OUTER_ENDS]; /* by row and kind */
    size_t nrows, rows_capacity;
};

/* reach must outlive it; NULL: nothing is known. */
void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync);
void profile_outer_fini(struct profile_outer *profile);

/* An actor is once more in a row, or once less; false on no memory. */
bool profile_outer_step(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                        uint32_t actor, const struct moment *now, int step);

/* After the last. */
bool profile_outer_end(struct profile_outer *profile);

/* The range of the elapsed time of a row, of which the estimate is known, and that it is no longer
 * than the sum of times of its actors. */
csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum);

#endif
