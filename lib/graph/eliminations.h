/* Eliminations: what remains of a graph of constraints after its threads were eliminated one after
 * another. Bounds are computed from them (bounds/rows.h, bounds/pair_stats.h, bounds/concurrent.h),
 * whichever engine made them.
 *
 * When a thread is eliminated, walks through it are added between its neighbours, all of which are
 * eliminated later. Its record keeps the walks to its neighbours and from them. The order is
 * arbitrary. In the order of one buffer, a thread is eliminated after its last event and all live
 * threads are neighbours, so live threads separate the eliminated threads from those to come. Only
 * then can there be a carrier (graph/sweep.h). */
#ifndef GRAPH_ELIMINATIONS_H
#define GRAPH_ELIMINATIONS_H

#include "graph/minplus.h"

/* The elimination of `thread`, with `live` ids: its neighbours, then itself. row: D[thread][id];
 * column: D[id][thread]; carrier: C[thread], then H[id]. */
struct elimination {
    uint32_t thread;
    uint32_t live;
    const uint32_t *ids;
    const int64_t *row, *column;
    const int64_t *carrier; /* or NULL */
};

/* The same for writing. */
struct elimination_room {
    uint32_t *ids;
    int64_t *row, *column, *carrier;
};

/* In order; every thread is eliminated once. */
struct eliminations {
    size_t nthreads;
    bool has_carrier;
    bool any_order; /* not the order of one buffer */
    struct elimination *items;
    size_t count, capacity;
    size_t live_most; /* the maximum of `live` */
    uint32_t *born;   /* by thread: the number of eliminations before it came, or NULL. If set, the
                       * next elimination is its own or has it as a neighbour */
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

/* The eliminations that use a thread: reading backwards, a thread is needed down to the first
 * elimination that has it as a neighbour (or its own, if none has). */
struct elimination_uses {
    const uint32_t *first; /* by thread: index of that elimination */
    uint32_t *found;       /* owns first if it had to be computed */
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
