/* Results as from a sampling profiler: at regular moments, the routines that actors are in are
 * counted. Each sample counts for the time between two moments. The time of callees is assigned to
 * callers as in gprof.
 *
 * A caller gets a share of the time of a callee: its number of calls divided by the number of all
 * calls of the callee, as if all calls took equally long. Routines that call each other form a
 * group. The callers of a group get shares of the total time of the group, in proportion to their
 * numbers of calls. */
#ifndef ANALYSIS_CALLS_PROFILE_SAMPLED_H
#define ANALYSIS_CALLS_PROFILE_SAMPLED_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/cellsync.h>

/* The calls of one row by another row. */
struct sampled_arc {
    uint32_t caller, callee;
    uint64_t calls;
};

struct sampled {
    int64_t ticks; /* time between two samples; 0: no samples are requested */
    int128 next;   /* global time of the next sample */
    struct texts arcs_by;
    struct sampled_arc *arcs;
    size_t narcs, arcs_capacity;
    uint64_t *samples; /* by row: number of samples */
    size_t nrows, rows_capacity;
};

/* Begin to sample every `ticks` ticks, at the global time `first`. */
void sampled_init(struct sampled *sampled, int64_t ticks, int64_t first);
void sampled_fini(struct sampled *sampled);

/* The number of samples up to a global time that were not returned by an earlier call. */
uint64_t sampled_until(struct sampled *sampled, int64_t global_ticks);

/* sampled_find adds samples to a row. sampled_call counts a call of one row by another. Both return
 * false if memory runs out. */
bool sampled_find(struct sampled *sampled, uint32_t row, uint64_t samples);
bool sampled_call(struct sampled *sampled, uint32_t caller, uint32_t callee);

/* Set the own time of each of n rows, and its time including callees, from the number of calls of
 * each row. Call it after the last sample. O((rows + arcs) log arcs). */
csy_status sampled_times(struct sampled *sampled, size_t n, const uint64_t *calls,
                         int64_t *own_ticks, int64_t *all_ticks, csy_error *error);

#endif
