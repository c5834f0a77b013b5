/* Forms: sums of times between timestamps. A form is a number plus the moves of clocks:
 *
 *    ticks + sum over clocks of c[clock] x[clock]
 *
 * A time that begins and ends on one clock adds no moves. If clocks drift, each event moves by
 * itself, and a form with a time between two clocks is in global
 * time. Its range then also allows for the rates of its times on one clock. */
#ifndef ANALYSIS_RANGES_FORMS_H
#define ANALYSIS_RANGES_FORMS_H

#include "analysis/ranges/moves.h"
#include "analysis/ranges/places.h"
#include "analysis/ranges/tube.h"
#include "base/keys.h"
#include "base/texts.h"
#include "instants/instants.h"
#include "sync/solution.h"

#include <cellsync/analysis.h>

/* Tubes of forms: how far sums of times may be from their estimates if clocks drift.
 *
 * A time between two clocks has an instant at each end. The instants of a form on one clock go into
 * a tube (analysis/ranges/tube.h), sorted by that clock. An instant that comes late, or that finds
 * too many tubes, is limited by itself. Rates limit times on one clock. */

/* How far a form may be from its estimate. */
struct form_drift {
    int128 up, down;           /* times between clocks, in units of 1/AGE_UNIT */
    int128 each_up, each_down; /* from limits of each time, in ticks */
    bool no_each_up, no_each_down;
    int128 own; /* sum of times on one clock, in ticks */
    bool no_up, no_down;
    bool crosses; /* some time is between two clocks */
};

/* An instant that waits for earlier ones. */
struct tube_waiting {
    int64_t local_ticks, global_ticks, early, late, c;
};

/* The instants of a form on one clock. */
struct clock_tube {
    size_t form;
    struct tube up, down;
    int64_t local_ticks, global_ticks; /* last instant in the tubes, if begun */
    bool begun;
    struct tube_waiting *waiting; /* sorted by local_ticks */
    size_t nwaiting, waiting_capacity;
};

/* All members are 0 initially, except places. */
struct form_tubes {
    struct event_places *places; /* NULL: no drift, and all other members are unused */
    struct form_drift *forms;
    size_t nforms, forms_capacity;
    struct keys keys; /* keys of tubes: form, then clock */
    struct clock_tube *tubes;
    size_t ntubes, tubes_capacity;
};

/* Most tubes, of about 1 KB each, and most waiting instants in each. */
enum { FORM_TUBES_MAX = 16384, TUBE_WAITING_MAX = 8 };

void form_tubes_fini(struct form_tubes *tubes);

/* Add a time on one clock, or a time between two clocks `times` times. Returns false if out of
 * memory. */
bool form_tubes_own(struct form_tubes *tubes, size_t form, int128 ticks);
bool form_tubes_add(struct form_tubes *tubes, size_t form, const struct moment *begin,
                    const struct moment *end, int64_t times);

/* After the last time, find how far all forms may be from their estimates: by tubes or by the
 * limits of each time, whichever is less. Returns false if out of memory. */
bool form_tubes_settle(struct form_tubes *tubes);

/* Add one form to another, `times` times, after form_tubes_settle. Returns false if out of
 * memory. */
bool form_tubes_derive(struct form_tubes *tubes, size_t from, size_t to, int64_t times);

/* The drift of a form, which may have no times. */
struct form_drift form_tubes_of(const struct form_tubes *tubes, size_t form);

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
    bool whole;   /* if a form has a time between clocks, imprecision counts for all its times */
    bool stamped; /* with whole: imprecision counts for all forms */
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
 * bits.
 *
 * If `moves` is NULL, ranges come from bounds of pairs of clocks, for forms with few clocks each. A
 * range is exact if the form has two clocks, or at most FORMS_PAIRS_MAX pairs of clocks with
 * different signs. Beyond FORMS_CLOCKS_MAX clocks, and for a solution that was read, only bounds to
 * the reference count. O(pairs of clocks), as csy_sync_bounds, and a flow for each form with more
 * than two clocks. */
enum { FORMS_CLOCKS_MAX = 4096, FORMS_PAIRS_MAX = 1024 };
csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_sync *sync, csy_range *ranges, csy_error *error);

/* Add one range to another. Returns false if the sum exceeds 64 bits. */
bool forms_add_range(csy_range *to, const csy_range *range);

/* The ticks that imprecision adds to a form at either end, for all timestamps; used with
 * forms->whole. If clocks drift, includes the error of times on one clock in global time. */
int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync);

/* Widen a sum of ranges by timestamp errors. Ranges between clocks include these errors, but times
 * on one clock do not; in a sum of both, the errors must count. `stamps` is the error at either
 * end, in ticks; negative if unknown. */
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
    struct moving_pair *items; /* pairs in the order of adding */
    size_t count, capacity;
    struct texts keys;
    csy_range_kind kind; /* kind of figures from these pairs; CSY_RANGE_UNKNOWN without bounds */
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
