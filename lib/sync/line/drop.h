/* The profile of delta tells which delta remains without the k records that require the most. See
 * doc/algorithms.md, The profile of delta.
 *
 * Records are chosen in rounds. A round looks for cycles that require more than a level, one in
 * each of many stretches of the trace, so that no two cycles share a record. In each cycle, the
 * record is left out that is earliest relative to its estimated place. Estimates are offsets by
 * least squares, which a few records hardly change. The first record of a thread stays, because
 * each clock needs a beginning. */
#ifndef SYNC_LINE_DROP_H
#define SYNC_LINE_DROP_H

#include "sync/solution.h"

/* Profiles for reports end after this many passes over the records; with many threads, passes take
 * longer. */
enum { DROP_PASSES_MAX = 60, DROP_FEW_THREADS = 8, DROP_PASSES_MANY_THREADS = 32 };

/* At most one record in DROP_ONE_IN may be left out. */
enum { DROP_ONE_IN = 100 };

/* CSY_USAGE if more than one record in DROP_ONE_IN would be left out. */
csy_status drop_check(const struct csy_sync *sync, uint64_t number, csy_error *error);

struct drop_entries {
    csy_profile_entry *items;
    size_t count, capacity;
};

/* Leave out up to `most` records; sync->survey then lists them. `entries` must be empty. It gets an
 * entry for 0, 1, 2, 5, 10, 20, ... up to `most` records with the remaining delta, and ends at
 * delta 0. The caller frees its items. twice is 2 delta with all records. sparing: stop after the
 * number of passes above, and set *cut_short. */
csy_status drop_records(struct csy_trace *trace, struct csy_sync *sync, csy_fraction twice,
                        uint64_t most, bool sparing, struct drop_entries *entries, bool *cut_short,
                        csy_error *error);

#endif
