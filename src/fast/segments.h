/*
 * Plain records by several threads: segments of the record file, each taken by one of them.
 *
 *   file   |----- 0 -----|----- 1 -----|----- 2 -----|----- 3 -----|   segments of equal size
 *   worker A takes 0, lands 0,         takes 2 ...
 *   worker B takes 1,        lands 1,         takes 3 ...
 *
 * A worker does not know the records before its segment.  It guesses where the first record begins,
 * and that all clocks run on from where the lane last knew them.  Segments land in order, one at a
 * time, and landing proves both: the records before end where the first one was thought to begin,
 * and each live interval's first record stands at the x that the clocks now known give it.
 * Neighbours' constraints are minima, so those of a segment are merged into the sweep's; what was
 * written is passed on.  A segment that cannot land is forgotten: its records go the lane's way
 * (fast/lane.h), or the ordinary one, and segments are tried again farther on.  So the outcome does
 * not depend on the number of threads.
 *
 * What may go wrong with a guess of x only: distances from the greatest x so far, which the lane
 * limits.  A segment keeps to half of that limit and must begin within half of it.
 */
#ifndef FAST_SEGMENTS_H
#define FAST_SEGMENTS_H

#include "fast/lane.h"

/* Where records with global stamps go. */
struct segments_sink {
    void *user;
    /* Where the next so many bytes go.  Called in order, by one thread at a time. */
    uint64_t (*claim)(void *user, size_t size);
    /* Put them there.  Called by any thread, and side by side. */
    void (*place)(void *user, const uint8_t *bytes, size_t size, uint64_t at);
};

/* Take plain records, with as many threads as the trace may use; none where that is not worth
 * while.  sink: NULL for the sweep, if there is one.  Of *taken, only records, previous and
 * previous_x are set. */
csy_status segments_run(struct lane *lane, const struct segments_sink *sink,
                        struct lane_taken *taken, csy_error *error);

#endif
