/* What is stored to read a trace of messages again, instead of its points
 * (sync/partial/replayed.h). */
#ifndef SYNC_REPLAY_KEPT_H
#define SYNC_REPLAY_KEPT_H

#include "clock/points.h"
#include "fast/fast.h"
#include "order/meet_members.h"
#include "order/shared_ends.h"

/* The name of a channel, in a list. */
struct replayed_name {
    struct replayed_name *next;
    char text[];
};

struct replayed {
    struct stream_start *starts; /* one for each location */
    size_t nlocations;
    struct meet_member *members; /* members of groups */
    size_t nmembers;
    struct shared_keys shared;   /* channels with several locations */
    struct shared_keys open;     /* channels that lack receives */
    struct points points;        /* in x; pairs refer to these points */
    csy_backward ours;           /* counts of all messages, set with the inversions */
    struct replayed_name *names; /* channels that steps of constraints name */
    bool exact;                  /* delta is 0: timestamps show which location used `shared` */
    bool failed;                 /* the trace cannot be read again, and must be read the ordinary
                                  * way */
};

void replayed_free(struct replayed *replayed);

#endif
