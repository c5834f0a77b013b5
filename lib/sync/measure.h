/* Measures how global times change the order of records and the time between them. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

struct damage_mark {
    bool set;
    int64_t local_ticks, global_ticks;
};

/* Add the next record of a thread to *damage and *sum. The damage is the global time that has
 * passed since the previous record of the thread, minus the local time that has passed. Returns
 * false if it exceeds 64 bits. */
bool damage_note(csy_damage *damage, int128 *sum, struct damage_mark *last, int64_t local_ticks,
                 int64_t global_ticks);

/* A thread's constant offset. correction_note compares the offset of each record with it. */
struct correction_mark {
    bool set;
    int128 offset; /* offset of the thread, or of its first record if the thread has no offset */
};

void correction_note(struct csy_sync *sync, struct correction_mark *mark, size_t thread,
                     int64_t local_ticks, int64_t global_ticks);

/* Read the trace again. Count in *sync the records with a lower global time than an earlier
 * record, and the neighbours that step back in time. Set by_time and, if `damage` is true, the
 * damage (see damage_note). Returns CSY_INPUT if it exceeds 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

/* --- A partial order (sync/partial/partial_measure.c) --- */

/* Count in sync->imprecision the records with a lower global time than a record that precedes them.
 * If `damage` is true, read the trace again, and set sync->damage and sync->correction. Takes 8
 * bytes for each begin or end of a record. */
csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error);

/* Read a trace once if only sends, receives, and other roles order its events (trace.loose). Count
 * inversions, and messages received before they are sent (sync->partial->ours). 8 bytes for each
 * inversion, and memory for pending messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

/* --- Records that were left out of the constraints, compared with their neighbours --- */

struct absentee {
    int64_t global_ticks;
    /* If positive: an earlier record has a greater global time, by at most this much. If negative:
     * a later record has a lower global time. */
    int64_t early_ticks;
    int64_t greatest_ticks;
    /* least global time of the following records, up to the next record that was left out */
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

/* Call one of these functions for each record of the trace, in order: absent_add if no constraint
 * was made from the record, otherwise absent_other. At most `room` calls of absent_add are
 * allowed. */
void absent_other(struct absent *absent, int64_t global_ticks);
void absent_add(struct absent *absent, int64_t global_ticks);

/* Compute early_ticks of all items. Call this after the last record. */
void absent_finish(struct absent *absent);

/* --- Whether records are sorted by thread or by time ---
 *
 * Records in the order of writing to shared memory are unlikely to be sorted. See doc/diagnosis.md,
 * Causes. Unless delta was added to constraints, records are sorted by time if and only if all
 * constraints permit equal clocks. So the engine's results suffice, without another pass. */

/* Returns how records are sorted: by thread if no two threads overlap, or by time if by_time is
 * true. Returns CSY_SORTED_NOT for fewer than 13 records, or fewer than four per thread. O(T). */
csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time);

/* Returns true if only reading the trace again can tell whether records are sorted by time. This is
 * so if clocks drift, or if there is a timestamp error. */
bool sorted_must_measure(const struct csy_sync *sync);

/* Set sync->order.sorted, or only sync->perhaps_sorted if there are too few records for certainty.
 * `measured` is true if the trace was read again for this. O(T^2) for T threads, or O(T W) with
 * bounds from graph/sweep.h and at most W threads live at once. */
void sorted_judge(struct csy_sync *sync, bool measured);

#endif
