/* Computes how much of a contradiction is left if a clock was set, has its own rate, or is left
 * out. The constraints in the windows (graph/windows.h) suffice for this, so the records are not
 * read again. See doc/diagnosis.md, Causes. */
#ifndef DIAGNOSIS_SUSPECTS_H
#define DIAGNOSIS_SUSPECTS_H

#include "graph/windows.h"

/* A cause explains a contradiction if the timestamp error without it is smaller by this factor. */
enum { SUSPECT_STEP_FACTOR = 8, SUSPECT_DRIFT_FACTOR = 8, SUSPECT_BAD_FACTOR = 8 };

/* Single windows (parts of the trace) may be too small, so they are combined into groups. */
enum { SUSPECT_GROUPS = 16 };

struct suspects {
    const struct windows *windows; /* the parts of the trace; at least SUSPECT_GROUPS windows */
    size_t anchor;                 /* the clock with which other clocks are compared */
    csy_fraction twice;            /* twice the timestamp error that all windows together need */
    struct joint_cycle cycle;      /* the cycle of constraints between clocks that needs it */
    csy_fraction *alone;           /* for each window alone: twice its timestamp error */
    /* number of windows for which `alone` is greater than one tick */
    size_t contradicting;
    csy_fraction most_alone;
    struct joint joint, wider; /* scratch memory for n and for n + 1 clocks */
};

/* Prepare the search. `windows` must outlive s. For K windows and n clocks, this takes O(K n^2),
 * and K times as long as finding the timestamp error of one window. */
csy_status suspects_init(struct suspects *s, const struct windows *windows, size_t anchor,
                         csy_error *error);
void suspects_fini(struct suspects *s);

bool suspects_explains(csy_fraction left, csy_fraction whole, int64_t factor);

/* A step of a clock. `left` is twice the timestamp error that remains if the clock is cut there. */
struct suspect_step {
    csy_fraction left;
    size_t first, last; /* the clock was set in one of the windows from `first` to last - 1 */
    /* twice the timestamp error, without a cut, of the step and an eighth of the trace around it */
    csy_fraction near;
    bool bounded; /* true if the size of the step is known to be from `least` to `most` */
    int64_t least, most;
};

/* Find where a clock may have been set. Up to 16 + K / 16 places are tried, each in O(K n^2). */
void suspects_step(struct suspects *s, size_t clock, struct suspect_step *out);

/* Estimate the rates of clocks, and return twice the timestamp error that remains with them.
 * rate[t] becomes how much faster clock t runs than the anchor, in parts of 10^12, or 0 if unknown.
 * unsure[t] becomes the width of its offsets' bounds. `shift` has room for n numbers a window. */
csy_fraction suspects_drift(struct suspects *s, int64_t *shift, int64_t *rate, int64_t *unsure);

/* Returns how much time the anchor showed between its first and its last reading, in ticks. */
int64_t suspects_span(const struct suspects *s);

/* Returns twice the timestamp error of the trace without this clock. *lasting becomes true if the
 * clock contradicts other clocks in many parts of the trace. */
csy_fraction suspects_without(struct suspects *s, size_t clock, bool *lasting);

/* Estimate offsets: g[t] becomes the median offset of clock t from the anchor, over all windows in
 * which both bounds are finite. known[t] becomes false if there are too few such windows. */
csy_status suspects_offsets(struct suspects *s, int64_t *g, bool *known, csy_error *error);

#endif
