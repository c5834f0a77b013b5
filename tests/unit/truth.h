/* Records whose true times are known, in a .pex with embedded records, and checks of solutions. */
#ifndef UNIT_TRUTH_H
#define UNIT_TRUTH_H

#include "support.h"

enum { TRUTH_RECORDS = 250, TRUTH_HZ = 14318000 };

struct truth {
    size_t n;
    int64_t stamp[TRUTH_RECORDS]; /* timestamp, as a reading of the perfect clock */
    int stay
        [TRUTH_RECORDS]; /* for SPEs: number of the period between two writes of the decrementer; -1
                          * for the PPE */
    struct buffer file;
};

void truth_begin(struct truth *truth);

/* Add a record: of the PPE, a switch, or of a context whose decrementer shows 0 at time `zero`. */
void truth_ppe(struct truth *truth, int64_t stamp);
void truth_switched(struct truth *truth, bool in, uint32_t context, int64_t stamp);
void truth_spe(struct truth *truth, uint32_t context, int64_t stamp, int64_t zero, int stay);

/* A trace and its solution. The file of the trace has been removed. */
struct solved {
    csy_trace *trace;
    csy_sync *sync;
};

struct solved truth_solve(const struct truth *truth, const csy_options *options);
void solved_free(struct solved *solved);

/* Fail the test if a thread has records with different stays, or if times between its records
 * differ from the truth. If `whole`, also fail if records with equal stays have different
 * threads. */
void truth_assert_places(const struct truth *truth, const struct solved *solved, bool whole,
                         int trial);

/* Fail the test unless the bounds of all pairs of threads contain the true differences of
 * offsets. */
void truth_assert_bounds(const struct truth *truth, const struct solved *solved, int trial);

#endif
