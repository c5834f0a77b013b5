/* Eliminations: how a graph of constraints is stored after its threads were eliminated one by one.
 * Bounds are computed from eliminations (bounds/rows.h, bounds/pair_stats.h, bounds/concurrent.h),
 * whichever engine made them.
 *
 * When a thread is eliminated, the walks through it are added to the edges between its neighbours,
 * all of which are eliminated later. Its record has the walks between it and its neighbours, both
 * ways. The order of eliminations is arbitrary. In the order of one buffer, a thread is eliminated
 * after its last event, and all live threads are its neighbours. So the live threads separate the
 * eliminated threads from those to come. Only in this case can there be a carrier
 * (graph/sweep.h). */
#ifndef GRAPH_ELIMINATIONS_H
#define GRAPH_ELIMINATIONS_H

#include "graph/minplus.h"

/* The elimination of a thread. `ids` are the neighbours of the thread, and last the thread itself.
 * row[i] is the walk D from the thread to ids[i], and column[i] the walk back. `carrier` has C of
 * the thread, followed by H of each id (graph/sweep.h). */
struct elimination {
    uint32_t thread;
    uint32_t live;
    const uint32_t *ids;
    const int64_t *row, *column;
    const int64_t *carrier; /* may be NULL */
};

/* The memory of a new elimination, which the caller fills. */
struct elimination_room {
    uint32_t *ids;
    int64_t *row, *column, *carrier;
};

/* All eliminations in order, one for each thread. */
struct eliminations {
    size_t nthreads;
    bool has_carrier;
    bool any_order; /* false: the threads are eliminated in the order of one buffer */
    struct elimination *items;
    size_t count, capacity;
    size_t live_most; /* maximum of the member `live` */
    /* For each thread: the number of earlier eliminations, or NULL. If `born` is set, each thread
     * is a neighbour in the next elimination, or is eliminated next. */
    uint32_t *born;
    size_t born_capacity;
    unsigned char **blocks;
    size_t nblocks, blocks_capacity;
    size_t block_used, block_size; /* bytes of the last block: used bytes, and all */
    size_t blocks_size;            /* bytes of all blocks */
};

void eliminations_fini(struct eliminations *records);

/* Append an elimination. The caller fills *room. */
csy_status eliminations_add(struct eliminations *records, uint32_t thread, size_t live,
                            struct elimination_room *room, csy_error *error);

/* The first elimination that uses each thread, as a neighbour or as the eliminated thread. A reader
 * that goes backwards needs a thread until this elimination. */
struct elimination_uses {
    const uint32_t *first; /* for each thread: index of the first elimination that uses it */
    uint32_t *found;       /* memory of `first` if it was computed, otherwise NULL */
    size_t most;           /* greatest number of threads needed at once */
};

/* Find the first use of each thread. `records` must outlive the result. Time: O(T), or O(T W)
 * without records->born. */
csy_status elimination_uses_init(struct elimination_uses *uses, const struct eliminations *records,
                                 csy_error *error);
void elimination_uses_fini(struct elimination_uses *uses);

/* Find the strongly connected components of a graph without a carrier. component[t] becomes the
 * component of thread t, and *count the number of components. Time: O(T W). */
csy_status elimination_components(const struct eliminations *records, uint32_t *component,
                                  size_t *count, csy_error *error);

#endif
