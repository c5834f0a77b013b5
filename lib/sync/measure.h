/* Measures how global times change the order of records, and the time between records of a
 * thread. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

/* Times of the last record of a thread. */
struct damage_mark {
    bool set;
    int64_t local_ticks, global_ticks;
};

/* Add the next record of a thread to *damage and *sum. The damage is the difference between the
 * times since the previous record, by global time and by the thread's clock. Returns false if the
 * damage exceeds 64 bits. */
bool damage_note(csy_damage *damage, int128 *sum, struct damage_mark *last, int64_t local_ticks,
                 int64_t global_ticks);

/* Times that a thread's clock alone would give its records, as one offset for all of them. */
struct correction_mark {
    bool set;
    int128 offset; /* offset of the thread, or of its first record if the thread has no offset */
};

/* Add the next record of a thread to sync->correction, which compares global times with the times
 * that the thread's clock alone would give. */
void correction_note(struct csy_sync *sync, struct correction_mark *mark, size_t thread,
                     int64_t local_ticks, int64_t global_ticks);

/* Returns true if measure_solution must read the trace again: `wanted` is true, something was added
 * to the constraints, records were left out, or the local times of a thread step back. */
bool measure_must(const struct csy_sync *sync, bool wanted);

/* Read the trace again with its global times. Set the inversions in sync->imprecision, the wrong
 * neighbours in sync->order, and sync->by_time. If `damage` is true, also set sync->damage. Returns
 * CSY_INPUT if the damage of a record exceeds 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

/* --- A partial order (sync/partial/partial_measure.c) --- */

/* Count inversions in sync->imprecision: records whose global time is below the time of a preceding
 * record plus latencies. If `damage` is true, also set sync->damage and sync->correction, which
 * takes another pass. This takes 8 bytes for each point. */
csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error);

/* Read a loose trace once. Count inversions in sync->imprecision, and messages that are received
 * before they are sent in sync->partial->ours. This takes 8 bytes for each inversion, and memory
 * for pending messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

/* --- Records that were left out of the constraints, compared with their neighbours --- */

struct absentee {
    int64_t global_ticks;
    /* ticks by which the record is below the greatest global time of earlier records; negative:
     * ticks above the least of later records */
    int64_t early_ticks;
    int64_t greatest_ticks;
    /* least global time of the used records between this left-out record and the next one */
    int64_t least_ticks;
};

struct absent {
    struct absentee *items;
    size_t count, room;
    int64_t greatest_ticks;
};

/* Initialize the comparison for at most `room` left-out records; `room` may be 0. */
csy_status absent_init(struct absent *absent, size_t room, csy_error *error);
void absent_fini(struct absent *absent);

/* Take the records in the order of the buffer: call absent_add for each left-out record (at most
 * `room` times), and absent_other for all others. */
void absent_other(struct absent *absent, int64_t global_ticks);
void absent_add(struct absent *absent, int64_t global_ticks);

/* Set early_ticks of all left-out records. Call this after the last record. */
void absent_finish(struct absent *absent);

#endif
