/*
 * Forms: sums of times between stamps, each a number and what moves of clocks add to it:
 *
 *   ticks + sum over clocks of c[clock] x[clock]
 *
 * Where a time begins and ends by one clock nothing is added.
 */
#ifndef ANALYSIS_FORMS_H
#define ANALYSIS_FORMS_H

#include "analysis/moves.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* What a clock has in a form. */
struct form_part {
    uint64_t key; /* 1 more than the form, and the clock */
    int64_t c;
};

struct form {
    int128 ticks;
    uint64_t crossings; /* times between two clocks */
};

struct forms {
    struct form *items;
    size_t count, capacity;
    struct form_part *parts; /* by hashes, a power of 2 of them; key 0: free */
    size_t nparts, parts_capacity;
};

csy_status forms_init(struct forms *forms, csy_error *error);
void forms_fini(struct forms *forms);

/* Add the time between two moments, times -1 or 1, to a form, which is nothing if it was not added
 * to before; false on no memory. */
bool forms_add(struct forms *forms, size_t form, const struct moment *begin,
               const struct moment *end, int sign);

/* After all was added: the ranges of the first count.  CSY_INPUT where one leaves 64 bits. */
csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_range *ranges, csy_error *error);

#endif
