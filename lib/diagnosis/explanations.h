/* Computes a table of possible explanations if timestamps contradict the order of records. Each
 * explanation is a limit on the rates of clocks, with the least timestamp error that is then
 * possible. See doc/diagnosis.md, Explanations. */
#ifndef DIAGNOSIS_EXPLANATIONS_H
#define DIAGNOSIS_EXPLANATIONS_H

#include "sync/solution.h"

/* The greatest difference between the rates of two crystals with an error of up to 50 ppm. Relative
 * to the faster crystal, it is 100.005 ppm, so cellsync suggests 101 ppm. */
enum { CRYSTAL_PPB = 101000 };

/* The greatest difference of rates if ntpd slews two clocks by 500 ppm in opposite directions. */
enum { STEERED_PPB = 1001000 };

struct drift_trial;

enum { EXPLANATIONS_MOST = 4, OPTIONS_TEXT_MAX = 96 };

struct explanations {
    size_t count;
    bool untried; /* true if some limits on rates take too long to try */
    csy_fit items[EXPLANATIONS_MOST];
    char options[EXPLANATIONS_MOST][OPTIONS_TEXT_MAX];
};

/* Compute the table of explanations for a solution with an estimated timestamp error. No row is
 * plausible if `other` is true: the cause is then known, and is not the rates of clocks. `trial`
 * tests limits of rates, and may be NULL. If enough_ppb is not 0, a solution with rates up to
 * enough_ppb is already known, and enough_ticks is twice its timestamp error. Time for each row: a
 * few passes over the points of the trace. */
csy_status explanations_find(struct csy_sync *sync, struct drift_trial *trial, bool other,
                             int64_t enough_ppb, int64_t enough_ticks, struct explanations *out,
                             csy_error *error);

#endif
