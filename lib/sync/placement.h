/* Computes the global time of an event from its clock, and back.
 *
 *    global time = local time + offset of the clock
 *
 * Only this module and clock/global.h compute this sum. The global time of an event also depends on
 * earlier events if the method is Lamport's, or if times must not decrease (--monotonic);
 * placement_next takes that into account. */
#ifndef SYNC_PLACEMENT_H
#define SYNC_PLACEMENT_H

#include "clock/global.h"
#include "sync/solution.h"

/* Returns the global time of a local time on a drifting clock. */
int128 placement_drifting(const struct csy_sync *sync, size_t thread, int64_t local_ticks);

/* Returns the global time of a local time on the thread's clock. */
static inline int128 placement_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    return sync->drift ? placement_drifting(sync, thread, local_ticks)
                       : placement_global(sync->views[thread].offset_ticks, local_ticks);
}

/* Set *begin to the global time when the event begins or, if the event is no interval, to its only
 * time. Returns CSY_INPUT if the begin of an event without a .pex record exceeds 64 bits. */
csy_status placement_event_begin(const struct csy_sync *sync, const struct event *event,
                                 const csy_event *placed, bool *interval, int64_t *begin,
                                 csy_error *error);

/* Returns the global time when a .pex record begins. If clocks drift, the clock determines it.
 * Otherwise begin and end have the same distance in local and in global time. */
int64_t placement_record_begin(const struct csy_sync *sync, const struct record *record,
                               size_t thread, int64_t global_ticks, int64_t local_ticks);

/* Lamport's clocks for one buffer: global times that follow the order of records. See [BHH08]
 * Figure 1 (b) and (c), and doc/algorithms.md, Other methods.
 *
 *    counters:  time = (time of the previous record) + 1
 *    clock:     time = max((time of the previous record) + 1,
 *                          (time of the thread's previous record) + (local time since then))
 *
 * Each record is moved by itself, so a thread has no constant offset. */
struct lamport_thread {
    bool started;
    int64_t local_ticks, global_ticks; /* times of the thread's last record */
    int128 offset; /* global time minus local time of the thread's first record */
};

struct lamport {
    bool counters;
    bool started;
    /* global time of the last record, or the origin of global time if there is none yet */
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

/* State of a pass that computes the global times of all events in the order of the buffer. */
struct placement {
    const struct csy_sync *sync;
    struct lamport lamport;
    int64_t greatest; /* greatest global time so far */
    /* for each thread: the piece of its clock's curve that was used last; NULL is valid */
    struct knots_line *lines;
};

/* Returns true if all events of a clock are shifted by the same offset. */
bool placement_moves_threads(const struct csy_sync *sync);

void placement_init(struct placement *placement, const struct csy_sync *sync);
void placement_fini(struct placement *placement);

/* Find the global time of the trace's next event. Returns CSY_INPUT if the trace has changed. */
csy_status placement_next(struct placement *placement, const struct event *event,
                          int64_t *global_ticks, csy_error *error);

#endif
