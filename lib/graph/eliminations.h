/* Eliminations: a graph of constraints, stored by eliminating (removing) its threads one by one.
 * Bounds are computed from eliminations (bounds/rows.h, bounds/pair_stats.h, bounds/concurrent.h).
 *
 * When a thread is eliminated, edges between its neighbours replace the paths through it. An
 * elimination stores the lengths of the shortest paths between the thread and its neighbours, which
 * are eliminated later. Any order of eliminations is possible. If all events are in one buffer, a
 * thread is eliminated after its last event, and its neighbours are all live threads: those that
 * have begun and are not eliminated. Only then can there be a carrier (graph/sweep.h). */
#ifndef GRAPH_ELIMINATIONS_H
#define GRAPH_ELIMINATIONS_H

#include "graph/minplus.h"

/* The data of a thread that remain after its elimination. `ids` are its `live` - 1 neighbours, and
 * then the thread itself. row[i] is the length of the shortest path from the thread to ids[i], and
 * column[i] the length of the path back. carrier[0] is the length of the path from the thread to
 * the carrier (an additional vertex, see graph/sweep.h), and carrier[1 + i] from the carrier to
 * ids[i]. */
struct elimination {
    uint32_t thread;
    uint32_t live;
    const uint32_t *ids;
    const int64_t *row, *column;
    const int64_t *carrier; /* NULL if there is no carrier */
};

/* The arrays of a new struct elimination. The caller of eliminations_add fills them. */
struct elimination_room {
    uint32_t *ids;
    int64_t *row, *column, *carrier;
};

/* The eliminations of all threads, in the order they were made. */
struct eliminations {
    size_t nthreads;
    bool has_carrier;
    bool any_order; /* false if each thread is eliminated after its last event */
    struct elimination *items;
    size_t count, capacity;
    size_t live_most;
    /* born[t]: index of the first item with t as the thread or a neighbour. `born` is NULL if this
     * is not known. */
    uint32_t *born;
    size_t born_capacity;
    unsigned char **blocks;
    size_t nblocks, blocks_capacity;
    size_t block_used, block_size; /* bytes used in the last block, and its size */
    size_t blocks_size;            /* size of all blocks in bytes */
};

void eliminations_fini(struct eliminations *records);

/* Append the elimination of `thread`, which has `live` - 1 neighbours. The caller must then fill
 * the arrays of *room. */
csy_status eliminations_add(struct eliminations *records, uint32_t thread, size_t live,
                            struct elimination_room *room, csy_error *error);

/* Tells when a function that reads eliminations from the last to the first can free the data of a
 * thread: after it has read the first elimination that contains the thread, as its thread or as a
 * neighbour. */
struct elimination_uses {
    const uint32_t *first; /* first[t]: index of the first elimination that contains thread t */
    uint32_t *found;       /* the same array if it is to be freed, or NULL */
    size_t most;           /* data of at most this many threads are needed at the same time */
};

/* Find the first elimination that contains each thread. `records` must outlive the result. Time:
 * O(threads) if records->born is set, otherwise O(size of all eliminations). */
csy_status elimination_uses_init(struct elimination_uses *uses, const struct eliminations *records,
                                 csy_error *error);
void elimination_uses_fini(struct elimination_uses *uses);

/* Find the strongly connected components of the graph of the eliminated threads.
 * records->has_carrier must be false. component[t] becomes the component of thread t, and *count
 * the number of components. Time: O(size of all eliminations). */
csy_status elimination_components(const struct eliminations *records, uint32_t *component,
                                  size_t *count, csy_error *error);

#endif
