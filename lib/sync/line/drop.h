/* The profile of delta tells which delta remains without the k records that require the most. See
 * doc/algorithms.md, The profile of delta. Records are chosen in rounds. A round looks for cycles
 * that require more than a given level of delta. At most one cycle is taken from each of many
 * stretches of the trace, so that no two cycles share a record. From each cycle, the record that is
 * earliest relative to its estimated place is left out. Places are estimated by least squares,
 * which a few records hardly change. The first record of a thread stays, because each clock needs a
 * beginning. */
#ifndef SYNC_LINE_DROP_H
#define SYNC_LINE_DROP_H

#include "sync/solution.h"

/* Profiles for reports end after this many passes over the records. The limit is lower for many
 * threads, because a pass takes longer. */
enum { DROP_PASSES_MAX = 60, DROP_FEW_THREADS = 8, DROP_PASSES_MANY_THREADS = 32 };

/* At most one record in DROP_ONE_IN may be left out. */
enum { DROP_ONE_IN = 100 };

/* Returns CSY_USAGE if more than one record in DROP_ONE_IN would be left out. */
csy_status drop_check(const struct csy_sync *sync, uint64_t number, csy_error *error);

struct drop_entries {
    csy_profile_entry *items;
    size_t count, capacity;
};

/* Leave out up to `most` records, which sync->survey then lists. The empty list `entries` gets the
 * remaining delta for 0, 1, 2, 5, 10, 20, ... left-out records, up to `most` records or delta 0.
 * The caller frees its items. The parameter `twice` is 2 delta with all records. If `sparing` is
 * true, the search stops after the number of passes above, and sets *cut_short. */
csy_status drop_records(struct csy_trace *trace, struct csy_sync *sync, csy_fraction twice,
                        uint64_t most, bool sparing, struct drop_entries *entries, bool *cut_short,
                        csy_error *error);

#endif
