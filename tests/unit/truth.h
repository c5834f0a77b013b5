/*
 * Records of which it is known what they really were, as an embedded .pex; and whether a solution
 * knows it too.
 */
#ifndef UNIT_TRUTH_H
#define UNIT_TRUTH_H

#include "support.h"

enum { TRUTH_RECORDS = 250, TRUTH_HZ = 14318000 };

struct truth {
    size_t n;
    int64_t stamp[TRUTH_RECORDS]; /* what its own clock, moved to the perfect one, said */
    int stay
        [TRUTH_RECORDS]; /* of SPE records: between two writes of a decrementer; -1 of the PPE's */
    struct buffer file;
};

void truth_begin(struct truth *truth);

/* The next record: of the PPE, a switch, or of a context whose decrementer reads 0 at `zero`. */
void truth_ppe(struct truth *truth, int64_t stamp);
void truth_switched(struct truth *truth, bool in, uint32_t context, int64_t stamp);
void truth_spe(struct truth *truth, uint32_t context, int64_t stamp, int64_t zero, int stay);

/* A solved trace, whose file is gone again. */
struct solved {
    csy_trace *trace;
    csy_sync *sync;
};

struct solved truth_solve(const struct truth *truth, const csy_options *options);
void solved_free(struct solved *solved);

/* The test fails unless records of one thread are of one stay and as far apart as its clock says;
 * with `whole`, unless records of one stay are also of one thread. */
void truth_assert_places(const struct truth *truth, const struct solved *solved, bool whole,
                         int trial);

/* ... unless the bounds of every pair of threads contain the true difference of their offsets. */
void truth_assert_bounds(const struct truth *truth, const struct solved *solved, int trial);

#endif
