/* Tallies of pairs of threads: their number, and the sum and the maximum of their error bounds. */
#ifndef BOUNDS_PAIR_TALLY_H
#define BOUNDS_PAIR_TALLY_H

#include "base/number.h"
#include "clock/threads.h"

/* Properties of a thread that tallies depend on. Threads are sorted by first_record. */
struct pair_tally_thread {
    uint64_t first_record, last_record; /* positions in the trace */
    uint64_t records;
    uint32_t next; /* next thread of the same SPE context, or NO_THREAD; unique */
    bool spe;
    bool hub; /* true: not a thread, but another vertex of the graph of constraints; pairs with it
               * do not count */
};

/* Returns true if two threads are live together: if their ranges of records overlap. */
static inline bool pair_tally_live_together(const struct pair_tally_thread *s,
                                            const struct pair_tally_thread *t)
{
    return s->first_record <= t->last_record && t->first_record <= s->last_record;
}

struct pair_tally {
    /* `pairs` counts all pairs; the other members are only for pairs with a finite error bound */
    uint64_t pairs, bounded;
    int64_t most_ticks; /* greatest finite error bound; -1: none */
    int128 sum_ticks;
};

/* Tallies of pairs of two SPE threads, of all other pairs, and of two subsets of all pairs. */
struct tallies {
    /* after pair_stats_gather, `spe` and `other` count only pairs with a finite error bound */
    struct pair_tally spe, other;
    struct pair_tally live;       /* pairs of threads with overlapping ranges of records */
    struct pair_tally successive; /* pairs of a thread and its pair_tally_thread.next */
    bool quadratic;               /* true if the time was quadratic in the number of threads */
    unsigned walks;               /* number of parts of the computation, each done by a worker of
                                   * its own */
};

static inline struct tallies tallies_none(void)
{
    const struct pair_tally none = {0, 0, -1, 0};
    return (struct tallies){none, none, none, none, false, 1};
}

/* Count a pair with this error bound; -1: infinite. */
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
