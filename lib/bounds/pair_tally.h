/* Numbers, sums, and maxima of error bounds over pairs of threads. */
#ifndef BOUNDS_PAIR_TALLY_H
#define BOUNDS_PAIR_TALLY_H

#include "base/number.h"
#include "clock/threads.h"

/* The facts about a thread that tallies need besides bounds. Threads are sorted by first_record. */
struct pair_tally_thread {
    uint64_t first_record, last_record; /* positions */
    uint64_t records;
    uint32_t next; /* next live interval of the context, or NO_THREAD; no two threads have the same
                    * `next` */
    bool spe;
    bool hub; /* no thread, and in no pair */
};

/* True if the ranges of records of two threads intersect, so that they are live together. */
static inline bool pair_tally_live_together(const struct pair_tally_thread *s,
                                            const struct pair_tally_thread *t)
{
    return s->first_record <= t->last_record && t->first_record <= s->last_record;
}

struct pair_tally {
    /* `bounded` and later members are over pairs bounded on both sides */
    uint64_t pairs, bounded;
    int64_t most_ticks; /* -1: there is no such pair */
    int128 sum_ticks;
};

/* Tallies of pairs of two SPE live intervals, of other pairs, and of two groups of both. */
struct tallies {
    struct pair_tally spe, other; /* from pair_stats_gather only bounded pairs */
    struct pair_tally live;       /* pairs with overlapping ranges of records */
    struct pair_tally successive; /* a live interval and the next one of its context */
    bool quadratic;               /* the cost grew with threads^2 rather than threads */
    unsigned walks;               /* number of parallel walks */
};

static inline struct tallies tallies_none(void)
{
    const struct pair_tally none = {0, 0, -1, 0};
    return (struct tallies){none, none, none, none, false, 1};
}

/* Add a pair with this error bound, or -1 if it is not bounded both ways. */
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
