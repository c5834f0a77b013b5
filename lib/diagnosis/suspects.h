/* Computes how much of a contradiction is left if a clock was set, has its own rate, or is left
 * out. The windows of a trace (graph/windows.h) suffice, without another pass over the records. See
 * doc/diagnosis.md, Causes. */
#ifndef DIAGNOSIS_SUSPECTS_H
#define DIAGNOSIS_SUSPECTS_H

#include "graph/windows.h"

/* A cause explains a contradiction if 2 delta without the cause is smaller by this factor. */
enum { SUSPECT_STEP_FACTOR = 8, SUSPECT_DRIFT_FACTOR = 8, SUSPECT_BAD_FACTOR = 8 };

/* If single windows have too few constraints, they are combined into this many groups. */
enum { SUSPECT_GROUPS = 16 };

struct suspects {
    const struct windows *windows; /* at least SUSPECT_GROUPS */
    size_t anchor;                 /* the clock with which other clocks are compared */
    csy_fraction twice;            /* 2 delta of all windows together */
    struct joint_cycle cycle;      /* the cycle of constraints that needs this 2 delta */
    csy_fraction *alone;           /* 2 delta of each window */
    size_t contradicting;          /* number of windows that need a 2 delta above 1 */
    csy_fraction most_alone;
    struct joint joint, wider; /* scratch memory for n and for n + 1 vertices */
};

/* Prepare the search; `windows` must outlive s. O(K n^2) for K windows and n clocks, plus K
 * searches for the worst cycle of n clocks. */
csy_status suspects_init(struct suspects *s, const struct windows *windows, size_t anchor,
                         csy_error *error);
void suspects_fini(struct suspects *s);

bool suspects_explains(csy_fraction left, csy_fraction whole, int64_t factor);

/* The step of a clock that was set once: the 2 delta that remains, the windows around the step, and
 * the size of the step. */
struct suspect_step {
    csy_fraction left;
    size_t first, last; /* the clock was set in one of the windows first to last - 1 */
    csy_fraction near;  /* 2 delta of an eighth of the trace on either side */
    bool bounded;       /* the two members below are known */
    int64_t least, most;
};

/* Find the step of a clock. Up to 16 + K / 16 places are tried, each in O(K n^2). */
void suspects_step(struct suspects *s, size_t clock, struct suspect_step *out);

/* Find the 2 delta that is left if clocks have rates. rate[t] becomes how much faster clock t runs
 * than the anchor, in parts of 10^12, or 0 if unknown, and unsure[t] the error of its offsets in a
 * part of the trace. `shift` has room for n numbers for each window. */
csy_fraction suspects_drift(struct suspects *s, int64_t *shift, int64_t *rate, int64_t *unsure);

/* Returns the local time from the anchor's first reading to its last. */
int64_t suspects_span(const struct suspects *s);

/* Returns the 2 delta of the trace without this clock. *lasting becomes true if the clock
 * contradicts other clocks in many parts of the trace. */
csy_fraction suspects_without(struct suspects *s, size_t clock, bool *lasting);

/* Find the median of g[t] - g[anchor] over all windows that bound this difference. Returns false if
 * there are too few such windows. */
csy_status suspects_offsets(struct suspects *s, int64_t *g, bool *known, csy_error *error);

#endif
