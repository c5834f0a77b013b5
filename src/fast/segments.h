/*
 * Plain records by several workers: segments of the file, each taken by one of them.
 *
 *   file   |----- 0 -----|----- 1 -----|----- 2 -----|----- 3 -----|   segments of equal size
 *   worker A takes 0, lands 0,         takes 2 ...
 *   worker B takes 1,        lands 1,         takes 3 ...
 *
 * A worker does not know the records before its segment.  It guesses where the first record begins,
 * and that all clocks run on from where they were last known.  Segments land in order, one at a
 * time, and landing proves both: the records before end where the first one was thought to begin,
 * and what was taken for granted of clocks holds.  Then the segment's run (fast/run.h) is joined to
 * what came before; what was written is passed on.  A segment that cannot land is forgotten: its
 * records are taken from the reader's buffer, or go the ordinary way, and segments are tried again
 * farther on.  So the outcome does not depend on the number of workers.
 *
 * This is the one scheduler, for records and rows; what they do differently is in struct fast_kind.
 */
#ifndef FAST_SEGMENTS_H
#define FAST_SEGMENTS_H

#include "fast/kind.h"

/* Take plain records, with as many workers as the trace may use; none where that is not worth
 * while.  sink: WRITING.  Of *taken, only records are set. */
csy_status segments_take(struct fast *fast, const struct fast_sink *sink, struct fast_taken *taken,
                         csy_error *error);

#endif
