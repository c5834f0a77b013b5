/* Upper bounds of the time with at least i active actors, and of minus this time. They follow from
 * pairs of changes whose order is unknown (swaps). Functions that return bool return false if
 * out of memory, unless stated otherwise. */
#ifndef ANALYSIS_RANGES_SWAPS_H
#define ANALYSIS_RANGES_SWAPS_H

#include "analysis/ranges/moves.h"

/* An upper bound is a function of the moves x of clocks (true minus estimated offsets):
 *
 *    number + sum over clocks of c[clock] x[clock]
 *           - sum over arcs of capacity * max(0, x[s] - x[t] - cost)
 *
 * An arc belongs to a flow problem (graph/flow.h), and goes from the clock s to the clock t.  For
 * all possible moves, the bound is at least the time.  All coefficients are in 1/256. */

enum { PARTS = 256, ARCS_OF_PAIR = 32 };

struct upper_sum {
    int128 number;
    int64_t *c; /* coefficient of each clock; NULL if all are 0 */
    struct flow_arc *arcs;
    uint32_t *next;   /* for each arc: the next arc between the same clocks, or NO_ARC */
    uint32_t *firsts; /* for each pair of clocks: its first arc */
    struct keys pairs;
    size_t narcs, arcs_capacity, next_capacity, firsts_capacity;
    uint64_t turns; /* number of timestamps in the bound, each with an error */
};

/* levels[i - 1]: upper bounds of the time with at least i active actors, 1 <= i <= n; levels[n]: of
 * the sum of the active times of all actors. */
struct upper_sums {
    struct upper_sum *levels;
    size_t n, nclocks;
    int sign; /* 1: bounds of the time; -1: bounds of the negative time */
};

/* An event at which an actor becomes active or inactive, or an edge of the examined block. */
struct change {
    int64_t global_ticks, local_ticks;
    uint32_t clock;
    uint32_t actor; /* index of the actor; NO_ACTOR if the change was moved to another record */
    int sign;       /* 1: the actor becomes active; -1: it becomes inactive; 0: neither */
    int edge;       /* 1: the block begins; -1: the block ends; 0: no edge */
    bool ordered;
};

static inline struct change change_at(const struct moment *at, uint32_t actor, int sign,
                                      bool ordered)
{
    return (struct change){at->global_ticks, at->local_ticks, at->clock, actor, sign, 0, ordered};
}

bool upper_sums_init(struct upper_sums *sums, size_t nlevels, size_t nclocks, int sign);
void upper_sums_fini(struct upper_sums *sums);

/* Add the next change in the order of the records. `active` is the number of active actors before
 * it. `counts` is true if the time before it is in the block. */
bool upper_sums_take(struct upper_sums *sums, int64_t active, bool counts,
                     const struct change *change);

/* The possible states just before two changes whose order is unknown. */
struct before_both {
    int64_t least, greatest; /* least and greatest number of active actors */
    bool may_count, may_not; /* true if this time may be in the block; or may be outside */
};

/* A term of a weighted sum of upper bounds, with a weight above 0. upper_sums_greatest finds the
 * greatest value of the sum for all clock offsets, in 1/256 tick. */
struct weighted {
    const struct upper_sum *upper_sum; /* the upper bound, or NULL for a term of 0 */
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
        record_before; /* the clock's previous change, begin, and record, or WINDOW_NONE */
    int64_t active;    /* number of active actors before the change */
    bool counts;       /* true if the time before the change is in the block */
    uint32_t partners; /* number of changes with which this one may swap places */
    uint32_t links;    /* first of this change's links in a list of the window's user */
    uint64_t later;    /* first record that certainly follows the change, or WINDOW_NONE */
    uint64_t mark;
};

struct held_clock {
    uint64_t change, begin, record; /* latest change, begin, and record, or WINDOW_NONE */
    int64_t change_ticks, begin_ticks;
    int64_t global_ticks; /* time of the latest change or record */
    bool listed;
};

struct window {
    const struct reach *reach;
    struct held *items;   /* ring of the changes `first` to `next` - 1 */
    uint64_t first, next; /* number of the oldest change, and number of the next new change */
    size_t capacity;      /* a power of 2, or 0 */
    struct held_clock *clocks;
    uint32_t *listed; /* clocks that have recent changes */
    size_t nlisted;
    int64_t now;   /* greatest time of a change so far */
    int64_t limit; /* changes that are further apart than this cannot swap, in ticks */
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
    uint64_t nchanges, work;    /* number of changes, and number of swaps examined */
    bool may_give_up, given_up; /* true if too much work may stop the search; true if it did */
    uint64_t told;              /* number of the first change whose swaps are not in `sums` yet */
    uint64_t mark;
    int64_t active;
    bool counts; /* true if the current time is in the block */
};

bool swaps_init(struct swaps *v, const struct reach *reach, size_t nlevels, int sign);
void swaps_fini(struct swaps *v);

bool swaps_take(struct swaps *v, const struct change *change);

/* Add all swaps that are not in the bounds yet. Call after the last change. */
bool swaps_end(struct swaps *v);

/* Moves begins of intervals to records. The order of a begin relative to many changes may be
 * unknown. To limit the work, such a begin is moved to the next record that certainly follows it,
 * or to the last record that certainly precedes it. The choice makes the active time longer for the
 * upper end of a range, and shorter for the lower end. This is done in several steps. They differ
 * in the number of changes with which a begin may swap before it is moved. All steps give valid
 * bounds, and the best bound is used. */

enum { MOVED_BEGINS = 3, MOVED_BEGINS_SIDES = 2 * MOVED_BEGINS };

/* The begin of an interval, attached to the record to which it may be moved. */
struct attached {
    struct change change;
    uint64_t number; /* position of the begin in the list of changes */
    bool later;      /* true if the record follows the begin */
    uint32_t partners;
    uint32_t next;
};

/* Receives, in order, the records at which the number of active actors changes: by `above` for the
 * upper end of a range, and by `below` for its lower end. */
typedef bool moved_begins_left(void *user, uint64_t number, const struct change *record,
                               int64_t above, int64_t below);

struct given {
    struct change *items;
    size_t n;
    bool failed;
};

struct moved_begins {
    struct window window;
    moved_begins_left *left; /* receives the records if nsteps is 0, otherwise NULL */
    void *user;
    /* searches for bounds in step i: [i]: of the time; [MOVED_BEGINS + i]: of the negative time */
    struct swaps sides[MOVED_BEGINS_SIDES];
    size_t nsteps;
    struct given given[MOVED_BEGINS_SIDES]; /* changes collected for each search */
    unsigned workers;
    struct attached *attached;
    size_t nattached, attached_capacity;
    uint32_t free;
    uint64_t *pending; /* begins of intervals that wait for a record that certainly follows */
    size_t npending, pending_capacity;
    uint64_t passed;  /* last record that precedes all changes to come, or WINDOW_NONE */
    uint64_t looked;  /* number of the next change to examine for finding `passed` */
    uint64_t *before; /* for each actor: number of its last record, or WINDOW_NONE */
    size_t nactors;
};

/* If `some` is false, the trace has no begins of intervals that may be moved, and there is only one
 * step. The number of workers (threads) does not change the result. */
bool moved_begins_init(struct moved_begins *moved_begins, const struct reach *reach, size_t nlevels,
                       size_t nactors, bool some, unsigned workers);
void moved_begins_fini(struct moved_begins *moved_begins);

/* Initialize with nsteps = 0: all begins are moved to records, which are given to `left`. */
bool moved_begins_init_all(struct moved_begins *moved_begins, const struct reach *reach,
                           size_t nactors, moved_begins_left *left, void *user);

/* Add the next change, or a record at which nothing changes. */
bool moved_begins_take(struct moved_begins *moved_begins, const struct change *change);

/* Process all remaining changes. Call after the last change. */
bool moved_begins_end(struct moved_begins *moved_begins);

/* Free everything except the computed bounds. Call after moved_begins_end. */
void moved_begins_rest(struct moved_begins *moved_begins);

#endif
