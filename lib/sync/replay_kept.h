/* The data that is stored to read a trace of messages again, if its points are not stored
 * (sync/partial/replayed.h). */
#ifndef SYNC_REPLAY_KEPT_H
#define SYNC_REPLAY_KEPT_H

#include "clock/points.h"
#include "fast/fast.h"
#include "order/meet_members.h"
#include "order/shared_ends.h"

/* The name of a channel. */
struct replayed_name {
    struct replayed_name *next;
    char text[];
};

struct replayed {
    struct stream_start *starts; /* by location */
    size_t nlocations;
    struct meet_member *members; /* members of groups */
    size_t nmembers;
    struct shared_keys shared;   /* channels that several locations share */
    struct shared_keys open;     /* channels with missing receives */
    struct points points;        /* in x: the points that the pairs refer to */
    csy_backward ours;           /* counts of all messages, set with the inversions */
    struct replayed_name *names; /* names of channels, for the steps of constraints */
    bool exact;                  /* delta is 0: timestamps show which location used `shared` */
    bool failed;                 /* reading again is not possible: the trace must be read the
                                    ordinary way */
};

void replayed_free(struct replayed *replayed);

#endif
