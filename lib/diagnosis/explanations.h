/* The table of explanations for a contradiction between order and clocks: limits on rates, each
 * with the least timestamp error. See doc/diagnosis.md, Explanations. */
#ifndef DIAGNOSIS_EXPLANATIONS_H
#define DIAGNOSIS_EXPLANATIONS_H

#include "sync/solution.h"

/* The greatest difference between two crystals that are good to 50 ppm, as --drift counts it:
 * relative to the faster crystal, the other one is off by (1 + 50e-6) / (1 - 50e-6) - 1, which is
 * 100.00500025 ppm. So cellsync suggests 101. */
enum { CRYSTAL_PPB = 101000 };

/* Two clocks that ntpd slews by 500 ppm in opposite directions are 1000.5 ppm apart. */
enum { STEERED_PPB = 1001000 };

struct drift_trial;

enum { EXPLANATIONS_MOST = 4, OPTIONS_TEXT_MAX = 96 };

struct explanations {
    size_t count;
    bool untried; /* the trace is too long to try limits on rates */
    csy_fit items[EXPLANATIONS_MOST];
    char options[EXPLANATIONS_MOST][OPTIONS_TEXT_MAX];
};

/* Find the rows for a solution with an estimated delta. other: the diagnosis has another cause, so
 * no row is plausible. trial: NULL if other premises cannot be tried. enough_ppb: the least rate
 * for a 2 delta of enough_ticks, or 0. A few passes over the points for each row. */
csy_status explanations_find(struct csy_sync *sync, struct drift_trial *trial, bool other,
                             int64_t enough_ppb, int64_t enough_ticks, struct explanations *out,
                             csy_error *error);

#endif
