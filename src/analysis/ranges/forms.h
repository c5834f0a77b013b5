/*
 * Forms: sums of times between stamps, each a number and what moves of clocks add to it:
 *
 *   ticks + sum over clocks of c[clock] x[clock]
 *
 * Where a time begins and ends by one clock nothing is added.
 */
#ifndef ANALYSIS_RANGES_FORMS_H
#define ANALYSIS_RANGES_FORMS_H

#include "analysis/ranges/moves.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* What a clock has in a form. */
struct form_part {
    uint64_t key; /* 1 more than the form, and the clock */
    int64_t c;
};

struct form {
    int128 ticks;
    uint64_t crossings; /* times between two clocks, or all */
};

struct forms {
    struct form *items;
    size_t count, capacity;
    struct form_part *parts; /* by hashes, a power of 2 of them; key 0: free */
    size_t nparts, parts_capacity;
    bool whole;   /* what imprecision adds is of all times, where some are between two clocks */
    bool stamped; /* with whole: also where none are */
};

csy_status forms_init(struct forms *forms, csy_error *error);
void forms_fini(struct forms *forms);

/* Add the time between two moments, so many times, to a form, which is nothing if it was not added
 * to before; false on no memory. */
bool forms_add_any(struct forms *forms, size_t form, const struct moment *begin,
                   const struct moment *end, int64_t times);

static inline bool forms_add(struct forms *forms, size_t form, const struct moment *begin,
                             const struct moment *end, int64_t times)
{
    if (form >= forms->count || begin->clock != end->clock || times < 0)
        return forms_add_any(forms, form, begin, end, times);
    struct form *item = &forms->items[form];
    item->crossings += forms->whole ? (uint64_t)times : 0;
    item->ticks += times * ((int128)end->local_ticks - begin->local_ticks);
    return true;
}

/* Let there be so many forms at least; false on no memory. */
bool forms_reserve(struct forms *forms, size_t count);

/* What a form adds to another one, so many times. */
struct form_use {
    size_t from, to;
    int64_t times;
};

/* After all was added: add forms to others, of each period of so many forms; false on no memory. */
bool forms_derive(struct forms *forms, size_t period, const struct form_use *uses, size_t nuses);

/* After all was added: the ranges of the first count.  CSY_INPUT where one leaves 64 bits. */
csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_range *ranges, csy_error *error);

/* The same of forms between few clocks each, by bounds of pairs: exact where a form has two, or no
 * more pairs of clocks of different signs than FORMS_PAIRS_MAX; else, beyond FORMS_CLOCKS_MAX
 * clocks and of a solution that was read by bounds to the reference.  O(pairs of clocks), each as
 * csy_sync_bounds has it, and a flow for each form of more than two. */
enum { FORMS_CLOCKS_MAX = 4096, FORMS_PAIRS_MAX = 1024 };
csy_status forms_bounds(struct forms *forms, size_t count, csy_sync *sync, csy_range *ranges,
                        csy_error *error);

/* Add a figure to another one: the sum is nowhere beyond the sum of their ranges.  false where that
 * leaves 64 bits. */
bool forms_add_range(csy_range *to, const csy_range *range);

/* What imprecision adds to a form at either end, for all of its timestamps; forms->whole. */
int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync);

/* Figures by one clock are as stamped, and other ranges allow for timestamps that are off.  A sum
 * of both must allow for those of the former, too: `stamps` in all at either end, or below 0
 * if that is not known. */
void forms_allow_stamps(csy_range *sum, int128 stamps);

/* Leave out parts that came to nothing, and sort the others; how many are left. */
size_t forms_sort(struct forms *forms);

#endif
