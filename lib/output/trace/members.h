/* Global times of CSV threads that share a clock, or that have another name than their clock. */
#ifndef OUTPUT_TRACE_MEMBERS_H
#define OUTPUT_TRACE_MEMBERS_H

#include "sync/solution.h"

struct member {
    size_t clock; /* index of its clock, a csy_thread */
    size_t track; /* index of the csy_track */
    uint64_t records;
    int64_t begin, end; /* least and greatest global time of its records so far */
};

struct members {
    struct member *items; /* one member for each track, or NULL if no clock is shared */
    size_t n;
    size_t nclocks; /* number of clocks of these threads */
};

/* Returns true if a CSV clock has several threads, or one thread with another name. */
bool members_share(const csy_thread *clock);

csy_status members_init(struct members *members, const struct csy_sync *sync, csy_error *error);
void members_fini(struct members *members);

static inline void members_take(struct members *members, const csy_event *event)
{
    if (!members->items)
        return;
    struct member *member = &members->items[event->track];
    int64_t g = event->global_ticks;
    member->begin = member->records == 0 || g < member->begin ? g : member->begin;
    member->end = member->records == 0 || g > member->end ? g : member->end;
    member->records++;
}

/* After a pass, keep the threads on shared clocks, sorted by clock. O(tracks log tracks). */
void members_sort(struct members *members, const struct csy_sync *sync);

#endif
