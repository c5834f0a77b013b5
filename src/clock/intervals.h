/*
 * Records of a .pex -> live intervals and unwrapped local times.
 *
 * An SPE context's records between two of its switches are one live interval, a pseudo-thread whose
 * local time counts up from 0 at its first record.  Between consecutive records a, b of an interval
 *
 *   elapsed = r + m 2^32,  r = (decr_a - decr_b) mod 2^32,  m >= -1,
 *
 * where PPE stamps next to a and b say which m are possible: elapsed must lie in [L - B, U + B],
 *   U = (first PPE time after b) - (last before a)
 *   L = max(0, (last PPE time before b) - (first after a)),   an absent stamp meaning no limit.
 * None: the decrementer was written, the interval splits at b.  Several: the one of least magnitude
 * is taken and the gap counted as assumed.  cellsync-model(7), Live intervals and Unwrapping.
 *
 * "The first PPE time after b" has not been read when b passes.  So b is taken provisionally, and the
 * window between two PPE records remembers only which ends would overthrow what was taken in it
 * (constant space).  When the window's end does, the window is noted, `again` is set, and the caller
 * passes the trace once more with the noted windows known beforehand.  That is rare: it takes a
 * written decrementer, a PPE clock that runs back, or a PPE that is silent for a whole wrap.
 */
#ifndef CLOCK_INTERVALS_H
#define CLOCK_INTERVALS_H

#include "clock/threads.h"
#include "trace/record.h"

/* A window between two PPE records whose end must be known before it is entered. */
struct ppe_window {
    uint64_t opened_at; /* position of the PPE record that opens it */
    int64_t end_ticks;  /* PPE time that closes it */
};

struct ppe_windows {
    struct ppe_window *items;
    size_t count, capacity;
};

struct intervals;

/* threads is filled; known (may be NULL) are the windows noted by an earlier pass, which must
 * outlive the object; imprecision_ticks is B, at most IMPRECISION_MAX_TICKS. */
csy_status intervals_new(struct threads *threads, int64_t imprecision_ticks,
                         const struct ppe_windows *known, struct intervals **out,
                         csy_error *error);
void intervals_free(struct intervals *iv);

#define IMPRECISION_MAX_TICKS ((int64_t)1 << 30)

/* B: 10 ms in ticks, and no more than a quarter of a wrap. */
int64_t intervals_imprecision(uint64_t timebase_hz);

/* Take the next record: which thread it belongs to and its local time.  name is the record file's,
 * for messages. */
csy_status intervals_push(struct intervals *iv, const struct record *record, const char *name,
                          uint32_t *thread, int64_t *local_ticks, csy_error *error);

/* The live interval that the record just taken ended (its own last record stands before), or
 * NO_THREAD.  Intervals that nothing ends are live to the end of the trace. */
uint32_t intervals_ended(const struct intervals *iv);

/* The last record has passed.  *again: the windows in `noted` were missing; pass once more with
 * them.  noted then belongs to the caller. */
void intervals_finish(struct intervals *iv, bool *again, struct ppe_windows *noted,
                      csy_clock_report *report);

#endif
