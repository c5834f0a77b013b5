/* Computes ranges of sums of durations. If a duration begins on one clock and ends on another, its
 * estimate depends on the estimated clock offsets, which may be wrong. Let x[clock] be the true
 * offset of a clock minus its estimated offset. The true sum of durations is then:
 *
 *    ticks + sum over clocks of c[clock] x[clock]
 *
 * where ticks is the estimated sum. In this module, such a sum is called a form. If clocks drift, x
 * is not constant. Each event then has its own limits (struct event_places), and sums are in time
 * of the reference clock. */
#ifndef ANALYSIS_RANGES_FORMS_H
#define ANALYSIS_RANGES_FORMS_H

#include "analysis/ranges/moves.h"
#include "analysis/ranges/tube.h"
#include "base/texts.h"
#include "instants/instants.h"

/* If clocks drift, a tube (an algorithm in analysis/ranges/tube.h) limits how wrong a sum may be.
 * Each sum has one tube for each clock. The tube takes the events of the clock in the order of
 * their local times. If an event comes too late for this, only its own limits are used. */

/* How much more (up) and less (down) than estimated a sum of durations may be. */
struct slack {
    int128 up, down;
    bool no_up, no_down; /* true if the sum may be more, or less, without limit */
};

struct form_drift {
    struct slack slack; /* limit for the error of the sum that the tubes give, in 1/AGE_UNIT tick */
    struct slack each;  /* limit if the errors of all durations are simply added, in ticks */
    int128 own;         /* absolute values of the durations on one clock, added up, in ticks */
    bool crosses;
};

/* A begin or end of a duration that was not yet given to a tube, because an event with an earlier
 * local time may follow. */
struct tube_waiting {
    int64_t local_ticks, global_ticks, early, late, c;
};

struct clock_tube {
    size_t form;
    struct tube up, down;
    int64_t local_ticks, global_ticks; /* times of the last event added; only valid if `begun` */
    bool begun;
    struct tube_waiting *waiting; /* waiting events, sorted by local_ticks */
    size_t nwaiting, waiting_capacity;
};

/* Limits the errors of sums if clocks drift. `tubes` has an element for each sum and clock. All
 * members except `places` are 0 initially. */
struct form_tubes {
    struct event_places *places; /* limits of the time of each event; NULL if clocks do not drift */
    struct form_drift *forms;
    size_t nforms, forms_capacity;
    struct keys keys;
    struct clock_tube *tubes;
    size_t ntubes, tubes_capacity;
};

/* FORM_TUBES_MAX is the greatest number of tubes; each takes about 1 KB. TUBE_WAITING_MAX is the
 * greatest number of events in clock_tube.waiting. */
enum { FORM_TUBES_MAX = 16384, TUBE_WAITING_MAX = 8 };

struct form_part {
    uint64_t key; /* index of the sum times 2^32, plus index of the clock */
    int64_t c;
};

struct form {
    int128 ticks;
    uint64_t crossings; /* durations that begin and end on different clocks; all, if forms.whole is
                         * true */
};

/* A list of sums. Sum number i adds up the durations for which forms_add was called with `form` =
 * i. {0} is an empty list. */
struct forms {
    struct form *items;
    size_t count, capacity;
    struct form_part *parts; /* factors c of all sums and clocks (see above); `keys` finds one */
    size_t nparts, parts_capacity;
    struct keys keys;
    bool whole;
    bool stamped;            /* true if timestamp errors also widen sums on one clock */
    struct form_tubes tubes; /* if clocks drift, set tubes.places with places_new before adding
                              * durations */
};

void forms_fini(struct forms *forms);

/* Add a duration, multiplied by `times`, to a new or old sum. Returns false if out of memory. */
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

/* A request to forms_derive: add the sum number `from`, multiplied by `times`, to the sum number
 * `to`. */
struct form_use {
    size_t from, to;
    int64_t times;
};

/* Carry out all requests once for each group of `period` successive sums. Number 0 in a request is
 * the first sum of the group. Call after the last duration was added. Returns false if out of
 * memory. */
bool forms_derive(struct forms *forms, size_t period, const struct form_use *uses, size_t nuses);

/* Set the ranges of `count` sums. Call after the last duration was added. If `moves` is NULL,
 * ranges come from bounds between clocks; with many clocks, or for a solution read from a file,
 * only from bounds to the reference clock. Returns CSY_INPUT if a sum exceeds 64 bits. */
enum { FORMS_CLOCKS_MAX = 4096, FORMS_PAIRS_MAX = 1024 };
csy_status forms_ranges(struct forms *forms, size_t count, const struct moves *moves,
                        csy_sync *sync, csy_range *ranges, csy_error *error);

/* Add one range to another range. Returns false if the sum exceeds 64 bits. */
bool forms_add_range(csy_range *to, const csy_range *range);

/* Returns by how many ticks errors of timestamps and drift of clocks may change a sum. `form` is
 * the number of the sum. forms->whole must be true. */
int128 forms_stamps(const struct forms *forms, size_t form, const csy_sync *sync);

/* Extend the range of a sum by `stamps` ticks at both ends, to allow for timestamp errors. If
 * `stamps` is negative, the range becomes unknown. Does nothing if only one clock has measured the
 * sum. */
void forms_allow_stamps(csy_range *sum, int128 stamps);

/* How wrong the estimated difference between the offsets of two clocks may be. */

struct moving_pair {
    uint32_t s, t;    /* indices of the two clocks, s < t */
    int64_t up, down; /* how many ticks clock t's offset minus clock s's offset may be greater (up)
                       * or less (down) than estimated; MOVES_NONE means no limit */
};

struct clock_pairs {
    struct moving_pair *items;
    size_t count, capacity;
    struct texts keys;
    csy_range_kind kind;
};

void clock_pairs_fini(struct clock_pairs *pairs);

/* Find or add the pair of two different clocks. Returns false if out of memory. */
bool clock_pairs_add(struct clock_pairs *pairs, uint32_t a, uint32_t b, uint32_t *out);

/* A duration begins on clock s and ends on clock t of the pair or, if `back` is true, the other way
 * round. Find by how many ticks it may be shorter (*less) and longer (*more) than estimated;
 * MOVES_NONE means no limit. `added` is the greatest error of both timestamps together. */
void moving_pair_apart(const struct moving_pair *pair, bool back, int64_t added, int64_t *less,
                       int64_t *more);

/* Like moving_pair_apart, for the time from `begin` to `end`. If clocks drift, pass `places`, which
 * has the limits of event times. Otherwise pass NULL; the two clocks must be the same or have been
 * added as a pair. Call after clock_pairs_find. */
void clock_pairs_apart(const struct clock_pairs *pairs, struct event_places *places, int64_t added,
                       const struct moment *begin, const struct moment *end, int64_t *less,
                       int64_t *more);

/* Compute moving_pair.up and moving_pair.down of all pairs. With many clocks, or for a solution
 * read from a file, only bounds between each clock and the reference clock are used. Call after the
 * last pair was added. */
csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error);

/* Mean durations, and least-squares lines of durations as a function of bytes, with ranges. Each
 * result is a weighted sum of durations. A change of a clock offset changes all durations from or
 * to this clock equally, so it changes the result by the sum of their weights. */

/* The durations in one group that have the same number of bytes, begin on the same clock, and end
 * on the same clock. */
struct fit_item {
    uint64_t bytes;
    uint32_t group;
    uint32_t pair; /* index of the pair of clocks in clock_pairs, or NO_TEXT for a single clock */
    bool back;     /* true if the durations go from the pair's clock t to its clock s */
    uint64_t count;
    int128 ticks;
    int64_t least_ticks;
    bool loose; /* true if durations may be negative, because their begins and ends have no known
                 * order */
    /* Only used if clocks drift: how much more or less than `ticks` the durations may be in total,
     * and the range of the shortest duration, in ticks. */
    struct slack slack;
    int64_t least_lo, least_hi;
};

struct fits {
    struct fit_item *items;
    size_t count, capacity;
    struct texts keys;
    struct clock_pairs pairs;
    struct form_tubes tubes; /* if clocks drift, set tubes.places with places_new before adding
                              * durations */
    csy_sync *sync;
    int64_t added_ticks; /* greatest sum of the errors of two timestamps, in ticks */
    /* The members below are only used while one mean or one line is computed. */
    int128 *by_pair;
    bool *seen;
    uint32_t *touched; /* indices of the elements of by_pair that are in use */
    size_t ntouched;
    int64_t *by_clock;
};

void fits_fini(struct fits *fits);

/* Add a duration; negative ones require `loose`. Returns false if out of memory. */
bool fits_add(struct fits *fits, uint32_t group, uint64_t bytes, const struct moment *begin,
              const struct moment *end, bool loose);

/* Returns `lo`, raised to 0 or, if the estimate is negative, to the estimate. */
static inline int64_t fits_not_below_0(int64_t lo, int64_t estimate)
{
    int64_t least = estimate < 0 ? estimate : 0;
    return lo < least ? least : lo;
}

/* Sort items by group and bytes, and find clock offset limits. Call after the last fits_add. */
csy_status fits_finish(struct fits *fits, csy_sync *sync, csy_error *error);

/* Returns the n items of a group or, if `bytes` is not NULL, of one size of the group. Call after
 * fits_finish. */
const struct fit_item *fits_find(const struct fits *fits, uint32_t group, const uint64_t *bytes,
                                 size_t *n);

/* Set *out to the shortest duration in ticks. */
void fits_least(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* Set *out to the mean of `count` items in millionths of a tick; it is empty beyond 64 bits. */
void fits_mean(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* fits_line sets a group's least-squares line: the duration at 0 bytes, in millionths of a tick,
 * and the slope, in 10^-12 ticks per byte. fits_on_line sets the total ticks predicted for `number`
 * durations with `bytes` bytes in all: by the line or, if all items have the same bytes, by the
 * mean. Values are empty if there is no line, or if sums are too large. */
void fits_line(struct fits *fits, const struct fit_item *items, size_t count, csy_value *intercept,
               csy_value *slope);
void fits_on_line(struct fits *fits, const struct fit_item *items, size_t count, uint64_t number,
                  uint64_t bytes, csy_value *out);

#endif
