/*
 * Results of a sampling profiler: the routines that actors are in at regular moments, each counted
 * for the time between two moments.  The time of callees goes to callers as in gprof.
 *
 * A caller gets the part of a callee's time that its calls have in all calls of the callee, as if
 * each call took equally long.  Routines that call each other form a group: its callers get parts
 * of the group's sum, by their numbers of calls.
 */
#ifndef ANALYSIS_CALLS_PROFILE_SAMPLED_H
#define ANALYSIS_CALLS_PROFILE_SAMPLED_H

#include "base/number.h"
#include "base/texts.h"

#include <cellsync/cellsync.h>

/* Calls of one row by another one. */
struct sampled_arc {
    uint32_t caller, callee;
    uint64_t calls;
};

struct sampled {
    int64_t ticks; /* between samples; 0: none are wanted */
    int128 next;   /* when the next one is */
    struct texts arcs_by;
    struct sampled_arc *arcs;
    size_t narcs, arcs_capacity;
    uint64_t *samples; /* by row */
    size_t nrows, rows_capacity;
};

/* So many ticks from one sample to the next, from a moment in global time on. */
void sampled_init(struct sampled *sampled, int64_t ticks, int64_t first);
void sampled_fini(struct sampled *sampled);

/* How many samples are taken before that moment that were not yet. */
uint64_t sampled_until(struct sampled *sampled, int64_t global_ticks);

/* So many found a row; and a call of one by another.  False on no memory. */
bool sampled_find(struct sampled *sampled, uint32_t row, uint64_t samples);
bool sampled_call(struct sampled *sampled, uint32_t caller, uint32_t callee);

/* Call it last: set the own time of each of n rows, given the calls of each, and the time including
 * callees.  O((rows + arcs) log arcs). */
csy_status sampled_times(struct sampled *sampled, size_t n, const uint64_t *calls,
                         int64_t *own_ticks, int64_t *all_ticks, csy_error *error);

#endif
