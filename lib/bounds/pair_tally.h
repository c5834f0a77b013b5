/* Numbers, sums, and maxima of the error bounds of pairs of threads. */
#ifndef BOUNDS_PAIR_TALLY_H
#define BOUNDS_PAIR_TALLY_H

#include "base/number.h"
#include "clock/threads.h"

/* What tallies need to know about a thread, besides bounds. Threads are sorted by first_record. */
struct pair_tally_thread {
    uint64_t first_record, last_record; /* positions */
    uint64_t records;
    uint32_t next; /* next live interval of the context, or NO_THREAD; different for each thread */
    bool spe;
    bool hub; /* the vertex is a hub: no thread, and in no pair */
};

/* Returns true if two threads are live together, because their ranges of records overlap. */
static inline bool pair_tally_live_together(const struct pair_tally_thread *s,
                                            const struct pair_tally_thread *t)
{
    return s->first_record <= t->last_record && t->first_record <= s->last_record;
}

struct pair_tally {
    /* `bounded`, most_ticks, and sum_ticks are for pairs that are bounded on both sides */
    uint64_t pairs, bounded;
    int64_t most_ticks; /* -1: there is no such pair */
    int128 sum_ticks;
};

/* Tallies of pairs of two SPE live intervals, of all other pairs, and of two special groups. */
struct tallies {
    /* pair_stats_gather counts only bounded pairs in `spe` and `other` */
    struct pair_tally spe, other;
    struct pair_tally live;       /* pairs whose ranges of records overlap */
    struct pair_tally successive; /* pairs of a live interval and the next one of its context */
    bool quadratic;               /* the cost grew with the square of the number of threads */
    unsigned walks;               /* number of walks that ran in parallel */
};

static inline struct tallies tallies_none(void)
{
    const struct pair_tally none = {0, 0, -1, 0};
    return (struct tallies){none, none, none, none, false, 1};
}

/* Add a pair to a tally. The error bound is -1 if the pair is not bounded on both sides. */
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
