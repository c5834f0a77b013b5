/* How global times change the order of records, and distances within a thread. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

/* Times of the last record of a thread. */
struct damage_mark {
    bool set;
    int64_t local_ticks, global_ticks;
};

/* Add the next record of a thread to *damage and *sum: how far its distance to the previous record
 * differs from the distance on its own clock. Returns false if that exceeds 64 bits. */
bool damage_note(csy_damage *damage, int128 *sum, struct damage_mark *last, int64_t local_ticks,
                 int64_t global_ticks);

/* Where the records of a thread would be by its clock alone. */
struct correction_mark {
    bool set;
    int128 offset; /* of the thread; of its first record if the thread has no offset */
};

/* Add the next record of a thread to sync->correction, which measures how far global times are from
 * the times of the clock. */
void correction_note(struct csy_sync *sync, struct correction_mark *mark, size_t thread,
                     int64_t local_ticks, int64_t global_ticks);

/* True if global times must be measured, even if not `wanted`. At delta 0 there are no inversions
 * and no wrong neighbours, except steps back within a thread, which the paper's relaxation ignores.
 * Methods with one offset for each thread do no damage. */
bool measure_must(const struct csy_sync *sync, bool wanted);

/* Read the trace again with its global times. Sets the inversions in sync->imprecision, the wrong
 * neighbours in sync->order, sync->by_time, and, if damage is true, sync->damage. CSY_INPUT if a
 * damage exceeds 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

#endif
