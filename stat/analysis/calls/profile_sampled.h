/*
 * What a sampling profiler would say: routines that actors are in at moments that are so far apart,
 * each counted for that time, and time of callees given to callers as gprof gives it.
 *
 * A caller gets of a callee's time the part that its calls have in all calls of that, as if each
 * took as long.  Routines that call each other are one: what calls in gets parts of their sum, by
 * calls from outside.
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

/* After the last: by row, of which there are n with so many calls, its time and that with what it
 * calls.  O((rows + arcs) log arcs). */
csy_status sampled_times(struct sampled *sampled, size_t n, const uint64_t *calls,
                         int64_t *own_ticks, int64_t *all_ticks, csy_error *error);

#endif
