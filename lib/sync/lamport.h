/* Lamport's clocks for one buffer: global times that follow the order of records. See [BHH08]
 * Figure 1 (b) and (c), and doc/algorithms.md, Other methods.
 *
 *    counters:  time = (time of the previous record) + 1
 *    clock:     time = max((time of the previous record) + 1,
 *                          (time of the thread's previous record) + (local time since then))
 *
 * Each record is moved by itself, so a thread has no constant offset. */
#ifndef SYNC_LAMPORT_H
#define SYNC_LAMPORT_H

#include "base/number.h"

struct lamport_thread {
    bool started;
    int64_t local_ticks, global_ticks; /* times of the thread's last record */
    int128 offset; /* global time minus local time of the thread's first record */
};

struct lamport {
    bool counters;
    bool started;
    /* global time of the last record; at first, the global time for the first record */
    int64_t global_ticks;
    struct lamport_thread *threads;
    size_t count, capacity;
};

/* Start Lamport's clocks. The first record will get the global time origin_ticks. */
void lamport_init(struct lamport *l, bool counters, int64_t origin_ticks);
void lamport_fini(struct lamport *l);

/* Find the next record's global time. Returns CSY_INPUT if it exceeds 64 bits. */
csy_status lamport_next(struct lamport *l, uint32_t thread, int64_t local_ticks,
                        int64_t *global_ticks, csy_error *error);

#endif
