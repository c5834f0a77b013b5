/*
 * Forms: sums of times between timestamps.  A form is a number plus the moves of clocks:
 *
 *   ticks + sum over clocks of c[clock] x[clock]
 *
 * A time that begins and ends by one clock adds no moves.  If clocks drift, each event moves by
 * itself (analysis/ranges/form_tubes.h), and a form with a time between two clocks is in global
 * time.  Its range then allows for the rates in its times by one clock, too.
 */
#ifndef ANALYSIS_RANGES_FORMS_H
#define ANALYSIS_RANGES_FORMS_H

#include "analysis/ranges/form_tubes.h"
#include "analysis/ranges/moves.h"
#include "base/keys.h"
#include "base/texts.h"
#include "instants/instants.h"
#include "sync/solution.h"

#include <cellsync/analysis.h>

/* The factor of a clock in a form. */
struct form_part {
    uint64_t key; /* the form, then the clock */
    int64_t c;
};

struct form {
    int128 ticks;
    uint64_t crossings; /* number of times between two clocks, or with `whole` of all times */
};

/* A struct of zeros is valid and contains no forms. */
struct forms {
    struct form *items;
    size_t count, capacity;
    struct form_part *parts; /* indexed by the number of the key, until forms_sort */
    size_t nparts, parts_capacity;
    struct keys keys;
    bool whole; /* if a form has a time between two clocks, imprecision counts for all its times */
    bool stamped; /* with whole: imprecision counts for all forms */
    struct form_tubes
        tubes; /* tubes.places is set before the first time is added if clocks drift */
};

void forms_fini(struct forms *forms);

/* Add the time between two moments, `times` times, to a form, which is 0 at first.  Returns false
 * if memory runs out. */
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

/* Make at least `count` forms.  Returns false if memory runs out. */
bool forms_reserve(struct forms *forms, size_t count);

/* A form that is added to another one, `times` times. */
struct form_use {
    size_t from, to;
    int64_t times;
};

/* After the last time was added: add forms to others, in each period of `period` forms.  Returns
 * false if memory runs out. */
bool forms_derive(struct forms *forms, size_t period, const struct form_use *uses, size_t nuses);

/* Set the ranges of the first `count` forms, after the last time was added.  CSY_INPUT if a range
 * leaves 64 bits. */
csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_range *ranges, csy_error *error);

/* The same by the bounds of pairs of clocks, for forms with few clocks each.  A range is exact if
 * the form has two clocks, or at most FORMS_PAIRS_MAX pairs of clocks of different signs.
 * Beyond FORMS_CLOCKS_MAX clocks, and for a solution that was read, only the bounds to the
 * reference count.  O(pairs of clocks), as csy_sync_bounds, and a flow for each form of more
 * than two clocks. */
enum { FORMS_CLOCKS_MAX = 4096, FORMS_PAIRS_MAX = 1024 };
csy_status forms_bounds(struct forms *forms, size_t count, csy_sync *sync, csy_range *ranges,
                        csy_error *error);

/* Add a range to another one.  Returns false if the sum leaves 64 bits. */
bool forms_add_range(csy_range *to, const csy_range *range);

/* The ticks that imprecision adds to a form at either end, for all its timestamps; used with
 * forms->whole.  If clocks drift, this includes the error of times by one clock in global time. */
int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync);

/* Widen a sum of ranges by the errors of timestamps.  Ranges between clocks already include these
 * errors, but times by one clock do not.  A sum of both must include the errors of its one-clock
 * times, too: these are `stamps` ticks at either end, or unknown if `stamps` is below 0. */
void forms_allow_stamps(csy_range *sum, int128 stamps);

/* Remove parts with factor 0, and sort the others.  Returns the number of parts left. */
size_t forms_sort(struct forms *forms);

/* Pairs of clocks, and how far they may move against one another: x[t] - x[s] with s < t, where x
 * is the move of a clock away from its estimated offset. */

struct moving_pair {
    uint32_t s, t;    /* s < t */
    int64_t up, down; /* the greatest x[t] - x[s], and x[s] - x[t]; or MOVES_NONE */
};

struct clock_pairs {
    struct moving_pair *items; /* in the order of adding */
    size_t count, capacity;
    struct texts keys;
    csy_range_kind kind; /* for figures from these pairs; CSY_RANGE_UNKNOWN without bounds */
};

void clock_pairs_fini(struct clock_pairs *pairs);

/* Find or add a pair, a != b.  Returns false if memory runs out. */
bool clock_pairs_add(struct clock_pairs *pairs, uint32_t a, uint32_t b, uint32_t *out);

/* A pair that was added. */
const struct moving_pair *clock_pairs_look(const struct clock_pairs *pairs, uint32_t a, uint32_t b);

/* After the last pair was added: find the moves of all pairs, by the bounds of each; for many
 * clocks, or a solution that was read, by the bounds to the reference. */
csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error);

#endif
