/* What a solution keeps of a trace of messages whose points are not held
 * (sync/partial/replayed.h). */
#ifndef SYNC_REPLAY_KEPT_H
#define SYNC_REPLAY_KEPT_H

#include "clock/points.h"
#include "fast/fast.h"
#include "order/meet_members.h"
#include "order/shared_ends.h"

/* What a channel is called. */
struct replayed_name {
    struct replayed_name *next;
    char text[];
};

struct replayed {
    struct stream_start *starts; /* by location */
    size_t nlocations;
    struct meet_member *members; /* of groups */
    size_t nmembers;
    struct shared_keys shared;   /* channels that several locations share */
    struct shared_keys open;     /* channels of which receives are missing */
    struct points points;        /* in x, that pairs are from */
    csy_backward ours;           /* of all messages, once inversions are counted */
    struct replayed_name *names; /* of channels, that steps have */
    bool exact;                  /* delta is 0: timestamps show which location used `shared` */
    bool failed;                 /* it cannot be: the trace has to be read the ordinary way */
};

void replayed_free(struct replayed *replayed);

#endif
