/* Measures how global times change the order of records, and distances within a thread. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

/* Times of the last record of a thread. */
struct damage_mark {
    bool set;
    int64_t local_ticks, global_ticks;
};

/* Add the next record of a thread to *damage and *sum. The damage is how far the distance to the
 * previous record differs from the distance on its clock. Returns false if it exceeds 64 bits. */
bool damage_note(csy_damage *damage, int128 *sum, struct damage_mark *last, int64_t local_ticks,
                 int64_t global_ticks);

/* The offset with which the clock of a thread alone would place its records. */
struct correction_mark {
    bool set;
    int128 offset; /* offset of the thread, or of its first record if the thread has no offset */
};

/* Add the next record of a thread to sync->correction, which measures how far global times are from
 * the times of the clock. */
void correction_note(struct csy_sync *sync, struct correction_mark *mark, size_t thread,
                     int64_t local_ticks, int64_t global_ticks);

/* Returns true if global times must be measured, even if `wanted` is false. At delta 0 there are no
 * inversions and no wrong neighbours. The exception is a step back within a thread, which the
 * paper's relaxation ignores. Methods with one offset for each thread do no damage. */
bool measure_must(const struct csy_sync *sync, bool wanted);

/* Read the trace again with its global times. Set the inversions in sync->imprecision, the wrong
 * neighbours in sync->order, and sync->by_time. If `damage` is true, also set sync->damage. Returns
 * CSY_INPUT if a damage exceeds 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

#endif
