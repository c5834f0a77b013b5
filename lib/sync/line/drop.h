/* The profile of delta: the timestamp error (delta) that remains if the k records that require the
 * greatest delta are left out. See doc/algorithms.md, The profile of delta. Records are chosen in
 * rounds. In each round, the trace is divided into stretches, and each stretch gives at most one
 * set of contradictory constraints that need more than a given delta. From each set, the record
 * that is earliest relative to its estimated time is left out. Times are estimated by least
 * squares. A thread's first record is never left out. */
#ifndef SYNC_LINE_DROP_H
#define SYNC_LINE_DROP_H

#include "sync/solution.h"

/* Limit of passes for a profile, and a lower limit with more than DROP_FEW_THREADS threads. */
enum { DROP_PASSES_MAX = 60, DROP_FEW_THREADS = 8, DROP_PASSES_MANY_THREADS = 32 };

/* At most one record in DROP_ONE_IN may be left out. */
enum { DROP_ONE_IN = 100 };

/* Returns CSY_USAGE if more than one record in DROP_ONE_IN would be left out. */
csy_status drop_check(const struct csy_sync *sync, uint64_t number, csy_error *error);

struct drop_entries {
    csy_profile_entry *items;
    size_t count, capacity;
};

/* Leave out up to `most` records, and list them in sync->survey. `entries`, empty at first, becomes
 * delta for 0, 1, 2, 5, 10, 20, ... of them; the caller frees entries->items. `twice` is 2 delta
 * with all records. `sparing` limits the passes; *cut_short tells if the limit was reached. */
csy_status drop_records(struct csy_trace *trace, struct csy_sync *sync, csy_fraction twice,
                        uint64_t most, bool sparing, struct drop_entries *entries, bool *cut_short,
                        csy_error *error);

#endif
