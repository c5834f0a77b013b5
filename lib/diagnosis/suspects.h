/* Computes how much of a contradiction is left if a clock was set, has its own rate, or is left
 * out. It uses only the constraints between clocks in each part of the trace (graph/windows.h), so
 * the records are not read again. See doc/diagnosis.md, Causes. */
#ifndef DIAGNOSIS_SUSPECTS_H
#define DIAGNOSIS_SUSPECTS_H

#include "graph/windows.h"

/* A cause explains a contradiction if the timestamp error becomes smaller by this factor when the
 * cause is assumed: a clock was set (STEP), clocks drift, or one clock is bad. */
enum { SUSPECT_STEP_FACTOR = 8, SUSPECT_DRIFT_FACTOR = 8, SUSPECT_BAD_FACTOR = 8 };

/* A window is a part of the trace. Windows are combined into this number of groups, because a
 * single window may be too short. */
enum { SUSPECT_GROUPS = 16 };

struct suspects {
    const struct windows *windows; /* constraints between clocks, for each part of the trace */
    size_t anchor;                 /* the clock that other clocks are compared with */
    csy_fraction twice;            /* twice the timestamp error of the whole trace */
    struct joint_cycle cycle;      /* the cycle of constraints that causes this error */
    csy_fraction *alone;           /* alone[w]: twice the timestamp error of window w only */
    /* number of parts of the trace that, each for itself, need a timestamp error of more than half
     * a tick */
    size_t contradicting;
    csy_fraction most_alone;
    struct joint joint, wider; /* scratch memory for n clocks, and for n + 1 clocks */
};

/* Prepare the search for causes. `windows` must outlive s. Time: O(K n^2) for K windows and n
 * clocks, and K times as long as finding the timestamp error of one window. */
csy_status suspects_init(struct suspects *s, const struct windows *windows, size_t anchor,
                         csy_error *error);
void suspects_fini(struct suspects *s);

bool suspects_explains(csy_fraction left, csy_fraction whole, int64_t factor);

/* A place where a clock was set. `left` is twice the timestamp error that remains if the clock is
 * treated as two clocks, one before and one after it was set. */
struct suspect_step {
    csy_fraction left;
    size_t first, last; /* the clock was set in one of the windows `first` to last - 1 */
    /* twice the timestamp error, without a cut, of the step and an eighth of the trace around it */
    csy_fraction near;
    bool bounded; /* true if the size of the step is known to be from `least` to `most` */
    int64_t least, most;
};

/* Find where this clock may have been set. With K windows and n clocks, up to 16 + K / 16 places
 * are tried, each in O(K n^2). */
void suspects_step(struct suspects *s, size_t clock, struct suspect_step *out);

/* Estimate the rates of all clocks, and return twice the timestamp error that remains with these
 * rates. rate[t] becomes how much faster clock t runs than the clock s->anchor, in parts of 10^12,
 * or 0 if unknown. unsure[t] becomes the greatest distance between the lower and the upper bound of
 * the clock's offset. `shift` is scratch memory with room for n numbers for each window. */
csy_fraction suspects_drift(struct suspects *s, int64_t *shift, int64_t *rate, int64_t *unsure);

/* Returns the time between the first and the last reading of the clock s->anchor, in ticks. */
int64_t suspects_span(const struct suspects *s);

/* Returns twice the timestamp error that remains if this clock is ignored. *lasting becomes true if
 * the clock contradicts other clocks in many parts of the trace. */
csy_fraction suspects_without(struct suspects *s, size_t clock, bool *lasting);

/* Estimate the offset of each clock t from the clock s->anchor. g[t] becomes the median over all
 * windows (parts of the trace) with a lower and an upper bound of the offset. known[t] becomes
 * false if there are too few such windows. */
csy_status suspects_offsets(struct suspects *s, int64_t *g, bool *known, csy_error *error);

#endif
