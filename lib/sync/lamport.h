/* Lamport's clocks over one buffer: global times that follow the order regardless of the local
 * clocks. [BHH08] Figure 1 (b) and (c); doc/algorithms.md, Other methods.
 *
 *   counters:  time(e) = time(record before) + 1
 *   clock:     time(e) = max(time(record before) + 1, time(own record before) + local time since)
 *
 * Both move single records, so threads have no single offset. */
#ifndef SYNC_LAMPORT_H
#define SYNC_LAMPORT_H

#include "base/number.h"

struct lamport_thread {
    bool started;
    int64_t local_ticks, global_ticks; /* local and global time of its last record */
    int128 offset;                     /* global time minus local time of its first record */
};

struct lamport {
    bool counters;
    bool started;
    /* global time of the last record; at the start, the global time for the first record */
    int64_t global_ticks;
    struct lamport_thread *threads;
    size_t count, capacity;
};

/* The first record will have the time origin_ticks. */
void lamport_init(struct lamport *l, bool counters, int64_t origin_ticks);
void lamport_fini(struct lamport *l);

/* The global time of the next record in the order of the buffer. CSY_INPUT if it exceeds 64
 * bits. */
csy_status lamport_next(struct lamport *l, uint32_t thread, int64_t local_ticks,
                        int64_t *global_ticks, csy_error *error);

#endif
