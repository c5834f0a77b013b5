/* Eliminations: the form in which a graph of constraints is stored after its threads were
 * eliminated one after another. Bounds are computed from eliminations (bounds/rows.h,
 * bounds/pair_stats.h, bounds/concurrent.h), whichever engine made them.
 *
 * When a thread is eliminated, the walks through it are added to the edges between its neighbours,
 * all of which are eliminated later. Its record contains the walks to its neighbours and from them.
 * The order of eliminations is arbitrary. For the order of one buffer, a thread is eliminated after
 * its last event, and all live threads are its neighbours. So the live threads separate the
 * eliminated threads from those to come. Only in this case can there be a carrier
 * (graph/sweep.h). */
#ifndef GRAPH_ELIMINATIONS_H
#define GRAPH_ELIMINATIONS_H

#include "graph/minplus.h"

/* The elimination of `thread`. It has `live` ids: the neighbours of the thread, then the thread
 * itself. row[i] is D[thread][ids[i]], and column[i] is D[ids[i]][thread]. carrier contains
 * C[thread], and then H of each id. */
struct elimination {
    uint32_t thread;
    uint32_t live;
    const uint32_t *ids;
    const int64_t *row, *column;
    const int64_t *carrier; /* may be NULL */
};

/* The place of a new elimination, for writing. */
struct elimination_room {
    uint32_t *ids;
    int64_t *row, *column, *carrier;
};

/* All eliminations, in order. Every thread is eliminated once. */
struct eliminations {
    size_t nthreads;
    bool has_carrier;
    bool any_order; /* not the order of one buffer */
    struct elimination *items;
    size_t count, capacity;
    size_t live_most; /* the maximum of `live` */
    /* By thread: the number of eliminations before the thread came; or NULL. If born is set, the
     * next elimination is that of the thread itself, or has the thread as a neighbour. */
    uint32_t *born;
    size_t born_capacity;
    unsigned char **blocks;
    size_t nblocks, blocks_capacity;
    size_t block_used, block_size; /* of the last block */
    size_t blocks_size;            /* of all blocks */
};

void eliminations_fini(struct eliminations *records);

/* Append an elimination; the caller fills *room. */
csy_status eliminations_add(struct eliminations *records, uint32_t thread, size_t live,
                            struct elimination_room *room, csy_error *error);

/* For each thread, the first elimination that uses it: the first one that has the thread as a
 * neighbour, or else its own. A reader that goes backwards needs the thread down to this
 * elimination. */
struct elimination_uses {
    const uint32_t *first; /* for each thread: index of that elimination */
    uint32_t *found;       /* the memory of `first` if it had to be computed; otherwise NULL */
    size_t most;           /* the most threads needed at once */
};

/* records must outlive uses. O(T), or O(T W) if records->born is NULL. */
csy_status elimination_uses_init(struct elimination_uses *uses, const struct eliminations *records,
                                 csy_error *error);
void elimination_uses_fini(struct elimination_uses *uses);

/* The strongly connected components of a graph without a carrier: component[t] of each thread, and
 * their number. O(T W). */
csy_status elimination_components(const struct eliminations *records, uint32_t *component,
                                  size_t *count, csy_error *error);

#endif
