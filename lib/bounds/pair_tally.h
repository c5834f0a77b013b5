/* Counts, sums and maxima of error bounds over pairs of threads. */
#ifndef BOUNDS_PAIR_TALLY_H
#define BOUNDS_PAIR_TALLY_H

#include "base/number.h"
#include "clock/threads.h"

/* A thread's data besides its bounds. Threads are in the order of first_record. */
struct pair_tally_thread {
    uint64_t first_record, last_record; /* positions */
    uint64_t records;
    uint32_t next; /* the next live interval of its context, or NO_THREAD; no two have the same */
    bool spe;
    bool hub; /* not a thread, and in no pair */
};

/* True if two threads are live together: the ranges of their records intersect. */
static inline bool pair_tally_live_together(const struct pair_tally_thread *s,
                                            const struct pair_tally_thread *t)
{
    return s->first_record <= t->last_record && t->first_record <= s->last_record;
}

struct pair_tally {
    /* `bounded` and the members below are over pairs bounded on both sides */
    uint64_t pairs, bounded;
    int64_t most_ticks; /* -1: no such pair */
    int128 sum_ticks;
};

/* Pairs of two SPE live intervals, all other pairs, and two groups of any kind. */
struct tallies {
    struct pair_tally spe, other; /* pair_stats_gather counts only bounded pairs */
    struct pair_tally live;       /* pairs with overlapping ranges of records */
    struct pair_tally successive; /* a live interval and the next one of its context */
    bool quadratic;               /* the cost was nearer to threads^2 than to threads */
    unsigned walks;               /* parallel walks that contributed */
};

static inline struct tallies tallies_none(void)
{
    const struct pair_tally none = {0, 0, -1, 0};
    return (struct tallies){none, none, none, none, false, 1};
}

/* Add a pair with this error bound; -1: not bounded both ways. */
static inline void pair_tally_take(struct pair_tally *tally, int64_t error_ticks)
{
    tally->pairs++;
    if (error_ticks < 0)
        return;
    tally->bounded++;
    tally->sum_ticks += error_ticks;
    if (error_ticks > tally->most_ticks)
        tally->most_ticks = error_ticks;
}

#endif
