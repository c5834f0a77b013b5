/* Lamport's clocks for one buffer: global times that follow the order regardless of local clocks.
 * See [BHH08] Figure 1 (b) and (c), and doc/algorithms.md, Other methods.
 *
 *    counters:  time(e) = time(record before) + 1
 *    clock:     time(e) = max(time(record before) + 1, time(own record before) + local time since)
 *
 * Counters and clocks move single records, so a thread does not have one offset. */
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
    /* global time of the last record; before the first record: the time that this record gets */
    int64_t global_ticks;
    struct lamport_thread *threads;
    size_t count, capacity;
};

/* Start Lamport's clocks so that the first record gets the time origin_ticks. */
void lamport_init(struct lamport *l, bool counters, int64_t origin_ticks);
void lamport_fini(struct lamport *l);

/* Find the global time of the buffer's next record. Returns CSY_INPUT if it exceeds 64 bits. */
csy_status lamport_next(struct lamport *l, uint32_t thread, int64_t local_ticks,
                        int64_t *global_ticks, csy_error *error);

#endif
