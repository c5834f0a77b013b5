/*
 * The profile of delta: what is left of it if the k records that ask for most are left out.
 * cellsync-model(7), The profile of delta.
 *
 * Records go in rounds.  A round looks for cycles that ask for more than a level, in each of many
 * stretches of the trace, so that no two share a record; of each, the record that is earliest
 * against its place goes, by offsets of least squares, which a few records hardly move.  A
 * thread's first record stays: each clock needs a place to begin.
 */
#ifndef SYNC_LINE_DROP_H
#define SYNC_LINE_DROP_H

#include "sync/solution.h"

/* Profiles for reports end after so many passes over the records; with more threads than a few each
 * pass takes longer. */
enum { DROP_PASSES_MAX = 60, DROP_FEW_THREADS = 8, DROP_PASSES_MANY_THREADS = 32 };

/* At most one record in so many. */
enum { DROP_ONE_IN = 100 };

/* CSY_USAGE where so many are more than one in DROP_ONE_IN of the records. */
csy_status drop_check(const struct csy_sync *sync, uint64_t number, csy_error *error);

struct drop_entries {
    csy_profile_entry *items;
    size_t count, capacity;
};

/* Leave out up to `most` records of the solution's survey, which then says which; entries (begun
 * empty, the caller frees the items) has the numbers 0, 1, 2, 5, 10, 20, ..., up to most, with
 * their deltas, and ends where delta is 0.  twice is 2 delta with all records.  sparing: end,
 * too, after that many passes, and set *cut_short.  */
csy_status drop_records(struct csy_trace *trace, struct csy_sync *sync, csy_fraction twice,
                        uint64_t most, bool sparing, struct drop_entries *entries, bool *cut_short,
                        csy_error *error);

#endif
