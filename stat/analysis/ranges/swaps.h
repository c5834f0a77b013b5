/* Computes upper bounds of the time during which at least i actors are active, and of the negative
 * of this time. Two changes (an actor becomes active or inactive) may have happened in another
 * order than recorded. This is called a swap, and the bounds must allow for it. Functions that
 * return bool return false if out of memory, unless stated otherwise. */
#ifndef ANALYSIS_RANGES_SWAPS_H
#define ANALYSIS_RANGES_SWAPS_H

#include "analysis/ranges/moves.h"

/* An upper bound of a time. It depends on the moves x of the clocks (a clock's move is its true
 * offset minus its estimated offset):
 *
 *    number + sum over clocks of c[clock] x[clock]
 *           - sum over arcs of capacity * max(0, x[s] - x[t] - cost)
 *
 * An arc is a part of a flow problem (graph/flow.h). It goes from a clock s to a clock t. For all
 * possible moves, the time is not greater than this value. `number`, c, and capacities are in
 * 1/256. */

enum { PARTS = 256, ARCS_OF_PAIR = 32 };

struct upper_sum {
    int128 number;
    int64_t *c; /* [clock]: coefficient c in the formula above, or NULL if all are 0 */
    struct flow_arc *arcs;
    uint32_t *next;   /* for each arc: the next arc between the same clocks, or NO_ARC */
    uint32_t *firsts; /* [pair of clocks in `pairs`]: index of the first arc between these clocks */
    struct keys pairs;
    size_t narcs, arcs_capacity, next_capacity, firsts_capacity;
    uint64_t turns; /* number of timestamps whose errors affect the bound */
};

/* Upper bounds for all numbers of active actors. levels[i - 1], for 1 <= i <= n, is for the time
 * during which at least i actors are active. levels[n] is for the sum of the active times of all
 * actors. */
struct upper_sums {
    struct upper_sum *levels;
    size_t n, nclocks;
    int sign; /* 1: bounds of the time; -1: bounds of the negative time */
};

/* An event at which an actor becomes active or inactive, or at which the examined part of the trace
 * (the block) begins or ends. If both `sign` and `edge` are 0, it is only a record. */
struct change {
    int64_t global_ticks, local_ticks;
    uint32_t clock;
    uint32_t actor; /* index of the actor; NO_ACTOR if the change is not by one certain actor */
    int sign;       /* 1: the actor becomes active; -1: it becomes inactive; 0: neither */
    int edge;       /* 1: the examined part of the trace begins; -1: it ends; 0: neither */
    bool ordered;
};

static inline struct change change_at(const struct moment *at, uint32_t actor, int sign,
                                      bool ordered)
{
    return (struct change){at->global_ticks, at->local_ticks, at->clock, actor, sign, 0, ordered};
}

bool upper_sums_init(struct upper_sums *sums, size_t nlevels, size_t nclocks, int sign);
void upper_sums_fini(struct upper_sums *sums);

/* Add the next change, in the order of the records. `active` is the number of actors that are
 * active before the change. `counts` is true if the time before the change belongs to the examined
 * part of the trace. */
bool upper_sums_take(struct upper_sums *sums, int64_t active, bool counts,
                     const struct change *change);

/* What is known about the time just before two changes whose order is unknown: how many actors are
 * active, and if the time is inside the examined part of the trace (the block). */
struct before_both {
    int64_t least, greatest;
    bool may_count, may_not; /* true if this time may be inside the block; true if it may be
                              * outside */
};

/* An upper bound with a weight above 0. upper_sums_greatest adds n weighted bounds, and finds the
 * greatest value of this sum for all possible clock offsets, in 1/256 tick. */
struct weighted {
    const struct upper_sum *upper_sum; /* NULL is like a bound of 0 */
    int64_t weight;
};

csy_status upper_sums_greatest(const struct weighted *sum, size_t n, const struct moves *moves,
                               int128 *out, bool *limited, csy_error *error);

/* The window holds recent changes of the number of active actors, in the order of the records.  A
 * change leaves the window when no later change can swap with it.
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
        record_before; /* numbers of earlier items of the same clock: the last change, the last
                        * change with an uncertain place among the records, and the last record;
                        * WINDOW_NONE if there is none */
    int64_t active;    /* number of active actors before the change */
    bool counts;
    uint32_t partners; /* number of other changes whose order relative to this one is uncertain */
    uint32_t links;    /* index of its first element in swaps.links or moved_begins.attached */
    uint64_t later;    /* number of the first record that certainly follows, or WINDOW_NONE */
    uint64_t mark;
};

struct held_clock {
    uint64_t change, begin, record; /* numbers of the clock's last change, last change with an
                                     * uncertain place among the records, and last record;
                                     * WINDOW_NONE if there is none */
    int64_t change_ticks, begin_ticks;
    int64_t global_ticks; /* time of the latest change or record */
    bool listed;
};

struct window {
    const struct reach *reach;
    struct held *items; /* ring buffer of the changes number `first` to `next` - 1 */
    uint64_t first, next;
    size_t capacity; /* a power of 2, or 0 */
    struct held_clock *clocks;
    uint32_t *listed; /* indices of the clocks that have recent changes or records */
    size_t nlisted;
    int64_t now;   /* greatest global time of all changes added so far, in ticks */
    int64_t limit; /* if two changes are further apart than this, in ticks, their order is
                    * certain */
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
    uint64_t told; /* changes before this number have been compared with all earlier ones */
    uint64_t mark;
    int64_t active;
    bool counts;
};

bool swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign);
void swaps_fini(struct swaps *v);

bool swaps_take(struct swaps *v, const struct change *change);

/* Finish the bounds. Call after the last change. */
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

/* The begin of an interval, listed at a record to which it may be moved. */
struct attached {
    struct change change;
    uint64_t number;
    bool later; /* true if the record is after the begin, false if it is before */
    uint32_t partners;
    uint32_t next;
};

/* Receives, in order, the records at which the number of active actors changes after begins of
 * intervals were moved to records. It changes by `above` for the upper end of a range, and by
 * `below` for the lower end. */
typedef bool moved_begins_left(void *user, uint64_t number, const struct change *record,
                               int64_t above, int64_t below);

struct given {
    struct change *items;
    size_t n;
    bool failed;
};

struct moved_begins {
    struct window window;
    moved_begins_left *left; /* called for each record if nsteps is 0; otherwise NULL */
    void *user;
    /* In step i, sides[i] computes upper bounds of times, and sides[MOVED_BEGINS + i] computes
     * upper bounds of negative times. */
    struct swaps sides[MOVED_BEGINS_SIDES];
    size_t nsteps;
    struct given given[MOVED_BEGINS_SIDES]; /* given[i]: changes not yet passed to sides[i] */
    unsigned workers;
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* numbers of the begins of intervals for which no later record is known
                        * yet */
    size_t npending, pending_capacity;
    uint64_t passed;  /* number of the last record that certainly precedes all changes to be added,
                       * or WINDOW_NONE */
    uint64_t looked;  /* changes before this number were examined to find `passed` */
    uint64_t *before; /* [actor]: number of the actor's last record in the window, or WINDOW_NONE */
    size_t nactors;
};

/* `nlevels` is the greatest number of active actors. If `some` is false, no begin of an interval
 * has an uncertain place among the records, and one step is enough. `workers` is the number of
 * threads to use; it does not change the result. */
bool moved_begins_init(struct moved_begins *moved_begins, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers);
void moved_begins_fini(struct moved_begins *moved_begins);

/* Initialize to move all begins of intervals to records without computing bounds (nsteps is 0).
 * `left` receives these records. */
bool moved_begins_init_all(struct moved_begins *moved_begins, const struct reach *reach,
                           size_t nactors, moved_begins_left *left, void *user);

/* Add the next change, in the order of the records. A record is added even if no actor becomes
 * active or inactive. */
bool moved_begins_take(struct moved_begins *moved_begins, const struct change *change);

/* Process the changes that are still in the window. Call after the last change. */
bool moved_begins_end(struct moved_begins *moved_begins);

/* Free everything except the computed bounds. Call after moved_begins_end. */
void moved_begins_rest(struct moved_begins *moved_begins);

#endif
