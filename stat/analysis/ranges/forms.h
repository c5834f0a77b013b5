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

/* Tubes of forms limit sums of times if clocks drift. Each end of a time between two clocks is an
 * instant. The instants of a form on one clock go into a tube (analysis/ranges/tube.h), sorted by
 * that clock. An instant that comes out of order, or when no tube is free, is limited by itself.
 * Rates limit times on one clock. */

/* How far a form (a sum of times) may be from its estimate. */
struct form_drift {
    int128 up, down;           /* limits for times between clocks, in 1/AGE_UNIT tick */
    int128 each_up, each_down; /* sums of the limits of single times, in ticks */
    bool no_each_up, no_each_down;
    int128 own; /* sum of the lengths of times on one clock, in ticks */
    bool no_up, no_down;
    bool crosses; /* true if some time is between two clocks */
};

/* An instant that waits, because an instant with an earlier reading of its clock may follow. */
struct tube_waiting {
    int64_t local_ticks, global_ticks, early, late, c;
};

/* The instants of one form (a sum of times) on one clock. */
struct clock_tube {
    size_t form;
    struct tube up, down;
    int64_t local_ticks, global_ticks; /* the last instant in the tubes, if `begun` */
    bool begun;
    struct tube_waiting *waiting; /* waiting instants, sorted by local_ticks */
    size_t nwaiting, waiting_capacity;
};

/* All members except `places` are 0 initially. */
struct form_tubes {
    struct event_places *places; /* NULL without drift; all other members are then unused */
    struct form_drift *forms;
    size_t nforms, forms_capacity;
    struct keys keys; /* identifies each tube by its form and its clock */
    struct clock_tube *tubes;
    size_t ntubes, tubes_capacity;
};

/* The greatest number of tubes, of about 1 KB each, and of waiting instants in each tube. */
enum { FORM_TUBES_MAX = 16384, TUBE_WAITING_MAX = 8 };

void form_tubes_fini(struct form_tubes *tubes);

/* Add a time between two clocks to a form `times` times. Returns false if out of memory. */
bool form_tubes_add(struct form_tubes *tubes, size_t form, const struct moment *begin,
                    const struct moment *end, int64_t times);

/* After the last time, find how far each form may be from its estimate. Limits come from tubes or
 * from single times, whichever are less. Returns false if out of memory. */
bool form_tubes_settle(struct form_tubes *tubes);

/* Return how far a form may be from its estimate, which is 0 for a form without times. */
struct form_drift form_tubes_of(const struct form_tubes *tubes, size_t form);

/* The coefficient of one clock in a form (a sum of times). */
struct form_part {
    uint64_t key; /* number of the form times 2^32, plus the clock */
    int64_t c;
};

struct form {
    int128 ticks;
    uint64_t crossings; /* number of times between clocks; with forms.whole, of all times */
};

/* A list of forms, which are sums of times. {0} is an empty list. */
struct forms {
    struct form *items;
    size_t count, capacity;
    struct form_part *parts; /* in the order of `keys`; after forms_sort, sorted by key */
    size_t nparts, parts_capacity;
    struct keys keys;
    bool whole;   /* imprecision counts for all times of a form that has a time between clocks */
    bool stamped; /* with `whole`: imprecision counts for all forms */
    struct form_tubes tubes; /* if clocks drift, tubes.places is set before times are added */
};

void forms_fini(struct forms *forms);

/* Add the time between two moments to a form `times` times. A new form starts at 0. Returns false
 * if out of memory. */
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

/* The form `from` is added to the form `to`, `times` times. */
struct form_use {
    size_t from, to;
    int64_t times;
};

/* After the last time, add forms to other forms as `uses` says, in each group of `period`
 * successive forms. Returns false if out of memory. */
bool forms_derive(struct forms *forms, size_t period, const struct form_use *uses, size_t nuses);

/* After the last time, set the ranges of the first `count` forms. Returns CSY_INPUT if a range
 * exceeds 64 bits. If `moves` is NULL, ranges come from the bounds of pairs of clocks. Such a range
 * is exact if the form has two clocks, or at most FORMS_PAIRS_MAX pairs of clocks with different
 * signs. With more than FORMS_CLOCKS_MAX clocks, or for a solution read from a file, only bounds to
 * the reference count. A form with more than two clocks takes a flow. */
enum { FORMS_CLOCKS_MAX = 4096, FORMS_PAIRS_MAX = 1024 };
csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_sync *sync, csy_range *ranges, csy_error *error);

/* Add one range to another range. Returns false if the sum exceeds 64 bits. */
bool forms_add_range(csy_range *to, const csy_range *range);

/* Return the ticks that timestamp errors add to either end of a form, with forms->whole. If clocks
 * drift, the result includes the error of times on one clock in global time. */
int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync);

/* Widen a sum of ranges by `stamps`, the timestamp errors of its times on one clock, in ticks.
 * Ranges between clocks already include such errors. A negative `stamps` is an unknown error. */
void forms_allow_stamps(csy_range *sum, int128 stamps);

/* Pairs of clocks, and how far two clocks may move against each other. The move x is how far a
 * clock is from its estimated offset; the difference x[t] - x[s] is limited. */

struct moving_pair {
    uint32_t s, t;    /* the two clocks, s < t */
    int64_t up, down; /* greatest x[t] - x[s], and greatest x[s] - x[t]; or MOVES_NONE */
};

struct clock_pairs {
    struct moving_pair *items; /* pairs in the order in which they were added */
    size_t count, capacity;
    struct texts keys;
    csy_range_kind kind; /* kind of ranges from these pairs; CSY_RANGE_UNKNOWN without bounds */
};

void clock_pairs_fini(struct clock_pairs *pairs);

/* Find or add the pair of the clocks a and b, which differ. Returns false if out of memory. */
bool clock_pairs_add(struct clock_pairs *pairs, uint32_t a, uint32_t b, uint32_t *out);

/* Set how far a time from clock s of a pair to clock t may be below and above its estimate, or
 * MOVES_NONE for no limit. If `back` is true, the time is from t to s. `added` is the greatest
 * error of its two timestamps. */
void moving_pair_apart(const struct moving_pair *pair, bool back, int64_t added, int64_t *less,
                       int64_t *more);

/* Works like moving_pair_apart, but for a time between two moments, after clock_pairs_find. If
 * clocks drift, `places` has the limits. Otherwise it is NULL, and the pair of the clocks must have
 * been added. */
void clock_pairs_apart(const struct clock_pairs *pairs, struct event_places *places, int64_t added,
                       const struct moment *begin, const struct moment *end, int64_t *less,
                       int64_t *more);

/* After the last pair, find the moves of all pairs from the bounds of their clocks. For many
 * clocks, or a solution read from a file, use only bounds to the reference. */
csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error);

#endif
