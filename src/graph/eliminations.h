/*
 * Eliminations: what is left of a graph of constraints whose threads were eliminated one after
 * another.  What asks questions of bounds (bounds/rows.h, bounds/pair_stats.h,
 * bounds/concurrent.h) reads them, and does not know which engine has made them.
 *
 * When a thread is eliminated, walks through it are written between those that live on, and its
 * record keeps its own: to its neighbours, all of which are eliminated later, and from them.  They
 * may go in any order.  In that of one buffer, where each goes when its last event has passed and
 * all that are live are neighbours, the live ones are between those eliminated and those to come;
 * only then there is a carrier (graph/sweep.h).
 */
#ifndef GRAPH_ELIMINATIONS_H
#define GRAPH_ELIMINATIONS_H

#include "graph/minplus.h"

/* One elimination: of `thread`, among `live` threads, its neighbours and itself as the last of
 * them.  row: D[thread][id]; column: D[id][thread]; carrier: C[thread], then H[id]. */
struct elimination {
    uint32_t thread;
    uint32_t live;
    const uint32_t *ids;
    const int64_t *row, *column;
    const int64_t *carrier; /* or NULL */
};

/* The same to write. */
struct elimination_room {
    uint32_t *ids;
    int64_t *row, *column, *carrier;
};

/* All in order; every thread is eliminated once. */
struct eliminations {
    size_t nthreads;
    bool has_carrier;
    bool any_order; /* not that of one buffer */
    struct elimination *items;
    size_t count, capacity;
    size_t live_most; /* the greatest `live` */
    uint32_t *born;   /* by thread: how many eliminations there were when it came; or NULL.  Where
                         it is set, the next one has it among its neighbours, or is its own */
    size_t born_capacity;
    unsigned char **blocks;
    size_t nblocks, blocks_capacity;
    size_t block_used, block_size; /* of the last block */
    size_t blocks_size;            /* of all blocks */
};

void eliminations_fini(struct eliminations *records);

/* Append an elimination, which the caller writes to *room. */
csy_status eliminations_add(struct eliminations *records, uint32_t thread, size_t live,
                            struct elimination_room *room, csy_error *error);

/*
 * Read backwards, what is known of a thread is wanted down to the first elimination that has it
 * among its neighbours (or its own, where none has).
 */
struct elimination_uses {
    const uint32_t *first; /* by thread: index of that elimination */
    uint32_t *found;       /* those, where the records do not know when threads were born */
    size_t most;           /* so many threads are wanted at once, at most */
};

/* The records must stay.  O(T), O(T W) where they do not know when threads were born. */
csy_status elimination_uses_init(struct elimination_uses *uses, const struct eliminations *records,
                                 csy_error *error);
void elimination_uses_fini(struct elimination_uses *uses);

/* The strongly connected components of a graph without a carrier: component[t] of each thread;
 * *count of them.  O(T W). */
csy_status elimination_components(const struct eliminations *records, uint32_t *component,
                                  size_t *count, csy_error *error);

#endif
