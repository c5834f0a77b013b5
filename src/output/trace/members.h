/*
 * The threads of a CSV that share clocks, or whose clock has another name: where each is in global
 * time.
 */
#ifndef OUTPUT_TRACE_MEMBERS_H
#define OUTPUT_TRACE_MEMBERS_H

#include "sync/solution.h"

struct member {
    size_t track;       /* index of its csy_track */
    uint64_t records;   /* so far, as the rest */
    int64_t begin, end; /* global times of its records, least and greatest */
};

struct members {
    struct member *items; /* by track, then sorted; NULL: there are none */
    size_t n;
    size_t nclocks; /* on which they run */
};

/* Whether several threads of a CSV share the clock, or one of another name. */
bool members_share(const csy_thread *clock);

/* For a pass over all events. */
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

/* After it: those on clocks that are shared stay, clock by clock.  O(tracks log tracks). */
csy_status members_sort(struct members *members, const struct csy_sync *sync, csy_error *error);

#endif
