/* What global times do to the order of the records and to the distances within a thread. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

/* The last record of a thread. */
struct damage_mark {
    bool set;
    int64_t local_ticks, global_ticks;
};

/* The next record of the thread: how far the distance from the one before is from what its own
 * clock says, into damage and *sum.  False where that leaves 64 bits. */
bool damage_note(csy_damage *damage, int128 *sum, struct damage_mark *last, int64_t local_ticks,
                 int64_t global_ticks);

/* Where the clock of a thread puts its records. */
struct correction_mark {
    bool set;
    int128 offset; /* of the thread, or where it has none of its first record */
};

/* The next record of the thread: how far it is from there, into sync->correction. */
void correction_note(struct csy_sync *sync, struct correction_mark *mark, size_t thread,
                     int64_t local_ticks, int64_t global_ticks);

/* Whether global times must be looked at, if no caller wants it: delta = 0 leaves no inversion, and
 * no wrong neighbours, but a thread's own step back, which paper mode overlooks, and an offset a
 * thread no damage. */
bool measure_must(const struct csy_sync *sync, bool wanted);

/* Read the trace again with its global times: inversions into sync->imprecision, neighbours that
 * are wrong into sync->order, sync->by_time and, where damage is asked for, sync->damage.
 * CSY_INPUT where a damage leaves 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

#endif
