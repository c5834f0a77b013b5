/* Computes how much of a contradiction is left if a clock was set, has its own rate, or is left
 * out. The windows of a trace (graph/windows.h) suffice, without another pass over the records. See
 * doc/diagnosis.md, Causes. */
#ifndef DIAGNOSIS_SUSPECTS_H
#define DIAGNOSIS_SUSPECTS_H

#include "graph/windows.h"

/* A cause explains a contradiction if it divides 2 delta by this factor. */
enum { SUSPECT_STEP_FACTOR = 8, SUSPECT_DRIFT_FACTOR = 8, SUSPECT_BAD_FACTOR = 8 };

/* Windows are combined into this many groups if single ones contain too little. */
enum { SUSPECT_GROUPS = 16 };

struct suspects {
    const struct windows *windows; /* at least SUSPECT_GROUPS */
    size_t anchor;                 /* clock that others are compared with */
    csy_fraction twice;            /* 2 delta of all windows together */
    struct joint_cycle cycle;      /* cycle that needs this 2 delta */
    csy_fraction *alone;           /* 2 delta of each window */
    size_t contradicting;          /* number of windows with 2 delta above 1 */
    csy_fraction most_alone;
    struct joint joint, wider; /* scratch: n and n + 1 vertices */
};

/* Prepare. windows must outlive s. O(K n^2), and K searches for the worst cycle of n clocks. */
csy_status suspects_init(struct suspects *s, const struct windows *windows, size_t anchor,
                         csy_error *error);
void suspects_fini(struct suspects *s);

bool suspects_explains(csy_fraction left, csy_fraction whole, int64_t factor);

/* A clock that was set forward once: 2 delta that is left, between which windows, and by how
 * much. */
struct suspect_step {
    csy_fraction left;
    size_t first, last; /* the step is in windows first to last - 1 */
    csy_fraction near;  /* 2 delta of an eighth of the trace on either side */
    bool bounded;       /* the next two numbers are known */
    int64_t least, most;
};

/* Find the step of a clock. O(K n^2) for each of the 16 + K / 16 places tried. */
void suspects_step(struct suspects *s, size_t clock, struct suspect_step *out);

/* Find the 2 delta that is left if clocks have rates. rate[t] becomes how much faster clock t runs
 * than the anchor, in parts of 10^12, or 0 if unknown, and unsure[t] the error of its offsets in a
 * part of the trace. `shift` has room for n numbers for each window. */
csy_fraction suspects_drift(struct suspects *s, int64_t *shift, int64_t *rate, int64_t *unsure);

/* The anchor's local time between its first and last reading. */
int64_t suspects_span(const struct suspects *s);

/* Find the 2 delta that is left without this clock. *lasting is true if the clock contradicts the
 * others in many parts of the trace. */
csy_fraction suspects_without(struct suspects *s, size_t clock, bool *lasting);

/* Find the median over windows of g[t] - g[anchor], if enough windows bound it. */
csy_status suspects_offsets(struct suspects *s, int64_t *g, bool *known, csy_error *error);

#endif
