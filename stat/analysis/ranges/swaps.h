/* Computes upper bounds of the time during which at least i actors are active, and of the negative
 * of this time. Two changes (an actor becomes active or inactive) may have happened in another
 * order than recorded. This is called a swap, and the bounds must allow for it. Functions that
 * return bool return false if out of memory, unless stated otherwise. */
#ifndef ANALYSIS_RANGES_SWAPS_H
#define ANALYSIS_RANGES_SWAPS_H

#include "analysis/ranges/moves.h"

/* An upper bound of a time. The true clock offsets are unknown, so it is a formula. x[clock] is the
 * true offset of a clock minus its estimated offset:
 *
 *    number + sum over clocks of c[clock] x[clock]
 *           - sum over arcs of capacity * max(0, x[s] - x[t] - cost)
 *
 * An arc joins two clocks, s and t, in a flow problem (graph/flow.h), which finds the greatest
 * value for all possible x. `number`, c, and capacities are in 1/256. */

enum { PARTS = 256, ARCS_OF_PAIR = 32 };

struct upper_sum {
    int128 number;
    int64_t *c; /* [clock]: factor of x[clock] in the formula above; NULL if all factors are 0 */
    struct flow_arc *arcs;
    uint32_t *next;   /* for each arc: the next arc between the same clocks, or NO_ARC */
    uint32_t *firsts; /* [pair of clocks in `pairs`]: index of the first arc between these clocks */
    struct keys pairs;
    size_t narcs, arcs_capacity, next_capacity, firsts_capacity;
    uint64_t turns;
};

/* Upper bounds for all numbers of active actors. levels[i - 1], for 1 <= i <= n, is for the time
 * during which at least i actors are active. levels[n] is for the sum of the active times of all
 * actors. */
struct upper_sums {
    struct upper_sum *levels;
    size_t n, nclocks;
    int sign; /* 1 for bounds of the time; -1 for bounds of minus the time */
};

/* A change: an actor becomes active or inactive, or the examined part of the trace (the block)
 * begins or ends. If both `sign` and `edge` are 0, it is only a record. */
struct change {
    int64_t global_ticks, local_ticks;
    uint32_t clock;
    uint32_t actor; /* index of the actor; NO_ACTOR if the change is not by one certain actor */
    int sign;       /* 1: the actor becomes active; -1: it becomes inactive; 0: neither */
    int edge;       /* 1: the block begins; -1: the block ends; 0: neither */
    bool ordered;
};

static inline struct change change_at(const struct moment *at, uint32_t actor, int sign,
                                      bool ordered)
{
    return (struct change){at->global_ticks, at->local_ticks, at->clock, actor, sign, 0, ordered};
}

bool upper_sums_init(struct upper_sums *sums, size_t nlevels, size_t nclocks, int sign);
void upper_sums_fini(struct upper_sums *sums);

/* Add the next change, in the order of the records. `active` actors are active just before it.
 * `counts` is false if the time before the change must be ignored. */
bool upper_sums_take(struct upper_sums *sums, int64_t active, bool counts,
                     const struct change *change);

/* The time just before two changes in unknown order: the possible numbers of active actors, and if
 * the time may be inside or outside the examined part of the trace (the block). */
struct before_both {
    int64_t least, greatest;
    bool may_count, may_not;
};

/* A term of a sum of upper bounds; `weight` must be above 0. upper_sums_greatest finds the greatest
 * value of the sum of n terms for all possible clock offsets, in 1/256 tick. */
struct weighted {
    const struct upper_sum *upper_sum; /* NULL means that the bound is 0 */
    int64_t weight;
};

csy_status upper_sums_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                               int128 *out, bool *limited, csy_error *error);

/* The window holds recent changes, in the order of the records. A change leaves the window when no
 * later change can swap with it.
 *
 * Change A, which is recorded before change B, can swap with B if the changes belong to different
 * actors, the recorded order of at least one of them is uncertain, and B may have happened earlier:
 *
 *    max (x[A] - x[B]) + added - (time of B - time of A) > 0
 *
 * x is the unknown error of the clock's estimated offset; added is the greatest timestamp error. */

#define WINDOW_NONE UINT64_MAX

struct held {
    struct change change;
    uint64_t change_before, begin_before,
        record_before; /* numbers of the last earlier items on this clock; WINDOW_NONE if none */
    int64_t active;    /* number of active actors before the change */
    bool counts;
    uint32_t partners; /* number of other changes that can swap with this one */
    uint32_t links;
    uint64_t later; /* number of the first record that is certainly later, or WINDOW_NONE */
    uint64_t mark;
};

struct held_clock {
    uint64_t change, begin, record; /* numbers of the last items on this clock */
    int64_t change_ticks, begin_ticks;
    int64_t global_ticks; /* time of the latest change or record */
    bool listed;
};

struct window {
    const struct reach *reach;
    struct held *items; /* ring buffer of the elements number `first` to `next` - 1 */
    uint64_t first, next;
    size_t capacity; /* a power of 2, or 0 */
    struct held_clock *clocks;
    uint32_t *listed; /* indices of the clocks that have recent changes or records */
    size_t nlisted;
    int64_t now;   /* greatest global time of all changes added so far, in ticks */
    int64_t limit; /* two changes cannot swap if their times differ by more than this, in ticks */
};

static inline bool change_matters(const struct change *change)
{
    return change->sign != 0 || change->edge != 0;
}

struct swap_link {
    uint64_t partner;
    uint32_t next;
};

struct swaps {
    struct upper_sums sums;
    struct window window;
    struct swap_link *links;
    size_t nlinks, links_capacity;
    uint32_t free;
    uint64_t nchanges, work;
    bool may_give_up, given_up;
    uint64_t told; /* number of the first change that was not yet compared with earlier changes */
    uint64_t mark;
    int64_t active;
    bool counts;
};

bool swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign);
void swaps_fini(struct swaps *v);

bool swaps_take(struct swaps *v, const struct change *change);

/* Finish computing the upper bounds of times. Call after the last change. */
bool swaps_end(struct swaps *v);

/* Moves begins of intervals to records. An interval is recorded when it ends, so it may be unknown
 * which changes of other clocks its begin precedes. If there are many such changes, it would take
 * too long to compare them all. The begin is then moved to the next record that certainly follows
 * it, or to the last record that certainly precedes it. For the upper end of a range, the record
 * that makes the active time longer is used; for the lower end, the record that makes it shorter.
 * So bounds remain valid, but get wider. Bounds are computed in several steps, which differ in the
 * number of changes that can swap with a begin before it is moved. The best bound of all steps is
 * used. */

enum { MOVED_BEGINS = 3, MOVED_BEGINS_SIDES = 2 * MOVED_BEGINS };

/* The begin of an interval, listed at a record that it may be moved to. */
struct attached {
    struct change change;
    uint64_t number;
    bool later; /* true if the record follows the begin of the interval, false if it precedes it */
    uint32_t partners;
    uint32_t next;
};

/* Called in order for the records where the number of active actors changes after begins of
 * intervals were moved. They are moved in one way for upper limits of times, which changes the
 * number by `above`, and in another way for lower limits, which changes it by `below`. */
typedef bool moved_begins_left(void *user, uint64_t number, const struct change *record,
                               int64_t above, int64_t below);

struct given {
    struct change *items;
    size_t n;
    bool failed;
};

struct moved_begins {
    struct window window;
    moved_begins_left *left; /* NULL, unless moved_begins_init_all was called */
    void *user;
    /* sides[i] computes upper bounds of times in step i (see above), and sides[MOVED_BEGINS + i]
     * computes upper bounds of minus the times. */
    struct swaps sides[MOVED_BEGINS_SIDES];
    size_t nsteps;
    struct given given[MOVED_BEGINS_SIDES];
    unsigned workers;
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* numbers of the begins of intervals for which no later record is known
                        * yet */
    size_t npending, pending_capacity;
    uint64_t passed; /* last record that precedes all changes still to be added */
    uint64_t looked;
    uint64_t *before; /* [actor]: number of the actor's last record in the window, or WINDOW_NONE */
    size_t nactors;
};

/* `nlevels` is the greatest number of active actors. `some` is false if it is known between which
 * records each interval begins; one step is then enough. `workers` is the number of threads to use;
 * it does not change the result. */
bool moved_begins_init(struct moved_begins *moved_begins, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers);
void moved_begins_fini(struct moved_begins *moved_begins);

/* Initialize without computing bounds. All begins of intervals are moved to records, and `left` is
 * called with these records. */
bool moved_begins_init_all(struct moved_begins *moved_begins, const struct reach *reach,
                           size_t nactors, moved_begins_left *left, void *user);

/* Add the next change, in the order of the records. If its `sign` and `edge` are 0, it is a record
 * that the begin of an interval may be moved to. */
bool moved_begins_take(struct moved_begins *moved_begins, const struct change *change);

/* Process all changes that still wait. Call after the last change. */
bool moved_begins_end(struct moved_begins *moved_begins);

/* Free everything except the computed bounds. Call after moved_begins_end. */
void moved_begins_rest(struct moved_begins *moved_begins);

#endif
