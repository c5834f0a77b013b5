/*
 * The fast lane of a CSV: plain rows of known threads, many at a time, in as many threads of the
 * system as the trace may have.
 *
 * Rows are digested (fast/plain_rows.h) where they stand in the reader's buffer.  Where all has
 * gone well for a while the file ahead is cut into segments, which are digested side by side:
 *
 *     reader's buffer | segment 0 | segment 1 | ... segment n - 1 |
 *
 * A segment takes the rows that begin in it, the first of them behind the first newline; that a row
 * does begin there is proved when the segment before has ended there, and what is not proved is
 * thrown away.  So what comes out does not depend on how many threads there are.  No more bytes are
 * cut than have gone well since the last odd row: in vain is at most as much done as to some
 * purpose.
 *
 * Whatever is not plain stops the lane and goes the ordinary way (clock/timeline.h).
 */
#ifndef FAST_ROWS_LANE_H
#define FAST_ROWS_LANE_H

#include "fast/plain_rows.h"

struct rows_lane;

/* Whether a trace has rows, and of clocks that the lane knows by their threads. */
bool rows_lane_knows(const struct csy_trace *trace);

/* sweep takes the constraints; no thread of it dies while the lane lives. */
csy_status rows_lane_new(struct timeline *timeline, struct rebase *rough, struct sweep *sweep,
                         struct rows_lane **out, csy_error *error);
void rows_lane_free(struct rows_lane *lane);

/* A row has gone the ordinary way. */
void rows_lane_note(struct rows_lane *lane, const struct event *event);

/* Take as many rows as go well.  *thread and *x are those of the last one, if there is one. */
csy_status rows_lane_run(struct rows_lane *lane, uint32_t *thread, int64_t *x, csy_error *error);

#endif
