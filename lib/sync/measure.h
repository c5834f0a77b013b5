/* Measures how global times change the order of records and the time between them. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

struct damage_mark {
    bool set;
    int64_t local_ticks, global_ticks;
};

/* Add the next record of a thread to *damage and *sum. Damage is the difference between global and
 * local time since the thread's previous record. Returns false if it exceeds 64 bits. */
bool damage_note(csy_damage *damage, int128 *sum, struct damage_mark *last, int64_t local_ticks,
                 int64_t global_ticks);

/* A thread's constant offset. correction_note compares the offset of each record with it. */
struct correction_mark {
    bool set;
    int128 offset; /* offset of the thread, or of its first record if the thread has no offset */
};

void correction_note(struct csy_sync *sync, struct correction_mark *mark, size_t thread,
                     int64_t local_ticks, int64_t global_ticks);

/* Read the trace again. Set *sync's inversions, neighbours that step back, and by_time. If `damage`
 * is true, also set the damage. Returns CSY_INPUT if a damage exceeds 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

/* --- A partial order (sync/partial/partial_measure.c) --- */

/* Count inversions in sync->imprecision: records that are before a preceding record in global time.
 * If `damage` is true, another pass sets sync->damage and sync->correction. 8 bytes per point. */
csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error);

/* Read a trace once in which only sends, receives, and other roles order events (trace.loose).
 * Count inversions, and messages received before they are sent (sync->partial->ours). 8 bytes for
 * each inversion, and memory for pending messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

/* --- Records that were left out of the constraints, compared with their neighbours --- */

struct absentee {
    int64_t global_ticks;
    /* If positive, the record is too early: greatest earlier global time minus global_ticks. If
     * negative, it is too late: least later global time minus global_ticks. */
    int64_t early_ticks;
    int64_t greatest_ticks;
    /* least global time of other records before the next left-out one */
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

/* For each record in order, call absent_add if it was left out (up to `room`), or absent_other. */
void absent_other(struct absent *absent, int64_t global_ticks);
void absent_add(struct absent *absent, int64_t global_ticks);

/* Set early_ticks of all left-out records. Call this after the last record. */
void absent_finish(struct absent *absent);

/* --- Whether records are sorted by thread or by time ---
 *
 * Records in the order in which they were written to shared memory are unlikely to be sorted. See
 * doc/diagnosis.md, Causes. Unless delta was added to constraints, records are sorted by time if
 * and only if all constraints permit equal clocks. So the engine's results suffice, without another
 * pass. */

/* Returns how records are sorted: by thread if no two threads overlap, or by time if by_time is
 * true. Returns CSY_SORTED_NOT for fewer than 13 records, or fewer than four per thread. O(T). */
csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time);

/* Returns true if bounds cannot tell whether records are sorted by time, but a pass over the trace
 * can. This is so if clocks may drift or delta was added to constraints. */
bool sorted_must_measure(const struct csy_sync *sync);

/* Set sync->order.sorted, or if unsure, only sync->perhaps_sorted. `measured`: measure_solution has
 * set by_time. O(T W) with a sweep, O(T^2) otherwise, for T threads, W live at once. */
void sorted_judge(struct csy_sync *sync, bool measured);

#endif
