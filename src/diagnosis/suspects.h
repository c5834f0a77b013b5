/*
 * What would be left of a contradiction if a clock had been set, had a rate of its own, or were
 * left out: answered from the windows of a trace, without another pass over it.
 * cellsync-model(7), Diagnosis.
 */
#ifndef DIAGNOSIS_SUSPECTS_H
#define DIAGNOSIS_SUSPECTS_H

#include "graph/windows.h"

/* How far 2 delta must fall for a cause to explain it. */
enum { SUSPECT_STEP_FACTOR = 8, SUSPECT_DRIFT_FACTOR = 8, SUSPECT_BAD_FACTOR = 8 };

/* Parts that the windows are put into where a window by itself says too little. */
enum { SUSPECT_GROUPS = 16 };

struct suspects {
    const struct windows *windows; /* at least SUSPECT_GROUPS */
    size_t anchor;                 /* the clock that others are told by */
    csy_fraction twice;            /* 2 delta of all windows joined */
    struct joint_cycle cycle;      /* that asks for it */
    csy_fraction *alone;           /* 2 delta of each window by itself */
    size_t contradicting;          /* windows with more than 1 */
    csy_fraction most_alone;
    struct joint joint, wider; /* of n and n + 1 vertices, to work with */
};

/* Windows must outlive it.  O(K n^2) and K searches for the worst cycle of n clocks. */
csy_status suspects_init(struct suspects *s, const struct windows *windows, size_t anchor,
                         csy_error *error);
void suspects_fini(struct suspects *s);

/* Whether left is at most the factor-th part of whole. */
bool suspects_explains(csy_fraction left, csy_fraction whole, int64_t factor);

/* A clock was set once, between windows: what is left, where, and by how much (forward). */
struct suspect_step {
    csy_fraction left;
    size_t first, last; /* windows, half open, within which it was set */
    csy_fraction near;  /* 2 delta of an eighth of the trace on either side, without a step */
    bool bounded;       /* the two numbers below are known */
    int64_t least, most;
};

/* O(K n^2) a place that is tried, of 16 + K / 16. */
void suspects_step(struct suspects *s, size_t clock, struct suspect_step *out);

/* What is left with rates; rate[t] of n clocks, in parts of 10^12 faster than the anchor, 0 where
 * it could not be told; unsure[t]: how far offsets of t are known in a part of the trace.  shift is
 * room for n numbers a window. */
csy_fraction suspects_drift(struct suspects *s, int64_t *shift, int64_t *rate, int64_t *unsure);

/* How much the anchor counted from its least time to its greatest. */
int64_t suspects_span(const struct suspects *s);

/* What is left without this clock; *lasting: it contradicts the others in many parts of the
 * trace, not in a few only. */
csy_fraction suspects_without(struct suspects *s, size_t clock, bool *lasting);

/* The median of what each window by itself says of g[t] - g[anchor], where enough of them do. */
csy_status suspects_offsets(struct suspects *s, int64_t *g, bool *known, csy_error *error);

#endif
