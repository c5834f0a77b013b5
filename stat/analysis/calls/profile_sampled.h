/* Results like those of a sampling profiler. At regular moments, the routines of all actors are
 * counted. Each sample stands for the time between two moments. The time of callees is assigned to
 * callers as in gprof.
 *
 * A caller's share of a callee's time is its part of all calls of the callee, as if calls took
 * equally long. Routines that call each other form a group. Callers of a group share its total time
 * in proportion to their numbers of calls. */
#ifndef ANALYSIS_CALLS_PROFILE_SAMPLED_H
#define ANALYSIS_CALLS_PROFILE_SAMPLED_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/cellsync.h>

/* The calls of one row in another row. */
struct sampled_arc {
    uint32_t caller, callee;
    uint64_t calls;
};

struct sampled {
    int64_t ticks; /* between two samples; 0: no samples */
    int128 next;   /* global time of the next sample */
    struct texts arcs_by;
    struct sampled_arc *arcs;
    size_t narcs, arcs_capacity;
    uint64_t *samples; /* number of each row's samples */
    size_t nrows, rows_capacity;
};

/* Begin to sample every `ticks` ticks, at the global time `first`. */
void sampled_init(struct sampled *sampled, int64_t ticks, int64_t first);
void sampled_fini(struct sampled *sampled);

/* The number of samples up to a global time since the last call. */
uint64_t sampled_until(struct sampled *sampled, int64_t global_ticks);

/* sampled_find adds samples to a row. sampled_call counts a call of one row in another. Both return
 * false if out of memory. */
bool sampled_find(struct sampled *sampled, uint32_t row, uint64_t samples);
bool sampled_call(struct sampled *sampled, uint32_t caller, uint32_t callee);

/* Set the own time of each of n rows, and its time with callees, after the last sample. calls:
 * number of calls of each row. O((rows + arcs) log arcs). */
csy_status sampled_times(struct sampled *sampled, size_t n, const uint64_t *calls,
                         int64_t *own_ticks, int64_t *all_ticks, csy_error *error);

#endif
