/* Forms: sums of times between timestamps. A form is a number plus the moves of clocks:
 *
 *    ticks + sum over clocks of c[clock] x[clock]
 *
 * A time that begins and ends on one clock adds no moves. If clocks drift, each event moves by
 * itself (analysis/ranges/form_tubes.h), and a form with a time between two clocks is in global
 * time. Its range then also allows for the rates of its times on one clock. */
#ifndef ANALYSIS_RANGES_FORMS_H
#define ANALYSIS_RANGES_FORMS_H

#include "analysis/ranges/form_tubes.h"
#include "analysis/ranges/moves.h"
#include "base/keys.h"
#include "base/texts.h"
#include "instants/instants.h"
#include "sync/solution.h"

#include <cellsync/analysis.h>

/* The coefficient of a clock in a form. */
struct form_part {
    uint64_t key; /* form, then clock */
    int64_t c;
};

struct form {
    int128 ticks;
    uint64_t crossings; /* number of times between two clocks; with `whole` of all times */
};

/* {0} is empty. */
struct forms {
    struct form *items;
    size_t count, capacity;
    struct form_part *parts; /* ordered by the numbers of keys until forms_sort */
    size_t nparts, parts_capacity;
    struct keys keys;
    bool whole;   /* in a form with a time between clocks, imprecision counts for all times */
    bool stamped; /* with whole: for all times of all forms */
    struct form_tubes tubes; /* tubes.places is set before the first time if clocks drift */
};

void forms_fini(struct forms *forms);

/* Add the time between two moments to a form, `times` times; a new form is 0. Returns false if out
 * of memory. */
bool forms_add_any(struct forms *forms, size_t form, const struct moment *begin,
                   const struct moment *end, int64_t times);

static inline bool forms_add(struct forms *forms, size_t form, const struct moment *begin,
                             const struct moment *end, int64_t times)
{
    if (form >= forms->count || begin->clock != end->clock || times < 0 || forms->tubes.places)
        return forms_add_any(forms, form, begin, end, times);
    struct form *item = &forms->items[form];
    item->crossings += forms->whole ? (uint64_t)times : 0;
    item->ticks += times * ((int128)end->local_ticks - begin->local_ticks);
    return true;
}

/* Make at least `count` forms. Returns false if out of memory. */
bool forms_reserve(struct forms *forms, size_t count);

/* A form to be added to another, `times` times. */
struct form_use {
    size_t from, to;
    int64_t times;
};

/* After the last time, add forms to others in each period of `period` forms. Returns false if out
 * of memory. */
bool forms_derive(struct forms *forms, size_t period, const struct form_use *uses, size_t nuses);

/* Set the ranges of the first `count` forms, after the last time. CSY_INPUT if a range exceeds 64
 * bits. */
csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_range *ranges, csy_error *error);

/* Like forms_ranges, from bounds of pairs of clocks, for forms with few clocks each. A range is
 * exact if the form has two clocks, or at most FORMS_PAIRS_MAX pairs of clocks with different
 * signs. Beyond FORMS_CLOCKS_MAX clocks, and for a solution that was read, only bounds to the
 * reference count. O(pairs of clocks), as csy_sync_bounds, and a flow for each form with more than
 * two clocks. */
enum { FORMS_CLOCKS_MAX = 4096, FORMS_PAIRS_MAX = 1024 };
csy_status forms_bounds(struct forms *forms, size_t count, csy_sync *sync, csy_range *ranges,
                        csy_error *error);

/* Add one range to another. Returns false if the sum exceeds 64 bits. */
bool forms_add_range(csy_range *to, const csy_range *range);

/* What imprecision adds to a form at either end, in ticks, for all timestamps; used with
 * forms->whole. If clocks drift, includes the error of times on one clock in global time. */
int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync);

/* Widen a sum of ranges by timestamp errors. Ranges between clocks include these, but times on one
 * clock do not; in a sum of both, they must count. They are `stamps` ticks at either end, or
 * unknown if that is negative. */
void forms_allow_stamps(csy_range *sum, int128 stamps);

/* Remove parts with coefficient 0, and sort the others. Returns their number. */
size_t forms_sort(struct forms *forms);

/* Pairs of clocks, and how far these may move against each other: x[t] - x[s] with s < t, where x
 * is how far a clock is from its estimated offset. */

struct moving_pair {
    uint32_t s, t;    /* s < t */
    int64_t up, down; /* greatest x[t] - x[s], and x[s] - x[t]; or MOVES_NONE */
};

struct clock_pairs {
    struct moving_pair *items; /* as added */
    size_t count, capacity;
    struct texts keys;
    csy_range_kind kind; /* of figures from these pairs; CSY_RANGE_UNKNOWN without bounds */
};

void clock_pairs_fini(struct clock_pairs *pairs);

/* Find or add a pair, a != b. Returns false if out of memory. */
bool clock_pairs_add(struct clock_pairs *pairs, uint32_t a, uint32_t b, uint32_t *out);

/* Return a pair that was added. */
const struct moving_pair *clock_pairs_look(const struct clock_pairs *pairs, uint32_t a, uint32_t b);

/* After the last pair, find the moves of all pairs, from their bounds; for many clocks, or a
 * solution that was read, from bounds to the reference. */
csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error);

#endif
